import type { ExecutionResult } from 'graphql'
import type { Plugin, YogaInitialContext } from 'graphql-yoga'
import type { Context } from '../graph/context.ts'
import { timeOf } from '../rows/moment.ts'

/** Seconds for which clients and proxies may store rows that never change again. */
const longest = 86_400

/** Seconds for which others may store an answer that is fresh until the given time. */
const ageOf = (freshUntil: number, now: number) =>
  Math.min(longest, Math.max(0, Math.floor((freshUntil - Math.floor(now)) / 1000)))

type Client = Pick<Context['clientRequest'], 'dataQuality' | 'freshUntil' | 'now' | 'stale'>

/**
 * The `Cache-Control` of an answer. What one client's key has paid for is that client's alone, and what may be
 * randomized is for no shared cache.
 */
export function cacheControl(
  { dataQuality, freshUntil, now, stale }: Client,
  { errors }: ExecutionResult,
  isShared: boolean,
): string {
  if (errors || stale || freshUntil === null) return 'no-store'
  return storable(freshUntil, timeOf(now), isShared && dataQuality === null)
}

/** The `Cache-Control` of an answer that is fresh until the given time. */
export const storable = (freshUntil: number, now: number, isShared: boolean) =>
  `${isShared ? 'public' : 'private'}, max-age=${ageOf(freshUntil, now)}`

/** Of each event stream. A proxy that compresses or buffers it would hold events back until more have come. */
export const streamHeaders = {
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no', // of nginx, and of those that follow it
}

/**
 * Sets `Cache-Control` to the shortest remaining freshness of the answer's rows. An answer with an error or
 * without rows must not be stored. An answer bought with a client's own key is private to that client. `Vary`
 * names `Accept`, because an address has answers of several types.
 */
export function useCacheControl(isShared: boolean): Plugin<YogaInitialContext & Context> {
  const controls = new WeakMap<Request, string>()
  return {
    onExecute({ args }) {
      const { clientRequest, request } = args.contextValue
      return {
        onExecuteDone({ result }) {
          if (!(Symbol.asyncIterator in result))
            controls.set(request, cacheControl(clientRequest, result, isShared))
        },
      }
    },
    onResponse({ request, response }) {
      if (!new URL(request.url).pathname.startsWith('/graphql')) return
      response.headers.append('vary', 'Accept')
      if (response.headers.get('content-type') === 'text/event-stream') {
        // Yoga's `none` is no coding that HTTP has.
        response.headers.delete('content-encoding')
        for (const [name, value] of Object.entries(streamHeaders)) response.headers.set(name, value)
      }
      if (response.headers.has('cache-control')) return
      if (!isShared) response.headers.append('vary', 'X-API-KEY')
      response.headers.set('cache-control', controls.get(request) ?? 'no-store')
    },
  }
}
