import type { IncomingMessage } from 'node:http'
import { GraphQLError } from 'graphql'
import type { Plugin, YogaInitialContext } from 'graphql-yoga'
import type { AddressOf } from './client-address.ts'
import { mapped } from './mapped-stream.ts'

/** Maximum numbers of open subscriptions. */
export interface SubscriptionLimits {
  /** For one client: its API key if clients bring their own, else its address. */
  readonly perClient: number
  readonly inTotal: number
  /** For one connection; by default `perClient`. */
  readonly perConnection?: number
}

/** A subscription takes 25 to 50 kB, so all of them fit in a heap of 256 MB beside the cache. */
export const defaultLimits: SubscriptionLimits = { perClient: 200, inTotal: 1_000, perConnection: 100 }

const refused = (whose: string) =>
  new GraphQLError(`${whose} has reached the limit of open subscriptions. Close one, or try again later.`, {
    extensions: { code: 'TOO_MANY_SUBSCRIPTIONS', http: { status: 429 } },
  })

/** Refuses subscriptions above the limits, and ends those whose connection is gone. */
export function useSubscriptionLimits(
  { perClient, inTotal, perConnection = perClient }: SubscriptionLimits,
  hasOwnKeys: boolean,
  addressOf: AddressOf,
): Plugin<YogaInitialContext> {
  const open = new Map<string, number>()
  const openOn = new WeakMap<object, number>()
  let total = 0

  function count(client: string, connection: object, change: 1 | -1): void {
    total += change
    openOn.set(connection, (openOn.get(connection) ?? 0) + change)
    const left = (open.get(client) ?? 0) + change
    if (left > 0) open.set(client, left)
    else open.delete(client)
  }

  function refusal(client: string, connection: object): GraphQLError | null {
    if (total >= inTotal) return refused('The server')
    if ((openOn.get(connection) ?? 0) >= perConnection) return refused('The connection')
    return (open.get(client) ?? 0) >= perClient ? refused('The client') : null
  }

  return {
    onSubscribe: ({ args }) => ({
      onSubscribeResult({ result, setResult }) {
        if (!(Symbol.asyncIterator in result)) return
        const context = args.contextValue as Asked // Yoga's context of every plugin
        const client = clientOf(context, hasOwnKeys, addressOf)
        // Without a port, each request is a connection.
        const connection = context.req?.socket ?? context
        const error = refusal(client, connection)
        if (error) {
          void result.return?.(undefined)
          return setResult({ errors: [error] })
        }
        count(client, connection, 1)
        const stream = mapped(result, (event) => event, { onEnd: () => count(client, connection, -1) })
        // A response that is never sent is never cancelled either.
        context.request.signal.addEventListener('abort', () => void stream.return?.(), { once: true })
        setResult(stream)
      },
    }),
  }
}

type Asked = YogaInitialContext & { req?: IncomingMessage }

function clientOf({ request, req }: Asked, hasOwnKeys: boolean, addressOf: AddressOf): string {
  const key = hasOwnKeys ? request.headers.get('x-api-key')?.trim() : null
  return key ? `key ${key}` : req ? addressOf(req) : ''
}
