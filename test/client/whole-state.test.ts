import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Live, Stale } from '../../src/client/answer.ts'
import { Client } from '../../src/client/client.ts'
import { Arrivals } from '../../src/client/arrivals.ts'
import { stateIn } from '../../src/client/stream-states.ts'
import { LiveScoresDocument } from '../../src/client/generated/graphql.ts'
import { patience } from '../patience.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const variables = { date: '2026-02-14' }

/** A stream whose events a test sends. */
function stream() {
  let controller: ReadableStreamDefaultController | undefined
  const body = new ReadableStream({ start: (made) => void (controller = made) })
  const headers = { 'content-type': 'text/event-stream' }
  const send = (text: string) => controller?.enqueue(new TextEncoder().encode(`${text}\n\n`))
  const next = (event: object) => send(`event: next\ndata: ${JSON.stringify(event)}`)
  return {
    response: new Response(body, { headers }),
    /** Sends a game of the day as it is now. */
    game: (name: string, live?: Live, stale?: Stale) =>
      next({ data: { scores: { id: `Game:${name}`, gameId: name } }, extensions: { live, stale } }),
    error: (code: string) => next({ data: null, errors: [{ message: code, extensions: { code } }] }),
    ping: () => send(':'),
    breaks: () => controller?.error(new Error('reset')),
  }
}

/** A followed day, and its connections in their order. */
function followed() {
  const streams = [stream(), stream()] as const
  const fetch = vi.fn<typeof globalThis.fetch>()
  for (const { response } of streams) fetch.mockResolvedValueOnce(response)
  const live = new Client({ fetch }).live(LiveScoresDocument, variables)
  const heard = vi.fn()
  live.subscribe(heard)
  const games = () => live.getSnapshot().data.map(({ scores }) => scores.gameId)
  const shows = (...names: string[]) => vi.waitFor(() => expect(games()).toEqual(names), patience)
  const isComplete = () => live.getSnapshot().complete
  /** Breaks the first connection, and passes the pause before the second. */
  const reconnect = async () => {
    streams[0].breaks()
    await vi.waitFor(() => expect(live.getSnapshot().stale).toBeInstanceOf(Date), patience)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(fetch).toHaveBeenCalledTimes(2)
  }
  return { first: streams[0], second: streams[1], live, shows, isComplete, reconnect, fetch }
}

describe('a live store', () => {
  it('is complete once an event says that the state is whole', async () => {
    const { first, shows, isComplete } = followed()
    first.game('a', { complete: false, left: [] })
    await shows('a')
    expect(isComplete()).toBe(false)
    first.game('b', { complete: true, left: [] })
    await shows('a', 'b')
    expect(isComplete()).toBe(true)
    first.game('c', { complete: true, left: [] }) // moved to this day
    await shows('a', 'b', 'c')
  })

  it.each([
    ['id', 'Game:a'],
    ['gameId', 'a'],
  ])('drops a game that has left, by its %s, and shows it again once it is back', async (_which, left) => {
    const { first, shows } = followed()
    first.game('a', { complete: false, left: [] })
    first.game('b', { complete: true, left: [] })
    await shows('a', 'b')
    first.game('a', { complete: true, left: [left] }) // its last row
    await shows('b')
    first.game('a', { complete: true, left: [] })
    await shows('b', 'a')
  })

  it('drops games that have left while it was not connected, once the new state is whole and no sooner', async () => {
    const { first, second, shows, isComplete, reconnect } = followed()
    first.game('a', { complete: false, left: [] })
    first.game('b', { complete: false, left: [] })
    first.game('c', { complete: true, left: [] })
    await shows('a', 'b', 'c')
    await reconnect()
    second.game('c', { complete: false, left: [] })
    second.game('d', { complete: false, left: [] })
    await shows('a', 'b', 'c', 'd')
    expect(isComplete()).toBe(true)
    second.game('b', { complete: true, left: [] })
    await shows('b', 'c', 'd')
  })

  it('is stale since when an event says it, also after a ping, until an event does not', async () => {
    const { first, live, shows } = followed()
    const whole = { complete: true, left: [] }
    first.game('a', whole)
    await shows('a')
    expect(live.getSnapshot().stale).toBeNull()
    const before = Date.now()
    first.game('a', whole, { rows: 1, seconds: 30 })
    await vi.waitFor(() => expect(live.getSnapshot().stale).toBeInstanceOf(Date), patience)
    const { stale } = live.getSnapshot()
    expect(stale?.getTime()).toBeGreaterThanOrEqual(before - 30_000)
    expect(stale?.getTime()).toBeLessThanOrEqual(Date.now() - 30_000)
    first.ping()
    first.ping()
    first.game('b', whole, { rows: 1, seconds: 30 })
    await shows('a', 'b')
    expect(live.getSnapshot().stale).toBeInstanceOf(Date)
    first.game('b', whole)
    await vi.waitFor(() => expect(live.getSnapshot().stale).toBeNull(), patience)
  })

  it('keeps an error and its date beside the last state, also after a ping, and its stream open', async () => {
    const { first, live, shows, fetch } = followed()
    const whole = { complete: true, left: [] }
    first.game('a', whole)
    await shows('a')
    first.error('UNAUTHENTICATED')
    await vi.waitFor(() => expect(live.getSnapshot().errors).toHaveLength(1), patience)
    first.ping()
    first.ping()
    first.error('UPSTREAM_ERROR')
    await vi.waitFor(
      () => expect(live.getSnapshot().errors).toMatchObject([{ message: 'UPSTREAM_ERROR' }]),
      patience,
    )
    expect(live.getSnapshot().stale).toBeInstanceOf(Date)
    await shows('a')
    first.game('a', whole)
    await vi.waitFor(() => expect(live.getSnapshot()).toMatchObject({ errors: [], stale: null }), patience)
    expect(fetch).toHaveBeenCalledTimes(1)
  })

  it('is stale after a reconnection until the new connection says that it is not', async () => {
    const { first, second, live, shows, reconnect } = followed()
    first.game('a', { complete: true, left: [] }, { rows: 1, seconds: 30 })
    await shows('a')
    await reconnect()
    second.ping()
    second.game('a', { complete: true, left: [] }, { rows: 1, seconds: 60 })
    await vi.waitFor(() => expect(live.getSnapshot().failure).toBeNull(), patience)
    expect(live.getSnapshot().stale).toBeInstanceOf(Date)
    second.game('a', { complete: true, left: [] })
    await vi.waitFor(() => expect(live.getSnapshot().stale).toBeNull(), patience)
  })

  it('is not complete while a state that begins anew, that of the next day, is not whole', async () => {
    const { first, shows, isComplete } = followed()
    first.game('a', { complete: false, left: [] })
    first.game('b', { complete: true, left: [] })
    await shows('a', 'b')
    expect(isComplete()).toBe(true)
    first.game('c', { complete: false, left: ['Game:a', 'Game:b'] })
    await shows('c')
    expect(isComplete()).toBe(false)
    first.game('d', { complete: true, left: [] })
    await shows('c', 'd')
    expect(isComplete()).toBe(true)
  })

  it('drops what a state that begins anew no longer has', async () => {
    const { first, shows } = followed()
    first.game('a', { complete: true, left: [] })
    first.game('b', { complete: false, left: [] })
    first.game('c', { complete: true, left: [] })
    await shows('b', 'c')
  })

  it('drops nothing where the events do not say what is whole', async () => {
    const { first, second, shows, isComplete, reconnect } = followed()
    first.game('a')
    first.game('b')
    await shows('a', 'b')
    await reconnect()
    second.game('c')
    await shows('a', 'b', 'c')
    expect(isComplete()).toBe(false)
  })
})

it('a stream that begins anew is not complete for Apollo Client and urql either, and has what has come', () => {
  const arrivals = new Arrivals<object>()
  const event = (id: string) => ({ scores: { id } })
  let events: readonly object[] = []
  const after = (id: string, complete: boolean, left: readonly string[] = []) => {
    events = arrivals.add(events, event(id), { complete, left })
    return stateIn(arrivals, events, [])
  }
  expect(after('a', false)).not.toHaveProperty('complete')
  expect(after('b', true)).toMatchObject({ complete: true, whole: [event('a'), event('b')] })
  expect(after('c', false, ['a', 'b'])).toMatchObject({ complete: false, whole: [event('c')] })
  expect(after('d', true)).toMatchObject({ complete: true, whole: [event('c'), event('d')] })
})
