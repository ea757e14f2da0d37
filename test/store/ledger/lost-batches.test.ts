import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import type { TestContext } from 'vitest'
import { MemoryOutbox, OutboxFile, secretIn } from '../../../src/money/files/outbox.ts'
import { RedisAwayError, RedisConnection } from '../../../src/store/redis/connection.ts'
import { gatewayTo } from '../redis/redis-gateway.ts'
import { hasRedis, withoutRedis } from '../redis/redis-server.ts'
import { longestWait } from '../redis/way.ts'
import { writeCall } from './one-call.ts'
import { allotted } from './allotted.ts'
import { endedSoon, longSilence, quickTimes } from './quick-times.ts'
import { smallInstances } from './small-instances.ts'
import { patience } from '../../patience.ts'

const processes = 'statline:1:ledger:processes'

function newFolder({ onTestFinished }: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'lost-batches-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

describe.skipIf(!hasRedis)(`batches that Redis has lost${withoutRedis}`, () => {
  test.for(['an older state', 'no state'])(
    'are sent again in their order after a reply that came late, and %s',
    async (state, context) => {
      const { redis, started } = await smallInstances(context)
      const outbox = new MemoryOutbox()
      const way = { url: redis.url, longestWaitMs: longestWait(false) }
      const { store, recorded } = await started({ outbox, way })
      expect(await writeCall(store, 'first')).toBe(true)
      if (state === 'an older state') await redis.send('SAVE')
      redis.freeze()
      way.longestWaitMs = longestWait(true)
      const late = writeCall(store, 'late')
      way.longestWaitMs = longestWait(false)
      const inTime = writeCall(store, 'in time')
      expect(await late).toBe(false)
      redis.thaw()
      expect(await inTime).toBe(true)
      await redis.kill()
      await redis.start()
      await vi.waitFor(() => expect(outbox.isEmpty).toBe(true), patience)
      await vi.waitFor(async () => expect(await recorded()).toBe(15), patience)
    },
  )

  test('are sent again if Redis loses them once more meanwhile', async (context) => {
    const { redis, started } = await smallInstances(context)
    const { calls, recorded, refresh } = await started({ budget: 1e9 })
    expect(await calls(1_000)).toBe(1_000)
    await redis.send('FLUSHALL')
    const sent = refresh()
    const applied = async () => Number(await redis.send('HGET', processes, 'applied'))
    while ((await applied()) < 100) await pause(1)
    await redis.send('FLUSHALL')
    await sent
    await vi.waitFor(async () => expect(await recorded()).toBe(5_000), patience)
  })

  test('are sent again by an instance that is stopped before it has noticed', async (context) => {
    const { redis, started } = await smallInstances(context)
    const [stopped, other] = [await started(), await started()]
    expect(await stopped.calls(20)).toBe(20)
    await redis.send('FLUSHALL')
    await stopped.ledgers.books.close()
    expect(await other.recorded()).toBe(100)
  })

  test('hold up no call far from the end of a budget', async (context) => {
    const { redis, started } = await smallInstances(context)
    const { store, calls, call, recorded } = await started({ budget: 1e9 })
    expect(await calls(1_000)).toBe(1_000)
    await redis.send('FLUSHALL')
    // The first write notices the loss. It is answered before what was lost is sent again.
    expect(await call()).toBe(true)
    expect(store.trouble).not.toBeNull()
    await vi.waitFor(async () => expect(await recorded()).toBe(5_005), patience)
    await vi.waitFor(() => expect(store.trouble).toBeNull(), patience)
  })

  test('are sent by their own process, also if another one finds later ones in the folder', async (context) => {
    const { redis, started } = await smallInstances(context)
    const folder = newFolder(context)
    const next = await started({ outbox: new OutboxFile(folder) })
    const draining = await started({ outbox: new OutboxFile(folder) })
    expect(await draining.calls(3)).toBe(3)
    await redis.kill()
    expect(await draining.calls(1)).toBe(1)
    await redis.start()
    await vi.waitFor(async () => expect(await next.recorded()).toBe(20), patience)
    await vi.waitFor(
      () => expect([next.store.trouble, draining.store.trouble]).toEqual([null, null]),
      patience,
    )
    expect(await next.recorded()).toBe(20)
  })
})

describe.skipIf(!hasRedis)(`instances that come back${withoutRedis}`, () => {
  test('spend nothing alone once all have sent what they have', async (context) => {
    const { redis, started } = await smallInstances(context)
    const both = [await started({ budget: 100 }), await started({ budget: 100 })] as const
    for (let nth = 0; nth < 6; nth += 1) for (const one of both) expect(await one.call()).toBe(true)
    for (const one of [...both, both[0]]) await one.refresh()
    redis.freeze()
    await Promise.all(both.map((one) => one.refresh()))
    await pause(longSilence)
    redis.thaw()
    const isSettling = async () => (await redis.send('HEXISTS', processes, 'settled')) === 1
    // On a busy machine, both may have sent what they have between two looks.
    const areBack = () => both.every(({ store }) => !store.isVolatile)
    while (!(await isSettling()) && !areBack()) await pause(1)
    while (await isSettling()) await pause(1)
    const burst = (one: (typeof both)[0]) => Promise.all(Array.from({ length: 12 }, () => one.call()))
    await Promise.all(both.map(burst))
    await vi.waitFor(() => expect(both.map(({ store }) => store.trouble)).toEqual([null, null]), patience)
    expect(await both[0].recorded()).toBeLessThanOrEqual(105)
  })

  test('do not wait for one that was stopped meanwhile', async (context) => {
    const { redis, started } = await smallInstances(context)
    const gateway = await gatewayTo(redis.url)
    context.onTestFinished(() => gateway.close())
    // Much longer than the test may take.
    const options = { budget: 100, times: { ...quickTimes, endedAfter: 50_000 } }
    const cutOff = await started({ ...options, way: gateway })
    const [other, stopped] = [await started(options), await started(options)]
    for (const one of [cutOff, other, stopped]) expect(await one.calls(3)).toBe(3)
    for (const one of [other, stopped, cutOff]) await one.refresh()
    gateway.block()
    await cutOff.refresh()
    await stopped.ledgers.books.close()
    // The one that comes back asks the others to wait.
    await pause(longSilence)
    gateway.unblock()
    await vi.waitFor(() => expect(cutOff.store.isVolatile).toBe(false), patience)
    await vi.waitFor(
      () => expect([cutOff.store.trouble, other.store.trouble]).toEqual([null, null]),
      patience,
    )
  })

  test('translate what waits under a name by an earlier secret, also if the first attempt ends too soon', async (context) => {
    const { redis, started } = await smallInstances(context)
    const folder = newFolder(context)
    const start = () =>
      started({
        budget: 100,
        apiKey: 'key',
        outbox: new OutboxFile(folder),
        secret: secretIn(folder),
        times: endedSoon,
      })
    const first = await start()
    expect(await first.call()).toBe(true)
    await allotted(redis, 1)
    await redis.kill()
    expect(await first.calls(6)).toBe(6)
    await first.kill()
    await redis.start()
    const other = await started({ budget: 100, apiKey: 'key', secret: 'another' })
    // It learns the secret, and ends before it has sent anything.
    const run = vi.spyOn(RedisConnection.prototype, 'run').mockRejectedValue(new RedisAwayError('It hangs.'))
    const second = await start()
    await second.kill()
    run.mockRestore()
    await start()
    await vi.waitFor(async () => {
      await other.refresh()
      expect(other.left()).toBe(100 - 6 * 5)
    }, patience)
  })
})

describe.skipIf(!hasRedis)(`a shared ledger${withoutRedis}`, () => {
  test('does not take a reply that is heard after a later one for a loss', async (context) => {
    const { redis, started } = await smallInstances(context)
    const { store, recorded, refresh } = await started({ budget: 100 })
    expect(await writeCall(store, 'first')).toBe(true)
    const send = RedisConnection.prototype.run
    let release = () => {}
    const isReleased = new Promise<void>((now) => (release = now))
    const run = vi.spyOn(RedisConnection.prototype, 'run').mockImplementationOnce(async function (
      this: RedisConnection,
      ...args
    ) {
      const reply = await send.apply(this, args)
      await isReleased
      return reply
    })
    const early = writeCall(store, 'early')
    expect(await writeCall(store, 'late')).toBe(true)
    release()
    expect(await early).toBe(true)
    run.mockRestore()
    expect([store.trouble, await redis.send('HEXISTS', processes, 'settled')]).toEqual([null, 0])
    await refresh()
    expect(await recorded()).toBe(15)
  })

  test('keeps what the others need, though the clock of one instance is months ahead', async (context) => {
    const { started } = await smallInstances(context)
    const one = await started({ budget: 100 })
    expect(await one.calls(20)).toBe(20)
    const ahead = await started({ budget: 100, clock: () => Date.parse('2099-04-15T00:00:00Z') })
    await ahead.refresh()
    const next = await started({ budget: 100 })
    expect(await next.calls(1)).toBe(0)
    expect(await next.recorded()).toBe(100)
  })
})
