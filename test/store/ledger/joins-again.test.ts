import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { gatewayTo } from '../redis/redis-gateway.ts'
import { hasRedis, withoutRedis } from '../redis/redis-server.ts'
import { relayTo } from '../redis/redis-relay.ts'
import { allotted } from './allotted.ts'
import { longSilence, twoBeats } from './quick-times.ts'
import { smallInstances } from './small-instances.ts'
import { patience } from '../../patience.ts'

describe.skipIf(!hasRedis)(`an instance that was alone${withoutRedis}`, () => {
  test('joins Redis again, also if calls come faster than a slow one takes their bills', async (context) => {
    const { redis, started } = await smallInstances(context)
    const relay = await relayTo(redis.url)
    context.onTestFinished(() => relay.close())
    const { ledgers, store, calls, call } = await started({ way: relay })
    relay.delay = 10
    expect(await calls(1)).toBe(1)
    await redis.kill()
    const joined = vi.spyOn(ledgers, 'onTogether')
    const all: Promise<boolean>[] = []
    const load = setInterval(() => all.push(call()), 10)
    context.onTestFinished(() => clearInterval(load))
    await redis.start()
    await vi.waitFor(() => expect(joined).toHaveBeenCalled(), patience)
    clearInterval(load)
    await Promise.all(all)
    await ledgers.books.written
    const rows = await store.spending('2026-02-14', '2026-02-14')
    expect(rows.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(5 * (1 + all.length))
  })

  test('and ends without Redis or a folder tells which bills are lost', async (context) => {
    const { redis, started } = await smallInstances(context)
    const { store, ledgers, calls } = await started()
    expect(await calls(1)).toBe(1)
    expect(store.lost).toEqual([])
    await redis.kill()
    expect(await calls(2)).toBe(2)
    await ledgers.books.close()
    expect(store.lost.map(({ client, tokens }) => [client, tokens])).toEqual([
      ['web', 5],
      ['web', 5],
    ])
  })

  test.for([
    ['cannot send anything', false],
    ['have sent a heartbeat before, which Redis gets late', true],
  ] as const)('spends nothing that others have spent alone, if they %s', async ([, isBeatLate], context) => {
    const { redis, started, endPatience } = await smallInstances(context)
    const gateways = [await gatewayTo(redis.url), await gatewayTo(redis.url)] as const
    context.onTestFinished(async () => void (await Promise.all(gateways.map((gateway) => gateway.close()))))
    const [first, last] = [
      await started({ budget: 100, way: gateways[0] }),
      await started({ budget: 100, way: gateways[1] }),
    ]
    // What is known of the other is up to date.
    expect(await first.calls(1)).toBe(1)
    expect(await last.calls(1)).toBe(1)
    await first.store.refresh(first.ledgers.nameOf('key'))
    await allotted(redis, 2)
    for (const gateway of gateways) gateway.block()
    void last.store.refresh(last.ledgers.nameOf('key'))
    const many = async (one: typeof first) =>
      (await Promise.all(Array.from({ length: 20 }, () => one.call()))).filter(Boolean).length
    // At once each spends what is allotted to it, 22 tokens; the rest of its share, 45 tokens, only later.
    expect(await Promise.all([many(first), many(last)])).toEqual([4, 4])
    endPatience()
    expect(await Promise.all([many(first), many(last)])).toEqual([5, 5])
    const joined = vi.spyOn(first.ledgers, 'onTogether')
    await pause(longSilence)
    if (isBeatLate) gateways[1].unblockRequests()
    await pause(100)
    gateways[0].unblock()
    for (const end = performance.now() + twoBeats; performance.now() < end; await pause(20))
      expect(await many(first)).toBe(0)
    expect(joined).not.toHaveBeenCalled()
    gateways[1].unblock()
    await vi.waitFor(() => expect(joined).toHaveBeenCalled(), patience)
    expect([await many(first), await many(last)]).toEqual([0, 0])
    await vi.waitFor(() => expect([first.left(), last.left()]).toEqual([0, 0]), patience)
  })
})
