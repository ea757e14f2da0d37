import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import compression from 'compression'

export interface Listening {
  readonly url: string
  /** Still answers, but asks clients to open their next connection elsewhere. */
  drain(): void
  /** Takes no more connections, answers what has begun, cuts streams of events, then closes. */
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
  const { drain, close } = closing(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, host, port)))
    server.listen(port, host, resolve)
  })
  const bound = (server.address() as AddressInfo).port // a server on a port, not on a pipe
  const name = host.includes(':') ? `[${host}]` : host
  return { url: `http://${name}:${bound}`, drain, close }
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

/** A request that is being answered. */
interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** How often a server that closes looks whether it still has to wait, in milliseconds. */
const sweepMs = 50

/** Closes a server as soon as what has begun is answered. */
function closing(server: Server): Pick<Listening, 'drain' | 'close'> {
  const connections = new Map<Socket, Set<Exchange>>()
  let isDraining = false

  server.on('connection', (socket: Socket) => {
    connections.set(socket, new Set())
    socket.once('close', () => connections.delete(socket))
  })
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    if (isDraining) response.shouldKeepAlive = false
    const exchanges = connections.get(request.socket)
    const exchange = { request, response }
    exchanges?.add(exchange)
    response.once('close', () => exchanges?.delete(exchange))
  })

  function sweep(): void {
    for (const [socket, exchanges] of connections) if (![...exchanges].some(isAwaited)) socket.destroySoon()
  }
  return {
    drain: () => void (isDraining = true),
    async close() {
      isDraining = true
      const closed = once(server, 'close')
      server.close()
      sweep()
      const sweeping = setInterval(sweep, sweepMs)
      const late = setTimeout(() => server.closeAllConnections(), drainMs)
      await closed
      clearInterval(sweeping)
      clearTimeout(late)
    },
  }
}

/**
 * Whether a server that closes waits for an answer. Not for one whose request has not arrived whole. Nor for a stream of events: its
 * connection is cut, without the last chunk or a `complete`, so that every client sees that there is more to come elsewhere.
 */
const isAwaited = ({ request, response }: Exchange): boolean =>
  request.complete && !String(response.getHeader('content-type')).startsWith('text/event-stream')
