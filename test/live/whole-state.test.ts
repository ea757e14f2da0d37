import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { livingDayOf, recordedDay, settle, subscribe } from '../graph/living-day.ts'
import type { Incoming } from '../../src/wire/transport.ts'

let day: Incoming
beforeAll(async () => void (day = await recordedDay()))
afterEach(() => vi.useRealTimers())

const idOf = (gameId: string) => Buffer.from(`Game:${gameId}`).toString('base64')
/** Seconds after which the list of a day is not fresh. */
const untilListed = 304
/** The calls of a poll while one game is under way. */
const polled = ['game/read 1', 'odds/read 1']

/** Lets so many seconds pass, and each poll come to its end. */
async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 16) {
    await vi.advanceTimersByTimeAsync(16_000)
    await settle()
  }
}

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
  'a game that was %s has left the day, with its last row, is read no more, and a new subscriber does not receive it',
  async (how) => {
    const { graph, live, rows } = livingDayOf(day)
    const [game] = live
    if (!game) throw new Error('The sample day has no game under way.')
    const { game_id: id, home_score: homeScore } = game
    const [first, other] = [await subscribe(graph), await subscribe(graph)]
    const count = (await first.take()).length
    await other.take()
    for (const row of Object.values(rows)) if (row !== game) row.status = 'final'
    await pass(16)
    await first.take()
    await other.take()
    expect(graph.calls.take()).toEqual(['game/getScores 1', ...polled])
    if (how === 'moved') game.start_date = '2026-02-17'
    else delete rows[id]
    await pass(16)
    const lasts = await first.take()
    expect(lasts).toMatchObject([
      {
        data: { scores: { gameId: id, homeScore } },
        extensions: { live: { complete: true, left: [idOf(id)] } },
      },
    ])
    expect(lasts[0]?.extensions.stale).toBeUndefined()
    expect((await other.take()).map(({ data }) => data)).toEqual(lasts.map(({ data }) => data))
    // The event costs nothing beside the poll.
    expect(graph.calls.take()).toEqual(polled)
    await pass(32)
    expect(graph.calls.take()).toEqual([])
    // Until the day's list has expired. Who comes first then pays for it, once.
    await pass(untilListed - 64)
    expect(graph.calls.take()).toEqual(['game/getScores 1'])
    const [late, later] = [await subscribe(graph), await subscribe(graph)]
    for (const { take } of [late, later]) {
      const state = await take()
      expect(state).toHaveLength(count - 1)
      expect(state.at(-1)?.extensions.live.complete).toBe(true)
      expect(state.map(({ data }) => data.scores['gameId'])).not.toContain(id)
    }
    expect(graph.calls.take()).toEqual([])
    for (const { end } of [first, other, late, later]) await end()
  },
)

test('a game that was moved and comes back is of the day again, with the next list', async () => {
  const { graph, live } = livingDayOf(day)
  const [game] = live
  if (!game) throw new Error('The sample day has no game under way.')
  const { take, end } = await subscribe(graph)
  await take()
  const { start_date: date } = game
  game.start_date = '2026-02-17'
  await pass(16)
  expect((await take()).at(-1)?.extensions.live.left).toEqual([idOf(game.game_id)])
  game.start_date = date
  await pass(untilListed)
  expect((await take()).map(({ data }) => data.scores['gameId'])).toEqual([game.game_id])
  await end()
})

test('while a withdrawn game is in the list of its day, polls are not more frequent', async () => {
  const { graph, live, rows } = livingDayOf(day)
  const [game] = live
  const { take, end } = await subscribe(graph)
  await take()
  for (const row of Object.values(rows)) if (row !== game) row.status = 'final'
  await pass(16)
  await take()
  delete rows[game?.game_id ?? '']
  await pass(16)
  const [last] = await take()
  expect(last?.extensions.live.intervalSeconds).toBeGreaterThan(15)
  graph.calls.take()
  await pass(160)
  expect(graph.calls.take()).toEqual([])
  await end()
})

test('a game and its lines that were withdrawn come once more, with the game’s id, and are not polled again', async () => {
  const { graph, live, rows, moveLine } = livingDayOf(day)
  const [game] = live
  const id = game?.game_id ?? ''
  moveLine('line-1', 150)
  const text = `lines(gameId: "${id}") { oddsId over }`
  const { take, end } = await subscribe(graph, undefined, {}, undefined, text)
  expect((await take()).map(({ data }) => data.lines)).toEqual([{ oddsId: 'line-1', over: 150 }])
  expect(graph.calls.take()).toEqual(polled)
  delete rows[id]
  await pass(16)
  expect(await take()).toMatchObject([
    {
      data: { lines: { oddsId: 'line-1', over: 150 } },
      extensions: { live: { complete: true, left: [idOf(id)] } },
    },
  ])
  expect(graph.calls.take()).toEqual(polled)
  await pass(3_600)
  expect(await take()).toEqual([])
  expect(graph.calls.take()).toEqual([])
  await end()
})

test('a day without games has no event; its first game makes it complete', async () => {
  const { graph, rows } = livingDayOf(day)
  const [[id, row] = ['', undefined]] = Object.entries(rows)
  for (const key of Object.keys(rows)) delete rows[key]
  const { take, end } = await subscribe(graph)
  expect(await take()).toEqual([])
  if (row) rows[id] = row
  await pass(untilListed)
  expect((await take()).map(({ extensions }) => extensions.live)).toMatchObject([
    { complete: true, left: [] },
  ])
  await settle()
  await end()
})
