import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The service at another address, which notes its calls. */
export interface Front {
  /** The base address, `/v1` included. */
  readonly url: string
  /** The operations that were called since the last time, sorted. */
  take(): readonly string[]
  close(): Promise<void>
}

/** Sends each answer in one piece, and never closes an idle connection: both would depend on time. */
export async function startFront(service: string): Promise<Front> {
  const { origin, pathname: base } = new URL(service)
  let calls: string[] = []
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const [path = ''] = request.url?.split('?') ?? []
    calls.push(path.slice(base.length + 1))
    forward(origin, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((is) => void server.listen(0, '127.0.0.1', is))
  const { port } = server.address() as AddressInfo // a server on a port
  return {
    url: `http://127.0.0.1:${port}${base}`,
    take() {
      const taken = calls.toSorted()
      calls = []
      return taken
    },
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

async function forward(origin: string, { url = '/', headers }: IncomingMessage, response: ServerResponse) {
  const key = String(headers['x-api-key'])
  const answer = await fetch(new URL(url, origin), { headers: { 'x-api-key': key } })
  const usage = answer.headers.get('x-request-usage') ?? ''
  response.writeHead(answer.status, { 'content-type': 'application/json', 'x-request-usage': usage })
  response.end(Buffer.from(await answer.arrayBuffer()))
}
