import { connect as connectTo, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import type { RedisConnection, RedisOptions } from '../../../src/store/redis/connection.ts'
import { redisTimes } from '../../../src/store/redis/redis-times.ts'
import { RejoinPause } from '../../../src/store/redis/rejoin-pause.ts'
import { freePort } from '../../free-port.ts'
import { redisForAll } from '../redis-for-all.ts'
import { relayTo } from './redis-relay.ts'
import { hasRedis, startRedis, withoutRedis } from './redis-server.ts'
import type { RedisServer } from './redis-server.ts'
import { connectionOver, longestWait, quickTimes } from './way.ts'
import { patience } from '../../patience.ts'

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

  interface ConnectOptions extends Pick<RedisOptions, 'times'> {
    readonly longestWaitMs?: number
  }

  function connect(url: string, { longestWaitMs = longestWait(false), ...options }: ConnectOptions = {}) {
    const changes: (string | null)[] = []
    const onChange = (reason: string | null) => void changes.push(reason)
    const connection = connectionOver({ url, longestWaitMs }, { ...options, onChange })
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

  /** How often instances have probed Redis, or looked for its secret. */
  const probes = async () => {
    const line = /cmdstat_eval:.*/.exec(String(await redis.send('INFO', 'commandstats')))?.[0]
    // Redis does not count those that it rejects for their keys as called.
    return figureIn(line, 'cmdstat_eval:calls') + figureIn(line, 'rejected_calls')
  }

  const told = (connection: RedisConnection, reason: string | RegExp) =>
    vi.waitFor(() => expect(connection.reason).toMatch(reason), patience)

  test('its probe has to be as fast as commands have to be', async () => {
    const relay = await relayTo(redis.url)
    open.push(relay)
    // A busy process waits up to ten times as long as the limit. Each reply takes longer than that.
    relay.delay = 600
    const { connection, changes } = connect(relay.url, { longestWaitMs: 50 })
    await told(connection, 'Redis did not answer within 50 ms.')
    // Its reply comes meanwhile.
    expect(await connection.ready(800)).toBe(false)
    expect(connection.reason).toBe('Redis did not answer within 50 ms.')
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
    const probed = await probes()
    await expect.poll(probes).toBeGreaterThan(probed + 1)
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
    const before = [await writes(), await probes()] as const
    await expect.poll(probes).toBeGreaterThan(before[1])
    expect(await writes()).toBe(before[0])
  })

  test('a Redis with too many clients is reported, and is not asked thousands of times', async () => {
    const full = await startRedis()
    open.push({ close: () => full.stop() })
    await full.send('CONFIG', 'SET', 'maxclients', '1')
    const first = connect(full.url)
    await first.connection.ready(30_000)
    const { connection } = connect(full.url, { times: redisTimes })
    await told(connection, 'Redis is not connected (max number of clients reached).')
    await wait(2 * redisTimes.tickEvery)
    const info = await first.connection.send(['INFO', 'stats'])
    expect(figureIn(info, 'rejected_connections')).toBeLessThan(100)
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
    const times = { ...quickTimes, longestSilence: 300 }
    await told(connect(url, { times }).connection, 'Redis did not answer within 300 ms.')
    const withoutPassword = url.replace('user:hidden@', '')
    await told(connect(withoutPassword, { longestWaitMs: 50 }).connection, 'within 50 ms.')
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
      const silence = 300
      let isReady = false
      // A busy machine is no silence: the second connection may take its time.
      const times = {
        ...quickTimes,
        get longestSilence() {
          return sockets < 2 || isReady ? silence : 30_000
        },
      }
      const { connection } = connect(url, { times })
      isReady = await connection.ready(60_000)
      expect(isReady).toBe(true)
      await wait(2 * silence)
      expect(sockets).toBe(2)
    }
    await Promise.all([replaced(() => true), replaced((data) => !data.includes('AUTH'))])
  })

  test('TLS to a port without it is reported', async () => {
    const times = { ...quickTimes, longestSilence: 300 }
    const { connection } = connect(redis.url.replace('redis:', 'rediss:'), { times })
    // Redis takes it for the beginning of a command.
    await told(connection, 'Redis is not connected (connection timeout).')
  })
})
