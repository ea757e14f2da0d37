import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** Milliseconds that running requests may take after the service begins to close. */
const drainMs = 10_000

/** Milliseconds between two checks whether the closing service still has to wait. */
const sweepMs = 50

/** Closes a server once the completely received requests are answered. Other connections are cut. */
export function closing(server: Server): () => Promise<void> {
  /** Each connection with its current request. */
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
