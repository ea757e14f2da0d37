import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach } from 'vitest'

/** Puts listeners on ports of their own, which are closed after each test. Answers with their addresses. */
export function onPorts(): (listener: RequestListener) => Promise<string> {
  const servers: Server[] = []
  afterEach(async () => {
    for (const server of servers.splice(0))
      await new Promise((closed) => {
        server.close(closed)
        server.closeAllConnections()
      })
  })
  return async (listener) => {
    const server = createServer(listener)
    servers.push(server)
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}` // on TCP
  }
}
