import type { ExecutionResult } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { Context } from '../graph/builder.ts'
import type { ServerContext } from './app.ts'

/** What is over for good may be kept by others for a day. */
const longest = 86_400

/** Seconds for which others may keep an answer that is fresh until a moment. */
const ageOf = (freshUntil: number, now: number) =>
  Math.min(longest, Math.max(0, Math.floor((freshUntil - Math.floor(now)) / 1000)))

type Client = Pick<Context['client'], 'freshUntil' | 'now' | 'stale'>

/** The `Cache-Control` of an answer. What one client's key has paid for is that client's alone. */
export function cacheControl(
  { freshUntil, now, stale }: Client,
  { errors }: ExecutionResult,
  isShared: boolean,
): string {
  if (errors || stale || freshUntil === null) return 'no-store'
  return storable(freshUntil, now, isShared)
}

/** The `Cache-Control` of an answer that is fresh until a moment. */
export const storable = (freshUntil: number, now: number, isShared: boolean) =>
  `${isShared ? 'public' : 'private'}, max-age=${ageOf(freshUntil, now)}`

/**
 * `Cache-Control` from the rows that an answer was made of: as long as the most restless of them. An answer with an error, and one made of no
 * row, is not to be stored. What a client's own key has paid for is that client's alone.
 */
export function useFreshness(isShared: boolean): Plugin<ServerContext & Context> {
  const controls = new WeakMap<Request, string>()
  return {
    onExecute({ args }) {
      const { client, request } = args.contextValue
      return {
        onExecuteDone({ result }) {
          if (!(Symbol.asyncIterator in result)) controls.set(request, cacheControl(client, result, isShared))
        },
      }
    },
    onResponse({ request, response }) {
      if (response.headers.has('cache-control') || !new URL(request.url).pathname.startsWith('/graphql'))
        return
      if (!isShared) response.headers.append('vary', 'X-API-KEY')
      response.headers.set('cache-control', controls.get(request) ?? 'no-store')
    },
  }
}
