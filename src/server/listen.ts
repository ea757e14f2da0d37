import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { App } from './app.ts'
import { ReadinessChecks, jsonHeaders, readyAnswer } from './readiness-checks.ts'
import { connectionsOf } from './connections.ts'
import type { Connections } from './connections.ts'
import { refuseForNow } from './refused-upgrade.ts'
import { answerWithoutPath, hasPath } from './request-target.ts'
import type { Sockets } from './sockets.ts'

export interface Listening extends Connections {
  readonly url: string
}

/** What answers requests, and takes WebSockets over. */
export type Listener = RequestListener & { readonly sockets?: Sockets | undefined }

/** Compresses answers as the client prefers; events are sent without delay. */
export function compressed(app: App): Listener {
  const listener = app.encoded()
  return Object.assign((...args: Parameters<RequestListener>) => listener(...args), { sockets: app.sockets })
}

const sayStarting: RequestListener = ({ url }, response) => {
  if (url === '/health') return response.writeHead(200).end()
  const headers = url === '/ready' ? jsonHeaders : { 'content-type': 'text/plain; charset=utf-8' }
  const body = url === '/ready' ? startingBody : 'Statline is starting. Try again in some seconds.\n'
  return response.writeHead(503, { 'retry-after': '1', ...headers }).end(body)
}

/** Answers while the process is starting. */
export const starting: Listener = Object.assign(sayStarting, {
  sockets: { upgrade: (_request: IncomingMessage, socket: Duplex) => refuseForNow(socket), close() {} },
})

const { body: startingBody } = readyAnswer(
  new ReadinessChecks({ server: () => ({ reason: 'It is starting.', isFatal: true }) }).readiness,
)

/** An open port. It answers that the process is starting, until it gets its listener. */
export interface Opening extends Listening {
  answerWith(listener: Listener): void
}

/** Opens the port that a variable names. Throws ListenError. */
export async function open(host: string, port: number, variable: string): Promise<Opening> {
  let listener: Listener = starting
  const forward: RequestListener = (request, response) => listener(request, response)
  const answer: Listener = Object.defineProperty(forward, 'sockets', { get: () => listener.sockets })
  const listening = await listen(answer, host, port, patient, variable)
  return { ...listening, answerWith: (next) => void (listener = next) }
}

/** Time limits for clients, in milliseconds, because each connection holds memory and a file handle. */
export interface Patience {
  /** For a request's headers, counted from the start of the connection. */
  readonly headersMs: number
  /** For a whole request. */
  readonly requestMs: number
  /** Between two requests. */
  readonly idleMs: number
  /** For reading some of a waiting answer. */
  readonly readMs: number
  /** Between two checks of the times above. */
  readonly checkMs: number
  /** For running answers after the server begins to close. */
  readonly graceMs: number
}

/**
 * A slow mobile network sends a mebibyte, the longest body, in a minute. Proxies keep idle connections for up
 * to a minute, and would lose the request that they send on one just when it is closed here.
 */
export const patient: Patience = {
  headersMs: 15_000,
  requestMs: 60_000,
  idleMs: 65_000,
  readMs: 60_000,
  checkMs: 5_000,
  graceMs: 10_000,
}

/** The port cannot be opened. The message is one line. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

/** `variable` names the port in the message of a ListenError. */
export async function listen(
  listener: Listener,
  host: string,
  port: number,
  patience: Patience = patient,
  variable = 'PORT',
): Promise<Listening> {
  const { headersMs, requestMs, idleMs, ...times } = patience
  const limits = {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    connectionsCheckingInterval: times.checkMs,
  }
  const server = createServer(limits, (request, response) => {
    if (!hasPath(request)) return answerWithoutPath(request, response)
    return isAddressed(request) ? listener(request, response) : response.writeHead(400).end()
  })
  server.on('upgrade', (request, socket, head) =>
    listener.sockets && hasPath(request) && isAddressed(request)
      ? listener.sockets.upgrade(request, socket, head)
      : socket.destroy(),
  )
  const connections = connectionsOf(server, times, () => listener.sockets?.close())
  await new Promise<void>((resolve, reject) => {
    // Also later, when nothing is rejected any more: an error without a listener ends the process.
    server.on('error', (error: NodeJS.ErrnoException) => reject(explain(error, host, port, variable)))
    server.listen(port, host, resolve)
  })
  const bound = (server.address() as AddressInfo).port // a server on a port, not on a pipe
  const name = host.includes(':') ? `[${host}]` : host
  return { url: `http://${name}:${bound}`, ...connections }
}

/** Whether the request's host can be part of a URL, which Yoga builds from it. */
const isAddressed = ({ headers: { host } }: IncomingMessage) => !host || URL.canParse(`http://${host}`)

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is taken',
  EADDRNOTAVAIL: 'this machine does not have the address',
  EACCES: 'it is not allowed to',
  ENOTFOUND: 'the name is not known',
}

function explain({ code, message }: NodeJS.ErrnoException, host: string, port: number, variable: string) {
  const reason = reasons[code ?? ''] ?? message
  return new ListenError(
    `Statline cannot listen on ${host}:${port}, which HOST and ${variable} name: ${reason}.`,
  )
}
