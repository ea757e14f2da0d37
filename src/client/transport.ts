import { textOf } from './document.ts'
import { abortErrorOf, NoAnswerError, NotGraphQLError, OverloadedError, UnreachableError } from './errors.ts'
import { hashOf } from './hash.ts'
import { inTime, pause, pauseAfter } from './pause.ts'

type Headers = Readonly<Record<string, string>>

export interface TransportOptions {
  /** The address of the graph; `/graphql` by default. On a server it has to be absolute. */
  readonly url?: string
  /**
   * Headers of every request, or a function that makes them, which may be async: `{ 'x-api-key': … }` if each
   * client brings its own key.
   */
  readonly headers?: Headers | (() => Headers | Promise<Headers>)
  readonly fetch?: typeof globalThis.fetch
  /**
   * Sends each document's hash instead of its text. The server has to trust the documents of
   * `statline-client/trusted-documents.json`.
   */
  readonly trusted?: boolean
  /** How often a query is tried again if it cannot be delivered; 2 by default. It never costs twice. */
  readonly retries?: number
  /**
   * Milliseconds in which the answer to a query has to come, each time it is sent; 30,000 by default. The
   * graph asks the service for up to 10 seconds a call.
   */
  readonly timeoutMs?: number
}

export interface Sending {
  readonly document: object | string
  readonly variables: unknown
  readonly extensions?: Readonly<Record<string, unknown>>
  readonly accept: string
  readonly signal?: AbortSignal | undefined
}

/** Pauses between tries. A server that restarts takes a second or two. */
const pauses = { first: 500, longest: 4_000 }

/** Milliseconds in which an answer has to come. */
const longestAnswer = 30_000

/** Statuses by which servers and proxies say that another try may succeed. */
const passing = new Set([429, 502, 503, 504])

/** Sends a document once. Throws an AbortError if `signal` is aborted, else UnreachableError. */
export async function send(options: TransportOptions, sending: Sending): Promise<Response> {
  const { url = '/graphql', headers = {}, fetch = globalThis.fetch, trusted = false } = options
  const { accept, signal } = sending
  const own = typeof headers === 'function' ? await headers() : headers
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept, ...own },
      body: bodyOf(sending, trusted),
      signal: signal ?? null,
    })
  } catch (cause) {
    throw failureOf(cause, signal)
  }
}

function bodyOf({ document, variables, extensions }: Sending, trusted: boolean): string {
  const hash = trusted ? hashOf(document) : ''
  const all = { ...extensions, ...(hash && { persistedQuery: { version: 1, sha256Hash: hash } }) }
  return JSON.stringify({
    ...(!hash && { query: textOf(document) }),
    variables,
    ...(Object.keys(all).length > 0 && { extensions: all }),
  })
}

/** What went wrong, by its class. */
export function failureOf(cause: unknown, signal?: AbortSignal): Error {
  if (signal?.aborted) return abortErrorOf(signal)
  if (cause instanceof NoAnswerError) return cause
  return new UnreachableError('Statline could not be reached.', { cause })
}

/** Sends a query and reads its answer. What could not be delivered is tried again. */
export async function ask<Body>(options: TransportOptions, sending: Sending): Promise<Body> {
  for (let tries = 1; ; tries += 1) {
    const isLast = tries > (options.retries ?? 2)
    try {
      const answer = await askOnce<Body>(options, sending, isLast)
      if ('body' in answer) return answer.body
      await pause(Math.max(answer.pauseMs, pauseAfter(tries, pauses)), sending.signal)
    } catch (failure) {
      if (isLast || !(failure instanceof UnreachableError)) throw failure
      await pause(pauseAfter(tries, pauses), sending.signal)
    }
    if (sending.signal?.aborted) throw abortErrorOf(sending.signal)
  }
}

/**
 * The answer; or the pause that the server asks for before another try, if there is one. Ends the connection
 * if the answer does not come in time: a lost network would keep it waiting for minutes.
 */
async function askOnce<Body>(
  options: TransportOptions,
  sending: Sending,
  isLast: boolean,
): Promise<{ readonly body: Body } | { readonly pauseMs: number }> {
  const { signal } = sending
  const connection = new AbortController()
  const cut = () => connection.abort(signal?.reason)
  const answering = async () => {
    const response = await send(options, { ...sending, signal: connection.signal })
    if (isLast || !passing.has(response.status))
      return { body: await readBody<Body>(response, connection.signal) }
    await response.body?.cancel()
    return { pauseMs: askedPause(response) }
  }
  signal?.addEventListener('abort', cut)
  if (signal?.aborted) cut()
  try {
    return await inTime(answering(), options.timeoutMs ?? longestAnswer, 'The answer did not come in time.')
  } catch (cause) {
    throw failureOf(cause, signal)
  } finally {
    signal?.removeEventListener('abort', cut)
    cut()
  }
}

/** Milliseconds that the server asks to wait, in seconds or as a date; at most as long as a person would. */
function askedPause({ headers }: Response): number {
  const told = headers.get('retry-after') ?? ''
  return Math.min(Number(told) * 1_000 || Date.parse(told) - Date.now() || 0, pauses.longest)
}

async function readBody<Body>(response: Response, signal?: AbortSignal): Promise<Body> {
  const text = await response.text().catch((cause: unknown) => Promise.reject(failureOf(cause, signal)))
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (cause) {
    const { status } = response
    throw passing.has(status) ? new OverloadedError(status) : new NotGraphQLError(status, { cause })
  }
  if (typeof body === 'object' && body !== null && ('data' in body || 'errors' in body)) return body as Body // GraphQL’s
  throw new NotGraphQLError(response.status)
}
