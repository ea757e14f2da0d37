import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { Client } from '../../src/client/client.ts'
import { LiveScoresDocument, ScoreboardDocument } from '../../src/client/generated/graphql.ts'
import { callOwn } from '../../src/client/own-code.ts'
import { socketOptions } from '../../src/client/socket-options.ts'
import { fakedTimers, startLivingDay, until } from './living.ts'
import type { LivingDay } from './living.ts'

let day: LivingDay
const reported = vi.fn()

beforeAll(async () => {
  day = await startLivingDay()
})
afterAll(() => day.close())
beforeEach(() => {
  vi.useFakeTimers(fakedTimers)
  vi.stubGlobal('reportError', reported)
  reported.mockClear()
  day.forget()
  day.calls.take()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const variables = { date: '2026-02-14' }
const broken = new Error('The page’s own code is wrong.')
const fails = () => {
  throw broken
}
const bought = ['game/getGames 1', 'game/getScores 1']

describe('an exception of the page’s own code is reported as uncaught, and all else goes on', () => {
  it.each([
    ['onAnswer', { onAnswer: fails }, undefined],
    ['a listener', {}, fails],
  ])('of %s, in a stream', async (_what, options, listener) => {
    const fetch = vi.fn(globalThis.fetch)
    const live = new Client({ url: day.url, fetch, ...options }).live(LiveScoresDocument, variables)
    const other = vi.fn()
    const leaves = [live.subscribe(listener ?? (() => {})), live.subscribe(other)]
    await until(() => live.getSnapshot().data.length === day.games)
    expect(new Set(reported.mock.calls.flat())).toEqual(new Set([broken]))
    expect(reported.mock.calls.length).toBeGreaterThanOrEqual(day.games)
    expect(other.mock.calls.length).toBeGreaterThanOrEqual(day.games)
    expect(live.getSnapshot()).toMatchObject({ failure: null, stale: null })
    await day.pass(12_000)
    expect(fetch).toHaveBeenCalledTimes(1)
    for (const leave of leaves) leave()
    await day.left()
    expect(day.calls.take().toSorted()).toEqual(bought)
  })

  it.each([
    ['onAnswer', { onAnswer: fails }, undefined, 1],
    ['a listener', {}, fails, 3], // of the first answer, of a second query, and of its answer
  ])('of %s, in a query', async (_what, options, listener, times) => {
    const fetch = vi.fn(globalThis.fetch)
    const client = new Client({ url: day.url, fetch, ...options })
    const { data } = await client.query(ScoreboardDocument, variables)
    expect(data?.league?.games).toHaveLength(day.games)
    const store = client.watch(ScoreboardDocument, variables)
    const other = vi.fn()
    store.subscribe(listener ?? (() => {}))
    store.subscribe(other)
    await store.load()
    await store.load()
    expect(store.getSnapshot()).toMatchObject({ failure: null, loading: false })
    expect([other.mock.calls.length, fetch.mock.calls.length]).toEqual([3, 3])
    expect(new Set(reported.mock.calls.flat())).toEqual(new Set([broken]))
    expect(reported.mock.calls.length).toBeGreaterThanOrEqual(times)
    expect(day.calls.take().toSorted()).toEqual(expect.arrayContaining(bought))
  })

  it('of onSign, in the events of a subscription', async () => {
    const fetch = vi.fn(globalThis.fetch)
    const events = new Client({ url: day.url, fetch }).subscribe(LiveScoresDocument, variables, {
      onSign: fails,
    })
    expect((await events.next()).value?.data?.scores).toBeDefined()
    await events.return()
    expect(reported).toHaveBeenCalledWith(broken)
    await day.left()
    expect(day.calls.take().toSorted()).toEqual(bought)
  })

  it('of onStale, in the options of a socket', () => {
    const { on } = socketOptions({ onStale: fails })
    on.message({ type: 'next' })
    on.closed({ code: 1006 })
    on.message({ type: 'next' })
    on.closed({ code: 1000 }) // ends its timers
    expect(reported.mock.calls).toEqual([[broken], [broken]])
    expect(day.calls.take()).toEqual([])
  })

  it('where there is no reportError, in a turn of its own', () => {
    const turns: (() => void)[] = []
    vi.stubGlobal('reportError', undefined)
    vi.stubGlobal('queueMicrotask', (turn: () => void) => void turns.push(turn))
    callOwn(fails)
    vi.unstubAllGlobals()
    expect(turns).toHaveLength(1)
    expect(turns[0]).toThrow(broken)
  })
})
