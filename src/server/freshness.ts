import type { Plugin } from 'graphql-yoga'
import type { Context } from '../graph/builder.ts'
import type { ServerContext } from './app.ts'

/** What is over for good may be kept by others for a day. */
const longest = 86_400

/**
 * `Cache-Control` from the rows that an answer was made of: as long as the most restless of them. An answer with an error, and one made of no
 * row, is not to be stored. What a client's own key has paid for is that client's alone.
 */
export function useFreshness(isShared: boolean): Plugin<ServerContext & Context> {
  const ages = new WeakMap<Request, number>()
  return {
    onExecute({ args }) {
      const { client, request } = args.contextValue
      return {
        onExecuteDone({ result }) {
          if (Symbol.asyncIterator in result || result.errors || client.stale) return
          const until = client.freshUntil
          if (until !== null)
            ages.set(request, Math.max(0, Math.floor((until - Math.floor(client.now)) / 1000)))
        },
      }
    },
    onResponse({ request, response }) {
      if (response.headers.has('cache-control') || !new URL(request.url).pathname.startsWith('/graphql'))
        return
      const age = ages.get(request)
      if (!isShared) response.headers.append('vary', 'X-API-KEY')
      response.headers.set(
        'cache-control',
        age === undefined
          ? 'no-store'
          : `${isShared ? 'public' : 'private'}, max-age=${Math.min(age, longest)}`,
      )
    },
  }
}
