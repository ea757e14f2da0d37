import perfHooks from 'node:perf_hooks'
import { buildSchema } from 'graphql'
import { afterEach, expect, test, vi } from 'vitest'
import { createApp } from '../../src/server/app.ts'

const appOf = () => createApp({ schema: buildSchema('type Query { greeting: String }') })

const metricsOf = async (app: ReturnType<typeof appOf>) =>
  (await app.fetch('http://statline.test/metrics')).text()

afterEach(() => {
  vi.restoreAllMocks()
})

test('the process is measured once for all apps, and each shows it', async () => {
  const delays = vi.spyOn(perfHooks, 'monitorEventLoopDelay')
  const observed = vi.spyOn(perfHooks.PerformanceObserver.prototype, 'observe')
  const first = appOf()
  const started = [delays.mock.calls.length, observed.mock.calls.length]
  const apps = [first, ...Array.from({ length: 20 }, appOf)]
  expect([delays.mock.calls.length, observed.mock.calls.length]).toEqual(started)
  for (const app of apps) {
    const text = await metricsOf(app)
    expect(text).toMatch(/^process_cpu_seconds_total \S+$/m)
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \S+$/m)
    expect(text).toMatch(/^process_resident_memory_bytes \S+$/m)
  }
})

test('apps count their own queries', async () => {
  const [one, other] = [appOf(), appOf()]
  await one.fetch('http://statline.test/graphql?query={greeting}', {
    headers: { accept: 'application/json' },
  })
  expect(await metricsOf(one)).toContain('statline_queries_total{outcome="ok"} 1')
  expect(await metricsOf(other)).not.toContain('statline_queries_total{outcome="ok"} 1')
})
