import type { IncomingMessage } from 'node:http'
import { GraphQLError } from 'graphql'
import type { DocumentNode } from 'graphql'
import type { GraphQLParams, Plugin, YogaInitialContext } from 'graphql-yoga'
import type { AddressOf } from './client-address.ts'
import { mapped } from './mapped-stream.ts'
import { OpenDocuments } from './open-documents.ts'

/** Maximum numbers of open subscriptions. */
export interface SubscriptionLimits {
  /** For one client: its address and, if clients bring their own, its API key. */
  readonly perClient: number
  readonly inTotal: number
  /** For one connection; by default `perClient`. */
  readonly perConnection?: number
}

/** A subscription takes 25 to 50 kB, so all of them fit in a heap of 256 MB beside the cache. */
export const defaultLimits: SubscriptionLimits = { perClient: 200, inTotal: 1_000, perConnection: 100 }

/** Maximum characters of what a subscription keeps beside its document: variables and extensions, as JSON. */
export const longestInput = 16_384

const refused = (whose: string) =>
  new GraphQLError(`${whose} has reached the limit of open subscriptions. Close one, or try again later.`, {
    extensions: { code: 'TOO_MANY_SUBSCRIPTIONS', http: { status: 429 } },
  })

const tooLong = () =>
  new GraphQLError(`A subscription has at most ${longestInput} characters of variables and extensions.`, {
    extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } },
  })

const lengthOf = ({ variables = {}, extensions = {} }: GraphQLParams): number =>
  JSON.stringify([variables, extensions]).length

/** What a subscription is counted by. */
interface Counted {
  /** The client's names: its address, and the API key that it brings. */
  readonly client: readonly string[]
  readonly connection: object
  readonly document: DocumentNode
}

/** Refuses subscriptions above the limits, and ends those whose connection is gone. */
export function useSubscriptionLimits(
  { perClient, inTotal, perConnection = perClient }: SubscriptionLimits,
  hasOwnKeys: boolean,
  addressOf: AddressOf,
): Plugin<YogaInitialContext> {
  const open = new Map<string, number>()
  const openOn = new WeakMap<object, number>()
  const documents = new OpenDocuments()
  let total = 0

  function count({ client, connection, document }: Counted, change: 1 | -1): void {
    total += change
    documents.count(document, change)
    openOn.set(connection, (openOn.get(connection) ?? 0) + change)
    for (const name of client) {
      const left = (open.get(name) ?? 0) + change
      if (left > 0) open.set(name, left)
      else open.delete(name)
    }
  }

  function refusal({ client, connection, document }: Counted): GraphQLError | null {
    if (total >= inTotal || !documents.hasRoomFor(document)) return refused('The server')
    if ((openOn.get(connection) ?? 0) >= perConnection) return refused('The connection')
    return client.some((name) => (open.get(name) ?? 0) >= perClient) ? refused('The client') : null
  }

  return {
    onSubscribe({ args, setSubscribeFn }) {
      const context = args.contextValue as Asked // Yoga's context of every plugin
      if (lengthOf(context.params) > longestInput) setSubscribeFn(() => ({ errors: [tooLong()] }))
      return {
        onSubscribeResult({ result, setResult }) {
          if (!(Symbol.asyncIterator in result)) return
          const counted: Counted = {
            client: clientOf(context, hasOwnKeys, addressOf),
            // Without a port, each request is a connection.
            connection: context.req?.socket ?? context,
            document: args.document,
          }
          const error = refusal(counted)
          if (error) {
            void result.return?.(undefined)
            return setResult({ errors: [error] })
          }
          count(counted, 1)
          const stream = mapped(result, (event) => event, { onEnd: () => count(counted, -1) })
          // A response that is never sent is never cancelled either.
          context.request.signal.addEventListener('abort', () => void stream.return?.(), { once: true })
          setResult(stream)
        },
      }
    },
  }
}

type Asked = YogaInitialContext & { req?: IncomingMessage }

function clientOf({ request, req }: Asked, hasOwnKeys: boolean, addressOf: AddressOf): string[] {
  const address = req ? addressOf(req) : ''
  const key = hasOwnKeys ? request.headers.get('x-api-key')?.trim() : null
  return key ? [address, `key ${key}`] : [address]
}
