import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
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

/** How long what has begun may take once the server closes. */
const drainMs = 10_000

export async function listen(listener: RequestListener, host: string, port: number): Promise<Listening> {
  const server = createServer((request, response) =>
    isAddressed(request) ? listener(request, response) : response.writeHead(400).end(),
  )
  const close = drained(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, host, port)))
    server.listen(port, host, resolve)
  })
  const bound = (server.address() as AddressInfo).port // a server on a port, not on a pipe
  const name = host.includes(':') ? `[${host}]` : host
  return { url: `http://${name}:${bound}`, close }
}

/** Whether the host that a request names can be part of an address: Yoga makes one of it. */
const isAddressed = ({ headers: { host } }: IncomingMessage) => !host || URL.canParse(`http://${host}`)

function explain(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new ListenError(`Statline cannot listen on ${host}:${port}: the port is taken.`)
  return new ListenError(
    `Statline cannot listen on ${host}:${port}, which HOST and PORT name: ${error.code ?? error.message}.`,
  )
}

/**
 * Closes a server as soon as what has begun is answered. A connection whose client keeps it alive for later, or has opened it in advance,
 * is not waited for.
 */
function drained(server: Server): () => Promise<void> {
  /** How many requests of each connection are being answered. */
  const answering = new Map<Socket, number>()
  let isClosing = false

  function count(socket: Socket, change: number): void {
    const left = (answering.get(socket) ?? 0) + change
    answering.set(socket, left)
    if (isClosing && left === 0) socket.destroySoon()
  }

  server.on('connection', (socket: Socket) => {
    answering.set(socket, 0)
    socket.once('close', () => answering.delete(socket))
  })
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    count(socket, 1)
    response.once('close', () => count(socket, -1))
  })
  return async () => {
    isClosing = true
    const late = setTimeout(() => server.closeAllConnections(), drainMs)
    const closed = once(server, 'close')
    server.close()
    for (const socket of answering.keys()) count(socket, 0)
    await closed
    clearTimeout(late)
  }
}
