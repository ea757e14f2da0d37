import { describe, expect, test, vi } from 'vitest'
import type { Change } from '../../../src/money/ledger-store.ts'
import { gatewayTo } from '../redis/redis-gateway.ts'
import { hasRedis, withoutRedis } from '../redis/redis-server.ts'
import { longestWait } from '../redis/way.ts'
import { smallInstances } from './small-instances.ts'
import { patience } from '../../patience.ts'

const named = { client: 'web', operation: 'Q', service: 'team/read', day: '2026-02-14', hour: '20', key: 'k' }
const spent = { ...named, tokens: 5, estimated: 0, bytes: 100, calls: 1 }
const bill = (nth: number): Change => ({
  kind: 'settle',
  opened: { id: `p ${nth}`, ...spent },
  spent: [spent],
})

describe.skipIf(!hasRedis)(`batches that Redis has confirmed${withoutRedis}`, () => {
  test('are sent again in their order, also if they were confirmed in another one', async (context) => {
    const { redis, started } = await smallInstances(context)
    const gateway = await gatewayTo(redis.url)
    context.onTestFinished(() => gateway.close())
    const way = { url: gateway.url, longestWaitMs: longestWait(false) }
    const { store } = await started({ way })
    const tokens = async () => {
      const rows = await store.spending('2026-02-14', '2026-02-14').catch(() => [])
      return rows.reduce((sum, row) => sum + row.tokens, 0)
    }
    await store.write([bill(1)])
    gateway.block()
    // The first is given up and sent again later, the second is answered in time.
    way.longestWaitMs = longestWait(true)
    const first = store.write([bill(2)])
    way.longestWaitMs = longestWait(false)
    const second = store.write([bill(3)])
    await first
    gateway.unblock()
    await second
    await store.ready(30_000)
    expect(await tokens()).toBe(15)
    await redis.kill()
    await redis.start()
    await vi.waitFor(async () => expect(await tokens()).toBe(15), patience)
  })
})
