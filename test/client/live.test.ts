import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client/core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { cacheOptions } from '../../src/client/apollo-cache.ts'
import { LiveLink } from '../../src/client/apollo-link.ts'
import type { Answer } from '../../src/client/answer.ts'
import { Client } from '../../src/client/client.ts'
import type { ClientOptions } from '../../src/client/client.ts'
import { messagesOf } from '../../src/client/events.ts'
import { readFragment } from '../../src/client/fragments.ts'
import {
  GameCardFragmentDoc,
  GameStateFragmentDoc,
  LiveScoresDocument,
  ScoreboardDocument,
} from '../../src/client/generated/graphql.ts'
import type { LiveScoresSubscription } from '../../src/client/generated/graphql.ts'
import { withEvent } from '../../src/client/arrivals.ts'
import type { Heard, LiveStore } from '../../src/client/live-store.ts'
import { fakedTimers, startLivingDay, until } from './living.ts'
import type { LivingDay } from './living.ts'

let day: LivingDay

beforeAll(async () => {
  day = await startLivingDay()
})
afterAll(() => day.close())
beforeEach(() => {
  vi.useFakeTimers(fakedTimers)
  day.forget()
  day.up(true)
  day.calls.take()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const client = (options: ClientOptions = {}) => new Client({ url: day.url, ...options })
const variables = { date: '2026-02-14' }
const nobody = () => {}

type Scores = LiveStore<LiveScoresSubscription>

/** What is shown, once it is so. */
async function shown(live: Scores, isSo: (heard: Heard<LiveScoresSubscription>) => boolean) {
  await until(() => isSo(live.getSnapshot()))
  return live.getSnapshot()
}

/** The calls that bring the day, and those of a poll while one game is under way. */
const firstState = ['game/getGames 1', 'game/getScores 1']
const poll = ['game/read 1', 'odds/read 1']

/** A call that fails is tried three times. */
const threeTimes = (calls: readonly string[]) => calls.flatMap((call) => [call, call, call])

const everyGame = ({ data }: Heard<unknown>) => data.length === day.games

/** The home team’s points in the game that is under way, as last heard. */
function pointsIn({ data }: Heard<LiveScoresSubscription>) {
  const game = data.find(({ scores }) => scores.gameId === day.live)?.scores
  const card = readFragment(GameCardFragmentDoc, game)
  return readFragment(GameStateFragmentDoc, card)?.homeScore
}

describe('a subscription that is shown', () => {
  it('has every game of the day once, then each as it changes, and tells what each event has cost', async () => {
    const answers: Answer<unknown>[] = []
    const live = client({ onAnswer: (answer) => answers.push(answer) }).live(LiveScoresDocument, variables)
    const leave = live.subscribe(nobody)
    expect(live.getSnapshot()).toMatchObject({ data: [], loading: true })
    await shown(live, everyGame)
    const first = day.calls.take()
    expect(first.toSorted()).toEqual(['game/getGames 1', 'game/getScores 1'])
    day.score(199)
    await day.pass(16_000)
    expect((await shown(live, (heard) => pointsIn(heard) === 199)).data).toHaveLength(day.games)
    const billed = answers.reduce((sum, { usage }) => sum + (usage?.calls ?? 0), 0)
    expect(billed).toBe(first.length + day.calls.take().length)
    leave()
  })

  it('ends the calls when no component shows it any more', async () => {
    const live = client().live(LiveScoresDocument, variables)
    const [leave, leaveToo] = [live.subscribe(() => {}), live.subscribe(() => {})]
    await shown(live, everyGame)
    leave()
    day.calls.take()
    day.score(150)
    await day.pass(16_000)
    await shown(live, (heard) => pointsIn(heard) === 150)
    expect(day.calls.take().length).toBeGreaterThan(0)
    leaveToo()
    await day.left()
    await day.pass(120_000)
    await day.idle()
    expect(day.calls.take()).toEqual([])
  })

  it('costs nothing beside a scoreboard of the same day', async () => {
    const asking = client()
    const { usage } = await asking.query(ScoreboardDocument, variables)
    expect(usage?.calls).toBe(day.calls.take().length)
    const live = asking.live(LiveScoresDocument, variables)
    const leave = live.subscribe(nobody)
    await shown(live, everyGame)
    expect(day.calls.take()).toEqual([])
    leave()
  })

  it('is one connection for all components, also for one that mounts twice as in React’s strict mode', async () => {
    const fetch = vi.fn(globalThis.fetch)
    const asking = client({ fetch })
    const live = asking.live(LiveScoresDocument, variables)
    live.subscribe(nobody)()
    const leaves = [live.subscribe(nobody), asking.live(LiveScoresDocument, variables).subscribe(nobody)]
    await shown(live, everyGame)
    expect(fetch).toHaveBeenCalledTimes(1)
    for (const leave of leaves) leave()
  })
})

/** A stream whose parts a test sends. */
function sentByHand() {
  let controller: ReadableStreamDefaultController | undefined
  const body = new ReadableStream({ start: (made) => void (controller = made) })
  return {
    fetch: async () => streamOf(body),
    ping: () => controller?.enqueue(new TextEncoder().encode(':\n\n')),
    close: () => controller?.close(),
  }
}

describe('a day without games', () => {
  it('is loaded once its stream is open and nothing has come, and is looked at as any other', async () => {
    vi.useRealTimers()
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
    })
    const fetch = vi.fn(globalThis.fetch)
    const live = client({ fetch }).live(LiveScoresDocument, { date: '2026-07-01' })
    const leave = live.subscribe(nobody)
    await until(() => fetch.mock.results.length === 1)
    await fetch.mock.results[0]?.value
    await until(() => day.calls.sent.length > 0)
    expect(live.getSnapshot().loading).toBe(true)
    await day.pass(12_000)
    expect(await shown(live, ({ loading }) => !loading)).toEqual({
      data: [],
      complete: false,
      errors: [],
      failure: null,
      loading: false,
      stale: null,
      outage: false,
    })
    expect(day.calls.take().toSorted()).toEqual(['game/getGames 1', 'game/getScores 1'])
    leave()
    await day.left()
  })

  it('says when its stream broke, and that it is open again', async () => {
    const streams = [sentByHand(), sentByHand()]
    const fetch = vi.fn<typeof globalThis.fetch>()
    for (const stream of streams) fetch.mockImplementationOnce(stream.fetch)
    const live = client({ fetch }).live(LiveScoresDocument, variables)
    const leave = live.subscribe(nobody)
    const tick = () => day.pass(0)
    streams[0]?.ping()
    await tick()
    expect(live.getSnapshot()).toMatchObject({ loading: true, stale: null })
    streams[0]?.ping()
    await shown(live, ({ loading }) => !loading)
    streams[0]?.close()
    const broken = await shown(live, ({ failure }) => failure !== null)
    expect(broken.stale).toBeInstanceOf(Date)
    await day.pass(1_000)
    streams[1]?.ping()
    await tick()
    expect(live.getSnapshot().stale).toEqual(broken.stale)
    streams[1]?.ping()
    expect(await shown(live, ({ failure }) => failure === null)).toMatchObject({ data: [], stale: null })
    leave()
    expect(day.calls.take()).toEqual([])
  })
})

describe('a service that fails', () => {
  it('makes the state stale within two polls, and current with the next one that succeeds', async () => {
    const fetch = vi.fn(globalThis.fetch)
    const live = client({ fetch }).live(LiveScoresDocument, variables)
    const leave = live.subscribe(nobody)
    await shown(live, (heard) => everyGame(heard) && heard.complete)
    expect(day.calls.take().toSorted()).toEqual(firstState)
    day.up(false)
    await day.pass(16_000)
    const failed = await shown(live, ({ outage }) => outage)
    expect(day.calls.take().toSorted()).toEqual(threeTimes(poll))
    expect(failed).toMatchObject({ errors: [], failure: null, stale: expect.any(Date) })
    day.up(true)
    await day.pass(16_000)
    expect(await shown(live, ({ outage }) => !outage)).toMatchObject({
      errors: [],
      failure: null,
      stale: null,
    })
    expect(everyGame(live.getSnapshot())).toBe(true)
    expect(fetch).toHaveBeenCalledTimes(1)
    expect(day.calls.take().toSorted()).toEqual(poll)
    leave()
    await day.left()
    expect(day.calls.take()).toEqual([])
  })
})

describe('a subscription that is shown again', () => {
  it('says until when its state was current, from the start until the first event', async () => {
    const fetch = vi.fn(globalThis.fetch)
    const live = client({ fetch }).live(LiveScoresDocument, variables)
    live.subscribe(nobody)()
    expect(live.getSnapshot()).toMatchObject({ loading: true, stale: null })
    const leave = live.subscribe(nobody)
    await shown(live, everyGame)
    const before = Date.now()
    leave()
    await day.left()
    day.calls.take()
    await day.pass(40_000)
    const { stale, loading, failure } = live.getSnapshot()
    expect({ loading, failure }).toEqual({ loading: false, failure: null })
    expect(stale?.getTime()).toBeLessThanOrEqual(before)
    fetch.mockImplementationOnce(() => new Promise(() => {})) // the network hangs
    const leaveAgain = live.subscribe(nobody)
    await day.pass(14_000)
    expect(live.getSnapshot().stale).toEqual(stale)
    await day.pass(1_000)
    const failed = await shown(live, (heard) => heard.failure !== null)
    expect(failed.stale).toEqual(stale)
    expect(day.calls.take()).toEqual([])
    await day.pass(1_000)
    expect(await shown(live, (heard) => heard.stale === null)).toMatchObject({ failure: null })
    expect(await shown(live, everyGame)).toMatchObject({ loading: false })
    expect(day.calls.take().toSorted()).toEqual(['game/read 1', 'odds/read 1'])
    leaveAgain()
  })
})

/** A body that the server sends one event of, and then `ends`. */
const bodyOf = (ends: (controller: ReadableStreamDefaultController) => void) =>
  new ReadableStream({
    start(controller) {
      const event = { data: { scores: { id: 'one', gameId: 'one' } } }
      controller.enqueue(new TextEncoder().encode(`event: next\ndata: ${JSON.stringify(event)}\n\n`))
    },
    pull: ends,
  })
const streamOf = (body: ReadableStream) =>
  new Response(body, { headers: { 'content-type': 'text/event-stream' } })

describe('a stream that breaks', () => {
  it.each([
    ['is cut off', (controller: ReadableStreamDefaultController) => controller.close()],
    ['fails', (controller: ReadableStreamDefaultController) => controller.error(new Error('reset'))],
    ['falls silent', () => {}],
  ])('is opened again when it %s, and keeps until then what it has told', async (how, ends) => {
    const fetch = vi
      .fn<typeof globalThis.fetch>()
      .mockImplementation((url, init) => globalThis.fetch(url, init))
    fetch.mockImplementationOnce(async () => streamOf(bodyOf(ends)))
    const live = client({ fetch }).live(LiveScoresDocument, variables)
    const leave = live.subscribe(nobody)
    await shown(live, ({ data }) => data.length === 1)
    if (how === 'falls silent') await day.pass(40_000)
    const broken = await shown(live, ({ failure }) => failure !== null)
    expect(broken).toMatchObject({ data: [{ scores: { id: 'one' } }], failure: { name: 'UnreachableError' } })
    expect(broken.stale).toBeInstanceOf(Date)
    await day.pass(1_000)
    const again = await shown(live, (heard) => heard.complete && everyGame(heard))
    expect(again).toMatchObject({ failure: null, loading: false, stale: null })
    leave()
  })

  it('is opened again after 1, 2, 4 … and at most 8 seconds, until no component shows it', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1)
    const fetch = vi.fn<typeof globalThis.fetch>().mockRejectedValue(new TypeError('fetch failed'))
    const live = client({ fetch }).live(LiveScoresDocument, variables)
    const leave = live.subscribe(nobody)
    await until(() => fetch.mock.calls.length === 1)
    for (const [failures, seconds] of [1, 2, 4, 8, 8, 8, 8].entries()) {
      await day.pass(seconds * 1_000 - 1)
      expect(fetch).toHaveBeenCalledTimes(failures + 1)
      await day.pass(1)
      await until(() => fetch.mock.calls.length === failures + 2)
    }
    leave()
    await day.pass(120_000)
    expect(fetch).toHaveBeenCalledTimes(8)
  })

  it.each([
    ['its headers never come', { fetch: () => new Promise<Response>(() => {}) }],
    [
      'the headers of the request never come',
      { headers: () => new Promise<Record<string, string>>(() => {}) },
    ],
  ])('is given up after 15 seconds when %s, and opened again', async (_what, held) => {
    let hold = false
    const asked = vi.fn()
    const fetch = vi.fn((...asking: Parameters<typeof globalThis.fetch>) => {
      asked()
      return hold && 'fetch' in held ? held.fetch() : globalThis.fetch(...asking)
    })
    const headers = () => {
      if (!hold || !('headers' in held)) return {}
      asked()
      return held.headers()
    }
    fetch.mockImplementationOnce(async () => streamOf(bodyOf((controller) => hold && controller.close())))
    const live = client({ fetch, headers }).live(LiveScoresDocument, variables)
    const leave = live.subscribe(nobody)
    await shown(live, ({ data }) => data.length === 1)
    hold = true
    await day.pass(40_000)
    await shown(live, ({ failure }) => failure !== null)
    asked.mockClear()
    await day.pass(1_000)
    await until(() => asked.mock.calls.length === 1)
    // It waits, and has failed before: what it has is not current.
    await day.pass(14_000)
    expect(live.getSnapshot().stale).toBeInstanceOf(Date)
    expect(asked).toHaveBeenCalledTimes(1)
    hold = false
    await day.pass(1_000)
    await day.pass(2_000)
    const again = await shown(live, (heard) => heard.complete && everyGame(heard))
    expect(again).toMatchObject({ failure: null, loading: false, stale: null })
    leave()
  })

  it('ends its connection when it is given up before it has opened, and when nobody listens any more', async () => {
    const signals: AbortSignal[] = []
    const fetch = vi.fn((_url: unknown, init?: RequestInit) => {
      if (init?.signal) signals.push(init.signal)
      return new Promise<Response>(() => {})
    })
    const live = client({ fetch }).live(LiveScoresDocument, variables)
    const leave = live.subscribe(nobody)
    await until(() => signals.length === 1)
    await day.pass(15_000)
    const { failure, loading, stale } = await shown(live, (heard) => heard.failure !== null)
    expect(failure).toMatchObject({ name: 'UnreachableError' })
    expect({ loading, stale }).toEqual({ loading: false, stale: null })
    await day.pass(1_000)
    await until(() => signals.length === 2)
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
    leave()
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
    await day.pass(60_000)
    await day.idle()
    expect(fetch).toHaveBeenCalledTimes(2)
  })

  it('says what the graph says, and comes back where that may pass', async () => {
    day.up(false)
    const fetch = vi.fn(globalThis.fetch)
    const live = client({ fetch }).live(LiveScoresDocument, variables)
    const leave = live.subscribe(nobody)
    const { errors } = await shown(live, (heard) => heard.errors.length > 0)
    expect(errors[0]?.extensions?.code).toBe('UPSTREAM_UNAVAILABLE')
    expect(day.calls.take().toSorted()).toEqual(threeTimes(firstState))
    day.up(true)
    // The client gives up its connection when the stream ends. Its pause begins then.
    await until(() => fetch.mock.calls[0]?.[1]?.signal?.aborted === true)
    await day.pass(1_000)
    expect(await shown(live, everyGame)).toMatchObject({ errors: [], failure: null })
    expect(day.calls.take().toSorted()).toEqual(firstState)
    leave()
  })

  it('stays closed where the graph refuses the key', async () => {
    const other = await startLivingDay(null)
    const fetch = vi.fn(globalThis.fetch)
    const live = new Client({ url: other.url, fetch }).live(LiveScoresDocument, variables)
    const leave = live.subscribe(nobody)
    const { errors } = await shown(live, (heard) => heard.errors.length > 0)
    expect(errors[0]?.extensions?.code).toBe('UNAUTHENTICATED')
    await other.pass(300_000)
    expect(fetch).toHaveBeenCalledTimes(1)
    expect(other.calls.take()).toEqual([])
    leave()
    await other.close()
  })

  it('is no stream where a page answers', async () => {
    const fetch = async () => new Response('<html>', { status: 502 })
    const events = client({ fetch }).subscribe(LiveScoresDocument, variables)
    await expect(events.next()).rejects.toMatchObject({ name: 'OverloadedError', status: 502 })
  })
})

describe('through Apollo Client', () => {
  /** An Apollo Client of a page, and what it says of the day’s scores. */
  function page(fetch: typeof globalThis.fetch = globalThis.fetch) {
    const link = ApolloLink.from([new LiveLink({ url: day.url, fetch }), new HttpLink({ uri: day.url })])
    const cache = new InMemoryCache(cacheOptions)
    const apollo = new ApolloClient({ link, cache })
    const told: { points?: number | null; error?: string }[] = []
    const subscription = apollo
      .subscribe({ query: LiveScoresDocument, variables })
      .subscribe(({ data, error }) => {
        const card = readFragment(GameCardFragmentDoc, data?.scores)
        const points = readFragment(GameStateFragmentDoc, card)?.homeScore
        told.push(error ? { error: error.message } : { points: points ?? null })
      })
    return { apollo, cache, told, leave: () => subscription.unsubscribe() }
  }

  it('an event changes what a query has put into the cache', async () => {
    const { apollo, cache, told, leave } = page()
    await apollo.query({ query: ScoreboardDocument, variables })
    await until(() => told.length === day.games)
    day.score(177)
    await day.pass(16_000)
    await until(() => told.length > day.games)
    const kept = Object.values(cache.extract())
    const game = expect.objectContaining({ __typename: 'Game', gameId: day.live, homeScore: 177 })
    expect(kept).toContainEqual(game)
    leave()
  })

  it('a stream that breaks is an error until it is heard again', async () => {
    const fetch = vi
      .fn<typeof globalThis.fetch>()
      .mockImplementation((url, init) => globalThis.fetch(url, init))
    fetch.mockImplementationOnce(async () => streamOf(bodyOf((controller) => controller.close())))
    const { told, leave } = page(fetch)
    await until(() => told.length === 2)
    expect(told.at(1)).toEqual({ error: 'Statline could not be reached.' })
    await day.pass(1_000)
    await until(() => told.length === day.games + 2)
    expect(told.slice(2).every(({ error }) => error === undefined)).toBe(true)
    leave()
  })
})

describe('events', () => {
  const text = [
    ': a comment\n\n',
    'event: next\r\ndata: {"a":\r\ndata: 1}\r\n\r\n',
    'data:é: two\rdata\r\revent: complete\ndata:\n\n',
    'event: next\ndata: cut off',
  ].join('')
  const bytes = new TextEncoder().encode(text)

  it.each([1, 2, 3, 7, bytes.length])(
    'are read as they are meant when they come %i bytes at a time',
    async (size) => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size))
          controller.close()
        },
      })
      const messages = []
      for await (const message of messagesOf(body)) messages.push(message)
      expect(messages).toEqual([
        { event: 'next', data: '{"a":\n1}' },
        { event: 'message', data: 'é: two\n' },
        { event: 'complete', data: '' },
      ])
    },
  )

  it('are read with any character, also with those that only JavaScript takes for line breaks', async () => {
    const name = `a\u2028b\u2029c\u0085d\u000be\u000cf\u{1F3C0}`
    const body = new Response(`event: next\ndata: ${JSON.stringify({ name })}\n\n`).body!
    const messages = []
    for await (const { data } of messagesOf(body)) messages.push(JSON.parse(data))
    expect(messages).toEqual([{ name }])
  })

  it('replace older ones of the same object; without ids only the last one is kept', () => {
    const event = (id: string, homeScore: number) => ({ scores: { id, homeScore } })
    const heard = [event('a', 1), event('b', 2), event('a', 3)]
    expect(heard.reduce<readonly object[]>(withEvent, [])).toEqual([event('a', 3), event('b', 2)])
    expect(
      [{ scores: { homeScore: 1 } }, { scores: { homeScore: 2 } }].reduce<readonly object[]>(withEvent, []),
    ).toEqual([{ scores: { homeScore: 2 } }])
  })
})
