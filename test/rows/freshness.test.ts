import { describe, expect, test } from 'vitest'
import { defaultFreshFor, gameUntil, isSeasonOver, longestFresh } from '../../src/rows/freshness.ts'
import type { GameFacts, SeasonFacts } from '../../src/rows/freshness.ts'
import { phaseOf, saysNotBegun } from '../../src/specification/game-status.ts'
import { GameState } from '../../src/rows/game-state.ts'
import { RowFreshness } from '../../src/rows/row-freshness.ts'
import { Seasons } from '../../src/rows/seasons.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const at = Date.parse('2026-02-14T20:00:00.000Z')

const unknown: GameFacts = {
  phase: 'unknown',
  overSince: Number.POSITIVE_INFINITY,
  start: null,
  day: null,
  isUnderWay: false,
  hasScore: false,
  notBegunAt: Number.NEGATIVE_INFINITY,
}

describe('how long what belongs to a game is served', () => {
  test.each<[string, Partial<GameFacts>, number]>([
    ['nothing is known of it', {}, 15 * second],
    ['it is being played', { phase: 'open', start: at - hour }, 15 * second],
    [
      'its status says so, though its start lies ahead',
      { phase: 'open', start: at + hour, isUnderWay: true },
      15 * second,
    ],
    ['it is to come', { phase: 'open', start: at + hour }, 5 * minute],
    ['it starts in two minutes', { phase: 'open', start: at + 2 * minute }, 2 * minute],
    ['its day alone is known, and lies ahead', { day: at + 2 * day }, 5 * minute],
    ['its day begins in three hours and two minutes', { day: at + 3 * hour + 2 * minute }, 2 * minute],
    ['it is its day, and its start is unknown', { day: at - 20 * hour, phase: 'open' }, 15 * second],
    [
      'it has just been seen not to have begun, and its start is unknown',
      { phase: 'open', day: at - 20 * hour, notBegunAt: at },
      5 * minute,
    ],
    [
      'it was seen not to have begun four minutes before',
      { phase: 'open', day: at - 20 * hour, notBegunAt: at - 4 * minute },
      minute,
    ],
    [
      'it was seen not to have begun longer ago than a current row is served',
      { phase: 'open', day: at - 20 * hour, notBegunAt: at - 6 * minute },
      15 * second,
    ],
    [
      'it was seen not to have begun four minutes after the purchase',
      { phase: 'open', day: at - 20 * hour, notBegunAt: at + 4 * minute },
      5 * minute,
    ],
    ['it has not begun at its start', { phase: 'open', start: at - minute, notBegunAt: at }, 15 * second],
    [
      'it has not begun hours after its start',
      { phase: 'open', start: at - 4 * hour, notBegunAt: at },
      5 * minute,
    ],
    ['it should have been played days ago', { phase: 'open', start: at - 3 * day }, 5 * minute],
    ['it is still played after days', { phase: 'open', start: at - 3 * day, hasScore: true }, 15 * second],
    ['it is over', { phase: 'final', overSince: at - hour }, day],
    ['it ended after the purchase', { phase: 'final', overSince: at + second }, 15 * second],
    ['it is called off', { phase: 'off', overSince: at - hour, start: at + day }, day],
    ['it is postponed', { phase: 'postponed', start: at - hour }, 5 * minute],
    ['it is postponed to a known start', { phase: 'postponed', start: at + minute }, minute],
  ])('%s', (_when, known, ms) => {
    expect(gameUntil({ ...unknown, ...known }, at, defaultFreshFor) - at).toBe(ms)
  })

  test('0 is not at all', () => {
    const fresh = { ...defaultFreshFor, live: 0, current: 0 }
    expect(gameUntil(unknown, at + 0.5, fresh)).toBe(at + 0.5)
    expect(gameUntil({ ...unknown, start: at + hour }, at + 0.5, fresh)).toBe(at + 0.5)
  })
})

test.each([
  ['final', 'final'],
  ['Final', 'final'],
  ['Final/OT', 'final'],
  ['completed', 'final'],
  ['cancelled', 'off'],
  ['CANCELED', 'off'],
  ['abandoned', 'off'],
  ['No Contest', 'off'],
  ['postponed', 'postponed'],
  ['suspended', 'postponed'],
  ['delayed', 'postponed'],
  ['in_progress', 'open'],
  ['scheduled', 'open'],
  ['halftime', 'open'],
  [null, 'unknown'],
])('status %j is %s', (status, phase) => {
  expect(phaseOf(status)).toBe(phase)
})

describe('a game that has not begun', () => {
  const scheduled = { status: 'scheduled', home_score: null, away_score: null, current_period: null }

  test.each<[string, Record<string, unknown>, boolean]>([
    ['its status says so', scheduled, true],
    ['its status says so, at 0–0', { ...scheduled, home_score: 0, away_score: 0 }, true],
    ['its status says so, but it has a score', { ...scheduled, home_score: 2 }, false],
    [
      'its status says so, but its period says that it is played',
      { ...scheduled, current_period: '1st Half' },
      false,
    ],
    ['its status is missing, and there is no score', { ...scheduled, status: null }, true],
    ['its status is missing, at 0–0', { ...scheduled, status: null, home_score: 0, away_score: 0 }, false],
    ['its status is unknown, and there is no score', { ...scheduled, status: '7:00 PM' }, true],
    [
      'its status is unknown, and there is a period',
      { ...scheduled, status: 'on', current_period: '1' },
      false,
    ],
    ['it is being played', { ...scheduled, status: 'in_progress' }, false],
    ['it is over', { ...scheduled, status: 'final' }, false],
    ['it is postponed', { ...scheduled, status: 'postponed' }, false],
  ])('%s', (_when, row, isAhead) => {
    expect(saysNotBegun(row, phaseOf(row['status']))).toBe(isAhead)
  })
})

describe('what ended a game', () => {
  const openAt = at - hour
  const final = (state: GameState, updated_at: string | null) =>
    state.learn({ status: 'final', updated_at }, at)

  test.each<[string, string | null, boolean]>([
    ['a moment after it was last seen to be open', new Date(at - 10 * minute).toISOString(), true],
    ['no moment that is told', null, false],
    ['a moment before it was last seen to be open', new Date(openAt - minute).toISOString(), false],
    ['a moment to come', new Date(at + day).toISOString(), false],
  ])('%s: what was bought ten minutes before is kept or not', (_what, updatedAt, isKept) => {
    const state = new GameState(defaultFreshFor)
    state.learn({ status: 'in_progress', home_score: 2, away_score: 0 }, openAt)
    final(state, updatedAt)
    expect(state.until(at - 10 * minute) > at).toBe(isKept)
    expect(state.until(at)).toBe(at + day)
  })

  test('a service whose clock is behind says the same twice: what was bought before the end is not kept', () => {
    const state = new GameState(defaultFreshFor)
    const openAt = at - minute
    state.learn({ status: 'in_progress', home_score: 2, away_score: 0 }, openAt)
    const told = new Date(openAt - 30 * second).toISOString()
    final(state, told)
    state.learn({ status: 'final', updated_at: told }, at + minute)
    const copy = state.copy()
    copy.learn({ status: 'final', updated_at: told }, at + 2 * minute)
    for (const each of [state, copy]) {
      expect(each.until(openAt + second)).toBe(openAt + 16 * second)
      expect(each.until(at)).toBe(at + day)
    }
  })

  test('a game is not over before its start, whatever its row says', () => {
    const state = new GameState(defaultFreshFor)
    state.learn({ start_datetime: new Date(at - 2 * hour).toISOString() }, at - hour)
    final(state, '1970-01-01T00:00:00.000Z')
    expect(state.until(at - hour)).toBeLessThan(at)
  })
})

describe('whether a season is over', () => {
  const season: SeasonFacts = {
    season: 2026,
    earliest: at - 90 * day,
    latest: at - day,
    seriesEnd: null,
    newest: 2026,
    usualStart: null,
  }
  const unseen = { earliest: Infinity, latest: -Infinity, newest: 0 }

  test.each<[string, Partial<SeasonFacts>, boolean]>([
    ['it was played yesterday', {}, false],
    ['nothing of it was seen', { earliest: Infinity, latest: -Infinity, newest: 0 }, false],
    [
      'nothing of it was seen, and it is two years ago',
      { season: 2024, earliest: Infinity, latest: -Infinity, newest: 0 },
      true,
    ],
    ['a later one has begun', { season: 2025 }, true],
    [
      'its first game was longer ago than a season lasts',
      { earliest: at - 340 * day, latest: at - 300 * day },
      true,
    ],
    ['its rankings ended months ago', { latest: at - 70 * day, seriesEnd: at - 70 * day }, true],
    [
      'nothing of it was seen, and seasons of the organization begin longer ago than a season lasts',
      { ...unseen, usualStart: at - 340 * day },
      true,
    ],
    [
      'nothing of it was seen, and seasons of the organization begin months ago',
      { ...unseen, usualStart: at - 320 * day },
      false,
    ],
    [
      'seasons of the organization begin so long ago, but it was played last month',
      { latest: at - 30 * day, usualStart: at - 340 * day },
      false,
    ],
    ['one old game of it was seen', { earliest: at - 70 * day, latest: at - 70 * day }, false],
    [
      'games of it are to come',
      { earliest: at - 340 * day, latest: at + 30 * day, seriesEnd: at - 70 * day },
      false,
    ],
  ])('%s', (_when, known, isOver) => {
    expect(isSeasonOver({ ...season, ...known }, at)).toBe(isOver)
  })
})

describe('what rows tell of seasons', () => {
  const organization_id = 'o'
  const on = (date: string) => `${date}T00:00:00.000Z`
  /** Whether a season is over at the tests' time, after some rows were seen. */
  function isOver(season: number, tell: (seasons: Seasons) => void, moment = at): boolean {
    const seasons = new Seasons(defaultFreshFor)
    tell(seasons)
    return seasons.of(organization_id, season).until(moment) === moment + day
  }
  const [played, before] = [{ isPlayed: true }, { isPlayed: false }]

  test('a season of which nothing was seen is over where the others begin and end early enough', () => {
    const november = (seasons: Seasons) =>
      seasons.note({ organization_id, season: 2024 }, on('2023-11-06'), played, at)
    expect(isOver(2025, november)).toBe(true)
    expect(isOver(2026, november)).toBe(false)
    const september = (seasons: Seasons) =>
      seasons.note({ organization_id, season: 2023 }, on('2023-09-02'), played, at)
    expect(isOver(2024, september)).toBe(true)
    expect(isOver(2025, september)).toBe(false)
  })

  test.each([
    ['a game to come of the next season', { season: 2027 }, on('2026-11-03'), played],
    ['a prediction of the next season’s first game, made now', { season: 2027 }, on('2026-02-13'), before],
    ['a game of a season that cannot be', { season: 2999 }, on('2026-02-13'), played],
    ['a game of a date that cannot be', { season: 2026 }, '1970-01-01', played],
  ])('%s does not end this season', (_what, row, date, told) => {
    expect(isOver(2026, (seasons) => seasons.note({ organization_id, ...row }, date, told, at))).toBe(false)
  })

  test('a prediction that is as old as the last season does not end the season of its game', () => {
    const march = Date.parse('2026-03-20T20:00:00.000Z')
    const predicted = (seasons: Seasons) =>
      seasons.note({ organization_id, season: 2026 }, on('2025-04-07'), before, Date.parse(on('2025-11-05')))
    expect(isOver(2026, predicted, march)).toBe(false)
  })

  test('a game that was played in a later season ends a season, whatever its date', () => {
    const tell = (seasons: Seasons) => seasons.notePlayed({ organization_id, season: 2026 }, at)
    expect(isOver(2025, tell)).toBe(true)
    expect(isOver(2025, (seasons) => seasons.notePlayed({ organization_id, season: 2999 }, at))).toBe(false)
  })
})

describe('the longest time that anything is served as fresh', () => {
  const classes = ['live', 'current', 'reference'] as const

  test.each(classes)('is that of the class %s, if it is longest', (name) => {
    expect(longestFresh({ ...defaultFreshFor, [name]: 9 * day })).toBe(9 * day)
  })

  test('is at least that of final rows, and has nothing to do with expired rows', () => {
    expect(longestFresh({ live: 0, current: 0, reference: 0, staleIfError: 9 * day })).toBe(day)
  })

  test('counts a class that is added', () => {
    expect(longestFresh(Object.assign({ monthly: 30 * day }, defaultFreshFor))).toBe(30 * day)
  })

  test.each(classes)('no rule serves anything longer, if %s is longest', (name) => {
    const freshFor = { ...defaultFreshFor, [name]: 9 * day }
    const { likeOwner, ...rules } = new RowFreshness(freshFor)
    const ofClasses = Object.values(rules).filter((rule) => typeof rule === 'object' && 'until' in rule)
    const game = new GameState(freshFor)
    const all = [...ofClasses, game, game.prediction, game.unsettled, rules.seasons.of('o', 2026)]
    expect(all.length).toBeGreaterThan(classes.length + 4)
    for (const rule of all)
      for (const status of ['scheduled', 'in_progress', 'final', 'postponed', 'canceled']) {
        game.learn({ status }, at)
        expect(rule.until(at) - at).toBeLessThanOrEqual(longestFresh(freshFor))
      }
    expect(likeOwner.until(at)).toBe(Infinity)
  })
})
