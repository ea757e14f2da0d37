import { GraphQLError } from 'graphql'
import type { ExecutionArgs, ExecutionResult } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { ExecutionContext } from '../graph/execution/context.ts'
import type { Limits } from '../money/allowance.ts'
import { nameOf } from '../specification/operation.ts'
import { operations } from '../specification/operations.ts'
import type { Account } from '../account/account.ts'
import type { PlanEntry, Usage } from '../account/plan-entry.ts'
import { isSaidToBeDenied } from '../account/denied-by-plan.ts'
import { faultOfExtensions } from './caller.ts'
import { estimateOf, planAt } from './dry-run.ts'
import type { Run } from './dry-run.ts'

/**
 * Refuses a query whose cheapest estimate exceeds its token limit, before anything is spent; null if it may
 * run. Queries without a limit are not estimated, because a dry run takes as much time as the query.
 */
export async function refusal(args: ExecutionArgs, run: Run): Promise<ExecutionResult | null> {
  const billed = args as ExecutionArgs & { contextValue: ExecutionContext } // the context of every query of this schema
  const { limits } = billed.contextValue.clientRequest.allowance
  const { client } = await planAt(billed, 'least', run)
  if (excessOf(client.usage, limits) === null) return null
  // Calls that the plan denies cost nothing. Their error says so, and a higher limit would be of no use.
  const allowed = client.plan.filter(
    ({ operation }) => !isDenied(billed.contextValue.clientRequest.account, operation),
  )
  if (allowed.length < client.plan.length && excessOf(costOf(allowed), limits) === null) return null
  const estimate = await estimateOf(billed, run)
  const excess = excessOf({ tokens: estimate.tokens.from, calls: estimate.calls.from }, limits)
  if (excess === null) return null
  const error = new GraphQLError(`The query costs at least ${excess}. Select less, or raise the limit.`, {
    extensions: { code: 'QUERY_TOO_EXPENSIVE', estimate, maxTokens: limits.maxTokens },
  })
  return { errors: [error], data: null }
}

const isDenied = (account: Account, name: string) =>
  Object.values(operations).some((one) => nameOf(one) === name && isSaidToBeDenied(account, one))

const costOf = (plan: readonly PlanEntry[]) => ({
  tokens: plan.reduce((sum, { tokens }) => sum + tokens, 0),
  calls: plan.filter(({ source }) => source === 'UPSTREAM').length,
})

/** The cost that exceeds a limit; null if none does. */
function excessOf(
  { tokens, calls }: Pick<Usage, 'tokens' | 'calls'>,
  { maxTokens, maxCalls }: Limits,
): string | null {
  if (maxTokens !== null && tokens > maxTokens) return `${tokens} tokens, and its limit is ${maxTokens}`
  return maxCalls !== null && calls > maxCalls ? `${calls} calls, and its limit is ${maxCalls}` : null
}

/** Refuses requests whose `extensions` have a wrong value, such as a limit that is not a number. */
export const useRequestExtensions = (): Plugin => ({
  onParams({ params, setResult }) {
    const fault = faultOfExtensions(params.extensions)
    if (!fault) return
    const extensions = { code: fault.code, http: { status: 400 } }
    setResult({ errors: [new GraphQLError(fault.message, { extensions })] })
  },
})
