import { hasSubscribers } from 'node:diagnostics_channel'
import { context, propagation, trace } from '@opentelemetry/api'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { Pool, errors } from 'undici'
import { TimeoutError, UnavailableError } from './errors.ts'
import type { Arguments, Operation } from './operations.ts'

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
}

export interface Incoming {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
  readonly bytes: number
}

/** Sends one request. Throws TimeoutError or UnavailableError where no complete answer came. */
export type Transport = ((request: Outgoing) => Promise<Incoming>) & { close?: () => Promise<void> }

/**
 * A transport over a pool of connections to the service's base address, `/v1` included. As many as there are calls: what bounds those
 * bounds each key, so that none waits for another's.
 */
export function httpTransport(baseUrl: string): Transport {
  const base = new URL(baseUrl)
  const prefix = base.pathname.replace(/\/$/, '')
  const pool = new Pool(base.origin, { allowH2: false, bodyTimeout: 0, headersTimeout: 0 })
  const place = { 'server.address': base.hostname, 'server.port': Number(base.port) || portOf(base) }
  const send = async ({ method, path, body, apiKey, signal }: Outgoing): Promise<Incoming> => {
    const span = trace.getActiveSpan()
    span?.setAttributes({ ...place, 'http.request.method': method })
    try {
      const headers = {
        'x-api-key': apiKey,
        accept: 'application/json',
        ...contentType(body),
        ...traceHeaders(),
      }
      const answer = await pool.request({ method, path: prefix + path, headers, body: body ?? null, signal })
      const { statusCode: status, headers: answered } = answer
      const buffer = await unpacked(
        Buffer.from(await answer.body.arrayBuffer()),
        answered['content-encoding'],
      )
      span?.setAttribute('http.response.status_code', status)
      return { status, headers: answered, body: buffer.toString('utf8'), bytes: buffer.length }
    } catch (error) {
      throw judge(error, signal)
    }
  }
  return Object.assign(send, { close: () => pool.destroy() })
}

const decoders = new Map([
  ['gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
])

/** A body that was packed for the way, though nobody asked for it; what cannot be unpacked is no answer, as its reader will find. */
async function unpacked(body: Buffer, encoding: string | string[] | undefined): Promise<Buffer> {
  const decode = decoders.get(String(encoding).toLowerCase())
  return decode ? decode(body).catch(() => body) : body
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
  if (signal.aborted || error instanceof errors.RequestAbortedError)
    return new TimeoutError('The statistics service did not answer in time.')
  return new UnavailableError('The statistics service cannot be reached.')
}
