import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { Deferred } from '../../../src/store/answers/deferred.ts'
import { Leases } from '../../../src/store/answers/leases.ts'
import { RedisConnection } from '../../../src/store/redis/connection.ts'
import { SharedAccount } from '../../../src/store/answers/shared-account.ts'
import type { Bought } from '../../../src/upstream/answer-store.ts'
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
