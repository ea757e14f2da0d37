import type { ExecutionResult } from 'graphql'
import type { GraphQLParams, Plugin, YogaInitialContext } from 'graphql-yoga'
import type { Context } from '../graph/context.ts'
import type { ClientRequest } from '../account/client-request.ts'
import { mapped } from './mapped-stream.ts'

const nothing = { tokens: 0, bytes: 0, calls: 0, cacheHits: 0 }

/**
 * Adds `extensions.usage` to every response and event, and `extensions.plan` if the request has `explain`.
 */
export function useUsage(): Plugin<YogaInitialContext & Context> {
  return {
    onExecutionResult({ context, result, setResult }) {
      const { clientRequest, params } = context as YogaInitialContext & Partial<Context> // a query that never ran has no client
      if (!clientRequest || !result) return
      const bill = (one: ExecutionResult) => billed(one, clientRequest, params)
      if (Symbol.asyncIterator in result)
        return setResult(
          mapped(result, (event) => settled(clientRequest)?.then(() => bill(event)) ?? bill(event)),
        )
      const end = () => {
        setResult(bill(result))
        clientRequest.account.upstream.leave(clientRequest.account)
      }
      return settled(clientRequest)?.then(end) ?? end()
    },
    onResultProcess({ result, setResult }) {
      // A query that never ran has cost nothing, and says so too.
      if (Array.isArray(result) || Symbol.asyncIterator in result || result.extensions?.['usage']) return
      setResult({ ...result, extensions: { ...result.extensions, usage: nothing } })
    },
  }
}

/**
 * Resolves when all prefetches of a request are over and its bill is in the ledger. The answer is sent after
 * that. Undefined if nothing has to be awaited.
 */
export function settled(client: ClientRequest): Promise<unknown> | undefined {
  const { books } = client.account.upstream.ledgers
  if (client.prefetches) return client.prefetches.then(() => books.written)
  const { calls, cacheHits } = client.usage
  return calls + cacheHits > 0 ? books.written : undefined
}

/** A result with the bill since the last one, and what is left of the key's budget. */
export function billed(
  result: ExecutionResult,
  client: ClientRequest,
  params?: GraphQLParams,
): ExecutionResult {
  const plan = params?.extensions?.['explain'] === true ? { plan: [...client.plan] } : {}
  return { ...result, extensions: { ...result.extensions, ...billOf(client, plan) } }
}

/** The extensions of an answer: its bill, and notes on the quality of its rows. Takes the bill. */
export function billOf(client: ClientRequest, plan: object = {}): Readonly<Record<string, unknown>> {
  const remaining = client.account.remainingFor(client.client)
  const left = remaining === null ? {} : { remaining }
  const { dataQuality, stale } = client
  return {
    usage: { ...client.takeUsage(), ...left },
    ...plan,
    ...(dataQuality && { dataQuality }),
    ...(stale && { stale }),
  }
}
