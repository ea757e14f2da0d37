import { startSample } from '../graph/harness.ts'
import type { Sample } from '../graph/harness.ts'
import { createApp } from '../../src/server/app.ts'
import { listen } from '../../src/server/listen.ts'
import { basketball } from '../graph/harness.ts'
import { httpTransport } from '../../src/upstream/transport.ts'
import { Upstream } from '../../src/upstream/world.ts'
import { sampleNow } from '../sample.setup.ts'

export interface Server {
  readonly url: string
  readonly sample: Sample
  close(): Promise<void>
}

/** Statline on a port, over the sample league at the moment of the tests: what a browser or another program is given. */
export async function startServer(port = 0): Promise<Server> {
  const sample = await startSample()
  const upstream = new Upstream({
    transport: httpTransport(sample.url),
    monthlyTokenBudget: null,
    timeoutMs: 10_000,
    batchSize: 500,
    concurrency: 32,
    clock: () => sampleNow,
  })
  const app = createApp({ upstream, apiKey: 'sample-paid', defaults: basketball })
  const server = await listen(app, '127.0.0.1', port)
  return {
    url: server.url,
    sample,
    async close() {
      await server.close()
      await upstream.close()
      await sample.close()
    },
  }
}
