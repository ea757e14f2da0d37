import type { IncomingMessage, ServerResponse } from 'node:http'
import type { KeptAnswer } from './answer-cache.ts'
import type { Context } from '../graph/context.ts'
import { noteOutcome } from './log-line.ts'
import type { Line } from './log-line.ts'
import { operationNameOf } from './operation-name.ts'
import { sharedWith } from './origins.ts'
import type { Pieces } from './packed.ts'
import type { DirectPathServer, PlainQuery, Printed } from './plain-query.ts'
import { report } from './report.ts'
import type { RequestLog } from './request-log.ts'

/** Sends an answer in the encoding that the client prefers: patches the response, then calls `next`. */
export type Encode = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

/** A request and its response. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The media type of the answer. */
  readonly type: string
  /** Its line of the log; null without a log. */
  readonly line: Line | null
}

/** Shorter answers are not compressed: it would cost more than it saves. */
const leastEncoded = 1_024

/** Sends the answers of the direct path and logs them. */
export class AnswerSender {
  readonly #server: DirectPathServer
  readonly #log: RequestLog | null
  readonly #encode: Encode | null
  readonly #vary: string

  constructor(server: DirectPathServer, log: RequestLog | null, encode: Encode | null) {
    this.#server = server
    this.#log = log
    this.#encode = encode
    this.#vary = encode ? `${server.vary}, Accept-Encoding` : server.vary
  }

  /** Notes in the log that a query is executed from now on. */
  begin({ line }: Exchange, { document, params }: PlainQuery, { clientRequest }: Context): void {
    if (!this.#log || !line) return
    line.operation = operationNameOf(document, params.operationName)
    this.#log.begin(line, clientRequest)
  }

  /** Sends an executed query's answer, compressed if it is long and the client accepts an encoding. */
  send(exchange: Exchange, { bytes, errors, isNull, cacheControl }: Printed): void {
    const { request, response, line } = exchange
    if (line) noteOutcome(line, { data: isNull ? null : {}, errors })
    const headers = this.#headers(exchange, cacheControl, bytes.length)
    const write = () => void response.writeHead(200, headers).end(bytes)
    const isEncoded = bytes.length >= leastEncoded && request.headers['accept-encoding'] !== undefined
    if (this.#encode && isEncoded) this.#encode(request, response, write)
    else write()
    this.#write(line)
  }

  /** Sends an answer that is kept as bytes. */
  sendKept(exchange: Exchange, kept: KeptAnswer): void {
    const { packed } = kept
    const { headers } = exchange.request
    const end = kept.endFor(this.#server.clientOf(headers))
    const isGzip = this.#encode !== null && packed.isWorthGzip && takesGzip(headers['accept-encoding'])
    const pieces = isGzip ? packed.gzippedWith(end) : packed.with(end)
    if (pieces instanceof Promise)
      void pieces.then(
        (come) => this.#sendPieces(exchange, kept, come, true),
        (error: unknown) => {
          report(error)
          this.#sendPieces(exchange, kept, packed.with(end), false)
        },
      )
    else this.#sendPieces(exchange, kept, pieces, isGzip)
  }

  #sendPieces(exchange: Exchange, kept: KeptAnswer, [first, last]: Pieces, isGzip: boolean): void {
    const { request, response, line } = exchange
    const length = first.length + last.length
    const headers = this.#headers(exchange, this.#server.cacheControlOf(kept), length)
    if (isGzip) headers.push('content-encoding', 'gzip')
    response.writeHead(200, headers)
    response.write(first)
    response.end(last)
    if (!line) return
    const { account, spent, operation } = kept.made
    const client = this.#server.clientOf(request.headers)
    line.client = { client, account, spent, tokensByOperation: {}, attempts: 0 }
    line.outcome = 'ok'
    line.operation = operation
    this.#write(line)
  }

  #write(line: Line | null): void {
    if (!this.#log || !line) return
    line.status = 200
    this.#log.write(line)
  }

  /** Names and values in turn: node:http writes such a list faster than an object. */
  #headers({ request, type, line }: Exchange, cacheControl: string, length: number): string[] {
    const { origin } = request.headers
    const headers = [
      'vary',
      this.#vary,
      'cache-control',
      cacheControl,
      'content-type',
      `${type}; charset=utf-8`,
      'content-length',
      String(length),
    ]
    if (origin !== undefined)
      for (const [name, value] of Object.entries(sharedWith(origin))) headers.push(name, value)
    if (line) headers.push('x-request-id', line.id)
    return headers
  }
}

/** Whether a client accepts gzip. */
const takesGzip = (accepted: string | string[] = '') =>
  accepted.includes('gzip') && !/gzip\s*;\s*q=0(\.0+)?\s*(,|$)/.test(String(accepted))
