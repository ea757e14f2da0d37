import { createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { afterEach } from 'vitest'

/** Servers on free ports of 127.0.0.1, for a file's tests. What is in `closing` is called after each test. */
export function ports() {
  const closing: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0)) await close()
  })

  /** Lets a server listen, there alone. Returns its port. */
  async function listening(server: Server): Promise<number> {
    const sockets = new Set<Socket>()
    server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})))
    closing.push(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port // it listens on a port
  }

  /** A port at which nothing listens. */
  async function unused(): Promise<number> {
    const server = createServer()
    const port = await listening(server)
    await new Promise((resolve) => server.close(resolve))
    return port
  }

  return { closing, listening, unused }
}
