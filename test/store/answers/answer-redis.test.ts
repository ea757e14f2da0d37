import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { AnswerRedis } from '../../../src/store/answers/answer-redis.ts'
import { takeScript } from '../../../src/store/answers/scripts.ts'
import type { Transport } from '../../../src/wire/transport.ts'
import { basketball, graphOver, season, startSample, today } from '../../graph/harness.ts'
import type { GraphOptions, Sample } from '../../graph/harness.ts'
import { sampleNow } from '../../sample.setup.ts'
import type { Json } from '../../service/client.ts'
import { hasRedis, startRedis, withoutRedis } from '../redis/redis-server.ts'
import type { RedisServer } from '../redis/redis-server.ts'
import { connectionOver } from '../redis/way.ts'
import { patience } from '../../patience.ts'

const minute = 60_000

describe.skipIf(!hasRedis)(`instances that share a Redis${withoutRedis}`, () => {
  let redis: RedisServer
  let sample: Sample
  let teams: string[]
  let now = sampleNow
  const open: { close(): Promise<void> }[] = []

  beforeAll(async () => {
    ;[redis, sample] = await Promise.all([startRedis(), startSample()])
    const games = await sample.rows('game/getGames', { ...basketball, start_date: today })
    teams = games.map((game) => String(game['home_team_id']))
  })
  beforeEach(async () => {
    now = sampleNow
    await redis.send('FLUSHALL')
  })
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close()
  })
  afterAll(async () => {
    await redis.stop()
    await sample.close()
  })

  /** An instance with an empty memory. */
  async function instance(options: GraphOptions & { transport?: Transport; leaseMs?: number } = {}) {
    const { transport = sample.transport, leaseMs = 600_000, ...rest } = options
    const connection = connectionOver(redis)
    const answers = new AnswerRedis(connection, { keptFor: 86_400_000, service: 'test', leaseMs })
    open.push(answers, connection)
    await connection.ready(30_000)
    return { ...graphOver(transport, { answers, clock: () => now, ...rest }), connection }
  }

  /** What was bought has been written when nothing is reserved any more. */
  const settled = () =>
    vi.waitFor(async () => expect(await redis.send('KEYS', '*:lease:*')).toEqual([]), {
      interval: 5,
      timeout: patience,
    })

  const page = `{ league { games(date: "${today}") { status homeTeam { name stats { points { value } } } prediction { awayScore } } } }`
  const team = (nth: number) => `{ team(id: "${teams[nth]}") { name stats(season: ${season}) { games } } }`

  test('what one has bought costs the others nothing, and is said to come from Redis', async () => {
    const [one, other] = [await instance(), await instance()]
    const { data } = await one.query(page)
    expect(one.calls.take().length).toBeGreaterThan(2)
    await settled()
    const { data: same, extensions } = await other.query(page, { extensions: { explain: true } })
    expect(same).toEqual(data)
    expect(other.calls.take()).toEqual([])
    expect(extensions.usage).toMatchObject({ tokens: 0, calls: 0 })
    expect(extensions.usage.cacheHits).toBeGreaterThan(0)
    expect(extensions.plan?.[0]).toMatchObject({ source: 'REDIS', operation: 'game/getGames', tokens: 0 })
  })

  const free = { tokens: 0, calls: 0 }
  const span = (figure: number) => ({ from: figure, to: figure })

  test('what one has bought fits within any limit of the others', async () => {
    const [one, other] = [await instance(), await instance({ queryLimits: { maxTokens: 0, maxCalls: null } })]
    const { data } = await one.query(page)
    await settled()
    const { data: same, errors, extensions } = await other.query(page)
    expect([same, errors]).toEqual([data, undefined])
    expect(extensions.usage).toMatchObject(free)
    expect(other.calls.take()).toEqual([])
    // The rest is refused by its own price alone.
    const { errors: refused } = await other.query(
      `{ team(id: "${teams[2]}") { name roster(season: ${season}) { position } } }`,
    )
    expect(refused).toMatchObject([
      { extensions: { code: 'QUERY_TOO_EXPENSIVE', estimate: { calls: span(1) } } },
    ])
    expect(other.calls.take()).toEqual([])
  })

  test('what one has bought is priced at nothing by a dry run of the others', async () => {
    const [one, other] = [await instance(), await instance()]
    await one.query(page)
    await settled()
    const { extensions } = await other.query(page, { extensions: { explain: 'dry' } })
    expect(extensions).toMatchObject({ estimate: { tokens: span(0), calls: span(0) }, usage: free })
    expect(other.calls.take()).toEqual([])
  })

  test('a query whose estimate fits its limit waits for Redis no more often than one without', async () => {
    const trips = async (maxTokens?: number) => {
      const one = await instance()
      const run = vi.spyOn(one.connection, 'run')
      await one.query(team(0), maxTokens === undefined ? {} : { extensions: { maxTokens } })
      await settled()
      return run.mock.calls.filter(([script]) => script === takeScript).length
    }
    const unlimited = await trips()
    await redis.send('FLUSHALL')
    expect(await trips(50)).toBe(unlimited)
  })

  test('other columns of rows that another has bought cost nothing', async () => {
    const [one, other] = [await instance(), await instance()]
    await one.query(page)
    await settled()
    const { extensions } = await other.query(
      `{ league { games(date: "${today}") { clock homeTeam { primaryColor stats { games } } } } }`,
    )
    expect(extensions.usage).toMatchObject({ tokens: 0, calls: 0 })
    expect(other.calls.take()).toEqual([])
  })

  test('only what is missing is bought', async () => {
    const [one, other] = [await instance(), await instance()]
    const named = (ids: string[]) => `{ teams(ids: ${JSON.stringify(ids)}) { name } }`
    await one.query(named(teams.slice(0, 3)))
    await settled()
    const { data } = await other.query<{ teams: Json[] }>(named(teams.slice(1, 5)))
    expect(data.teams.every((row) => row['name'])).toBe(true)
    const [{ arguments: { team_id = [] } = {} } = {}, ...others] = other.calls.sent
    expect([...team_id].toSorted()).toEqual(teams.slice(3, 5).toSorted())
    expect(others).toEqual([])
  })

  test('the same query on three at once is paid for once', async () => {
    const instances = await Promise.all([instance(), instance(), instance()])
    const answers = await Promise.all(instances.map((one) => one.query(page)))
    for (const { data, errors } of answers)
      expect({ data, errors }).toEqual({ data: answers[0]?.data, errors: undefined })
    const all = instances.flatMap((one) => one.calls.take())
    const alone = sample.graph({ clock: () => now })
    await alone.query(page)
    expect(all.toSorted()).toEqual(alone.calls.take())
    const tokens = answers.map(({ extensions }) => extensions.usage.tokens)
    expect(tokens.reduce((sum, one) => sum + one)).toBe(Math.max(...tokens))
  })

  test('live scores that all look at again and again are bought once each time', async () => {
    const instances = await Promise.all([instance(), instance()])
    const alone = sample.graph({ clock: () => now })
    const scores = `{ league { games(date: "${today}") { homeScore clock odds { live { over } } } } }`
    for (let look = 0; look < 12; look += 1) {
      now += 8_000
      await Promise.all([...instances, alone].map((one) => one.query(scores)))
      const bought = instances.flatMap((one) => one.calls.take())
      expect({ look, bought }).toEqual({ look, bought: alone.calls.take() })
    }
  })

  test('what another reserved and never bought is bought once it is seen to be gone', async () => {
    const dead = await instance({
      transport: () => new Promise(() => {}),
      timeoutMs: 600_000,
      leaseMs: 300_000,
    })
    const [one, other] = [await instance({ timeoutMs: 600_000 }), await instance({ timeoutMs: 600_000 })]
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    void dead.query(team(0))
    const leases = async () => (await redis.send('KEYS', '*:lease:*')) as string[]
    await vi.waitFor(async () => expect(await leases()).toHaveLength(2), patience)
    const endIn = async (ms: number) => {
      for (const lease of await leases()) await redis.send('PEXPIRE', lease, String(ms))
    }
    const answers = Promise.all([one.query(team(0)), other.query(team(0))])
    // While the instance lives, they are renewed before they end.
    await endIn(200_000)
    vi.advanceTimersByTime(100_000)
    for (const lease of await leases())
      await expect.poll(() => redis.send('PTTL', lease)).toBeGreaterThan(200_000)
    expect([...one.calls.take(), ...other.calls.take()]).toEqual([])
    vi.useRealTimers()
    await dead.connection.close()
    open.splice(0, 2)
    await endIn(1)
    for (const { data } of await answers)
      expect(data).toMatchObject({ team: { stats: { games: expect.anything() } } })
    expect([...one.calls.take(), ...other.calls.take()].toSorted()).toEqual([
      'team/getStats 1',
      'team/read 1',
    ])
  })

  test('what another instance is buying is waited for no longer than a call may take', async () => {
    const slow = await instance({ transport: () => new Promise(() => {}), timeoutMs: 60_000 })
    const one = await instance({ timeoutMs: 700 })
    void slow.query(team(0))
    await vi.waitFor(async () => expect(await redis.send('KEYS', '*:lease:*')).toHaveLength(2), patience)
    const { data, errors } = await one.query(team(0))
    expect(errors).toBeUndefined()
    expect(data).toMatchObject({ team: { name: expect.any(String) } })
    expect(one.calls.take()).toEqual(['team/getStats 1', 'team/read 1'])
    expect(await redis.send('KEYS', '*:lease:*')).toHaveLength(2)
  })

  test('an instance that fails to buy lets the next one try', async () => {
    const failing = await instance({
      transport: async () => ({ status: 500, headers: {}, body: '', bytes: 0 }),
    })
    const other = await instance()
    const [bad, good] = await Promise.all([failing.query(team(1)), other.query(team(1))])
    expect(bad.errors?.length ?? 0).toBeLessThanOrEqual(2)
    expect(good.errors).toBeUndefined()
    expect(good.data).toMatchObject({ team: { name: expect.any(String) } })
  })

  test('rows age by when they were bought, whoever bought them', async () => {
    const [one, other] = [await instance(), await instance()]
    await one.query(team(0))
    await settled()
    now += 6 * minute
    await other.query(team(0))
    expect(other.calls.take()).toEqual(['team/getStats 1'])
    await settled()
    now += 3 * minute
    await one.query(team(0))
    expect(one.calls.take()).toEqual(['team/getStats 1', 'team/read 1'])
  })

  test('an expired season that another has bought is served while the service is away, and costs nothing with `maxAge`', async () => {
    const isAway = { status: 503, headers: {}, body: '', bytes: 0 }
    const [one, third] = [await instance(), await instance()]
    const other = await instance({ transport: async () => isAway })
    const games = `{ team(id: "${teams[0]}") { games(season: ${season}) { gameId homeScore } } }`
    const { data } = await one.query(games)
    expect(one.calls.take()).toEqual(['game/read 1', 'game/read 1'])
    await settled()
    now += 6 * minute
    const inOutage = await other.query(games)
    expect([inOutage.data, inOutage.errors]).toEqual([data, undefined])
    expect(inOutage.extensions).toMatchObject({ stale: { seconds: 360 }, usage: { tokens: 0 } })
    expect(new Set(other.calls.take())).toEqual(new Set(['game/read 1']))
    const lenient = await third.query(games, { extensions: { maxAge: 361 } })
    expect([lenient.data, lenient.errors]).toEqual([data, undefined])
    expect(lenient.extensions).toMatchObject({ stale: { seconds: 360 }, usage: free })
    expect(third.calls.take()).toEqual([])
  })

  test.each(['answers', 'index', 'size'])(
    'where Redis has evicted the %s of a key, what is bought from then on is shared, and its bytes are counted',
    async (part) => {
      const [one, other] = [await instance(), await instance()]
      await one.query(page)
      await settled()
      const [evicted = ''] = (await redis.send('KEYS', `*:${part}`)) as string[]
      expect(await redis.send('DEL', evicted)).toBe(1)
      await one.query('{ organizations { name } }')
      await settled()
      const { extensions } = await other.query('{ organizations { name } }')
      expect(extensions.usage).toMatchObject({ tokens: 0, calls: 0 })
      const key = (name: string) => evicted.replace(part, name)
      const names = (await redis.send('HKEYS', key('answers'))) as string[]
      expect(names.length).toBeGreaterThan(0)
      const sizes = await Promise.all(
        names.map(async (name) => Number(await redis.send('HSTRLEN', key('answers'), name))),
      )
      // What Redis takes for each beside its bytes, and what its allocator loses.
      const counted = sizes.map((size) => 200 + Math.floor(1.25 * size))
      expect(Number(await redis.send('GET', key('size')))).toBe(counted.reduce((sum, size) => sum + size, 0))
      expect(await redis.send('ZCARD', key('index'))).toBe(names.length)
    },
  )

  test('a refusal of the plan is known to all', async () => {
    const [one, other] = [
      await instance({ apiKey: 'sample-trial' }),
      await instance({ apiKey: 'sample-trial' }),
    ]
    await one.query(`{ team(id: "${teams[0]}") { name } }`)
    expect(one.calls.take()).toEqual(['team/get 1', 'team/read 1'])
    await settled()
    await other.query(`{ team(id: "${teams[1]}") { name } }`)
    expect(other.calls.take()).toEqual(['team/get 1'])
  })

  test('without Redis each buys for itself, and what it bought meanwhile is shared when Redis is back', async () => {
    const [one, other] = [await instance(), await instance()]
    await redis.kill()
    await vi.waitFor(
      () => expect([one.connection.isUp, other.connection.isUp]).toEqual([false, false]),
      patience,
    )
    await one.query(team(0))
    expect(one.calls.take()).toEqual(['team/getStats 1', 'team/read 1'])
    await redis.start()
    await Promise.all([one.connection.ready(30_000), other.connection.ready(30_000)])
    await vi.waitFor(async () => expect(await redis.send('KEYS', '*:answers')).toHaveLength(1), patience)
    await settled()
    await other.query(team(0))
    expect(other.calls.take()).toEqual([])
  })

  test('where Redis hangs, a query goes on without it', async () => {
    const one = await instance()
    redis.freeze()
    const { data, errors } = await one.query(team(0))
    expect(errors).toBeUndefined()
    expect(data).toMatchObject({ team: { name: expect.any(String) } })
    expect(one.connection.reason).toBe(`Redis did not answer within ${redis.longestWaitMs} ms.`)
    redis.thaw()
  })

  test('where Redis was restarted empty, nothing is bought again that is in memory, and what is new is shared', async () => {
    const [one, other] = [await instance(), await instance()]
    await one.query(team(0))
    await settled()
    await other.query(team(0))
    one.calls.take()
    await redis.kill()
    await redis.start()
    for (const { connection } of [one, other]) expect(await connection.ready(20_000)).toBe(true)
    for (const graph of [one, other]) await graph.query(team(0))
    await one.query(team(1))
    expect(one.calls.take()).toEqual(['team/getStats 1', 'team/read 1'])
    await settled()
    await other.query(team(1))
    expect(other.calls.take()).toEqual([])
  })

  test('where something else has the names of a key’s answers, each instance buys for itself', async () => {
    const [one, other] = [await instance(), await instance()]
    await one.query(team(0))
    await settled()
    const [answers = ''] = (await redis.send('KEYS', '*:answers')) as string[]
    await redis.send('DEL', answers)
    await redis.send('SET', answers, 'x')
    for (const graph of [one, other]) {
      const { data, errors, extensions } = await graph.query(team(1))
      expect([errors, extensions.usage.calls]).toEqual([undefined, 2])
      expect(data).toMatchObject({ team: { name: expect.any(String) } })
    }
  })

  test('an answer that a later version has written is left to it, and is not waited for', async () => {
    const [one, other] = [await instance(), await instance()]
    await one.query(team(0))
    await settled()
    const [answers = ''] = (await redis.send('KEYS', '*:answers')) as string[]
    for (const form of (await redis.send('HKEYS', answers)) as string[]) {
      const stored = String(await redis.send('HGET', answers, form))
      // Who wrote it and when, then how it is packed: in a way that is not known yet.
      await redis.send('HSET', answers, form, `${stored.slice(0, 32)}\u0009later`)
    }
    const { errors, extensions } = await other.query(team(0))
    expect([errors, extensions.usage.calls]).toEqual([undefined, 2])
  })

  test.each([
    { clock: 'ahead', difference: 30 * 1000 },
    { clock: 'behind', difference: -30 * 1000 },
  ])(
    'rows of an instance whose clock is half a minute $clock are shared, and expire half a minute off at most',
    async ({ difference }) => {
      const [skewed, other] = [await instance({ clock: () => now + difference }), await instance()]
      await skewed.query(team(0))
      await settled()
      await other.query(team(0))
      expect(other.calls.take()).toEqual([])
      now += 5 * minute - 31_000
      await other.query(team(0))
      expect(other.calls.take()).toEqual([])
      now += 62_000
      await other.query(team(0))
      expect(other.calls.take()).toEqual(['team/getStats 1'])
    },
  )

  test('rows of an instance whose clock is an hour ahead are not believed', async () => {
    const [skewed, other] = [await instance({ clock: () => now + 60 * minute }), await instance()]
    await skewed.query(team(0))
    await settled()
    const { errors, extensions } = await other.query(team(0))
    expect([errors, extensions.usage.calls]).toEqual([undefined, 2])
    now += 6 * minute
    await other.query(team(0))
    expect(other.calls.take()).toContain('team/getStats 1')
  })

  test('Redis has neither keys nor their hashes', async () => {
    const one = await instance()
    await one.query(team(0))
    await settled()
    const names = (await redis.send('KEYS', '*')) as string[]
    expect(names.filter((name) => name.includes('sample-paid'))).toEqual([])
    expect(names.every((name) => /^statline:1:(secret|\{[\w-]{43}\}:(index|answers|size))$/.test(name))).toBe(
      true,
    )
  })
})
