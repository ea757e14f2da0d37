import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { noClientBudgets } from '../../../src/money/client-budgets.ts'
import type { Change } from '../../../src/money/ledger-store.ts'
import { openShared } from '../../../src/money/open-ledger.ts'
import { MemoryOutbox } from '../../../src/money/files/outbox.ts'
import type { RedisConnection } from '../../../src/store/redis/connection.ts'
import { RedisLedger } from '../../../src/store/ledger/redis-ledger.ts'
import { startSample, teamsOfToday } from '../../graph/harness.ts'
import type { Sample } from '../../graph/harness.ts'
import { sampleNow } from '../../sample.setup.ts'
import { hasRedis, startRedis, withoutRedis } from '../redis/redis-server.ts'
import type { RedisServer } from '../redis/redis-server.ts'
import { connectionOver } from '../redis/way.ts'
import { quickTimes, withoutBeats } from './quick-times.ts'
import { patience } from '../../patience.ts'

describe.skipIf(!hasRedis)(`what the ledger keeps in Redis${withoutRedis}`, () => {
  let redis: RedisServer
  let sample: Sample
  const connections: RedisConnection[] = []

  beforeAll(async () => {
    sample = await startSample()
  })
  beforeEach(async () => {
    redis = await startRedis()
  })
  afterEach(async () => {
    await Promise.all(connections.splice(0).map((one) => one.close()))
    await redis.stop()
  })
  afterAll(() => sample.close())

  async function started(times = quickTimes): Promise<RedisLedger> {
    const connection = connectionOver(redis)
    connections.push(connection)
    const ledger = new RedisLedger({
      redis: connection,
      outbox: new MemoryOutbox(),
      clock: () => sampleNow,
      budget: 10_000,
      clientBudgets: noClientBudgets,
      leaseMs: 60_000,
      times,
      onFailure: (error) => {
        throw error
      },
    })
    await ledger.ready(5_000)
    return ledger
  }

  const sums = async () => ((await redis.send('KEYS', 'statline:1:ledger:sums:*')) as string[]).toSorted()

  test('is nothing of keys that the service has refused', async () => {
    const ledger = await started()
    const graph = sample.graph({ ledger: openShared(ledger, () => {}), apiKey: null })
    const [team] = await teamsOfToday(sample)
    const ask = (key: string) =>
      graph.query(`{ team(id: "${team}") { name } }`, { headers: { 'x-api-key': key } })
    const refused = await Promise.all(Array.from({ length: 20 }, (_, nth) => ask(`made-up ${nth}`)))
    expect(new Set(refused.map(({ errors }) => errors?.[0]?.extensions?.code))).toEqual(
      new Set(['UNAUTHENTICATED']),
    )
    await graph.upstream.ledgers.books.written
    expect(await sums()).toEqual([])
    expect((await ask('sample-paid')).extensions.usage.tokens).toBe(1)
    await graph.upstream.ledgers.books.written
    expect(await sums()).toEqual([
      'statline:1:ledger:sums:2026-02:all:',
      'statline:1:ledger:sums:2026-02:client:unknown',
      `statline:1:ledger:sums:2026-02:key:${ledger.nameOf('sample-paid')}`,
    ])
    for (const name of await sums())
      expect(await redis.send('HMGET', name, 'tokens', 'reserved')).toEqual(['1', '0'])
  })

  test('is not older than 400 days, and does not expire before', async () => {
    // The only heartbeat is the test's own: each of them deletes what is old.
    const ledger = await started(withoutBeats)
    const changes = ['2024-12-30', '2025-01-30'].flatMap((day): readonly Change[] => {
      const cause = { client: 'web', operation: 'Q', service: 'team/read', day, hour: '20', key: 'key' }
      const spent = { ...cause, tokens: 5, estimated: 0, bytes: 900, calls: 1 }
      const opened = { ...spent, id: day }
      return [
        { kind: 'open', opened },
        { kind: 'settle', opened, spent: [spent] },
      ]
    })
    await ledger.write(changes)
    expect(await sums()).toHaveLength(6)
    await ledger.bookLost(0)
    const kept = ['all:', 'client:web', 'key:key'].map((name) => `statline:1:ledger:sums:2025-01:${name}`)
    await vi.waitFor(async () => expect(await sums()).toEqual(kept), patience)
    // A Redis that may evict what expires must not evict the ledger.
    for (const name of kept) expect(await redis.send('TTL', name)).toBe(-1)
    expect(await redis.send('ZCARD', 'statline:1:ledger:sums')).toBe(3)
  })

  test('is of allotments what instances renew, and does not expire either', async () => {
    const ledger = await started()
    const of = (name: string) => `2026-02:key:${name}`
    await redis.send('HSET', `statline:1:ledger:allotted:${of('gone')}`, 'a process', '5 1 1')
    await redis.send('ZADD', 'statline:1:ledger:allotted', '1', of('gone'))
    const graph = sample.graph({ ledger: openShared(ledger, () => {}) })
    const [team] = await teamsOfToday(sample)
    await graph.query(`{ team(id: "${team}") { name } }`)
    const kept = of(ledger.nameOf('sample-paid'))
    await vi.waitFor(
      async () => expect(await redis.send('ZRANGE', 'statline:1:ledger:allotted', '0', '-1')).toEqual([kept]),
      patience,
    )
    expect(await redis.send('KEYS', 'statline:1:ledger:allotted:*')).toEqual([
      `statline:1:ledger:allotted:${kept}`,
    ])
    expect(await redis.send('TTL', `statline:1:ledger:allotted:${kept}`)).toBe(-1)
    await ledger.close()
    const [held] = (await redis.send('HVALS', `statline:1:ledger:allotted:${kept}`)) as string[]
    expect(held).toMatch(/^0 /)
  })
})
