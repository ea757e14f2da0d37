import { describe, expect, test } from 'vitest'
import type { Transport } from '../../src/wire/transport.ts'
import type { Json } from '../service/client.ts'
import { basketball, graphOver } from './harness.ts'
import { answerOf } from './spoiled.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const date = '2026-02-14'
const midnight = Date.parse(date)
const at = (time: string) => Date.parse(`${date}T${time}:00.000Z`)

/** The starts of the day's games, each of which lasts two hours. */
const starts = [at('18:00'), at('19:30'), at('19:37')]
const ends = (start: number) => start + 2 * hour

/** Before the start, services differ in what they say. */
const kindsOfAhead: Record<string, Json> = {
  'say that they are scheduled': { status: 'scheduled', home_score: null, away_score: null },
  'say so, at 0–0': { status: 'scheduled', home_score: 0, away_score: 0, clock: '20:00' },
  'have no status and no score yet': { status: null, home_score: null, away_score: null },
}

/** A day with games in the evening, whose clock is moved by hand. */
function evening(ahead: Json = kindsOfAhead['say that they are scheduled'] ?? {}) {
  let now = midnight
  let isDelayed = false
  const row = (start: number, index: number): Json => {
    const [isAhead, isOver] = [now < start || isDelayed, now >= ends(start)]
    return {
      game_id: `game-${index}`,
      current_period: null,
      clock: null,
      deleted: 0,
      ...(isAhead
        ? ahead
        : {
            status: isOver ? 'final' : 'in_progress',
            home_score: Math.floor((Math.min(now, ends(start)) - start) / minute),
            away_score: 0,
            current_period: isOver ? 'Final' : '1st Half',
          }),
    }
  }
  const whole = (start: number, index: number): Json => ({
    ...row(start, index),
    ...basketball,
    season: 2026,
    start_date: `${date}T00:00:00.000Z`,
    start_datetime: new Date(start).toISOString(),
    updated_at: new Date(Math.min(now, ends(start))).toISOString(),
    home_team_id: `home-${index}`,
    away_team_id: `away-${index}`,
  })
  const transport: Transport = async ({ operation, arguments: values }) => {
    const isScores = operation.function === 'getScores'
    const asked = [values['game_id'] ?? []].flat()
    const rows = starts.map((start, index) =>
      isScores
        ? { ...row(start, index), prediction: null, odds: { pre: null, live: null } }
        : whole(start, index),
    )
    const keyed = rows.map((one, index) => [`game-${index}`, one] as const)
    return answerOf(Object.fromEntries(keyed.filter(([key]) => asked.length === 0 || asked.includes(key))))
  }
  const graph = graphOver(transport, { clock: () => now })
  return { graph, move: (time: number) => (now = time), delay: () => (isDelayed = true) }
}

const scores = `{ league { games(date: "${date}") { gameId status homeScore } } }`

type Scores = { league: { games: readonly { gameId: string; status: string | null }[] } }

/**
 * Sends a query every 15 seconds. Returns the calls, and how long after its start each game was seen to have
 * begun.
 */
async function follow({ graph, move }: ReturnType<typeof evening>, from: number, to: number) {
  const late = new Map<string, number>()
  for (let now = from; now <= to; now += 15 * second) {
    move(now)
    const { data, errors } = await graph.query<Scores>(scores)
    expect(errors).toBeUndefined()
    for (const { gameId, status } of data.league.games)
      if (status === 'in_progress' && !late.has(gameId))
        late.set(gameId, now - (starts[Number(gameId.slice(5))] ?? 0))
  }
  return { calls: graph.calls.take(), late: [...late.values()] }
}

describe.each(Object.entries(kindsOfAhead))(
  'a page of scores alone, where games to come %s',
  (_how, ahead) => {
    test('buys the day every five minutes before its first game, and not as if it were live', async () => {
      const day = evening(ahead)
      const { calls } = await follow(day, at('12:00'), at('12:30'))
      expect(calls).toEqual(Array.from({ length: 7 }, () => 'game/getScores 1'))
    })

    test('sees each game within five minutes of its start, and then every 15 seconds', async () => {
      const day = evening(ahead)
      const first = await follow(day, at('17:58'), at('18:18'))
      expect(first.late).toHaveLength(1)
      expect(first.late[0]).toBeLessThanOrEqual(5 * minute)
      // 20 minutes at 15 seconds are 80 queries. The first ones may come up to five minutes late. Some are
      // about the other games.
      expect(first.calls.length).toBeGreaterThan(60)
      expect(first.calls.length).toBeLessThan(90)
      const others = await follow(day, at('19:28'), at('19:44'))
      expect(Math.max(...others.late.slice(1))).toBeLessThanOrEqual(5 * minute)
      // While one is played, its row is the cheapest.
      expect(new Set(others.calls)).toEqual(new Set(['game/getScores 1', 'game/read 1']))
    })
  },
)

test('where another page has told the starts, each game is seen within 15 seconds of its own', async () => {
  const day = evening()
  day.move(at('12:00'))
  await day.graph.query(`{ league { games(date: "${date}") { gameId startDatetime } } }`)
  expect(day.graph.calls.take()).toEqual(['game/getGames 1'])
  const { late } = await follow(day, at('17:52'), at('18:10'))
  expect(late).toEqual([0])
})

test('lines of games that were seen not to have begun are bought with the day, and not one by one', async () => {
  const day = evening()
  const text = `{ league { games(date: "${date}") { gameId status odds { pre { over } } } } }`
  for (let now = at('12:00'); now <= at('12:20'); now += 15 * second) {
    day.move(now)
    expect((await day.graph.query(text)).errors).toBeUndefined()
  }
  expect(day.graph.calls.take()).toEqual(Array.from({ length: 5 }, () => 'game/getScores 1'))
})

test('games that have still not begun hours after their start are no longer bought as if they were live', async () => {
  const day = evening()
  day.move(at('12:00'))
  await day.graph.query(`{ league { games(date: "${date}") { gameId startDatetime } } }`)
  day.delay()
  day.graph.calls.take()
  expect((await follow(day, at('18:00'), at('18:10'))).calls).toHaveLength(41)
  expect((await follow(day, at('23:00'), at('23:30'))).calls).toHaveLength(7)
})
