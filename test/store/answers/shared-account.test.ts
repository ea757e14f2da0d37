import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { Deferred } from '../../../src/store/answers/deferred.ts'
import { Leases } from '../../../src/store/answers/leases.ts'
import { RedisConnection } from '../../../src/store/redis/connection.ts'
import { SharedAccount } from '../../../src/store/answers/shared-account.ts'
import { pack } from '../../../src/store/answers/packing.ts'
import { storedName } from '../../../src/account/answer-store.ts'
import type { Bought } from '../../../src/account/answer-store.ts'
import { redisForAll } from '../redis-for-all.ts'
import { hasRedis, withoutRedis } from '../redis/redis-server.ts'
import type { RedisServer } from '../redis/redis-server.ts'

describe.skipIf(!hasRedis)(`an account that instances share in Redis${withoutRedis}`, () => {
  let redis: RedisServer
  const open = redisForAll((started) => (redis = started))

  async function account(me: string, replay: (bought: readonly Bought[]) => void = () => {}) {
    const connection = new RedisConnection(redis.url, { longestWaitMs: 5_000 })
    const leases = new Leases(connection, me, 20_000)
    open.push(leases, connection)
    await connection.ready(30_000)
    return new SharedAccount(connection, leases, {
      me,
      keptFor: 60_000,
      service: 'test',
      apiKey: 'key',
      replay,
      deferred: new Deferred(),
    })
  }

  test('others find an answer before its lease is gone, however long it takes to pack it', async () => {
    const come: Bought[] = []
    const [one, other] = [
      await account('a'.repeat(12)),
      await account('b'.repeat(12), (all) => come.push(...all)),
    ]
    expect((await one.take(['roster'])).taken.size).toBe(0)
    const kept = one.keep({
      kind: 'answer',
      operation: 'getPlayers',
      arguments: { team_id: 'team' },
      boughtAt: Date.now(),
      bill: { tokens: 1, bytes: 1, estimated: false },
      isRandomized: false,
      text: randomBytes(3_000_000).toString('hex'),
    })
    one.flush()
    one.release(['roster'])
    while ((await other.take(['roster'])).taken.has('roster'));
    expect(come).toHaveLength(1)
    await kept
  })

  test.each([
    ['of five hundred ids each', 4_500, 500],
    ['that are next to nothing', 30_000, 1],
  ])('takes at most 8 MiB of Redis for answers %s', async (_what, count, ids) => {
    await redis.send('FLUSHALL')
    const one = await account('a'.repeat(12))
    const idOf = (nth: number) => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`
    const answer = (nth: number): Bought => ({
      kind: 'answer',
      operation: 'readTeams',
      arguments: { team_id: Array.from({ length: ids }, (_, at) => idOf(nth * ids + at)) },
      boughtAt: Date.now(),
      bill: { tokens: 1, bytes: 2, estimated: false },
      isRandomized: false,
      text: '{}',
    })
    const atOnce = 500
    for (let nth = 0; nth < count; nth += atOnce) {
      const answers = Array.from({ length: atOnce }, (_, at) => answer(nth + at))
      await one.write(answers, await Promise.all(answers.map(pack)))
    }
    const keys = (await redis.send('KEYS', '*}:*')) as string[]
    expect(keys.map((key) => key.replace(/.*:/, '')).toSorted()).toEqual(['answers', 'index', 'size'])
    const sizes = await Promise.all(keys.map((key) => redis.send('MEMORY', 'USAGE', key, 'SAMPLES', '0')))
    const bytes = sizes.reduce<number>((sum, size) => sum + Number(size), 0)
    expect(bytes / 1_048_576).toBeGreaterThan(5)
    expect(bytes / 1_048_576).toBeLessThanOrEqual(8)
    // The newest are there, and the oldest are gone.
    expect(await one.find(storedName(answer(count - 1)))).toMatchObject({ text: '{}' })
    expect(await one.find(storedName(answer(0)))).toBeUndefined()
  })

  test('what is released and taken again at once stays reserved, however slow Redis is', async () => {
    const [one, other] = [await account('a'.repeat(12)), await account('b'.repeat(12))]
    await one.take(['team'])
    redis.freeze()
    one.release(['team'])
    const again = one.take(['team'])
    await new Promise((passed) => setTimeout(passed, 50)) // longer than what ends waits to be written
    redis.thaw()
    expect((await again).taken.size).toBe(0)
    one.flush()
    expect([...(await other.take(['team'])).taken]).toEqual(['team'])
    one.release(['team'])
    await expect.poll(async () => (await other.take(['team'])).taken.size).toBe(0)
  })
})
