import type { IncomingHttpHeaders } from 'node:http'

/** A signal without listeners: an operation ends when its connection closes. */
const neverAborted = { aborted: false, addEventListener() {}, removeEventListener() {} }

/** A class, not closures, and no `Headers`: each of thousands of subscribers keeps one. */
class HeadersLike {
  readonly #headers: IncomingHttpHeaders

  constructor(headers: IncomingHttpHeaders) {
    this.#headers = headers
  }

  get(name: string): string | null {
    const value = this.#headers[name.toLowerCase()]
    return typeof value === 'string' ? value : null
  }

  keys(): string[] {
    return Object.keys(this.#headers)
  }
}

/** The parts of a request that plugins read. */
export interface RequestLike {
  readonly headers: Pick<Headers, 'get'>
  readonly url: string
  readonly method: string
  readonly signal: object
}

/** These parts without an HTTP request of Yoga's own. */
export const requestLike = (headers: IncomingHttpHeaders, method: 'GET' | 'POST'): RequestLike => ({
  headers: new HeadersLike(headers),
  url: 'http://localhost/graphql',
  method,
  signal: neverAborted,
})
