import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { OutboxFile } from '../../../src/money/files/outbox.ts'
import { redisOf } from '../../../src/start/stores.ts'
import { evictionRisk } from '../../../src/store/redis/eviction.ts'
import { RedisAwayError } from '../../../src/store/redis/connection.ts'
import { script } from '../../../src/store/redis/script.ts'
import { readShared } from '../../../src/store/ledger/spent-days.ts'
import { redisForAll } from '../redis-for-all.ts'
import type { Way } from './way.ts'
import { hasRedis, withoutRedis } from './redis-server.ts'
import type { RedisServer } from './redis-server.ts'
import { connectionOver } from './way.ts'
import { patience } from '../../patience.ts'

describe.skipIf(!hasRedis)(`the connection to Redis${withoutRedis}`, () => {
  let redis: RedisServer
  const open = redisForAll((started) => (redis = started))

  function connect(way: Partial<Way> = {}) {
    const changes: (string | null)[] = []
    const onChange = (reason: string | null) => void changes.push(reason)
    const { url = redis.url } = way
    const connection = connectionOver(
      {
        url,
        get longestWaitMs() {
          return way.longestWaitMs ?? redis.longestWaitMs
        },
      },
      { onChange },
    )
    open.push(connection)
    return { connection, changes }
  }

  test('is made in the background, and shares one secret among all that connect', async () => {
    const [one, other] = [connect(), connect()]
    expect(one.connection.isUp).toBe(false)
    expect(await one.connection.ready(30_000)).toBe(true)
    await other.connection.ready(30_000)
    expect(one.connection.secret).toBe(other.connection.secret)
    expect(one.connection.secret.length).toBeGreaterThan(30)
    expect(one.changes).toEqual([null])
  })

  test('leaves nothing open where it is closed before it is made', async () => {
    const clients = async () =>
      /connected_clients:(\d+)/.exec(String(await redis.send('INFO', 'clients')))?.[1]
    await expect.poll(clients).toBe('1')
    await connect().connection.close()
    await expect.poll(clients).toBe('1')
  })

  test('gives a Redis that has none the secret of the last start', async () => {
    await redis.send('DEL', 'statline:1:secret')
    const folder = mkdtempSync(join(tmpdir(), 'redis-secret-'))
    const outbox = new OutboxFile(folder)
    outbox.setNote('secret', 'of the last start')
    for (const dataDir of [folder, join(folder, 'new')]) {
      const connection = redisOf({ redisUrl: redis.url, dataDir })
      if (connection) open.push(connection)
      expect(await connection?.ready(30_000)).toBe(true)
      expect(connection?.secret).toBe('of the last start')
    }
    outbox.close()
    rmSync(folder, { recursive: true })
    await redis.send('DEL', 'statline:1:secret')
  })

  test('runs scripts by their hash, though Redis has not seen them before', async () => {
    const { connection } = connect()
    await connection.ready(30_000)
    const echo = script(`return { KEYS[1], ARGV[1] }`)
    await redis.send('SCRIPT', 'FLUSH')
    for (const _ of [1, 2])
      expect(await connection.run(echo, ['a'], ['b'])).toEqual([Buffer.from('a'), Buffer.from('b')])
  })

  test('what Redis objects to is no reason to go on alone', async () => {
    const { connection } = connect()
    await connection.ready(30_000)
    await expect(connection.send(['NONSENSE'])).rejects.toThrow(/unknown command/)
    expect(connection.isUp).toBe(true)
  })

  test('where Redis hangs, one command waits for it, the next not at all; it is used again once it answers', async () => {
    const { connection, changes } = connect()
    await connection.ready(30_000)
    redis.freeze()
    const tooSlow = `Redis did not answer within ${redis.longestWaitMs} ms.`
    await expect(connection.send(['GET', 'x'])).rejects.toThrow(RedisAwayError)
    expect(connection.reason).toBe(tooSlow)
    const outcome: string[] = []
    connection.send(['GET', 'x']).catch(() => outcome.push('at once'))
    await new Promise(setImmediate)
    expect(outcome).toEqual(['at once'])
    redis.thaw()
    expect(await connection.ready(30_000)).toBe(true)
    expect(changes).toEqual([null, tooSlow, null])
  })

  test('time in which this process was too busy to send or to read is not Redis’ fault', async () => {
    const { connection, changes } = connect({ longestWaitMs: 500 })
    await connection.ready(30_000)
    // Some milliseconds of work for Redis, and much more for this process before it sends anything.
    const answer = connection.run(script('for at = 1, 1000000 do end return 1'), [], [])
    for (const end = performance.now() + 600; performance.now() < end;);
    expect(await answer).toBe(1)
    expect(changes).toEqual([null])
  })

  test('where Redis hangs, a busy process notices it too', async () => {
    const { connection } = connect()
    await connection.ready(30_000)
    redis.freeze()
    const block = () => {
      for (const end = performance.now() + 70; performance.now() < end;);
    }
    const blocking = setInterval(block, 1)
    await expect(connection.send(['GET', 'x'])).rejects.toThrow('Redis did not answer within 20 ms.')
    clearInterval(blocking)
    redis.thaw()
    expect(await connection.ready(30_000)).toBe(true)
  })

  test('where Redis goes away and comes back, the connection does so too', async () => {
    const { connection, changes } = connect()
    await connection.ready(30_000)
    await redis.kill()
    await vi.waitFor(() => expect(connection.isUp).toBe(false), patience)
    await expect(connection.send(['GET', 'x'])).rejects.toThrow(/^Redis is not connected( \([A-Z]+\))?\.$/)
    await redis.start()
    expect(await connection.ready(30_000)).toBe(true)
    expect(changes).toEqual([null, expect.stringMatching(/^Redis is not connected/), null])
  })

  test('where Redis is full, it is left alone until it has room', async () => {
    const { connection, changes } = connect()
    await connection.ready(30_000)
    await redis.send('CONFIG', 'SET', 'maxmemory', '1')
    await expect(connection.send(['SET', 'x', 'y'])).rejects.toThrow('Redis does not accept writes (OOM).')
    await redis.send('CONFIG', 'SET', 'maxmemory', '0')
    expect(await connection.ready(30_000)).toBe(true)
    expect(changes).toEqual([null, 'Redis does not accept writes (OOM).', null])
  })

  test('a Redis that may evict the ledger is reported', async () => {
    const { connection } = connect()
    await connection.ready(30_000)
    await redis.send('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru')
    expect(await evictionRisk(connection)).toBe(null)
    await redis.send('CONFIG', 'SET', 'maxmemory', '100mb')
    expect(await evictionRisk(connection)).toMatch(
      /^Redis has the maxmemory-policy allkeys-lru: .*the ledger/,
    )
    for (const policy of ['volatile-lru', 'noeviction']) {
      await redis.send('CONFIG', 'SET', 'maxmemory-policy', policy)
      expect(await evictionRisk(connection)).toBe(null)
    }
    await redis.send('CONFIG', 'SET', 'maxmemory', '0')
    await redis.send('ACL', 'SETUSER', 'modest', 'on', '>word', '~*', '+@all', '-info')
    const { connection: other, changes } = connect({ url: redis.url.replace('//', '//modest:word@') })
    await other.ready(30_000)
    expect(await evictionRisk(other)).toBe(null)
    expect(changes).toEqual([null])
  })

  test('a Redis that takes over with a risk for the ledger is reported, once', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const risks = () => warned.mock.calls.filter(([text]) => String(text).includes('allkeys-lru')).length
    const connection = redisOf({ redisUrl: redis.url, dataDir: tmpdir() })
    if (connection) open.push(connection)
    const reconnect = async () => {
      const away = vi.fn<() => void>()
      connection?.onChange((reason) => reason !== null && away())
      await redis.send('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
      await vi.waitFor(() => expect(away).toHaveBeenCalled(), patience)
      await connection?.ready(30_000)
    }
    await connection?.ready(30_000)
    await redis.send('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru')
    await redis.send('CONFIG', 'SET', 'maxmemory', '100mb')
    expect(risks()).toBe(0)
    await reconnect()
    await expect.poll(risks).toBe(1)
    await reconnect()
    expect(risks()).toBe(1)
    await redis.send('CONFIG', 'SET', 'maxmemory', '0')
    await redis.send('CONFIG', 'SET', 'maxmemory-policy', 'noeviction')
    warned.mockRestore()
  })

  test('where Redis becomes a replica, it is left alone until it may be written again', async () => {
    const { connection } = connect()
    await connection.ready(30_000)
    await redis.send('REPLICAOF', '127.0.0.1', '1')
    const write = script(`return redis.call('SET', KEYS[1], '1')`)
    await expect(connection.run(write, ['x'], [])).rejects.toThrow(/^Redis does not accept writes \(/)
    // Some probes.
    expect(await connection.ready(200)).toBe(false)
    await redis.send('REPLICAOF', 'NO', 'ONE')
    expect(await connection.ready(30_000)).toBe(true)
  })

  test('a user who may not run scripts is reported, and nothing is shared', async () => {
    await redis.send('ACL', 'SETUSER', 'plain', 'on', '>word', '~*', '+@all', '-eval', '-evalsha')
    const { connection, changes } = connect({ url: redis.url.replace('//', '//plain:word@') })
    await vi.waitFor(() => expect(connection.reason).toBe('Redis does not accept writes (NOPERM).'), patience)
    expect(connection.isUp).toBe(false)
    await redis.send('ACL', 'SETUSER', 'plain', '+eval', '+evalsha')
    expect(await connection.ready(30_000)).toBe(true)
    expect(changes).toEqual([null])
  })

  test('a wrong password is reported, without the password', async () => {
    await redis.send('ACL', 'SETUSER', 'known', 'on', '>word', '~*', '+@all')
    const { connection } = connect({ url: redis.url.replace('//', '//known:hidden@') })
    await vi.waitFor(() => expect(connection.reason).toBe('Redis is not connected (WRONGPASS).'), patience)
    expect(connection.isUp).toBe(false)
    await expect(connection.send(['GET', 'x'])).rejects.toThrow(RedisAwayError)
  })

  test('a password for a Redis that has none is reported, without the password', async () => {
    const { connection } = connect({ url: redis.url.replace('//', '//:hidden@') })
    await vi.waitFor(
      () =>
        expect(connection.reason).toBe(
          'Redis is not connected (REDIS_URL has a password, but Redis has none).',
        ),
      patience,
    )
    expect(connection.isUp).toBe(false)
  })

  test('where nobody listens, it says so, and names no address', async () => {
    const { connection } = connect({ url: 'redis://user:secret@127.0.0.1:1' })
    await expect(connection.send(['GET', 'x'])).rejects.toThrow('Redis is not connected yet.')
    await vi.waitFor(() => expect(connection.reason).toBe('Redis is not connected (ECONNREFUSED).'), patience)
    expect(connection.isUp).toBe(false)
  })

  test('who reads the ledger is told why it cannot be read', async () => {
    const { connection } = connect({ url: 'redis://127.0.0.1:1' })
    await vi.waitFor(() => expect(connection.reason).toContain('ECONNREFUSED'), patience)
    await expect(readShared(connection, '2026-02-14', '2026-02-14')).rejects.toThrow(
      'The ledger of all instances is in Redis, which cannot be read. Redis is not connected (ECONNREFUSED).',
    )
  })

  test('a database that Redis does not have is reported', async () => {
    const { connection } = connect({ url: `${redis.url}/99` })
    await vi.waitFor(
      () => expect(connection.reason).toBe('Redis is not connected (no such database).'),
      patience,
    )
  })
})
