import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { RedisAwayError } from '../../../src/store/redis/connection.ts'
import type { RedisConnection } from '../../../src/store/redis/connection.ts'
import { readShared } from '../../../src/store/ledger/spent-days.ts'
import { relayTo } from '../redis/redis-relay.ts'
import type { Relay } from '../redis/redis-relay.ts'
import { hasRedis, startRedis, withoutRedis } from '../redis/redis-server.ts'
import type { RedisServer } from '../redis/redis-server.ts'
import { connectionOver, longestWait } from '../redis/way.ts'

const day = '2026-02-14'
const causes = 20_000
const kinds = ['tokens', 'bytes', 'calls'] as const

describe.skipIf(!hasRedis)(`a day with many causes${withoutRedis}`, () => {
  let redis: RedisServer
  let relay: Relay
  let connection: RedisConnection
  let changes: (string | null)[] = []

  beforeAll(async () => {
    redis = await startRedis()
    const causeOf = (nth: number) => JSON.stringify(['20', `key ${nth}`, 'web', 'Q', 'team/read'])
    for (const kind of kinds)
      for (let from = 0; from < causes; from += 5_000) {
        const fields = Array.from({ length: 5_000 }, (_, nth) => [causeOf(from + nth), String(from + nth)])
        await redis.send('HSET', `statline:1:ledger:day:${day}:${kind}`, ...fields.flat())
      }
  })
  beforeEach(async () => {
    relay = await relayTo(redis.url)
    changes = []
    const way = { url: relay.url, longestWaitMs: longestWait(false) }
    connection = connectionOver(way, { onChange: (reason) => void changes.push(reason) })
    await connection.ready(30_000)
    way.longestWaitMs = 5
  })
  afterEach(async () => {
    await connection.close()
    await relay.close()
  })
  afterAll(() => redis.stop())

  /** Checks that each cause is there once, with its figures. */
  async function isWhole(read: ReturnType<typeof readShared>): Promise<void> {
    const rows = await read
    expect([rows.length, new Set(rows.map(({ key }) => key)).size]).toEqual([causes, causes])
    for (const { key, tokens, estimated, bytes, calls } of rows)
      expect([tokens, estimated, bytes, calls].join(' ')).toBe(key.replace(/key (.*)/, '$1 0 $1 $1'))
  }

  test('is read in short parts, between which Redis serves others', async () => {
    await redis.send('CONFIG', 'RESETSTAT')
    await isWhole(readShared(connection, day, day))
    const calls = /cmdstat_hscan:calls=(\d+)/.exec(String(await redis.send('INFO', 'commandstats')))?.[1]
    expect(Number(calls)).toBeGreaterThan((kinds.length * causes) / 2_000)
  })

  test('is read from a slow Redis, which does not count as away for it', async () => {
    relay.delay = 20
    await isWhole(readShared(connection, day, day))
    expect(changes).toEqual([null])
  })

  test('is read whole though another command makes Redis count as away meanwhile', async () => {
    // A busy process waits up to ten times as long as the limit.
    relay.delay = 200
    const read = readShared(connection, day, day)
    await expect(connection.send(['PING'])).rejects.toThrow(RedisAwayError)
    relay.delay = 20
    expect(connection.isUp).toBe(false)
    await isWhole(read)
    expect(changes[1]).toBe('Redis did not answer within 5 ms.')
  })
})

test('where Redis never answers, statline bill says so and ends', async () => {
  const silent = createServer((socket) => socket.on('error', () => {}).resume())
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  const { port } = silent.address() as AddressInfo // on TCP
  const program = resolve(import.meta.dirname, '../../../bin/statline.js')
  const env = { PATH: process.env['PATH'], REDIS_URL: `redis://127.0.0.1:${port}` }
  const child = spawn(process.execPath, [program, 'bill'], { env })
  onTestFinished(() => void child.kill('SIGKILL'))
  let told = ''
  child.stderr.on('data', (text: Buffer) => (told += text.toString()))
  expect(await once(child, 'close')).toEqual([1, null])
  expect(told).toMatch(/^The ledger of all instances is in Redis, which cannot be read\. [^\n]+\n$/)
  silent.close()
})
