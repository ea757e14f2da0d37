import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Live } from '../../src/client/answer.ts'
import { Client } from '../../src/client/client.ts'
import { LiveScoresDocument } from '../../src/client/generated/graphql.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const variables = { date: '2026-02-14' }

/** A stream whose events a test sends. */
function stream() {
  let controller: ReadableStreamDefaultController | undefined
  const body = new ReadableStream({ start: (made) => void (controller = made) })
  const headers = { 'content-type': 'text/event-stream' }
  return {
    response: new Response(body, { headers }),
    /** Sends a game of the day as it is now. */
    game(name: string, live?: Live) {
      const event = { data: { scores: { id: `Game:${name}`, gameId: name } }, extensions: { live } }
      controller?.enqueue(new TextEncoder().encode(`event: next\ndata: ${JSON.stringify(event)}\n\n`))
    },
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
  const shows = (...names: string[]) => vi.waitFor(() => expect(games()).toEqual(names))
  const isComplete = () => live.getSnapshot().complete
  /** Breaks the first connection, and passes the pause before the second. */
  const reconnect = async () => {
    streams[0].breaks()
    await vi.waitFor(() => expect(live.getSnapshot().stale).toBeInstanceOf(Date))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(fetch).toHaveBeenCalledTimes(2)
  }
  return { first: streams[0], second: streams[1], live, shows, isComplete, reconnect }
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
