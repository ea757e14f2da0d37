import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { longestWait } from './way.ts'
import type { Way } from './way.ts'

/** A way to Redis for one instance, which can be blocked while others reach it. */
export interface RedisGateway extends Way {
  /** From now on nothing gets through; connections stay open. */
  block(): void
  unblock(): void
  /** Lets through what waits, and what the instance sends from now on, but no replies. */
  unblockRequests(): void
  close(): Promise<void>
}

export async function gatewayTo(redisUrl: string): Promise<RedisGateway> {
  const { hostname, port } = new URL(redisUrl)
  const sockets = new Set<Socket>()
  const clients = new Set<Socket>()
  let isBlocked = false
  const server = createServer((client) => {
    const redis = connect(Number(port), hostname)
    clients.add(client)
    client.on('close', () => clients.delete(client))
    for (const [from, to] of [
      [client, redis],
      [redis, client],
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy())
      from.on('close', () => (sockets.delete(from), to.destroy()))
      from.pipe(to)
      if (isBlocked) from.pause()
    }
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`, // on TCP
    get longestWaitMs() {
      return longestWait(isBlocked)
    },
    block() {
      isBlocked = true
      for (const socket of sockets) socket.pause()
    },
    unblock() {
      isBlocked = false
      for (const socket of sockets) socket.resume()
    },
    unblockRequests() {
      for (const client of clients) client.resume()
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
