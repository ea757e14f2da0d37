import { createApp } from '../../src/server/app.ts'
import { compressed, listen } from '../../src/server/listen.ts'
import { defaultFreshFor } from '../../src/rows/freshness.ts'
import { Upstream } from '../../src/account/upstream.ts'
import { league, livingDay } from './day.ts'
import { fills } from '../../src/loaders/fills.ts'

/**
 * A server whose one day goes on. Tells its parent when each point was scored, and on request what it uses.
 */

const seconds = 1_000
const now = () => performance.timeOrigin + performance.now()
const points: [point: number, at: number][] = []

const { transport, calls } = livingDay((point) => void points.push([point, now()]))
const upstream = new Upstream({
  transport,
  fills,
  monthlyTokenBudget: null,
  timeoutMs: 10_000,
  batchSize: 500,
  concurrency: 32,
  clock: Date.now,
  freshFor: { ...defaultFreshFor, live: 5 * seconds },
})
const most = 1_000_000
const app = createApp({
  upstream,
  apiKey: 'anyone',
  defaults: league,
  subscriptionLimits: { perClient: most, inTotal: most },
})
const server = await listen(compressed(app), '127.0.0.1', 0)
process.send?.({ url: server.url })
process.on('message', () => {
  globalThis.gc?.()
  const { heapUsed, external, rss } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  process.send?.({
    heap: heapUsed + external,
    rss,
    cpu: user + system,
    calls: calls(),
    points: points.splice(0),
  })
})
process.once('disconnect', () => process.exit())
