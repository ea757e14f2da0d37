import { connect as connectTo, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { RedisConnection } from '../../../src/store/redis/connection.ts'
import { RejoinPause } from '../../../src/store/redis/rejoin-pause.ts'
import { freePort } from '../../free-port.ts'
import { redisForAll } from '../redis-for-all.ts'
import { relayTo } from './redis-relay.ts'
import { hasRedis, startRedis, withoutRedis } from './redis-server.ts'
import type { RedisServer } from './redis-server.ts'

test('a Redis that fails soon each time is left alone for longer and longer, until it has held', () => {
  const pause = new RejoinPause()
  let now = 0
  const pauses: number[] = []
  const fail = (heldMs: number) => {
    pause.joined(now)
    now += heldMs
    pause.left(now)
    const left = now
    while (pause.isOn(now)) now += 100
    pauses.push(now - left)
  }
  for (let time = 0; time < 7; time += 1) fail(50)
  fail(60_000)
  fail(50)
  expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 0, 500])
})

/** A figure in a reply of INFO. */
const figureIn = (info: unknown, name: string) =>
  Number(new RegExp(`${name}[:=](\\d+)`).exec(String(info))?.[1])

describe.skipIf(!hasRedis)(`before Redis is used${withoutRedis}`, () => {
  let redis: RedisServer
  const open = redisForAll((started) => (redis = started))

  function connect(url: string, longestWaitMs = 5_000) {
    const changes: (string | null)[] = []
    const onChange = (reason: string | null) => void changes.push(reason)
    const connection = new RedisConnection(url, { onChange, longestWaitMs })
    open.push(connection)
    return { connection, changes }
  }

  async function listening(answer: (socket: Socket) => void) {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      answer(socket)
    })
    await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
    open.push({ close: async () => void server.close() })
    return `redis://user:hidden@127.0.0.1:${(server.address() as AddressInfo).port}` // on TCP
  }

  const told = (connection: RedisConnection, reason: string | RegExp) =>
    vi.waitFor(() => expect(connection.reason).toMatch(reason), 30_000)

  test('its probe has to be as fast as commands have to be', async () => {
    const relay = await relayTo(redis.url)
    open.push(relay)
    // A busy process waits up to ten times as long as the limit. Each reply takes longer than that.
    relay.delay = 2_000
    const { connection, changes } = connect(relay.url, 150)
    await told(connection, 'Redis did not answer within 150 ms.')
    expect(await connection.ready(2_500)).toBe(false)
    expect(connection.reason).toBe('Redis did not answer within 150 ms.')
    expect(changes).toEqual([])
    relay.delay = 0
    expect(await connection.ready(30_000)).toBe(true)
  })

  test.each([
    { without: 'the names of the ledger', rights: ['~statline:1:secret', '~statline:1:{*', '+@all'] },
    { without: 'the names of answers', rights: ['~statline:1:secret', '~statline:1:ledger:*', '+@all'] },
    { without: 'HSET', rights: ['~*', '+@all', '-hset'] },
    { without: 'ZRANGEBYSCORE', rights: ['~*', '+@all', '-zrangebyscore'] },
    { without: 'SADD', rights: ['~*', '+@all', '-sadd'] },
  ])('a user without rights to $without is reported, and Redis is not used', async ({ rights }) => {
    await redis.send('ACL', 'SETUSER', 'bounded', 'reset', 'on', '>word', ...rights)
    const { connection, changes } = connect(redis.url.replace('//', '//bounded:word@'))
    await told(connection, 'Redis does not accept writes (NOPERM).')
    await wait(1_200) // two probes
    expect(changes).toEqual([])
    await redis.send('ACL', 'SETUSER', 'bounded', '~*', '+@all')
    expect(await connection.ready(30_000)).toBe(true)
  })

  test('a node of a cluster is reported, and not used', async () => {
    const bus = String(await freePort())
    const cluster = await startRedis('--cluster-enabled', 'yes', '--cluster-port', bus)
    open.push({ close: () => cluster.stop() })
    await cluster.send('CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
    const { connection, changes } = connect(cluster.url)
    await told(connection, 'Redis does not accept writes (CROSSSLOT).')
    expect(changes).toEqual([])
  })

  test('its probe leaves nothing behind', async () => {
    const { connection } = connect(redis.url)
    await connection.ready(30_000)
    expect(await redis.send('KEYS', '*')).toEqual(['statline:1:secret'])
  })

  test('once it is in use, what looks for its secret writes nothing', async () => {
    const { connection } = connect(redis.url)
    await connection.ready(30_000)
    const writes = async () =>
      figureIn(await redis.send('INFO', 'persistence'), 'rdb_changes_since_last_save')
    const looks = async () => figureIn(await redis.send('INFO', 'commandstats'), 'cmdstat_eval:calls')
    const before = [await writes(), await looks()] as const
    await expect.poll(looks).toBeGreaterThan(before[1])
    expect(await writes()).toBe(before[0])
  })

  test('a Redis with too many clients is reported, and is not asked thousands of times', async () => {
    const full = await startRedis()
    open.push({ close: () => full.stop() })
    await full.send('CONFIG', 'SET', 'maxclients', '1')
    const first = connect(full.url)
    await first.connection.ready(30_000)
    const { connection } = connect(full.url)
    await told(connection, 'Redis is not connected (max number of clients reached).')
    await wait(2_000)
    const info = await first.connection.send(['INFO', 'stats'])
    expect(figureIn(info, 'rejected_connections')).toBeLessThan(500)
    await first.connection.close()
    expect(await connection.ready(30_000)).toBe(true)
  })

  test('a port that does not speak Redis’ protocol is reported', async () => {
    const url = await listening((socket) => socket.on('data', () => socket.end('HTTP/1.1 400 Bad\r\n\r\n')))
    const { connection } = connect(url)
    await told(connection, /^Redis is not connected \(the port does not speak Redis’ protocol\)\.$/)
  })

  test('a port that never answers is reported', async () => {
    const url = await listening(() => {})
    await told(connect(url).connection, 'Redis did not answer within 5000 ms.')
    await told(connect(url.replace('user:hidden@', ''), 50).connection, 'within 50 ms.')
  })

  test('a connection that stays silent is replaced, before and after the password is sent', async () => {
    await redis.send('ACL', 'SETUSER', 'user', 'reset', 'on', '>hidden', '~*', '+@all')
    const port = Number(new URL(redis.url).port)
    const replaced = async (isSilent: (data: Buffer) => boolean) => {
      let sockets = 0
      const url = await listening((socket) => {
        const isFirst = (sockets += 1) === 1
        const server = connectTo(port, '127.0.0.1')
        server.on('error', () => {}).on('data', (data) => socket.write(data))
        socket.on('data', (data) => (isFirst && isSilent(data)) || server.write(data))
        socket.on('close', () => server.destroy())
      })
      const { connection } = connect(url)
      expect(await connection.ready(30_000)).toBe(true)
      await wait(6_000) // longer than a silence may last
      expect(sockets).toBe(2)
    }
    await Promise.all([replaced(() => true), replaced((data) => !data.includes('AUTH'))])
  })

  test('TLS to a port without it is reported', async () => {
    const { connection } = connect(redis.url.replace('redis:', 'rediss:'))
    // Redis takes it for the beginning of a command.
    await told(connection, 'Redis is not connected (connection timeout).')
  })
})
