import type { IncomingMessage, ServerResponse } from 'node:http'
import type { KeptAnswer } from './answer-cache.ts'
import type { Context } from '../graph/context.ts'
import { noteOutcome } from './log-line.ts'
import type { Line } from './log-line.ts'
import { operationNameOf } from './operation-name.ts'
import { sharedWith } from './origins.ts'
import { codingFor, compressedAs, leastEncoded } from './packed.ts'
import type { Coding, Pieces } from './packed.ts'
import type { DirectPathServer, PlainQuery, Printed } from './plain-query.ts'
import { report } from './report.ts'
import type { RequestLog } from './request-log.ts'

/** A request and its response. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The media type of the answer. */
  readonly type: string
  /** Its line of the log; null without a log. */
  readonly line: Line | null
}

/** Sends the answers of the direct path and logs them. */
export class AnswerSender {
  readonly #server: DirectPathServer
  readonly #log: RequestLog | null
  readonly #isCompressed: boolean
  readonly #vary: string

  constructor(server: DirectPathServer, log: RequestLog | null, isCompressed: boolean) {
    this.#server = server
    this.#log = log
    this.#isCompressed = isCompressed
    this.#vary = isCompressed ? `${server.vary}, Accept-Encoding` : server.vary
  }

  /** Notes in the log that a query is executed from now on. */
  begin({ line }: Exchange, { document, params }: PlainQuery, { clientRequest }: Context): void {
    if (!this.#log || !line) return
    line.operation = operationNameOf(document, params.operationName)
    this.#log.begin(line, clientRequest)
  }

  /** Sends an executed query's answer, compressed if it is long and the client accepts a coding. */
  send(exchange: Exchange, { bytes, errors, isNull, cacheControl }: Printed): void {
    const { request, line } = exchange
    if (line) noteOutcome(line, { data: isNull ? null : {}, errors })
    const isLong = this.#isCompressed && bytes.length >= leastEncoded
    const coding = isLong ? codingFor(request.headers) : null
    if (coding === null) this.#sendBytes(exchange, cacheControl, bytes, null)
    else
      void compressedAs(bytes, coding).then(
        (coded) => this.#sendBytes(exchange, cacheControl, coded, coding),
        (error: unknown) => {
          report(error)
          this.#sendBytes(exchange, cacheControl, bytes, null)
        },
      )
    this.#write(line)
  }

  #sendBytes(exchange: Exchange, cacheControl: string, bytes: Buffer, coding: Coding | null): void {
    exchange.response.writeHead(200, this.#headers(exchange, cacheControl, bytes.length, coding)).end(bytes)
  }

  /** Sends an answer that is kept as bytes. */
  sendKept(exchange: Exchange, kept: KeptAnswer): void {
    const { packed } = kept
    const { headers } = exchange.request
    const end = kept.endFor(this.#server.clientOf(headers))
    const coding = this.#isCompressed && packed.isWorthCoding ? codingFor(headers) : null
    const pieces = coding === null ? packed.with(end) : packed.codedWith(end, coding)
    if (pieces instanceof Promise)
      void pieces.then(
        (come) => this.#sendPieces(exchange, kept, come, coding),
        (error: unknown) => {
          report(error)
          this.#sendPieces(exchange, kept, packed.with(end), null)
        },
      )
    else this.#sendPieces(exchange, kept, pieces, coding)
  }

  #sendPieces(exchange: Exchange, kept: KeptAnswer, [first, last]: Pieces, coding: Coding | null): void {
    const { request, response, line } = exchange
    const length = first.length + last.length
    response.writeHead(200, this.#headers(exchange, this.#server.cacheControlOf(kept), length, coding))
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
  #headers(
    { request, type, line }: Exchange,
    cacheControl: string,
    length: number,
    coding: Coding | null,
  ): string[] {
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
    if (coding !== null) headers.push('content-encoding', coding)
    if (line) headers.push('x-request-id', line.id)
    return headers
  }
}
