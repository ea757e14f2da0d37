import { describe, expect, test, vi } from 'vitest'
import { hasRedis, withoutRedis } from './redis-server.ts'
import { relayTo } from './redis-relay.ts'
import { smallInstances } from './small-instances.ts'

describe.skipIf(!hasRedis)(`an instance that was alone${withoutRedis}`, () => {
  test('joins Redis again, also if calls come faster than a slow one takes their bills', async (context) => {
    const { redis, started } = await smallInstances(context)
    const relay = await relayTo(redis.url)
    context.onTestFinished(() => relay.close())
    const { ledgers, store, calls, call } = await started({ url: relay.url })
    relay.delay = 10
    expect(await calls(1)).toBe(1)
    await redis.kill()
    const joined = vi.spyOn(ledgers, 'onTogether')
    const all: Promise<boolean>[] = []
    const load = setInterval(() => all.push(call()), 10)
    context.onTestFinished(() => clearInterval(load))
    await redis.start()
    await vi.waitFor(() => expect(joined).toHaveBeenCalled(), 60_000)
    clearInterval(load)
    await Promise.all(all)
    await ledgers.books.written
    const rows = await store.spending('2026-02-14', '2026-02-14')
    expect(rows.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(5 * (1 + all.length))
  })
})
