import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { noClientBudgets } from '../../src/money/client-budgets.ts'
import type { Spending } from '../../src/money/ledger-store.ts'
import { openShared } from '../../src/money/open-ledger.ts'
import { MemoryOutbox } from '../../src/money/files/outbox.ts'
import { AnswerRedis } from '../../src/store/answers/answer-redis.ts'
import { applyScript } from '../../src/store/ledger/scripts.ts'
import { RedisAwayError, RedisConnection } from '../../src/store/redis/connection.ts'
import { takeScript } from '../../src/store/answers/scripts.ts'
import { RedisLedger } from '../../src/store/ledger/redis-ledger.ts'
import { basketball, startSample, teamsOfToday, today } from '../graph/harness.ts'
import type { Between, Graph, Sample } from '../graph/harness.ts'
import { sampleNow } from '../sample.setup.ts'
import { relayTo } from './redis/redis-relay.ts'
import type { Relay } from './redis/redis-relay.ts'
import { hasRedis, startRedis, withoutRedis } from './redis/redis-server.ts'
import type { RedisServer } from './redis/redis-server.ts'
import { connectionOver, longestWait, quickTimes } from './redis/way.ts'
import type { Way } from './redis/way.ts'

interface InstanceOptions {
  readonly budget?: number
  readonly way?: Way
  readonly between?: Between
}

describe.skipIf(!hasRedis)(`round trips to Redis${withoutRedis}`, () => {
  let redis: RedisServer
  let relay: Relay
  let sample: Sample
  let teams: string[]
  let games: string[]
  const closing: (() => Promise<void>)[] = []

  beforeAll(async () => {
    sample = await startSample()
    teams = await teamsOfToday(sample)
    const rows = await sample.rows('game/getGames', { ...basketball, start_date: today })
    games = rows.map((row) => String(row['game_id']))
  })
  beforeEach(async () => {
    redis = await startRedis()
    relay = await relayTo(redis.url)
  })
  afterEach(async () => {
    for (const close of closing.splice(0)) await close()
    await relay.close()
    await redis.stop()
  })
  afterAll(() => sample.close())

  /** An instance that shares rows and ledger over the relay, or directly. */
  async function instance(options: InstanceOptions = {}) {
    const { budget = null, way = relay, between = (request, service) => service(request) } = options
    const connection = connectionOver(way)
    const ledger = new RedisLedger({
      redis: connection,
      outbox: new MemoryOutbox(),
      clock: () => sampleNow,
      budget,
      clientBudgets: noClientBudgets,
      leaseMs: 60_000,
      onFailure: (error) => {
        throw error
      },
    })
    const answers = new AnswerRedis(connection, { keptFor: 172_800_000, service: 'sample' })
    await ledger.ready(30_000)
    const graph = sample.graph({
      budget,
      answers,
      ledger: openShared(ledger, () => {}),
      apiKey: null,
      async between(request, service) {
        waited.push(waits().at(-1) ?? '')
        return between(request, service)
      },
    })
    closing.push(async () => {
      await answers.close()
      await graph.upstream.ledgers.books.close()
      await connection.close()
    })
    return { graph, ledger, connection }
  }

  const [take, write] = [takeScript.hash, applyScript.hash]
  const nameOf = (trip: string) =>
    [trip.includes(take) && 'rows', trip.includes(write) && 'ledger'].filter(Boolean).join(' and ')
  /** The round trips that read rows or wrote the ledger. */
  const waits = () => relay.trips.map(nameOf).filter((name) => name !== '')
  /** For each call to the service, the last round trip before it was sent. */
  let waited: string[] = []

  const paid = { headers: { 'x-api-key': 'sample-paid' } }
  const ask = async (graph: Graph, text: string) => {
    // What was bought before is still being written.
    await relay.quiet()
    relay.delay = 10
    relay.forget()
    relay.received = 0
    waited = []
    const answer = await graph.query<Record<string, unknown>>(text, {
      headers: { 'x-api-key': 'sample-paid' },
    })
    relay.delay = 0
    expect(answer.errors).toBeUndefined()
    return { waited, waits: waits(), ...answer }
  }
  const team = (nth: number) => `{ team(id: "${teams[nth]}") { name } }`
  const game = (nth: number) => `{ game(id: "${games[nth]}") { status homeTeam { name } } }`
  /** What the service has billed by its own account since the beginning of the test. */
  async function account(): Promise<() => Promise<number>> {
    const before = await sample.billed('sample-paid')
    return async () => (await sample.billed('sample-paid')) - before
  }

  async function spentBy({ ledger }: { readonly ledger: RedisLedger }) {
    const rows = await ledger.spending('2026-02-01', '2026-02-31')
    const sum = (name: 'tokens' | 'estimated') => rows.reduce((all, row) => all + row[name], 0)
    return { tokens: sum('tokens'), estimated: sum('estimated') }
  }

  /** The reservations in Redis. */
  const reserved = async () =>
    ((await redis.send('HVALS', 'statline:1:ledger:open')) as string[]).map(
      (row) => JSON.parse(row) as Spending,
    )

  /** The ledger has what the service has billed, and nothing is reserved or estimated any more. */
  async function expectExact(one: { readonly ledger: RedisLedger }, billed: () => Promise<number>) {
    await expect.poll(() => redis.send('HLEN', 'statline:1:ledger:open')).toBe(0)
    expect(await spentBy(one)).toEqual({ tokens: await billed(), estimated: 0 })
    for (const name of (await redis.send('KEYS', 'statline:1:ledger:sums:*')) as string[])
      expect(Number(await redis.send('HGET', name, 'reserved'))).toBe(0)
  }

  test('a level waits for one: rows are read and calls are reserved together', async () => {
    const billed = await account()
    const one = await instance()
    // The first level of its kind shows what such a level costs.
    expect((await ask(one.graph, team(0))).waits).toEqual(['rows', 'ledger', 'ledger'])
    const second = await ask(one.graph, team(1))
    // Before the call, and before the answer.
    expect(second.waits).toEqual(['rows and ledger', 'ledger'])
    expect(second.extensions.usage).toMatchObject({ tokens: 1, calls: 1 })
    await ask(one.graph, game(2))
    expect((await ask(one.graph, game(3))).waited).toEqual(['rows and ledger', 'rows and ledger'])
    await expectExact(one, billed)
  })

  test('several calls of a level draw on one reservation, and each has a row of its own in the ledger', async () => {
    const billed = await account()
    const one = await instance()
    const rosters = (first: number) =>
      `query Rosters { ${[0, 1, 2].map((nth) => `r${nth}: team(id: "${teams[first + nth]}") { roster(season: 2026) { position } stats(season: 2026) { points { value } } }`).join(' ')} }`
    await ask(one.graph, rosters(0))
    const { waited, extensions } = await ask(one.graph, rosters(3))
    expect(extensions.usage.calls).toBe(6)
    expect(waited).toEqual(Array(6).fill('rows and ledger'))
    await expectExact(one, billed)
    const services = (await one.ledger.spending('2026-02-01', '2026-02-31')).map(({ service }) => service)
    expect(services.toSorted()).toEqual(['team/getPlayers', 'team/getStats'])
  })

  test('calls that one reservation covers are booked as estimated if they are lost, and once if their bills come', async () => {
    const billed = await account()
    let isHeld = false
    let release = () => {}
    const released = new Promise<void>((now) => (release = now))
    const one = await instance({
      async between(request, service) {
        const answer = await service(request)
        if (isHeld) await released
        return answer
      },
    })
    const other = await instance({ way: redis })
    const rosters = (first: number) =>
      `{ ${[0, 1, 2, 3].map((nth) => `r${nth}: team(id: "${teams[first + nth]}") { roster(season: 2026) { position } }`).join(' ')} }`
    await ask(one.graph, rosters(0))
    isHeld = true
    const pending = ask(one.graph, rosters(4))
    await expect.poll(() => one.graph.calls.sent.length).toBe(8)
    const before = await spentBy(other)
    // The calls go out at once. The next write replaces what covers them by a reservation of each.
    await expect.poll(async () => (await reserved()).length).toBe(4)
    expect(waits()).toEqual(['rows and ledger', 'ledger'])
    const open = await reserved()
    await other.ledger.bookLost(3_600_000)
    const lost = await spentBy(other)
    expect(lost.tokens - before.tokens).toBe(open.reduce((sum, { tokens }) => sum + tokens, 0))
    expect(open.map(({ tokens, calls }) => [tokens, calls])).toEqual(open.map(() => [open[0]?.tokens, 1]))
    // All four calls have been billed, so the ledger may not have less.
    expect(lost.tokens).toBeGreaterThanOrEqual(await billed())
    expect(lost.estimated).toBe(lost.tokens - before.tokens)
    release()
    await pending
    await expectExact(one, billed)
  })

  test('what a level costs more than expected is reserved in a second one', async () => {
    const billed = await account()
    const one = await instance()
    const several = (from: number, to: number) =>
      `{ teams(ids: ${JSON.stringify(teams.slice(from, to))}) { name } }`
    await ask(one.graph, several(0, 4))
    expect((await ask(one.graph, several(4, 8))).waited).toEqual(['rows and ledger'])
    const dearer = await ask(one.graph, several(8, 15))
    expect(dearer.waited).toEqual(['ledger'])
    await expectExact(one, billed)
  })

  test('what another instance has bought costs nothing and leaves nothing reserved', async () => {
    const billed = await account()
    const [one, other] = [await instance(), await instance({ way: redis })]
    await ask(one.graph, team(0))
    await ask(other.graph, team(1))
    await expect.poll(() => redis.send('KEYS', '*lease*')).toEqual([])
    const shared = await ask(one.graph, team(1))
    expect(shared.extensions.usage).toMatchObject({ tokens: 0, cacheHits: 1 })
    expect(shared.waited).toEqual([])
    await expectExact(one, billed)
  })

  test('a key’s second visit reads from Redis only what others have added since the first', async () => {
    const [one, other] = [await instance(), await instance({ way: redis })]
    const of = (nth: number) => `{ team(id: "${teams[nth]}") { roster(season: 2026) { position } } }`
    for (const nth of [0, 1, 2]) await ask(other.graph, of(nth))
    await expect.poll(() => redis.send('KEYS', '*lease*')).toEqual([])
    const first = await ask(one.graph, of(0))
    expect(first.extensions.usage).toMatchObject({ tokens: 0, cacheHits: 1 })
    const ofThree = relay.received
    await ask(other.graph, of(3))
    await expect.poll(() => redis.send('KEYS', '*lease*')).toEqual([])
    // After the first visit, what it had read was parked.
    const second = await ask(one.graph, of(3))
    expect(second.extensions.usage).toMatchObject({ tokens: 0, cacheHits: 1 })
    expect(relay.received).toBeLessThan(ofThree / 2)
  })

  test('near the end of a budget each call is reserved exactly, and the budget is spent to its last token', async () => {
    const billed = await account()
    const one = await instance({ budget: 3 })
    await ask(one.graph, team(0))
    for (const nth of [1, 2]) expect((await ask(one.graph, team(nth))).waited).toEqual(['ledger'])
    const refused = await one.graph.query(team(3), { headers: { 'x-api-key': 'sample-paid' } })
    expect(refused.errors?.[0]?.extensions?.code).toBe('BUDGET_EXCEEDED')
    await expectExact(one, billed)
    expect(await billed()).toBe(3)
  })

  test('a Redis that takes a second delays one query by 50 ms, and has every token once it is quick again', async () => {
    const billed = await account()
    const way = { url: relay.url, longestWaitMs: longestWait(false) }
    const one = await instance({ way })
    await ask(one.graph, team(0))
    relay.delay = 1_000
    way.longestWaitMs = 50
    expect((await one.graph.query(team(1), paid)).errors).toBeUndefined()
    expect(one.connection.reason).toContain('50 ms')
    relay.forget()
    for (const nth of [2, 3]) expect((await one.graph.query(team(nth), paid)).errors).toBeUndefined()
    expect(waits()).toEqual([])
    relay.delay = 0
    way.longestWaitMs = longestWait(false)
    await expect.poll(() => one.connection.isUp).toBe(true)
    await expect.poll(() => spentBy(one)).toEqual({ tokens: 4, estimated: 0 })
    expect(await billed()).toBe(4)
  })

  test('a command waits for Redis 50 ms, and the next not at all', async () => {
    // A busy machine takes longer than 50 ms now and then, so that Redis is away for a moment.
    const connection = new RedisConnection(relay.url, { times: quickTimes })
    closing.push(() => connection.close())
    await expect.poll(() => connection.send(['PING']).then(String, () => 'away')).toBe('PONG')
    relay.delay = 1_000
    relay.forget()
    await expect(connection.send(['PING'])).rejects.toThrow(RedisAwayError)
    expect(connection.reason).toContain('50 ms')
    await expect(connection.send(['PING'])).rejects.toThrow(RedisAwayError)
    expect(relay.trips.join('').match(/PING/g)?.length ?? 0).toBeLessThanOrEqual(1)
    relay.delay = 0
    await expect.poll(() => connection.isUp).toBe(true)
  })
})
