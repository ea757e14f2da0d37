import { createSourceEventStream, parse } from 'graphql'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { ClientRequest } from '../../src/account/client-request.ts'
import type { LiveEvent } from '../../src/live/progress.ts'
import { schema } from '../../src/schema.ts'
import type { Incoming } from '../../src/wire/transport.ts'
import { basketball } from '../graph/harness.ts'
import { livingDayOf, recordedDay, settle } from '../graph/living-day.ts'
import type { Rows } from '../graph/living-day.ts'
import { sampleNow } from '../sample.setup.ts'

/** Reads events one by one, before they are sent: a connection takes many that nobody has read. */
let day: Incoming
beforeAll(async () => void (day = await recordedDay()))
afterEach(() => vi.useRealTimers())

const idOf = (gameId: string) => Buffer.from(`Game:${gameId}`).toString('base64')

async function pass(seconds: number, step = 16): Promise<void> {
  for (let second = 0; second < seconds; second += step) {
    await vi.advanceTimersByTimeAsync(step * 1_000)
    await settle()
  }
}

/** What a reader got of an event. */
const shown = ({ row, isLast, outage, live: { complete, left } }: LiveEvent) => ({
  id: row?.entry.key,
  isLast,
  outage: outage && (outage.stale ? 'stale' : outage.error.code),
  complete,
  left,
})

/** A reader of a day’s events, and what is unread. */
async function readerOf({ graph }: ReturnType<typeof livingDayOf>, text = 'scores { gameId }') {
  const contextValue = {
    clientRequest: new ClientRequest(graph.upstream.accountOf('sample-paid')),
    defaults: basketball,
  }
  const source = await createSourceEventStream({
    schema,
    document: parse(`subscription { ${text} }`),
    contextValue,
  })
  if (!(Symbol.asyncIterator in source)) throw new Error(JSON.stringify(source))
  const stream = source[Symbol.asyncIterator]()
  let waiting: Promise<IteratorResult<unknown>> | null = null
  const next = async () => {
    waiting ??= stream.next()
    const event = await Promise.race([waiting, settle()])
    if (!event) return null
    waiting = null
    return shown(event.value as LiveEvent) // the events of this schema
  }
  return {
    next,
    async rest() {
      const events = []
      for (let event = await next(); event; event = await next()) events.push(event)
      return events
    },
    leave: async () => void (await stream.return?.()),
  }
}

/** Another game of the day, which is under way as well. */
function playToo(rows: Rows, game: Rows[string] | undefined): Rows[string] {
  const other = Object.values(rows).find((row) => row !== game)
  if (!game || !other) throw new Error('The sample day has no two games.')
  return Object.assign(other, { status: '1st half', start_timestamp: game.start_timestamp })
}

test('the end of the first state and a game that left come, though other events were replaced', async () => {
  const living = livingDayOf(day)
  const { graph, live, rows } = living
  const [game] = live
  const other = playToo(rows, game)
  const all = Object.keys(rows)
  const reader = await readerOf(living)
  const first = await reader.next()
  for (const points of [21, 22, 23]) {
    other.home_score = points
    await pass(16)
  }
  delete rows[game?.game_id ?? '']
  await pass(16)
  graph.calls.take()
  const events = await reader.rest()
  const ids = [first, ...events].map((event) => event?.id)
  expect(new Set(ids)).toEqual(new Set(all))
  expect(events.length).toBeLessThanOrEqual(all.length)
  // Complete with the last game of the first state; what has changed of the game that was read may follow.
  const rest = new Set(all.filter((id) => id !== first?.id))
  const isComplete = events.map(({ id }) => rest.delete(String(id)) && rest.size === 0)
  expect(events.findIndex(({ complete }) => complete)).toBe(isComplete.indexOf(true))
  expect(events.at(-1)?.complete).toBe(true)
  const lefts = events.filter(({ left }) => left.length > 0)
  expect(lefts).toMatchObject([{ id: game?.game_id, isLast: true, left: [idOf(game?.game_id ?? '')] }])
  expect(graph.calls.take()).toEqual([])
  await reader.leave()
})

test('a game that left before an outage does not hide the outage', async () => {
  const living = livingDayOf(day)
  const { graph, live, rows, fail } = living
  const [game] = live
  const other = playToo(rows, game)
  const reader = await readerOf(living)
  await reader.rest()
  delete rows[game?.game_id ?? '']
  // While it waits, the reader holds the next event; it is taken before the one of the game that has left.
  other.home_score = 5
  await pass(16)
  fail(true)
  await pass(32)
  graph.calls.take()
  const events = await reader.rest()
  await pass(16)
  events.push(...(await reader.rest()))
  expect(events.filter(({ isLast }) => isLast)).toHaveLength(1)
  expect(events.at(-1)).toMatchObject({ isLast: false, outage: 'stale' })
  await reader.leave()
})

test('who reads nothing over two nights is told of the games that it had', async () => {
  const living = livingDayOf(day)
  const { rows } = living
  const first = Object.keys(rows)
  const reader = await readerOf(living)
  await reader.rest() // it waits for the next event, and has it then
  const hour = 3_600
  const midnight = (Date.parse('2026-02-15T05:00:00.000Z') - sampleNow) / 1_000
  const [one, two] = Object.values(rows)
  if (!one || !two) throw new Error('The sample day has no two games.')
  for (const row of Object.values(rows)) row.status = 'final'
  const onDay = (row: typeof one, game_id: string, start_date: string) =>
    (rows[game_id] = { ...row, game_id, start_date, status: 'final' })
  onDay(one, 'second-1', '2026-02-15')
  onDay(one, 'second-2', '2026-02-15')
  onDay(two, 'third', '2026-02-16')
  await vi.advanceTimersByTimeAsync(midnight * 1_000)
  await pass(2 * hour, 600)
  await pass(24 * hour, 600)
  const events = await reader.rest()
  expect(events.at(-1)).toMatchObject({ id: 'third', complete: true })
  const left = new Set(events.flatMap((event) => event.left))
  for (const id of first) expect(left).toContain(idOf(id))
  await reader.leave()
})
