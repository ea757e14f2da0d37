import { getOperationAST } from 'graphql'
import type { DocumentNode } from 'graphql'
import { ExecutionBudget } from '../graph/execution/budget.ts'
import { schema } from '../schema.ts'
import { UnavailableError } from '../errors/errors.ts'
import { dryRunOf } from '../calls/dry-run/dry-run.ts'
import { ClientRequest } from '../account/client-request.ts'
import { Estimates } from '../account/estimates.ts'
import { Account } from '../account/account.ts'
import { Upstream } from '../account/upstream.ts'
import { executeWithoutData } from './execution.ts'
import { faultsOf, firstEvent } from './dry-run.ts'
import { namesIn } from './dry-names.ts'
import { fills } from '../loaders/fills.ts'

/** A league, as every query has one. */
const league = {
  organization_id: '00000000-0000-4000-a000-000000000001',
  division_id: '00000000-0000-4000-a000-000000000002',
}

/**
 * The tokens of an operation in a dry run at each of `moments`, in seconds: first with an empty cache, then
 * with everything kept that it has bought before. Answers have the sizes of `estimates`, by default those of
 * the specification. Throws the operation's own errors.
 */
export async function dryPrice(
  document: DocumentNode,
  operationName: string,
  variableValues: Record<string, unknown>,
  now: number,
  moments: readonly number[],
  estimates = new Estimates(),
): Promise<readonly number[]> {
  let passed = 0
  const upstream = emptyUpstream(() => now + passed * 1_000)
  const names = namesIn(document, variableValues)
  const account = dryRunOf(new Account(upstream, 'price', undefined, { estimates }), 'usual', names)
  const isSubscription = getOperationAST(document, operationName)?.operation === 'subscription'
  const tokens: number[] = []
  for (passed of moments) {
    const clientRequest = new ClientRequest(account)
    const contextValue = { clientRequest, defaults: league, budget: new ExecutionBudget() }
    const args = { schema, document, operationName, variableValues, contextValue }
    const result = await (isSubscription ? firstEvent(executeWithoutData)(args) : executeWithoutData(args))
    await clientRequest.prefetches
    const [fault] = faultsOf(result)
    if (fault) throw fault
    tokens.push(clientRequest.spent.tokens)
  }
  return tokens
}

const emptyUpstream = (clock: () => number) =>
  new Upstream({
    transport: () => Promise.reject(new UnavailableError('A dry run sends nothing.')),
    fills,
    monthlyTokenBudget: null,
    timeoutMs: 10_000,
    batchSize: 500,
    concurrency: 1_000,
    clock,
  })
