import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** How long requests under way may take once the service closes, in milliseconds. */
const drainMs = 10_000

/** How often a service that closes looks whether it still has to wait. */
const sweepMs = 50

/** Closes a server as soon as requests that have arrived whole are answered. Connections without one are cut. */
export function closing(server: Server): () => Promise<void> {
  /** Each connection, with the request that is being answered over it. */
  const connections = new Map<Socket, IncomingMessage | null>()
  server.on('connection', (socket: Socket) => {
    connections.set(socket, null)
    socket.once('close', () => connections.delete(socket))
  })
  server.on('request', (request, response) => {
    const { socket } = request
    connections.set(socket, request)
    response.once('close', () => connections.has(socket) && connections.set(socket, null))
  })

  function cut(): void {
    for (const [socket, request] of connections)
      if (!request?.complete && !socket.writableEnded) socket.destroySoon()
  }
  return () =>
    new Promise((resolve) => {
      const cutting = setInterval(cut, sweepMs)
      const late = setTimeout(() => server.closeAllConnections(), drainMs)
      server.close(() => {
        clearInterval(cutting)
        clearTimeout(late)
        resolve()
      })
      cut()
    })
}
