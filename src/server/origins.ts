import type { Plugin } from 'graphql-yoga'

/** Web pages that may ask this server: named origins, or those of this machine. */
export type Origins = readonly string[] | 'local'

const local = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

function isAllowed(origin: string, host: string | null, origins: Origins): boolean {
  if (URL.canParse(origin) && new URL(origin).host === host) return true
  if (origins === 'local') return local.test(origin)
  return origins.includes('*') || origins.includes(origin)
}

/** What a browser may read of an answer beside its body. */
const exposed = 'x-request-id'

/** For the developer who looks into it: a page may not read it. */
const refusal = 'Pages of this origin may not ask: CORS_ORIGINS names those that may.'

/**
 * CORS, and more than CORS: a query spends tokens even where the page that sent it may not read the answer, so requests of other origins
 * are refused before they run. Clients that are no browser send no origin and are not concerned.
 */
export function useOrigins(origins: Origins): Plugin {
  return {
    onRequest({ request, fetchAPI, endResponse }) {
      const origin = request.headers.get('origin')
      const isForeign =
        origin === null
          ? request.headers.get('sec-fetch-site') === 'cross-site' &&
            request.headers.get('sec-fetch-mode') !== 'navigate'
          : !isAllowed(origin, request.headers.get('host'), origins)
      if (isForeign) return endResponse(new fetchAPI.Response(refusal, { status: 403 }))
      if (request.method === 'OPTIONS' && origin !== null)
        return endResponse(
          new fetchAPI.Response(null, { status: 204, headers: preflight(origin, request.headers) }),
        )
      return undefined
    },
    onResponse({ request, response }) {
      const origin = request.headers.get('origin')
      response.headers.append('vary', 'Origin')
      if (origin === null || !isAllowed(origin, request.headers.get('host'), origins)) return
      response.headers.set('access-control-allow-origin', origin)
      response.headers.set('access-control-expose-headers', exposed)
    },
  }
}

const preflight = (origin: string, headers: Headers) => ({
  'access-control-allow-origin': origin,
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': headers.get('access-control-request-headers') ?? 'content-type, x-api-key',
  'access-control-max-age': '86400',
})
