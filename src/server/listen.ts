import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import compression from 'compression'

export interface Listening {
  readonly url: string
  /** Takes no more connections, answers what has begun, then closes. */
  close(): Promise<void>
}

/** Answers in the encoding that a client prefers; events go out as they come. */
export function compressed(listener: RequestListener): RequestListener {
  const compress = compression({
    filter: (_request, response) => isCompressible(response.getHeader('content-type')),
  })
  // compression was written for Express and needs no more of it than node:http's own objects.
  return (request, response) =>
    compress(request as never, response as never, () => void listener(request, response))
}

const isCompressible = (type: unknown) =>
  typeof type === 'string' && /json|javascript|text\/(?!event-stream)|svg/.test(type)

/** Answers while the process is still starting: it is up, and not ready. */
export const starting: RequestListener = (request, response) => {
  const isUp = request.url === '/health'
  response.writeHead(isUp ? 200 : 503, isUp ? {} : { 'retry-after': '1' }).end()
}

/** The port cannot be had. The message is one line. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

const drainMs = 10_000

export async function listen(listener: RequestListener, host: string, port: number): Promise<Listening> {
  const server = createServer(listener)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, host, port)))
    server.listen(port, host, resolve)
  })
  const bound = (server.address() as AddressInfo).port // a server on a port, not on a pipe
  const name = host.includes(':') ? `[${host}]` : host
  return { url: `http://${name}:${bound}`, close: () => drain(server) }
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new ListenError(`Statline cannot listen on ${host}:${port}: the port is taken.`)
  return new ListenError(`Statline cannot listen on ${host}:${port}: ${error.code ?? error.message}.`)
}

function drain(server: Server): Promise<void> {
  const late = setTimeout(() => server.closeAllConnections(), drainMs)
  return new Promise((resolve) => {
    server.close(() => {
      clearTimeout(late)
      resolve()
    })
    server.closeIdleConnections()
  })
}
