import { createClient } from 'graphql-ws'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { fakedTimers, until } from '../client/living.ts'
import { basketball, startSample, today } from '../graph/harness.ts'
import type { Sample } from '../graph/harness.ts'
import { scores, startLiving } from '../server/living.ts'
import type { Event, Living } from '../server/living.ts'

/** The first event stream of a document is opened in another way than the next ones, so there are always two. */
let sample: Sample
let living: Living
let games: number
const leaving: (() => unknown)[] = []
beforeAll(async () => {
  sample = await startSample()
  games = (await sample.rows('game/getGames', { ...basketball, start_date: today })).length
})
afterAll(() => sample.close())
beforeEach(async () => {
  vi.useFakeTimers(fakedTimers)
  living = await startLiving(sample)
})
afterEach(async () => {
  vi.useRealTimers()
  for (const leave of leaving.splice(0)) leave()
  await living.close()
})

interface Follower {
  readonly events: readonly Event[]
  /** The errors with which it was refused. */
  readonly refusals: () => readonly unknown[]
}

async function overEvents(): Promise<Follower> {
  const { events, leave } = await living.subscribe()
  leaving.push(leave)
  return { events, refusals: () => events.flatMap(({ data, errors }) => (data ? [] : (errors ?? []))) }
}

function overSocket(): Follower {
  const client = createClient({
    url: `${living.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
  })
  const events: Event[] = []
  const refused: unknown[] = []
  const leave = client.subscribe(
    { query: scores },
    {
      next: (event) => void events.push(event as unknown as Event), // as the query asks
      error: (errors) => void refused.push(...[errors].flat()),
      complete: () => {},
    },
  )
  leaving.push(leave, () => client.dispose())
  return {
    events,
    refusals: () => [...refused, ...events.flatMap(({ data, errors }) => (data ? [] : (errors ?? [])))],
  }
}

/** From now on, the service refuses the key. */
const refuse = (status: number) => living.between(async () => ({ status, headers: {}, body: '', bytes: 0 }))

const codesOf = (errors: readonly unknown[] | undefined) =>
  errors?.map((error) => (error as { extensions?: { code?: string } }).extensions?.code)

/** What a query of the same day is answered. */
async function query() {
  const response = await living.query(`{ league { games(date: "${today}") { gameId homeScore } } }`)
  return (await response.json()) as { errors?: readonly unknown[]; extensions: { stale?: object } } // a GraphQL answer
}

const codesOfQuery = async () => codesOf((await query()).errors)

const tokens = () => living.graph.upstream.ledgers.totals().tokens

const kinds = [
  [401, 'UNAUTHENTICATED', ['game/read 3']],
  // What a plan does not allow in one way may be allowed in another.
  [403, 'ACCESS_DENIED', ['game/get 1', 'game/get 1', 'game/get 1', 'game/read 3']],
] as const

test.each(kinds)(
  'a key that is refused with %i is told as %s to each follower, once',
  async (status, code, ofQuery) => {
    const all: readonly Follower[] = [await overEvents(), await overEvents(), overSocket()]
    await until(() => all.every(({ events }) => events.length === games))
    expect(living.graph.calls.take()).toEqual(['game/getScores 1'])
    const before = tokens()
    refuse(status)
    await living.pass(16_000)
    await until(() => all.every(({ refusals }) => refusals().length > 0))
    expect(living.graph.calls.take()).toEqual(['game/getScores 1'])
    await living.pass(16_000)
    await living.pass(16_000)
    expect(living.graph.calls.take()).toEqual(['game/getScores 1', 'game/getScores 1'])
    for (const { events, refusals } of all) {
      expect(codesOf(refusals())).toEqual([code])
      expect(events.slice(games)).toMatchObject([{ data: null, extensions: { live: { complete: true } } }])
    }
    expect(new Set(await codesOfQuery())).toEqual(new Set([code]))
    expect(tokens()).toBe(before)
    expect(living.graph.calls.take()).toEqual(ofQuery)
    living.between((_request, send) => send())
    await living.pass(16_000)
    await until(() => all.every(({ events }) => events.length === games + 2))
    for (const { events } of all) {
      expect(events.at(-1)?.data?.scores).toBeDefined()
      expect(events.at(-1)?.extensions.stale).toBeUndefined()
    }
    expect(living.graph.calls.take()).toEqual(['game/getScores 1'])
  },
)

test.each(kinds)(
  'who comes while a key is refused with %i gets the error of a query: %s',
  async (status, code) => {
    refuse(status)
    for (const open of [overEvents, overEvents, overSocket]) {
      const { events, refusals } = await open()
      await until(() => refusals().length > 0)
      expect(codesOf(refusals())).toEqual([code])
      expect(events.filter(({ data }) => data)).toEqual([])
      expect(living.graph.calls.take()).toEqual(['game/getScores 1'])
    }
    expect(await codesOfQuery()).toEqual([code])
    expect(living.graph.calls.take()).toEqual(['game/getScores 1'])
    await living.pass(60_000)
    expect(living.graph.calls.take()).toEqual([])
    expect(tokens()).toBe(0)
  },
)

test('who comes while the service is down gets the expired rows, marked as a query marks them', async () => {
  const first = await overEvents()
  await until(() => first.events.length === games)
  expect(living.graph.calls.take()).toEqual(['game/getScores 1'])
  const before = tokens()
  refuse(503)
  await living.pass(16_000)
  await until(() => first.events.length === games + 1)
  // Each is tried three times.
  const tries = ['game/getScores 1', 'game/getScores 1', 'game/getScores 1']
  expect(living.graph.calls.take()).toEqual(tries)
  for (const open of [overEvents, overEvents, overSocket]) {
    const { events, refusals } = await open()
    await until(() => events.length === games)
    expect(refusals()).toEqual([])
    expect(events.at(-1)?.extensions).toMatchObject({ live: { complete: true }, usage: { calls: 0 } })
    for (const { extensions } of events) {
      expect(extensions.stale?.rows).toBe(3)
      expect(extensions.stale?.seconds).toBeOneOf([15, 16])
    }
    expect(living.graph.calls.take()).toEqual(tries)
  }
  const { extensions } = await query()
  expect(extensions.stale).toEqual({ rows: 3, seconds: 16 })
  expect(living.graph.calls.take()).toEqual(['game/read 3', 'game/read 3', 'game/read 3'])
  expect(tokens()).toBe(before)
})
