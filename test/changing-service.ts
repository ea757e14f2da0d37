import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A service's answer: rows by their keys. */
export type Rows = Record<string, Record<string, unknown>>

/** Listens on a free port of this machine. */
export async function listening(listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>((is) => server.listen(0, '127.0.0.1', is))
  const { port } = server.address() as AddressInfo // a server on a port
  const close = () => new Promise((is) => (server.close(is), server.closeAllConnections()))
  return { port, close }
}

/** The service at `url`, for the caller's key and at its bill, with rows that `change` alters in place. */
export function startChangingService(url: string, change: (rows: Rows) => void | Promise<void>) {
  return listening((request, response) => {
    const forward = async () => {
      const key = String(request.headers['x-api-key'] ?? '')
      const answer = await fetch(new URL(request.url ?? '/', url), { headers: { 'x-api-key': key } })
      const rows = (await answer.json()) as Rows
      await change(rows)
      const usage = answer.headers.get('x-request-usage') ?? '1'
      response.writeHead(200, { 'content-type': 'application/json', 'x-request-usage': usage })
      response.end(JSON.stringify(rows))
    }
    // The service may end before its last answer is there.
    forward().catch(() => response.destroy())
  })
}
