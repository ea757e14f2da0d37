import { createServer } from 'node:http'
import type { Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { httpTransport } from '../../src/wire/transport.ts'
import { graphOver } from './harness.ts'
import type { Graph } from './harness.ts'

/** A service that answers over HTTP as badly as it is told to. */
export async function badService(
  answer: (response: ServerResponse, nth: number) => void,
  timeoutMs = 60_000,
) {
  let calls = 0
  const server: Server = createServer((_request, response) => answer(response, (calls += 1)))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  const url = `http://127.0.0.1:${port}/v1`
  const transport = httpTransport(url)
  const graph: Graph = graphOver(transport, { timeoutMs })
  return {
    url,
    graph,
    calls: () => calls,
    async stop() {
      await transport.close?.()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
