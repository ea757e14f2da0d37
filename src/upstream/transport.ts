import { hasSubscribers } from 'node:diagnostics_channel'
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
} from './errors.ts'
import type { CodedError } from './errors.ts'
import { acceptInterimAnswers } from './interim-answers.ts'
import { noConnectionInTime, obstacleOf } from './obstacle.ts'
import type { Progress } from './obstacle.ts'
import type { Arguments, Operation } from '../specification/operation.ts'

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
  readonly bytes: number
  /** Why the body is missing although the headers, and with them the bill, have arrived. */
  readonly failure?: CodedError
  /** Drops the body once it is read, because every promise that waited for the answer still refers to it. */
  readonly dropBody?: () => void
}

/** Sends one request. Throws a CodedError if no headers arrive. */
export type Transport = ((request: Outgoing) => Promise<Incoming>) & { close?: () => Promise<void> }

/**
 * A transport over a pool of connections to the service's base address, `/v1` included. The pool is
 * unlimited: calls are limited for each key, and keys do not wait for each other.
 */
export function httpTransport(baseUrl: string, largest?: number): Transport {
  const base = new URL(baseUrl)
  const prefix = base.pathname.replace(/\/$/, '')
  const pool = new Pool(base.origin, { connect, bodyTimeout: 0, headersTimeout: 0 })
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

const connectPlainly = buildConnector({ allowH2: false })

const connect: buildConnector.connector = (options, callback) =>
  connectPlainly(options, (...result) => {
    if (result[1]) acceptInterimAnswers(result[1])
    callback(...result)
  })

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

  onResponseStart(wire: Dispatcher.DispatchController, status: number, headers: Incoming['headers']): void {
    // The final answer follows.
    if (status < 200) return
    this.#status = status
    this.#headers = headers
    this.#parts.span?.setAttribute('http.response.status_code', status)
    this.#outgoing.onHeaders?.(headers)
    const end = (error: Error | null) => this.#end(error)
    const { bounds } = this.#parts
    this.#body = new ArrivingBody(bounds, wire, headers['content-encoding'], end)
    if (Number(headers['content-length']) > bounds.largest) this.#body.stop(new TooLargeError())
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
    return { isSent: this.#controller !== undefined, isTls: this.#parts.isTls }
  }

  #stop(error: Error): void {
    if (this.#body) this.#body.stop(error)
    else this.#end(error)
  }

  /** If the body fails, the headers and their bill still count. */
  #end(error: Error | null): void {
    if (this.#isOver) return
    this.#isOver = true
    const [status, headers, body] = [this.#status, this.#headers, this.#body]
    if (!body && this.#parts.pool.destroyed) this.#reject(new EndedError(this.#controller !== undefined))
    // A request that was not sent was still waiting for a connection when its time was over.
    else if (!body && !this.#controller && this.#outgoing.deadline.isOver)
      this.#reject(new UnsentError(late, { cause: noConnectionInTime }))
    else if (!body) this.#reject(judge(error, this.#outgoing.deadline, this.#progress))
    else if (!error) this.#resolve(new Received(status, headers, body))
    else {
      const failure = judgeBody(error, this.#outgoing.deadline)
      this.#resolve({ status, headers, body: '', bytes: body.bytes, failure })
    }
    if (error) this.#controller?.abort(error)
  }
}

const late = 'The statistics service did not answer in time.'

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

function judgeBody(error: Error, { isOver }: Deadline): CodedError {
  if (error instanceof TooLargeError)
    return new UpstreamError('The statistics service sent an answer that is too large.')
  if (isOver) return new TimeoutError(late)
  return new UpstreamError('The statistics service sent an answer that is cut off.')
}

const headersOf = ({ apiKey, gzip, body }: Outgoing): Record<string, string> => ({
  'x-api-key': apiKey,
  accept: 'application/json',
  ...(gzip && { 'accept-encoding': 'gzip' }),
  ...(body !== undefined && { 'content-type': 'application/json' }),
  ...traceHeaders(),
})

const portOf = ({ protocol }: URL) => (protocol === 'https:' ? 443 : 80)

/**
 * Sends the call's trace context to the service. An instrumentation of undici does this itself, and the
 * header must not be sent twice.
 */
function traceHeaders(): Record<string, string> {
  const headers = {}
  if (!hasSubscribers('undici:request:create')) propagation.inject(context.active(), headers)
  return headers
}

/** A request that was not sent costs nothing. After any other failure it may have been billed. */
function judge(error: unknown, { isOver }: Deadline, progress: Progress): CodedError {
  if (isOver || error instanceof errors.RequestAbortedError) return new TimeoutError(late)
  if (error instanceof errors.HeadersOverflowError)
    return new UpstreamError('The statistics service sent headers that are too large.')
  const Kind = progress.isSent ? ConnectionLostError : UnavailableError
  return new Kind('The statistics service cannot be reached.', { cause: obstacleOf(error, progress) })
}
