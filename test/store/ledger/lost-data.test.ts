import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import type { TestContext } from 'vitest'
import { noBill } from '../../../src/money/bill.ts'
import { isRefusal } from '../../../src/money/booked.ts'
import { noClientBudgets } from '../../../src/money/client-budgets.ts'
import type { ClientBudgets } from '../../../src/money/client-budgets.ts'
import { Ledgers } from '../../../src/money/ledgers.ts'
import { openShared } from '../../../src/money/open-ledger.ts'
import { MemoryOutbox } from '../../../src/money/files/outbox.ts'
import type { LedgerTimes } from '../../../src/store/ledger/ledger-times.ts'
import { RedisLedger } from '../../../src/store/ledger/redis-ledger.ts'
import { sampleNow } from '../../sample.setup.ts'
import { gatewayTo } from '../redis/redis-gateway.ts'
import { hasRedis, startRedis, withoutRedis } from '../redis/redis-server.ts'
import { connectionOver } from '../redis/way.ts'
import type { Way } from '../redis/way.ts'
import { endedSoon, quickTimes, twoBeats } from './quick-times.ts'
import { patience } from '../../patience.ts'

interface Limits {
  readonly budget?: number
  readonly clientBudgets?: ClientBudgets
  readonly way?: Way
  readonly times?: LedgerTimes
}

interface Instance {
  readonly ledger: RedisLedger
  /** Ends as a process does that is killed: nothing more is written. */
  kill(): Promise<void>
  /** Makes a call of 5 tokens, if it is granted. Returns whether it was. */
  call(): Promise<boolean>
  /** What it knows of the month. */
  used(): number
}

const ofKey = { budget: 100 }
const ofClient = { clientBudgets: new Map([['web', 100]]) }
const web = { service: 'team/read', users: [{ client: 'web', operation: 'Q', rows: 1 }], calls: 1 } as const

const processes = 'statline:1:ledger:processes'

let starting: Promise<unknown> = Promise.resolve()

/** A Redis, its instances, and a clock. */
async function world({ onTestFinished }: TestContext, limits: Limits) {
  // One after the other, so that each has a port of its own.
  const starts = starting.then(() => startRedis())
  starting = starts
  const redis = await starts
  const all: Instance[] = []
  const instances: Instance[] = []
  const failures: unknown[] = []
  let now = sampleNow
  onTestFinished(async () => {
    for (const one of all) {
      await one.kill()
      await one.ledger.close()
    }
    await redis.stop()
    expect(failures).toEqual([])
  })

  async function started(own: Limits = {}): Promise<Instance> {
    const { budget, clientBudgets = noClientBudgets, way = redis, times = quickTimes } = { ...limits, ...own }
    const connection = connectionOver(way)
    const ledger = new RedisLedger({
      redis: connection,
      outbox: new MemoryOutbox(),
      clock: () => now,
      budget: budget ?? null,
      clientBudgets,
      leaseMs: 60_000,
      times,
      onFailure: (error) => void failures.push(error),
    })
    await ledger.ready(30_000)
    const ledgers = new Ledgers(budget ?? null, () => now, {
      clientBudgets,
      ...openShared(ledger, () => {}),
    })
    const key = () => ledgers.nameOf('key')
    const instance: Instance = {
      ledger,
      kill: () => connection.close(),
      async call() {
        const booked = ledgers.reserve(key(), 5, web)
        if (isRefusal(booked)) return false
        const refusal = (await booked.written) ?? null
        booked.settle(refusal ? noBill : { tokens: 5, bytes: 100, estimated: false })
        return refusal === null
      },
      used: () => ledgers.of(key()).totals().tokens,
    }
    all.push(instance)
    instances.push(instance)
    return instance
  }

  return {
    redis,
    instances,
    started,
    setClock: (text: string) => void (now = Date.parse(text)),
    restart: async () => {
      await redis.kill()
      await redis.start()
    },
    /** Resolves when all instances know of so many tokens, and Redis has them recorded. */
    async settled(tokens: number, ofAllMonths = tokens): Promise<void> {
      for (const one of instances) await vi.waitFor(() => expect(one.used()).toBe(tokens), patience)
      const recorded = async () =>
        (await instances[0]?.ledger.spending('2026-02-01', '2026-03-31'))?.reduce(
          (sum, one) => sum + one.tokens,
          0,
        )
      await vi.waitFor(async () => expect(await recorded()).toBe(ofAllMonths), patience)
    },
  }
}

type World = Awaited<ReturnType<typeof world>>

/** Three instances that have spent so many tokens together, and know it. */
async function spent(context: TestContext, tokens: number, limits: Limits): Promise<World> {
  const made = await world(context, limits)
  for (let nth = 0; nth < 3; nth += 1) await made.started()
  for (let nth = 0; nth < tokens / 5; nth += 1) expect(await made.instances[nth % 3]?.call()).toBe(true)
  for (const { ledger } of made.instances) await ledger.refresh(ledger.nameOf('key'))
  return made
}

/** Makes calls at once, on all instances in turn. Returns how many were granted. */
async function granted(all: readonly Instance[], times: number): Promise<number> {
  const ends = await Promise.all(Array.from({ length: times }, (_, nth) => all[nth % all.length]?.call()))
  return ends.filter(Boolean).length
}

/** Makes calls at once, again and again, until at least so many are granted. Returns how many were granted. */
async function grantedWithin(ms: number, all: readonly Instance[], least = 0): Promise<number> {
  let sum = 0
  for (const end = performance.now() + ms; performance.now() < end || sum < least;) {
    sum += await granted(all, 30)
    await pause(20)
  }
  return sum
}

describe.skipIf(!hasRedis).concurrent(`budgets where Redis has lost data${withoutRedis}`, () => {
  const flush = ({ redis }: World) => redis.send('FLUSHALL')
  const restart = (made: World) => made.restart()
  const cases = [
    { how: 'is emptied', whose: 'A key’s', limits: ofKey, lose: flush },
    { how: 'starts again without data', whose: 'A client’s', limits: ofClient, lose: restart },
  ]

  test.for(cases)('$whose spent budget stays spent where Redis $how', async ({ lose, limits }, context) => {
    const made = await spent(context, 100, limits)
    await lose(made)
    expect(await grantedWithin(twoBeats, made.instances)).toBe(0)
    await made.settled(100)
  })

  test.for(cases)('$whose last tokens are spent once where Redis $how', async ({ lose, limits }, context) => {
    const made = await spent(context, 90, limits)
    await lose(made)
    expect(await grantedWithin(twoBeats, made.instances, 2)).toBe(2)
    await made.settled(100)
  })

  test('where Redis comes back with a snapshot, an instance that has lost nothing spends nothing twice', async (context) => {
    const made = await world(context, ofKey)
    const busy = await made.started()
    expect(await granted([busy], 8)).toBe(8)
    await made.redis.send('SAVE')
    const idle = await made.started()
    for (let nth = 8; nth < 18; nth += 1) expect(await busy.call()).toBe(true)
    await idle.ledger.refresh(idle.ledger.nameOf('key'))
    await made.restart()
    expect(await grantedWithin(twoBeats, [idle], 2)).toBe(2)
    await made.settled(100)
  })

  test('an instance that is cut off meanwhile is waited for', async (context) => {
    const made = await world(context, ofKey)
    const gateway = await gatewayTo(made.redis.url)
    context.onTestFinished(() => gateway.close())
    const cutOff = await made.started({ way: gateway })
    const others = [await made.started(), await made.started()]
    expect(await granted([cutOff], 12)).toBe(12)
    for (const { ledger } of made.instances) await ledger.refresh(ledger.nameOf('key'))
    gateway.block()
    await made.restart()
    const meanwhile = await grantedWithin(twoBeats, others)
    for (const { ledger } of others)
      await vi.waitFor(() => expect(ledger.trouble).toMatch(/^Bills of other instances/), patience)
    gateway.unblock()
    expect(meanwhile + (await grantedWithin(0, made.instances, 8 - meanwhile))).toBe(8)
    await made.settled(100)
    for (const { ledger } of made.instances) expect(ledger.trouble).toBe(null)
  })

  test('an instance that starts before all have written their bills again spends only what is left', async (context) => {
    const made = await spent(context, 90, ofKey)
    await made.redis.send('FLUSHALL')
    const first = made.instances[0]?.call()
    await vi.waitFor(async () => expect(await made.redis.send('EXISTS', processes)).toBe(1), patience)
    const late = await made.started()
    expect((await grantedWithin(twoBeats, [late], 1)) + Number(await first)).toBe(2)
    await made.settled(100)
  })

  test('what nobody has any more can be spent again', async (context) => {
    const made = await world(context, { ...ofKey, times: endedSoon })
    const [one, other] = [await made.started(), await made.started()]
    expect(await granted([one], 20)).toBe(20)
    await other.ledger.refresh(other.ledger.nameOf('key'))
    await made.settled(100)
    await one.kill()
    made.instances.shift()
    await made.redis.send('FLUSHALL')
    await vi.waitFor(() => expect(other.used()).toBe(0), patience)
    expect(await other.call()).toBe(true)
    await made.settled(5)
    expect(other.ledger.trouble).toBe(null)
    expect(await granted([other], 3)).toBe(3)
  })

  test('the next month begins with its whole budget', async (context) => {
    const made = await spent(context, 100, ofKey)
    await made.redis.send('FLUSHALL')
    made.setClock('2026-03-01T00:00:00Z')
    expect(await grantedWithin(twoBeats, made.instances, 20)).toBe(20)
    await made.settled(100, 200)
  })

  test('far from the end of a budget, no call waits', async (context) => {
    const made = await world(context, { budget: 100_000 })
    const gateway = await gatewayTo(made.redis.url)
    context.onTestFinished(() => gateway.close())
    const cutOff = await made.started({ way: gateway })
    const others = [await made.started(), await made.started()]
    expect(await granted(made.instances, 18)).toBe(18)
    for (const { ledger } of made.instances) await ledger.refresh(ledger.nameOf('key'))
    gateway.block()
    await made.redis.send('FLUSHALL')
    expect(await granted(others, 6)).toBe(6)
    // They still wait for the one that is cut off.
    for (const { ledger } of others)
      await vi.waitFor(() => expect(ledger.trouble).toMatch(/^Bills of other instances/), patience)
    gateway.unblock()
    expect(await granted([cutOff], 3)).toBe(3)
    await made.settled(135)
  })
})
