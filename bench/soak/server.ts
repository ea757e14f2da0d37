import { createApp } from '../../src/server/app.ts'
import { compressed, listen } from '../../src/server/listen.ts'
import { sampleBasketball } from '../../src/service/sample/ids.ts'
import { Capacity } from '../../src/rows/capacity.ts'
import { httpTransport } from '../../src/wire/transport.ts'
import { Upstream } from '../../src/account/upstream.ts'
import type { UpstreamSettings } from '../../src/account/settings.ts'
import type { State, Told } from './state.ts'
import { fills } from '../../src/loaders/fills.ts'

/**
 * Statline as a process of its own, to which each client brings its key. Tells its state whenever it is
 * asked.
 */
const [url = '', ahead = '0'] = process.argv.slice(2)

/** Bytes of rows and of answers that are kept: little, so that both are full within two minutes. */
const [mostRows, mostAnswers] = [16_000_000, 4_000_000]
const cache = new Capacity(mostRows)
const settings: UpstreamSettings = {
  transport: httpTransport(url),
  fills,
  monthlyTokenBudget: null,
  // A timeout would be the machine's fault here: the service bills what nobody waits for any more.
  timeoutMs: 120_000,
  batchSize: 500,
  concurrency: 32,
  clock: () => Date.now() + Number(ahead),
}
const upstream = new Upstream(settings, cache)
const defaults = {
  organization_id: sampleBasketball.organizationId,
  division_id: sampleBasketball.divisionId,
}
const app = createApp({ upstream, apiKey: null, defaults, mostAnswers })
const server = await listen(compressed(app), '127.0.0.1', 0)

function state(): State {
  globalThis.gc?.()
  const { heapUsed, external, rss } = process.memoryUsage()
  const resources = process.getActiveResourcesInfo()
  const count = (kind: string) => resources.filter((one) => one === kind).length
  const { size, most } = cache
  return {
    heap: heapUsed,
    external,
    rss,
    cache: size,
    capacity: most,
    sockets: count('TCPSocketWrap'),
    timers: count('Timeout'),
  }
}

const tell = (told: Told) => void process.send?.(told)
process.on('message', () => tell({ state: state() }))
process.once('disconnect', () => process.exit())
tell({ url: server.url })
