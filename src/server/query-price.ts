import { GraphQLError } from 'graphql'
import type { ExecutionArgs, ExecutionResult } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { Context } from '../graph/context.ts'
import { faultOfExtensions } from './caller.ts'
import { estimateOf, planAt } from './dry-run.ts'
import type { Run } from './dry-run.ts'

/**
 * Refuses a query whose cheapest estimate exceeds its token limit, before anything is spent; null if it may
 * run. Queries without a limit are not estimated, because a dry run takes as much time as the query.
 */
export async function refusal(args: ExecutionArgs, run: Run): Promise<ExecutionResult | null> {
  const billed = args as ExecutionArgs & { contextValue: Context } // the context of every query of this schema
  const { maxTokens, maxCalls } = billed.contextValue.client.allowance.limits
  const { usage } = (await planAt(billed, 'least', run)).client
  const isTooDear = maxTokens !== null && usage.tokens > maxTokens
  if (!isTooDear && (maxCalls === null || usage.calls <= maxCalls)) return null
  const { estimate } = await estimateOf(billed, run)
  const [cost, limit] = isTooDear ? [`${usage.tokens} tokens`, maxTokens] : [`${usage.calls} calls`, maxCalls]
  const error = new GraphQLError(
    `The query costs at least ${cost}, and its limit is ${limit}. Select less, or raise the limit.`,
    {
      extensions: { code: 'QUERY_TOO_EXPENSIVE', estimate, maxTokens },
    },
  )
  return { errors: [error], data: null }
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
