import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { startSample } from '../graph/harness.ts'
import type { Sample } from '../graph/harness.ts'
import { answerOf, livingDayOf, settle, subscribe } from '../graph/living-day.ts'
import type { Incoming } from '../../src/wire/transport.ts'

let sample: Sample
let day: Incoming
beforeAll(async () => {
  sample = await startSample()
  day = await answerOf(sample.graph().calls)
})
afterAll(() => sample.close())
afterEach(() => vi.useRealTimers())

const idOf = (gameId: string) => Buffer.from(`Game:${gameId}`).toString('base64')
/** Longer than the list of a day is fresh. */
const untilListed = 301_000

test('the first state is complete with its last game, and stays so', async () => {
  const { graph, live } = livingDayOf(day)
  const { take, end } = await subscribe(graph)
  const told = (await take()).map(({ extensions }) => extensions.live)
  expect(told.map(({ complete }) => complete)).toEqual(told.map((_one, at) => at === told.length - 1))
  expect(told.every(({ left }) => left.length === 0)).toBe(true)
  expect(graph.calls.take()).toEqual(['game/getScores 1'])
  const [game] = live
  if (game) game.home_score = 177
  await vi.advanceTimersByTimeAsync(16_000)
  expect((await take()).map(({ extensions }) => extensions.live)).toEqual([
    { intervalSeconds: 15, complete: true, left: [] },
  ])
  expect(graph.calls.take()).toEqual(['game/read 1', 'odds/read 1'])
  await end()
})

test.each(['moved', 'withdrawn'])(
  'a game that was %s has left the day, with its last row, and a new subscriber does not receive it',
  async (how) => {
    const { graph, live, rows } = livingDayOf(day)
    const [game] = live
    if (!game) throw new Error('The sample day has no game under way.')
    const { game_id: id, home_score: homeScore } = game
    const [first, other] = [await subscribe(graph), await subscribe(graph)]
    const count = (await first.take()).length
    await other.take()
    for (const row of Object.values(rows)) if (row !== game) row.status = 'final'
    await vi.advanceTimersByTimeAsync(16_000)
    await first.take()
    await other.take()
    if (how === 'moved') game.start_date = '2026-02-17'
    else delete rows[id]
    graph.calls.take()
    await vi.advanceTimersByTimeAsync(untilListed)
    const lasts = await first.take()
    expect(lasts).toMatchObject([
      {
        data: { scores: { gameId: id, homeScore } },
        extensions: { usage: { calls: expect.any(Number) }, live: { complete: true, left: [idOf(id)] } },
      },
    ])
    expect(lasts[0]?.extensions.stale).toBeUndefined()
    expect((await other.take()).map(({ data }) => data)).toEqual(lasts.map(({ data }) => data))
    // The event costs nothing beside the polls.
    const calls = graph.calls.take()
    const late = await subscribe(graph)
    const state = await late.take()
    expect(state).toHaveLength(count - 1)
    expect(state.at(-1)?.extensions.live.complete).toBe(true)
    expect(state.map(({ data }) => data.scores['gameId'])).not.toContain(id)
    expect(graph.calls.take().length).toBeLessThanOrEqual(1)
    expect(new Set(calls)).toEqual(new Set(['game/read 1', 'odds/read 1']))
    for (const { end } of [first, other, late]) await end()
  },
)

test('a day without games has no event; its first game makes it complete', async () => {
  const { graph, rows } = livingDayOf(day)
  const [[id, row] = ['', undefined]] = Object.entries(rows)
  for (const key of Object.keys(rows)) delete rows[key]
  const { take, end } = await subscribe(graph)
  expect(await take()).toEqual([])
  if (row) rows[id] = row
  await vi.advanceTimersByTimeAsync(untilListed)
  expect((await take()).map(({ extensions }) => extensions.live)).toMatchObject([
    { complete: true, left: [] },
  ])
  await settle()
  await end()
})
