import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { noClientBudgets } from '../../../src/money/client-budgets.ts'
import type { ClientBudgets } from '../../../src/money/client-budgets.ts'
import type { Change } from '../../../src/money/ledger-store.ts'
import { openShared } from '../../../src/money/open-ledger.ts'
import { OutboxFile } from '../../../src/money/files/outbox.ts'
import { RedisConnection } from '../../../src/store/redis/connection.ts'
import { RedisLedger } from '../../../src/store/ledger/redis-ledger.ts'
import { startSample, teamsOfToday } from '../../graph/harness.ts'
import type { Sample } from '../../graph/harness.ts'
import { sampleNow } from '../../sample.setup.ts'
import { allotted } from './allotted.ts'
import { heldPatience, quickTimes, withoutBeats } from './quick-times.ts'
import { patience } from '../../patience.ts'
import { hasRedis, startRedis, withoutRedis } from '../redis/redis-server.ts'
import type { RedisServer } from '../redis/redis-server.ts'
import { connectionOver } from '../redis/way.ts'

interface Limits {
  readonly budget?: number
  readonly clientBudgets?: ClientBudgets
}

describe.skipIf(!hasRedis)(`an instance that is restarted while Redis is away${withoutRedis}`, () => {
  let redis: RedisServer
  let sample: Sample
  let teams: readonly string[]
  let folder: string
  const connections: RedisConnection[] = []
  const ledgers: RedisLedger[] = []
  const failures: unknown[] = []

  beforeAll(async () => {
    sample = await startSample()
    teams = await teamsOfToday(sample)
  })
  beforeEach(async () => {
    redis = await startRedis()
    folder = mkdtempSync(join(tmpdir(), 'restart-alone-'))
  })
  afterEach(async () => {
    expect(failures).toEqual([])
    for (const one of connections.splice(0)) await one.close()
    for (const one of ledgers.splice(0)) await one.close()
    await redis.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  afterAll(() => sample.close())

  /** Each call of a team costs one token. */
  async function started(
    { budget, clientBudgets = noClientBudgets }: Limits,
    at = folder,
    times = quickTimes,
  ) {
    const connection = connectionOver(redis)
    connections.push(connection)
    const outbox = new OutboxFile(at)
    const ledger = new RedisLedger({
      redis: connection,
      outbox,
      clock: () => sampleNow,
      budget: budget ?? null,
      clientBudgets,
      leaseMs: 60_000,
      times,
      onFailure: (error) => void failures.push(error),
    })
    ledgers.push(ledger)
    const { callLater, end: endPatience } = heldPatience()
    await ledger.ready(redis.isUp ? 30_000 : 0)
    const graph = sample.graph({
      ledger: { ...openShared(ledger, () => {}), callLater },
      clientBudgets,
      ...(budget !== undefined && { budget }),
    })
    const { ledgers: own } = graph.upstream
    return {
      ledger,
      outbox,
      /** It has waited long enough for Redis. */
      endPatience,
      /** Asks for these teams one by one. Returns how many were answered. */
      async asked(from: number, to: number): Promise<number> {
        let answered = 0
        for (const team of teams.slice(from, to)) {
          const options = { headers: { 'graphql-client-name': 'web' } }
          const { errors } = await graph.query(`{ team(id: "${team}") { name } }`, options)
          if (!errors) answered += 1
        }
        return answered
      },
      used: () => own.totals().tokens,
      ofKey: () => own.of(ledger.nameOf('sample-paid')).totals().tokens,
      /** Ends it as a process that is killed: nothing more is written. */
      kill: () => connection.close(),
      async close() {
        await own.books.close()
        await connection.close()
      },
    }
  }

  test.each([
    { what: 'a budget', limits: { budget: 10 } },
    { what: 'a client’s budget', limits: { clientBudgets: new Map([['web', 10]]) } },
  ])('has one share of $what, however often it is restarted', async ({ limits }) => {
    const first = await started(limits)
    const other = await started(limits, join(folder, 'other'))
    expect([await first.asked(0, 1), await other.asked(1, 2)]).toEqual([1, 1])
    await first.ledger.refresh(first.ledger.nameOf('sample-paid'))
    await allotted(redis, 2)
    await redis.kill()
    // What was left are 8 tokens.
    expect(await first.asked(2, 4)).toBe(2)
    await first.kill()
    const second = await started(limits)
    expect(await second.asked(4, 5)).toBe(0)
    second.endPatience()
    expect([await second.asked(4, 5), second.used()]).toEqual([1, 5])
    await second.close()
    const third = await started(limits)
    third.endPatience()
    expect([await third.asked(5, 9), await third.asked(9, 11), third.used()]).toEqual([1, 0, 6])
  })

  test('counts what it spent alone once when Redis is back', async () => {
    const first = await started({})
    await first.asked(0, 1)
    redis.freeze()
    await first.asked(1, 3)
    await first.kill()
    const second = await started({})
    await second.asked(3, 4)
    expect([second.used(), second.ofKey()]).toEqual([4, 4])
    redis.thaw()
    await vi.waitFor(() => expect(second.outbox.isEmpty).toBe(true), patience)
    await vi.waitFor(() => expect(second.ledger.isVolatile).toBe(false), patience)
    expect([second.used(), second.ofKey()]).toEqual([4, 4])
    await second.asked(4, 5)
    expect([second.used(), second.ofKey()]).toEqual([5, 5])
    // Away again: it goes on from the sums of Redis alone.
    redis.freeze()
    await second.asked(5, 6)
    await second.kill()
    const third = await started({})
    expect([third.used(), third.ofKey()]).toEqual([6, 6])
    redis.thaw()
  })

  test('counts what is not sent yet where Redis goes away again while it is sent', async () => {
    const first = await started({})
    await first.asked(0, 1)
    await redis.send('SAVE')
    await redis.kill()
    await first.asked(1, 5)
    await first.kill()
    const second = await started({}, folder, withoutBeats)
    const [connection] = connections.slice(-1)
    const send = RedisConnection.prototype.run.bind(connection)
    let sent = 0
    const run = vi.spyOn(connection as RedisConnection, 'run').mockImplementation(async (...args) => {
      sent += 1
      if (sent === 4) await redis.kill()
      return send(...args)
    })
    await redis.start()
    await vi.waitFor(() => expect([sent > 3, redis.isUp]).toEqual([true, false]), patience)
    run.mockRestore()
    expect(second.outbox.isEmpty).toBe(false)
    expect(second.used()).toBe(5)
    await second.kill()
    const third = await started({})
    expect(third.used()).toBe(5)
  })

  test('counts calls that were under way when it was killed', async () => {
    const first = await started({ budget: 20 })
    await first.asked(0, 1)
    await allotted(redis, 1)
    await redis.kill()
    await first.asked(1, 2)
    const opened = {
      id: 'under way',
      client: 'web',
      operation: 'Q',
      service: 'team/read',
      day: '2026-02-14',
      hour: '20',
      key: first.ledger.nameOf('sample-paid'),
      tokens: 17,
      estimated: 17,
      bytes: 0,
      calls: 1,
    }
    const open: Change = { kind: 'open', opened }
    await first.ledger.write([open])
    await first.kill()
    const second = await started({ budget: 20 })
    second.endPatience()
    expect([await second.asked(2, 4), await second.asked(4, 6)]).toEqual([1, 0])
  })

  test('knows what all had spent when it was left alone, not up to two seconds before', async () => {
    const [first, other] = [await started({}), await started({}, join(folder, 'other'))]
    await other.asked(0, 5)
    await first.asked(5, 6)
    redis.freeze()
    await first.asked(6, 7)
    await first.kill()
    const second = await started({})
    expect(second.used()).toBe(7)
    redis.thaw()
  })

  test('knows what all had spent when it was stopped before Redis went away', async () => {
    const [first, other] = [await started({}), await started({}, join(folder, 'other'))]
    await other.asked(0, 5)
    await first.asked(5, 6)
    await first.close()
    await redis.kill()
    const second = await started({})
    expect(second.used()).toBe(6)
  })
})
