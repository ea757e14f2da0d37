import { describe, expect, test } from 'vitest'
import { defaultFreshFor, gameUntil, isSeasonOver, phaseOf } from '../../src/rows/freshness.ts'
import type { GameFacts, SeasonFacts } from '../../src/rows/freshness.ts'

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

describe('whether a season is over', () => {
  const season: SeasonFacts = {
    season: 2026,
    earliest: at - 90 * day,
    latest: at - day,
    seriesEnd: null,
    newest: 2026,
  }

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
