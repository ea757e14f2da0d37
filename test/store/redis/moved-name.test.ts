import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RedisConnection } from '../../../src/store/redis/connection.ts'
import { redisForAll } from '../redis-for-all.ts'
import { hasRedis, startRedis, withoutRedis } from './redis-server.ts'
import type { RedisServer } from './redis-server.ts'
import { connectionOver, longestWait, quickTimes } from './way.ts'

/** A name: new connections go to the machine that it names now, or to none that answers. */
async function nameOf(machine: RedisServer) {
  const sockets = new Set<Socket>()
  let target: RedisServer | null = machine
  const server = createServer((client) => {
    const redis = target ? connect(Number(new URL(target.url).port), '127.0.0.1') : null
    if (redis) client.pipe(redis).pipe(client)
    else client.resume()
    for (const socket of redis ? [client, redis] : [client]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => (sockets.delete(socket), client.destroy(), redis?.destroy()))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // on TCP
  return {
    url: `redis://127.0.0.1:${port}`,
    longestWaitMs: longestWait(false),
    open: () => sockets.size,
    move: (to: RedisServer | null) => void (target = to),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((closed) => server.close(closed))
    },
  }
}

describe.skipIf(!hasRedis)(`a name of Redis that moves${withoutRedis}`, () => {
  let old: RedisServer
  let next: RedisServer
  const open = redisForAll((started) => (old = started))
  beforeAll(async () => void (next = await startRedis()))
  afterAll(() => next.stop())
  beforeEach(async () => {
    await next.send('REPLICAOF', 'NO', 'ONE')
    for (const machine of [old, next]) {
      await machine.send('FLUSHALL')
      await machine.send('CONFIG', 'RESETSTAT')
      await machine.send('SET', 'who', machine === old ? 'old' : 'new')
      await machine.send('SET', 'statline:1:secret', 'of both')
    }
  })

  async function start() {
    const name = await nameOf(old)
    const ages: number[] = []
    const times = {
      ...quickTimes,
      // Read once in each tick.
      get greatestAge() {
        return ages.shift() ?? quickTimes.greatestAge
      },
    }
    const changes: (string | null)[] = []
    const connection = connectionOver(name, { times, onChange: (reason) => void changes.push(reason) })
    open.push(name, connection)
    expect(await connection.ready(30_000)).toBe(true)
    /** Lets the connection be old, once. */
    const age = () => void ages.push(0)
    return { name, connection, changes, age }
  }

  const who = (connection: RedisConnection) => connection.send(['GET', 'who'])

  test('is followed within two minutes, though the old machine still answers, and no command fails', async () => {
    expect(quickTimes.greatestAge).toBe(120_000)
    const { name, connection, changes, age } = await start()
    name.move(next)
    expect(await who(connection)).toBe('old')
    age()
    await expect.poll(() => who(connection)).toBe('new')
    // The old one is closed.
    await expect.poll(name.open).toBe(2)
    expect(changes).toEqual([null])
  })

  test('a command under way is answered by the old machine, and holds up no others', async () => {
    const { name, connection, changes, age } = await start()
    name.move(next)
    const held = connection.send(['BLPOP', 'list', '0'], 30_000)
    age()
    const asked: Promise<unknown>[] = []
    const answers: unknown[] = []
    // What is sent before the new connection is used waits behind the command.
    const ask = () => {
      const answer = connection.send(['GET', 'who'], 30_000)
      asked.push(answer)
      void answer.then((name) => answers.push(name))
      return answers
    }
    await expect.poll(ask).toContain('new')
    expect(answers).not.toContain('old')
    await old.send('RPUSH', 'list', 'answer')
    expect(await held).toEqual(['list', 'answer'])
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['old', 'new']))
    expect(changes).toEqual([null])
  })

  test('is not followed to a machine that may not be written to', async () => {
    await next.send('REPLICAOF', '127.0.0.1', '1')
    const { name, connection, changes, age } = await start()
    name.move(next)
    age()
    const commands = async () =>
      Number(/cmdstat_eval:calls=(\d+)/.exec(String(await next.send('INFO', 'commandstats')))?.[1] ?? 0)
    await expect.poll(commands).toBe(1)
    await expect.poll(name.open).toBe(2)
    expect(await who(connection)).toBe('old')
    await next.send('REPLICAOF', 'NO', 'ONE')
    age()
    await expect.poll(() => who(connection)).toBe('new')
    expect(changes).toEqual([null])
  })

  test('a machine with other data counts as a Redis that has lost its data', async () => {
    await next.send('SET', 'statline:1:secret', 'another')
    const { name, connection, changes, age } = await start()
    name.move(next)
    age()
    await expect.poll(() => changes).toEqual([null, 'Redis has lost what it had.', null])
    expect(connection.secret).toBe('another')
    expect(await who(connection)).toBe('new')
  })

  test('leaves nothing open where it is closed while a machine is silent', async () => {
    const { name, connection, changes, age } = await start()
    name.move(null)
    age()
    await expect.poll(name.open).toBe(3)
    expect(await who(connection)).toBe('old')
    await connection.close()
    await expect.poll(name.open).toBe(0)
    expect(changes).toEqual([null])
  })
})
