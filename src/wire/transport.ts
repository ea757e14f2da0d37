import { hasSubscribers } from 'node:diagnostics_channel'
import type { LookupFunction } from 'node:net'
import { context, propagation, trace } from '@opentelemetry/api'
import type { Span } from '@opentelemetry/api'
import { buildConnector, Pool, errors } from 'undici'
import type { Dispatcher } from 'undici'
import { ArrivingBody, BodyBounds, TooLargeError } from './body.ts'
import type { Deadline } from './deadline.ts'
import {
  ConnectionLostError,
  EndedError,
  TimeoutError,
  UnavailableError,
  UnsentError,
  UpstreamError,
} from '../errors/errors.ts'
import type { CodedError } from '../errors/errors.ts'
import { acceptInterimAnswers } from './interim-answers.ts'
import { isOfConnection, noConnectionInTime, obstacleOf } from './obstacle.ts'
import type { Progress } from './obstacle.ts'
import type { Arguments, Operation } from '../specification/operation.ts'
import { greatestAge, jittered } from '../greatest-age.ts'
import type { RawRow } from '../specification/raw-row.ts'

/** One HTTP exchange with the service: the outgoing request and its answer. */
export interface Outgoing {
  /** The call. Method, path and body are made from it. */
  readonly operation: Operation
  readonly arguments: Arguments
  readonly method: 'GET' | 'POST'
  /** Relative to the base address, with the query. */
  readonly path: string
  readonly body?: string
  readonly apiKey: string
  readonly deadline: Deadline
  /** Whether to ask for a compressed answer. */
  readonly gzip?: true
  /** Called when the answer's headers arrive. The bill in them can be booked before the body is complete. */
  readonly onHeaders?: (headers: Incoming['headers']) => void
}

export interface Incoming {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
  /** The rows of a dry run, which were never a text: the body is empty. */
  readonly madeUp?: RawRow
  readonly bytes: number
  /** Why the body is missing although the headers, and with them the bill, have arrived. */
  readonly failure?: CodedError
  /** Drops the body once it is read, because every promise that waited for the answer still refers to it. */
  readonly dropBody?: () => void
}

/** Sends one request. Throws a CodedError if no headers arrive. */
export type Transport = ((request: Outgoing) => Promise<Incoming>) & { close?: () => Promise<void> }

export interface HttpOptions {
  /** Maximum bytes of one answer. */
  readonly largest?: number | undefined
  /** Finds the addresses of the service's name, as `lookup` of node:dns does. */
  readonly lookup?: LookupFunction
}

/**
 * A transport over a pool of connections to the service's base address, `/v1` included. The pool is
 * unlimited: calls are limited for each key, and keys do not wait for each other.
 */
export function httpTransport(baseUrl: string, { largest, lookup }: HttpOptions = {}): Transport {
  const base = new URL(baseUrl)
  const prefix = base.pathname.replace(/\/$/, '')
  const pool = new Pool(base.origin, {
    connect: connector(lookup),
    clientTtl: jittered(greatestAge),
    bodyTimeout: 0,
    headersTimeout: 0,
  })
  const bounds = new BodyBounds(largest)
  const isTls = base.protocol === 'https:'
  const place = { 'server.address': base.hostname, 'server.port': Number(base.port) || portOf(base) }
  const send = (outgoing: Outgoing): Promise<Incoming> => {
    const span = trace.getActiveSpan()
    span?.setAttributes({ ...place, 'http.request.method': outgoing.method })
    return new Promise((resolve, reject) => {
      const path = prefix + outgoing.path || '/'
      const { method, body = null } = outgoing
      const arrival = new Arrival(outgoing, { pool, bounds, span, isTls }, resolve, reject)
      pool.dispatch({ method, path, headers: headersOf(outgoing), body }, arrival)
    })
  }
  return Object.assign(send, { close: () => pool.destroy() })
}

function connector(lookup?: LookupFunction): buildConnector.connector {
  const connect = buildConnector({ allowH2: false, ...(lookup && { lookup }) })
  return (options, callback) =>
    connect(options, (...result) => {
      if (result[1]) acceptInterimAnswers(result[1])
      callback(...result)
    })
}

/** What an arrival has of its transport. */
interface ArrivalParts {
  readonly pool: Pick<Pool, 'destroyed'>
  readonly bounds: BodyBounds
  readonly span: Span | undefined
  readonly isTls: boolean
}

/** Receives the answer to one request, without undici's streams, which cost more than the answer. */
class Arrival implements Dispatcher.DispatchHandler {
  readonly #outgoing: Outgoing
  readonly #parts: ArrivalParts
  readonly #resolve: (answer: Incoming) => void
  readonly #reject: (error: CodedError) => void
  #controller: Dispatcher.DispatchController | undefined
  #status = 0
  #headers: Incoming['headers'] = {}
  /** Undefined until the headers have arrived. */
  #body: ArrivingBody | undefined
  /** Whether a byte of the answer has arrived. */
  #hasBegun = false
  #isOver = false

  constructor(
    outgoing: Outgoing,
    parts: ArrivalParts,
    resolve: (answer: Incoming) => void,
    reject: (error: CodedError) => void,
  ) {
    this.#outgoing = outgoing
    this.#parts = parts
    this.#resolve = resolve
    this.#reject = reject
    outgoing.deadline.onOver(() => this.#stop(new errors.RequestAbortedError()))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isOver) controller.abort(new errors.RequestAbortedError())
  }

  onResponseStarted(): void {
    this.#hasBegun = true
  }

  onResponseStart(wire: Dispatcher.DispatchController, status: number, headers: Incoming['headers']): void {
    // The final answer follows, unless the service changes the protocol, for which it was not asked.
    if (status < 200) {
      this.#hasBegun = status === switchingProtocols
      return
    }
    this.#status = status
    this.#headers = headers
    this.#parts.span?.setAttribute('http.response.status_code', status)
    this.#outgoing.onHeaders?.(headers)
    const { bounds } = this.#parts
    const end = (error: Error | null) => this.#end(error, body)
    const body = new ArrivingBody(bounds, wire, headers['content-encoding'], end)
    this.#body = body
    if (Number(headers['content-length']) > bounds.largest) body.stop(new TooLargeError())
  }

  onResponseData(_wire: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#body?.write(chunk)
  }

  onResponseEnd(): void {
    this.#body?.end()
  }

  onResponseError(_wire: Dispatcher.DispatchController, error: Error): void {
    this.#stop(error)
  }

  /** undici starts a request once it has a connection, after the handshake of TLS. */
  get #progress(): Progress {
    return {
      isSent: this.#controller !== undefined,
      hasBegun: this.#hasBegun,
      isTls: this.#parts.isTls,
    }
  }

  #stop(error: Error): void {
    if (this.#body) this.#body.stop(error)
    else this.#fail(error)
  }

  /** No headers have arrived. */
  #fail(error: Error): void {
    if (this.#isOver) return
    this.#isOver = true
    const { deadline } = this.#outgoing
    if (this.#parts.pool.destroyed) this.#reject(new EndedError(this.#controller !== undefined))
    // A request that was not sent was still waiting for a connection when its time was over.
    else if (!this.#controller && deadline.isOver)
      this.#reject(new UnsentError(late, { cause: noConnectionInTime }))
    else this.#reject(errorOf(error, deadline, this.#progress))
    this.#controller?.abort(error)
  }

  /** The body is over. If it fails, the headers and their bill still count. */
  #end(error: Error | null, body: ArrivingBody): void {
    if (this.#isOver) return
    this.#isOver = true
    const [status, headers] = [this.#status, this.#headers]
    if (!error) return this.#resolve(new Received(status, headers, body))
    const failure = bodyErrorOf(error, this.#outgoing.deadline)
    this.#resolve({ status, headers, body: '', bytes: body.bytes, failure })
    this.#controller?.abort(error)
  }
}

const switchingProtocols = 101
const late = 'The statistics service did not answer in time.'
const cutOff = 'The statistics service sent an answer that is cut off.'
const invalid = 'The statistics service sent an answer that is not valid HTTP.'

/** A complete answer. */
class Received implements Incoming {
  readonly status: number
  readonly headers: Incoming['headers']
  readonly bytes: number
  body: string

  constructor(status: number, headers: Incoming['headers'], body: ArrivingBody) {
    this.status = status
    this.headers = headers
    this.bytes = body.bytes
    this.body = body.takeText()
  }

  dropBody(): void {
    this.body = ''
  }
}

function bodyErrorOf(error: Error, { isOver }: Deadline): CodedError {
  if (error instanceof TooLargeError)
    return new UpstreamError('The statistics service sent an answer that is too large.')
  if (isOver) return new TimeoutError(late)
  return new UpstreamError(cutOff)
}

function headersOf({ apiKey, gzip, body }: Outgoing): Record<string, string> {
  const headers = {
    'x-api-key': apiKey,
    accept: 'application/json',
    ...(gzip && { 'accept-encoding': 'gzip' }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  // An instrumentation of undici sends the call's trace context itself, and the header must not be sent twice.
  if (!hasSubscribers('undici:request:create')) propagation.inject(context.active(), headers)
  return headers
}

const portOf = ({ protocol }: URL) => (protocol === 'https:' ? 443 : 80)

/**
 * Why no headers have arrived. A request that was not sent costs nothing. After any other failure it may have been
 * billed; if the answer has begun, another try would most likely be billed too, and bring no more.
 */
function errorOf(error: Error, { isOver }: Deadline, progress: Progress): CodedError {
  if (isOver || error instanceof errors.RequestAbortedError) return new TimeoutError(late)
  if (error instanceof errors.HeadersOverflowError)
    return new UpstreamError('The statistics service sent headers that are too large.')
  const cause = obstacleOf(error, progress)
  if (progress.hasBegun) return new UpstreamError(isOfConnection(error) ? cutOff : invalid, { cause })
  const Kind = progress.isSent ? ConnectionLostError : UnavailableError
  return new Kind('The statistics service cannot be reached.', { cause })
}
