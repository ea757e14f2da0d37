import type { IncomingMessage, RequestListener } from 'node:http'

/** `*` is the server as a whole; the rest are paths, or whole addresses as proxies send them. */
const isWhole = ({ url, method }: IncomingMessage) => url === '*' && method === 'OPTIONS'

/**
 * Gives a request with the whole address as its target (RFC 9112 §3.2.2) the path alone, and the address's host in
 * place of its `Host` header. Returns false if the target has no path. Everything behind this reads a path.
 */
export function hasPath(request: IncomingMessage): boolean {
  const { url = '/' } = request
  if (url.startsWith('/')) return true
  if (!/^https?:\/\/[^/]/i.test(url) || !URL.canParse(url)) return false
  const { host, pathname, search } = new URL(url)
  request.url = pathname + search
  request.headers.host = host
  return true
}

/** Answers requests whose target has no path. */
export const answerWithoutPath: RequestListener = (request, response) =>
  isWhole(request)
    ? response.writeHead(204, { allow: 'GET, HEAD, POST, OPTIONS' }).end()
    : response.writeHead(400).end()
