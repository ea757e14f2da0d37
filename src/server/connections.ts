import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The connections of a server. */
export interface Connections {
  /** Still answers, and asks clients to open their next connection to another instance. */
  drain(): void
  /**
   * Closes connections above this number at once, if there is one, and warns of it, and when it is near. Without a
   * limit of its own, a process that has no file left resets connections and says nothing.
   */
  limit(most: number | null, warn: (text: string) => void): void
  /** Accepts no more connections, finishes running answers, cuts event streams, then closes. */
  close(): Promise<void>
}

/** A request that is being answered. */
interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** Milliseconds that a cut connection may take to send its buffered data. */
const flushMs = 500

/** Milliseconds between two checks whether the closing server still has to wait. */
const sweepMs = 50

interface Times {
  /** Milliseconds without reading after which a client's connection is closed. */
  readonly readMs: number
  readonly checkMs: number
  /** Milliseconds that running answers may take after the server begins to close. */
  readonly graceMs: number
}

/** `beforeCut` says goodbye on connections that are no longer HTTP, before they are cut. */
export function connectionsOf(
  server: Server,
  { readMs, checkMs, graceMs }: Times,
  beforeCut: () => void = () => {},
): Connections {
  const connections = new Map<Socket, Set<Exchange>>()
  let isDraining = false
  let many = Number.POSITIVE_INFINITY
  let onMany = () => {}

  server.on('connection', (socket: Socket) => {
    connections.set(socket, new Set())
    if (connections.size > many) onMany()
    socket.once('close', () => connections.delete(socket))
  })
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    if (isDraining) response.shouldKeepAlive = false
    const exchanges = connections.get(request.socket)
    const exchange = { request, response }
    exchanges?.add(exchange)
    response.once('close', () => exchanges?.delete(exchange))
  })

  // Yoga disables the timeout of a stream's connection. It is set again only while an answer is sent, because
  // a query may wait for the service longer than a client may take to read.
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
    limit(most, warn) {
      server.on('error', ({ message }: Error) => warn(`A connection cannot be accepted: ${message}.`))
      if (most === null) return
      const those = `the ${most} connections for which this process has files (ulimit -n)`
      server.maxConnections = most
      server.on('drop', () => warn(`Connections are closed as they come, because ${those} are open.`))
      many = 0.9 * most
      onMany = () => warn(`More than nine tenths of ${those} are open.`)
    },
    async close() {
      isDraining = true
      const started = performance.now()
      const closed = once(server, 'close')
      server.close()
      beforeCut()
      cut(0)
      const cutting = setInterval(() => cut(performance.now() - started), sweepMs)
      const late = setTimeout(() => server.closeAllConnections(), graceMs)
      await closed
      for (const timer of [checking, cutting, late]) clearTimeout(timer)
    },
  }
}

/**
 * Whether a closing server waits for an answer. It does not wait for requests that have not arrived
 * completely, nor for event streams. A stream is cut without its last chunk and without `complete`, so that
 * clients reconnect to another instance.
 */
const isAwaited = ({ request, response }: Exchange): boolean =>
  request.complete && !String(response.getHeader('content-type')).startsWith('text/event-stream')
