/** Headers that a page of another site can send only after a CORS preflight, which names its origin. */
const preflighted = [
  'apollo-require-preflight',
  'x-apollo-operation-name',
  'apollographql-client-name',
  'graphql-client-name',
  'x-api-key',
] as const

/** Content types that a form can send. Yoga reads the first; the others are refused later. */
const formTypes = /^\s*(application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\s*(;|$)/i

/** The `Accept` types of forms, frames, images and media. Programs do not send them. */
const pageTypes = /text\/html|application\/xhtml|(image|video|audio)\//i

/**
 * Whether a request without an origin may come from a page of another site: from a link, form, frame, image
 * or script. Such requests spend tokens although the page cannot read the answer.
 */
export function mayBeCrossSite({ method, headers, url }: Request): boolean {
  const site = headers.get('sec-fetch-site')
  if (site === 'cross-site') return true
  if (site === 'same-origin' || site === 'none') return false
  // The rest: a page of a neighbouring origin (`same-site`), a program, or a browser that does not send the
  // header (an old one, or any browser over plain HTTP to another machine).
  if (!isSimpleQuery(method, headers, url) || isPreflighted(headers)) return false
  return site !== null || isBrowser(headers)
}

/** A query that a page can send without a preflight. */
function isSimpleQuery(method: string, headers: Headers, url: string): boolean {
  const { pathname, search } = new URL(url)
  if (pathname !== '/graphql') return false
  if (method === 'GET' || method === 'HEAD') return search !== ''
  return formTypes.test(headers.get('content-type') ?? 'text/plain')
}

function isPreflighted(headers: Headers): boolean {
  if (preflighted.some((name) => headers.get(name))) return true
  const type = headers.get('content-type')
  return type !== null && !formTypes.test(type)
}

/** All browsers call themselves Mozilla. */
const isBrowser = (headers: Headers) =>
  pageTypes.test(headers.get('accept') ?? '') || headers.get('user-agent')?.startsWith('Mozilla/') === true
