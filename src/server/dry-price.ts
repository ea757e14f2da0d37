import { getOperationAST } from 'graphql'
import type { DocumentNode, ExecutionResult } from 'graphql'
import { schema } from '../schema.ts'
import { UnavailableError } from '../upstream/errors.ts'
import { dryRunOf } from '../upstream/dry-run.ts'
import { Request } from '../upstream/request.ts'
import { Estimates } from '../upstream/estimates.ts'
import { Upstream, Account } from '../upstream/account.ts'
import { executeAny } from './execution.ts'
import { firstEvent } from './dry-run.ts'

/** A league, as every query has one. */
const league = {
  organization_id: '00000000-0000-4000-a000-000000000001',
  division_id: '00000000-0000-4000-a000-000000000002',
}

/**
 * Tokens that an operation costs when it is run dry with nothing kept, and at each later moment, in seconds,
 * with what it has bought before. Answers have the sizes that are expected, which are those of the
 * specification unless estimates are given. Throws what the operation itself is at fault for.
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
  const account = dryRunOf(new Account(upstream, 'price', undefined, undefined, estimates), 'usual')
  const isSubscription = getOperationAST(document, operationName)?.operation === 'subscription'
  const tokens: number[] = []
  for (passed of moments) {
    const client = new Request(account)
    const contextValue = { client, defaults: league }
    const args = { schema, document, operationName, variableValues, contextValue }
    const result = await (isSubscription ? firstEvent(args) : executeAny(args))
    await client.prefetches
    throwFault(result)
    tokens.push(client.spent.tokens)
  }
  return tokens
}

const emptyUpstream = (clock: () => number) =>
  new Upstream({
    transport: () => Promise.reject(new UnavailableError('A dry run sends nothing.')),
    monthlyTokenBudget: null,
    timeoutMs: 10_000,
    batchSize: 500,
    concurrency: 1_000,
    clock,
  })

/**
 * What made-up rows do not answer, a statistic by its name say, is no fault: its call has a price all the
 * same.
 */
function throwFault({ data, errors: [fault] = [] }: ExecutionResult): void {
  if (data === undefined && fault) throw fault
}
