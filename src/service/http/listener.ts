import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Answerer } from '../answer.ts'
import { Refusal } from '../refusal.ts'
import { MAX_BODY, tooLarge } from './body.ts'
import { isBusy, isPassing } from '../store/connection.ts'
import { readCall } from './request.ts'

/** Milliseconds that a client may take, and bytes of its headers. */
export type Limits = typeof defaults

const defaults = {
  // A GET holds as many ids as a POST.
  maxHeaderSize: MAX_BODY,
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  keepAliveTimeout: 60_000,
  connectionsCheckingInterval: 2_000,
  // Node would refuse a request without Host with status 400.
  requireHostHeader: false,
}

const SILENCE_MS = 120_000

/** Receives internal failures, which clients must not see. */
export type Report = (error: unknown) => void

/**
 * The service over HTTP, not yet listening. All failures are answered with status 200 and an error body
 * (specification §7).
 */
export function listenerOf(answer: Answerer, report: Report, limits: Partial<Limits> = {}): Server {
  const take = (request: IncomingMessage, response: ServerResponse) => {
    // A kept-alive connection would delay the close.
    if (!server.listening) response.setHeader('connection', 'close')
    respond(answer, report, request, response).catch(report)
  }
  const server = createServer({ ...defaults, ...limits }, take)
  // Node would answer an expectation that it does not know with status 417, and CONNECT not at all.
  server.on('checkExpectation', take)
  server.on('connect', (_request, socket) => refuseConnection(malformed(), socket))
  // A client that does not read its answer would keep it in memory.
  server.timeout = SILENCE_MS
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    refuseConnection(error.code === 'HPE_HEADER_OVERFLOW' ? tooLarge() : malformed(), socket),
  )
  return server
}

async function respond(answer: Answerer, report: Report, request: IncomingMessage, response: ServerResponse) {
  response.on('error', report)
  try {
    const { text, bytes, usage, headers } = await answer(keyOf(request), () => readCall(request))
    for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value)
    send(request, response, text, bytes, usage)
  } catch (error) {
    if (!(error instanceof Refusal || isBusy(error))) report(error)
    const text = errorBody(error)
    send(request, response, text, Buffer.byteLength(text), 0)
  }
}

function keyOf(request: IncomingMessage): string | undefined {
  const key = request.headers['x-api-key']
  return Array.isArray(key) ? key[0] : key
}

function errorBody(error: unknown): string {
  const { code, message } = error instanceof Refusal ? error : refusalFor(error)
  return JSON.stringify({ error: { code, message } })
}

const refusalFor = (error: unknown) =>
  isPassing(error)
    ? new Refusal('unavailable', 'The data is not available at the moment. Try again later.')
    : new Refusal('internal_error', 'The service failed to answer.')

/** Text is sent in one piece with the headers; bytes would need a second write. */
function send(
  request: IncomingMessage,
  response: ServerResponse,
  text: string,
  bytes: number,
  usage: number,
) {
  // The unread rest of a request would be parsed as the next one.
  if (!request.complete) response.setHeader('connection', 'close')
  response.writeHead(200, headersOf(bytes, usage))
  response.end(text)
}

const headersOf = (bytes: number, usage: number) => ({
  'content-type': 'application/json; charset=utf-8',
  'content-length': bytes,
  'x-request-usage': String(usage),
  'cache-control': 'no-store',
})

const malformed = () => new Refusal('malformed_request', 'The request cannot be read.')

/** Requests that are not valid HTTP or too slow are refused like others, and their connection is closed. */
function refuseConnection(refusal: Refusal, socket: Duplex): void {
  if (!socket.writable) return
  const body = errorBody(refusal)
  const headers = Object.entries({ ...headersOf(Buffer.byteLength(body), 0), connection: 'close' })
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.end(`HTTP/1.1 200 OK\r\n${lines}\r\n${body}`)
}
