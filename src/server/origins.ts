import type { Plugin } from 'graphql-yoga'
import { mayBeCrossSite } from './cross-site.ts'
import { probes } from './hosts.ts'
import { refusalOf } from './refusal.ts'

/** Web pages that may send queries: named origins, or those of this machine. */
export type Origins = readonly string[] | 'local'

const local = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

export function isAllowedOrigin(origin: string, host: string | null, origins: Origins): boolean {
  if (URL.canParse(origin) && new URL(origin).host === host) return true
  if (origins === 'local') return local.test(origin)
  return origins.includes('*') || origins.includes(origin)
}

/** Headers that a page may read. */
const exposed = 'x-request-id'

/** For the developer. The page cannot read it. */
const refusal =
  'Pages of this origin may not ask: CORS_ORIGINS names those that may. A query by GET or in a form also needs a header that only a page of ours can send, such as apollo-require-preflight: 1.'

/**
 * CORS, and more: a query spends tokens even if its page may not read the answer, so requests of other sites
 * are refused before they run. Programs send none of the checked headers. If all origins are allowed, nothing
 * is refused.
 */
export function useOrigins(origins: Origins): Plugin {
  const isForeign = (request: Request) => {
    const origin = request.headers.get('origin')
    if (origin !== null) return !isAllowedOrigin(origin, request.headers.get('host'), origins)
    return !origins.includes('*') && mayBeCrossSite(request)
  }
  return {
    onRequest({ request, url, fetchAPI, endResponse }) {
      if (probes.has(url.pathname)) return undefined
      if (isForeign(request))
        return endResponse(
          isFollowedLink(request) ? invitation(url, fetchAPI) : refusalOf(fetchAPI, 403, refusal),
        )
      const origin = request.headers.get('origin')
      if (request.method === 'OPTIONS' && origin !== null)
        return endResponse(
          new fetchAPI.Response(null, { status: 204, headers: preflight(origin, request.headers) }),
        )
      return undefined
    },
    onResponse({ request, response }) {
      const origin = request.headers.get('origin')
      response.headers.append('vary', 'Origin')
      if (origin === null || !isAllowedOrigin(origin, request.headers.get('host'), origins)) return
      for (const [name, value] of Object.entries(sharedWith(origin))) response.headers.set(name, value)
    },
  }
}

/** Headers that let a page of an allowed origin read an answer. */
export const sharedWith = (origin: string): Record<string, string> => ({
  'access-control-allow-origin': origin,
  'access-control-expose-headers': exposed,
})

type FetchAPI = Pick<typeof globalThis, 'Response'>

/** A link from another site to a whole page, not to a frame. */
const isFollowedLink = ({ method, headers }: Request) =>
  method === 'GET' &&
  headers.get('sec-fetch-mode') === 'navigate' &&
  headers.get('sec-fetch-dest') === 'document'

/**
 * A page for people who follow a link from another site. Opening our page at once would spend tokens, so they
 * have to confirm. The link's query is dropped.
 */
function invitation({ pathname }: URL, { Response }: FetchAPI): Response {
  const page = pathname === '/graphql' ? '/graphql' : '/'
  const body = `<!doctype html><title>Statline</title><p>A page of another site led here. <a href="${page}">Open Statline</a>\n`
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy':
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
  }
  return new Response(body, { status: 403, headers })
}

const preflight = (origin: string, headers: Headers) => ({
  'access-control-allow-origin': origin,
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': headers.get('access-control-request-headers') ?? 'content-type, x-api-key',
  'access-control-max-age': '86400',
})
