import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import compression from 'compression'
import type { App } from './app.ts'
import { connectionsOf } from './connections.ts'
import type { Connections } from './connections.ts'

export interface Listening extends Connections {
  readonly url: string
}

/** Compresses answers as the client prefers; events are sent without delay. */
export function compressed(app: App): RequestListener {
  const compress = compression({
    filter: (_request, response) => isCompressible(response.getHeader('content-type')),
  })
  // compression is typed for Express and uses only what node:http's objects have.
  return app.encoded((request, response, next) => compress(request as never, response as never, next))
}

const isCompressible = (type: unknown) =>
  typeof type === 'string' && /json|javascript|text\/(?!event-stream)|svg/.test(type)

/** Answers while the process is starting: it is up, but not ready. */
export const starting: RequestListener = (request, response) => {
  const isUp = request.url === '/health'
  response.writeHead(isUp ? 200 : 503, isUp ? {} : { 'retry-after': '1' }).end()
}

/** Time limits for clients, in milliseconds, because each connection holds memory and a file handle. */
export interface Patience {
  /** For a request's headers, counted from the start of the connection. */
  readonly headersMs: number
  /** For a whole request. */
  readonly requestMs: number
  /** For reading some of a waiting answer. */
  readonly readMs: number
  /** Between two checks of the times above. */
  readonly checkMs: number
}

/** A slow mobile network sends a mebibyte, the longest body, in a minute. */
const patient: Patience = { headersMs: 15_000, requestMs: 60_000, readMs: 60_000, checkMs: 5_000 }

/** The port cannot be opened. The message is one line. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

export async function listen(
  listener: RequestListener,
  host: string,
  port: number,
  patience: Patience = patient,
): Promise<Listening> {
  const { headersMs, requestMs, checkMs, readMs } = patience
  const limits = {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
  }
  const server = createServer(limits, (request, response) =>
    isAddressed(request) ? listener(request, response) : response.writeHead(400).end(),
  )
  const { drain, close } = connectionsOf(server, { readMs, checkMs })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, host, port)))
    server.listen(port, host, resolve)
  })
  const bound = (server.address() as AddressInfo).port // a server on a port, not on a pipe
  const name = host.includes(':') ? `[${host}]` : host
  return { url: `http://${name}:${bound}`, drain, close }
}

/** Whether the request's host can be part of a URL, which Yoga builds from it. */
const isAddressed = ({ headers: { host } }: IncomingMessage) => !host || URL.canParse(`http://${host}`)

function explain(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new ListenError(`Statline cannot listen on ${host}:${port}: the port is taken.`)
  return new ListenError(
    `Statline cannot listen on ${host}:${port}, which HOST and PORT name: ${error.code ?? error.message}.`,
  )
}
