import { hasSubscribers } from 'node:diagnostics_channel'
import { context, propagation, trace } from '@opentelemetry/api'
import { Pool, errors } from 'undici'
import type { Dispatcher } from 'undici'
import { BodyReader, TooLargeError } from './body.ts'
import type { Progress } from './body.ts'
import { ConnectionLostError, TimeoutError, UnavailableError, UnsentError, UpstreamError } from './errors.ts'
import type { CodedError } from './errors.ts'
import type { Arguments, Operation } from '../specification/operations.ts'

/** One HTTP exchange with the service: the request as it goes out, the answer as it came. */
export interface Outgoing {
  /** What is asked for; method, path and body say the same. */
  readonly operation: Operation
  readonly arguments: Arguments
  readonly method: 'GET' | 'POST'
  /** Beneath the base address, with its query. */
  readonly path: string
  readonly body?: string
  readonly apiKey: string
  readonly signal: AbortSignal
  /** Whether a compressed answer is asked for. */
  readonly gzip?: true
  /** Called when the headers of the answer arrive, with what may be booked before the body is complete. */
  readonly onHeaders?: (headers: Incoming['headers']) => void
}

export interface Incoming {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
  readonly bytes: number
  /** Why the body is not here, though the headers came, and with them the bill. */
  readonly failure?: CodedError
}

/** Sends one request. Throws a CodedError where no headers came. */
export type Transport = ((request: Outgoing) => Promise<Incoming>) & { close?: () => Promise<void> }

/**
 * A transport over a pool of connections to the service's base address, `/v1` included. As many as there are calls: what bounds those
 * bounds each key, so that none waits for another's.
 */
export function httpTransport(baseUrl: string, largest?: number): Transport {
  const base = new URL(baseUrl)
  const prefix = base.pathname.replace(/\/$/, '')
  const pool = new Pool(base.origin, { allowH2: false, bodyTimeout: 0, headersTimeout: 0 })
  const reader = new BodyReader(largest)
  const place = { 'server.address': base.hostname, 'server.port': Number(base.port) || portOf(base) }
  const send = async ({
    method,
    path,
    body,
    apiKey,
    signal,
    gzip,
    onHeaders,
  }: Outgoing): Promise<Incoming> => {
    const span = trace.getActiveSpan()
    span?.setAttributes({ ...place, 'http.request.method': method })
    try {
      const headers = {
        'x-api-key': apiKey,
        accept: 'application/json',
        ...(gzip && { 'accept-encoding': 'gzip' }),
        ...contentType(body),
        ...traceHeaders(),
      }
      const target = prefix + path || '/'
      const answer = await request(pool, { method, path: target, headers, body: body ?? null, signal })
      span?.setAttribute('http.response.status_code', answer.statusCode)
      onHeaders?.(answer.headers)
      return await receive(answer, reader, signal)
    } catch (error) {
      throw judge(error, signal)
    }
  }
  return Object.assign(send, { close: () => pool.destroy() })
}

/**
 * Sends a request. undici waits for a connection however long ago the signal was aborted: it reports at once only what has gone out.
 * Rejects with UnsentError where nothing has.
 */
function request(
  pool: Pool,
  options: Dispatcher.RequestOptions & { readonly signal: AbortSignal },
): Promise<Dispatcher.ResponseData> {
  return new Promise((resolve, reject) => {
    const { signal } = options
    const late = () =>
      setImmediate(() => reject(new UnsentError('The statistics service did not answer in time.')))
    pool.request(options, (error, answer) => {
      signal.removeEventListener('abort', late)
      if (error) reject(error)
      else resolve(answer)
    })
    // After undici's own listener.
    signal.addEventListener('abort', late, { once: true })
  })
}

/** The answer whose headers have come. Where the body fails, the headers and their bill still count. */
async function receive(
  { statusCode: status, headers, body }: Dispatcher.ResponseData,
  reader: BodyReader,
  signal: AbortSignal,
): Promise<Incoming> {
  const progress: Progress = { bytes: 0 }
  try {
    const buffer = await reader.read(body, headers['content-encoding'], headers['content-length'], progress)
    return { status, headers, body: textOf(buffer), bytes: buffer.length }
  } catch (error) {
    return { status, headers, body: '', bytes: progress.bytes, failure: judgeBody(error, signal) }
  }
}

/** The text of a body, without the mark of UTF-8 that some programs begin files with and JSON does not allow. */
function textOf(body: Buffer): string {
  const text = body.toString('utf8')
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

function judgeBody(error: unknown, signal: AbortSignal): CodedError {
  if (error instanceof TooLargeError)
    return new UpstreamError('The statistics service sent an answer that is too large.')
  if (signal.aborted) return new TimeoutError('The statistics service did not answer in time.')
  return new UpstreamError('The statistics service sent an answer that is cut off.')
}

const contentType = (body: string | undefined) =>
  body === undefined ? {} : { 'content-type': 'application/json' }

const portOf = ({ protocol }: URL) => (protocol === 'https:' ? 443 : 80)

/** Tells the service which trace a call belongs to. An instrumentation of undici does so itself, and two of a header are none. */
function traceHeaders(): Record<string, string> {
  const headers = {}
  if (!hasSubscribers('undici:request:create')) propagation.inject(context.active(), headers)
  return headers
}

function judge(error: unknown, signal: AbortSignal): Error {
  if (error instanceof UnsentError) return error
  if (signal.aborted || error instanceof errors.RequestAbortedError)
    return new TimeoutError('The statistics service did not answer in time.')
  if (error instanceof errors.HeadersOverflowError)
    return new UpstreamError('The statistics service sent headers that are too large.')
  const message = 'The statistics service cannot be reached.'
  return isUnconnected(error) ? new UnavailableError(message) : new ConnectionLostError(message)
}

/** Whether there was no connection that the request could go out on. Any other failure may follow a request that was billed. */
function isUnconnected(error: unknown): boolean {
  if (error instanceof errors.ConnectTimeoutError) return true
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException // or any other error, without either
  return (
    /^(connect|getaddrinfo)$/.test(syscall) ||
    /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED)/.test(code)
  )
}
