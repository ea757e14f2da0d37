import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

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
    const note = (call: string) => void calls.push(call)
    forward({ origin, base, note }, request, response).catch(() => response.destroy())
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

interface Service {
  readonly origin: string
  readonly base: string
  /** Takes the name of the operation that is called. */
  readonly note: (call: string) => void
}

async function forward(
  { origin, base, note }: Service,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { url = '/', method = 'GET', headers } = request
  const [path = ''] = url.split('?')
  const body = method === 'POST' ? await text(request) : null
  note(body === null ? path.slice(base.length + 1) : operationIn(body))
  const sent = { 'x-api-key': String(headers['x-api-key']), 'content-type': 'application/json' }
  const answer = await fetch(new URL(url, origin), { method, headers: sent, body })
  const usage = answer.headers.get('x-request-usage') ?? ''
  response.writeHead(answer.status, { 'content-type': 'application/json', 'x-request-usage': usage })
  response.end(Buffer.from(await answer.arrayBuffer()))
}

/** Long calls name their operation in their body. */
function operationIn(body: string): string {
  const { class: name, function: of } = JSON.parse(body) as Record<'class' | 'function', string> // as Statline sends it
  return `${name}/${of}`
}
