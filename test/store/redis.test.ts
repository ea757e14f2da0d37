import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { RedisAwayError, RedisConnection, script } from '../../src/store/redis.ts'
import { hasRedis, startRedis, withoutRedis } from './redis-server.ts'
import type { RedisServer } from './redis-server.ts'

describe.skipIf(!hasRedis)(`the connection to Redis${withoutRedis}`, () => {
  let redis: RedisServer
  const open: RedisConnection[] = []
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterEach(() => Promise.all(open.splice(0).map((one) => one.close())))
  afterAll(() => redis.stop())

  /** It waits longer for Redis, which shares a busy machine with the tests. */
  function connect({ url = redis.url, longestWaitMs = 5_000 } = {}) {
    const changes: (string | null)[] = []
    const onChange = (reason: string | null) => void changes.push(reason)
    const connection = new RedisConnection(url, { onChange, longestWaitMs })
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

  test('where Redis hangs, one command waits for 50 ms, the next not at all; it is used again once it answers', async () => {
    const { connection, changes } = connect({ longestWaitMs: 50 })
    await connection.ready(30_000)
    redis.freeze()
    await expect(connection.send(['GET', 'x'])).rejects.toThrow(RedisAwayError)
    expect(connection.reason).toBe('Redis did not answer within 50 ms.')
    const outcome: string[] = []
    connection.send(['GET', 'x']).catch(() => outcome.push('at once'))
    await new Promise(setImmediate)
    expect(outcome).toEqual(['at once'])
    redis.thaw()
    expect(await connection.ready(30_000)).toBe(true)
    expect(changes).toEqual([null, 'Redis did not answer within 50 ms.', null])
  })

  test('where Redis goes away and comes back, the connection does so too', async () => {
    const { connection, changes } = connect()
    await connection.ready(30_000)
    await redis.kill()
    await vi.waitFor(() => expect(connection.isUp).toBe(false), 30_000)
    await expect(connection.send(['GET', 'x'])).rejects.toThrow('Redis is not connected.')
    await redis.start()
    expect(await connection.ready(30_000)).toBe(true)
    expect(changes).toEqual([null, 'Redis is not connected.', null])
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

  test('where Redis becomes a replica, it is left alone until it may be written again', async () => {
    const { connection } = connect()
    await connection.ready(30_000)
    await redis.send('REPLICAOF', '127.0.0.1', '1')
    const write = script(`return redis.call('SET', KEYS[1], '1')`)
    await expect(connection.run(write, ['x'], [])).rejects.toThrow(/^Redis does not accept writes \(/)
    expect(await connection.ready(1_200)).toBe(false)
    await redis.send('REPLICAOF', 'NO', 'ONE')
    expect(await connection.ready(30_000)).toBe(true)
  })

  test('a user who may not run scripts is told of, and nothing is shared', async () => {
    await redis.send('ACL', 'SETUSER', 'plain', 'on', '>word', '~*', '+@all', '-eval', '-evalsha')
    const { connection, changes } = connect({ url: redis.url.replace('//', '//plain:word@') })
    await vi.waitFor(() => expect(connection.reason).toBe('Redis does not accept writes (NOPERM).'), 30_000)
    expect(connection.isUp).toBe(false)
    await redis.send('ACL', 'SETUSER', 'plain', '+eval', '+evalsha')
    expect(await connection.ready(30_000)).toBe(true)
    expect(changes).toEqual([null])
  })

  test('a wrong password is told of, without the password', async () => {
    await redis.send('ACL', 'SETUSER', 'known', 'on', '>word', '~*', '+@all')
    const { connection } = connect({ url: redis.url.replace('//', '//known:hidden@') })
    await vi.waitFor(() => expect(connection.reason).toMatch(/^Redis is not connected\.|\(/), 30_000)
    expect(connection.isUp).toBe(false)
    expect(connection.reason).not.toContain('hidden')
    await expect(connection.send(['GET', 'x'])).rejects.toThrow(RedisAwayError)
  })

  test('where nobody listens, it says so, and names no address', async () => {
    const { connection } = connect({ url: 'redis://user:secret@127.0.0.1:1' })
    await expect(connection.send(['GET', 'x'])).rejects.toThrow('Redis is not connected yet.')
    expect(await connection.ready(100)).toBe(false)
    expect(connection.reason).not.toContain('127')
  })
})
