import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The connections of a server. */
export interface Connections {
  /** Still answers, but asks clients to open their next connection elsewhere. */
  drain(): void
  /** Takes no more connections, answers what has begun, cuts streams of events, then closes. */
  close(): Promise<void>
}

/** A request that is being answered. */
interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** How long answers that have begun may take once the server closes, in milliseconds. */
const drainMs = 10_000

/** How long a connection that is cut may take to send what was written to it before. */
const flushMs = 500

/** How often a server that closes looks whether it still has to wait. */
const sweepMs = 50

interface Times {
  /** A connection whose client reads nothing of an answer for this long is closed. */
  readonly readMs: number
  readonly checkMs: number
}

export function connectionsOf(server: Server, { readMs, checkMs }: Times): Connections {
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

  // Yoga switches the timeout of a stream's connection off. It is set again while an answer is sent, and not before: a query may wait
  // for the service longer than a client may take to read.
  const checking = setInterval(() => {
    for (const [socket, exchanges] of connections)
      if ([...exchanges].some(({ response }) => response.headersSent) && socket.timeout !== readMs)
        socket.setTimeout(readMs)
  }, checkMs).unref()

  function cut(closingMs: number): void {
    for (const [socket, exchanges] of connections) {
      if ([...exchanges].some(isAwaited)) continue
      if (closingMs >= flushMs) socket.destroy()
      else if (!socket.writableEnded) socket.destroySoon()
    }
  }
  return {
    drain: () => void (isDraining = true),
    async close() {
      isDraining = true
      const started = performance.now()
      const closed = once(server, 'close')
      server.close()
      cut(0)
      const cutting = setInterval(() => cut(performance.now() - started), sweepMs)
      const late = setTimeout(() => server.closeAllConnections(), drainMs)
      await closed
      for (const timer of [checking, cutting, late]) clearTimeout(timer)
    },
  }
}

/**
 * Whether a server that closes waits for an answer. Not for one whose request has not arrived whole. Nor for a stream of events: its
 * connection is cut, without the last chunk or a `complete`, so that every client sees that there is more to come elsewhere.
 */
const isAwaited = ({ request, response }: Exchange): boolean =>
  request.complete && !String(response.getHeader('content-type')).startsWith('text/event-stream')
