import { describe, expect, test } from 'vitest'
import type { Boxscore } from '../../../src/service/league/facts.ts'
import { dayOf } from '../../../src/service/sample/calendar.ts'
import { basketball, football } from '../../../src/service/sample/competitions.ts'
import { endOf, stateAt } from '../../../src/service/sample/game-rows.ts'
import { sampleLeague, timelineOf } from '../../../src/service/sample/league.ts'
import type { SampleGame } from '../../../src/service/sample/league.ts'
import { homeChance, liveMovements, oddsRows, pregameMovements } from '../../../src/service/sample/market.ts'

const anchor = dayOf(Date.UTC(2026, 10, 20))
const MINUTE = 60_000

const seconds = (clock: string | null) => {
  const [minutes = 0, rest = 0] = (clock ?? '').split(':').map(Number)
  return minutes * 60 + rest
}

/** The states of a game every 20 seconds, from before its start until after its end. */
function statesOf(game: SampleGame) {
  const timeline = timelineOf(game)
  const states = []
  for (let now = game.fixture.start - MINUTE; now < endOf(game, timeline) + MINUTE; now += 20_000)
    states.push(stateAt(game, timeline, now))
  return states
}

const pointsOf = (boxscores: readonly Boxscore[], team: string | null) =>
  boxscores.find((row) => row.team_id === team)?.line['points']

const overtimeGame = (games: readonly SampleGame[]) =>
  games.find((game) => timelineOf(game).periods.some(({ name }) => name === 'Overtime'))

describe.each([basketball, football])('a game of $sport', (competition) => {
  const { games } = sampleLeague('statline', competition, anchor)
  const plain = games[0]!
  const states = statesOf(plain)

  test('is scheduled, in progress and final, and never goes back', () => {
    const order = ['scheduled', 'in_progress', 'final']
    const steps = states.map(({ row }) => order.indexOf(row.status ?? ''))
    expect(new Set(steps)).toEqual(new Set([0, 1, 2]))
    expect(steps).toEqual(steps.toSorted())
  })

  test('has no score, clock and boxscore before its start, and clock 0:00 in the period Final after its end', () => {
    const { row, boxscores } = states[0]!
    expect([row.home_score, row.away_score, row.clock, row.current_period, row.boxscore]).toEqual([
      null,
      null,
      null,
      null,
      0,
    ])
    expect(boxscores).toEqual([])
    const last = states.at(-1)!.row
    expect([last.status, last.current_period, last.clock, last.boxscore]).toEqual([
      'final',
      'Final',
      '0:00',
      1,
    ])
  })

  test('has a score that never falls', () => {
    for (const column of ['home_score', 'away_score'] as const) {
      const scores = states.map(({ row }) => row[column] ?? 0)
      expect(scores).toEqual(scores.toSorted((one, other) => one - other))
      expect(scores.at(-1)).toBeGreaterThan(0)
    }
  })

  test('has a clock that runs down in each period, and its periods in order', () => {
    const live = states.map(({ row }) => row).filter((row) => row.status === 'in_progress')
    const periods = [...new Set(live.map((row) => row.current_period))]
    expect(periods).toEqual(timelineOf(plain).periods.map(({ name }) => name))
    for (const period of periods) {
      const clocks = live.filter((row) => row.current_period === period).map((row) => row.clock)
      for (const clock of clocks) expect(clock).toMatch(/^\d{1,2}:[0-5]\d$/)
      const left = clocks.map(seconds)
      expect(left).toEqual(left.toSorted((one, other) => other - one))
    }
  })

  test('has boxscores that hold its score at every moment, final with the last', () => {
    for (const { row, boxscores, playerBoxscores } of states.filter(
      ({ row }) => row.status !== 'scheduled',
    )) {
      expect([pointsOf(boxscores, row.home_team_id), pointsOf(boxscores, row.away_team_id)]).toEqual([
        row.home_score,
        row.away_score,
      ])
      const points = playerBoxscores.reduce((sum, { line }) => sum + (line['points'] ?? 0), 0)
      expect(points).toBe((row.home_score ?? 0) + (row.away_score ?? 0))
      const over = row.status === 'final' ? 1 : 0
      expect(new Set([...boxscores, ...playerBoxscores].map(({ final }) => final))).toEqual(new Set([over]))
    }
  })

  test('takes its time on the wall', () => {
    const regular = games
      .slice(0, 60)
      .map((game) => ({ game, timeline: timelineOf(game) }))
      .filter(({ timeline }) => !timeline.periods.some(({ name }) => name.includes('Overtime')))
    expect(regular.length).toBeGreaterThanOrEqual(50)
    const minutes = new Set(
      regular.map(({ game, timeline }) => (endOf(game, timeline) - game.fixture.start) / MINUTE),
    )
    expect(minutes).toEqual(new Set([competition.sport === 'basketball' ? 130 : 200]))
  })

  test('goes into overtime when it is level, and ends when it is not', () => {
    const game = overtimeGame(games)!
    const timeline = timelineOf(game)
    const overtime = timeline.periods.find(({ name }) => name === 'Overtime')!
    const level = stateAt(game, timeline, game.fixture.start + overtime.start * 1_000 - 1_000).row
    expect(level.home_score).toBe(level.away_score)
    expect(stateAt(game, timeline, game.fixture.start + overtime.start * 1_000).row.current_period).toBe(
      'Overtime',
    )
    const over = stateAt(game, timeline, endOf(game, timeline)).row
    expect(over.home_score).not.toBe(over.away_score)
  })

  test('has a line that moves before it and, more often, in it; the favourite gives points', () => {
    const timeline = timelineOf(plain)
    const before = oddsRows(plain, 0, pregameMovements(plain))
    const live = oddsRows(plain, 1, liveMovements(plain, timeline, endOf(plain, timeline)))
    expect(before).toHaveLength(5)
    expect(live.length).toBeGreaterThan(25)
    const start = new Date(plain.fixture.start).toISOString()
    expect(before.every((row) => (row.date_of_entry ?? '') < start)).toBe(true)
    expect(live.every((row) => (row.date_of_entry ?? '') > start)).toBe(true)
    const rows = [...before, ...live]
    expect(rows.some(({ spread_home: home }) => Math.abs(home ?? 0) > 1)).toBe(true)
    for (const row of rows) {
      expect((row.spread_home ?? 0) + (row.spread_away ?? 0)).toBe(0)
      expect(Math.abs(row.money_line_home ?? 0)).toBeGreaterThanOrEqual(100)
      if ((row.spread_home ?? 0) < -1) expect(row.money_line_home).toBeLessThan(0)
      if ((row.spread_home ?? 0) > 1) expect(row.money_line_away).toBeLessThan(0)
    }
  })

  test('has live chances that end with the winner', () => {
    let clear = 0
    for (const game of games.slice(0, 40)) {
      const timeline = timelineOf(game)
      const last = liveMovements(game, timeline, endOf(game, timeline)).at(-1)!
      const near = stateAt(game, timeline, last.at).row
      const margin = (near.home_score ?? 0) - (near.away_score ?? 0)
      if (Math.abs(margin) <= 8) continue
      clear += 1
      expect(homeChance(last.expected) > 0.5).toBe(margin > 0)
    }
    expect(clear).toBeGreaterThan(5)
  })
})
