import { describe, expect, test } from 'vitest'
import { lastGames, restDays, strengthOfSchedule } from '../../src/derived/schedule.ts'
import { game } from './rows.ts'

const on = (day: string, columns: Parameters<typeof game>[0] = {}) =>
  game({ game_id: day, start_date: `${day}T00:00:00.000Z`, ...columns })

describe('rest days', () => {
  test.each([
    ['two days later', '2026-02-10', 1],
    ['the next day', '2026-02-09', 0],
    ['a week later', '2026-02-15', 6],
    ['across the end of a month', '2026-03-01', 20],
  ])('%s', (_what, day, rest) => {
    const games = [on('2026-02-01'), on('2026-02-08'), on(day), on('2026-04-01')]
    expect(restDays('a', on(day), games)).toBe(rest)
  })

  test('of a second game on one day are 0, and of the first those before that day', () => {
    const early = on('2026-02-08', { game_id: 'early', start_datetime: '2026-02-08T16:00:00.000Z' })
    const late = on('2026-02-08', { game_id: 'late', start_datetime: '2026-02-08T22:00:00.000Z' })
    expect(restDays('a', late, [early, late])).toBe(0)
    expect(restDays('a', early, [on('2026-02-05'), early, late])).toBe(2)
  })

  test.each(['cancelled', 'Canceled', 'PPD', 'postponed', 'Suspended', 'void', 'no contest'])(
    'do not count from a game that is %s',
    (status) => {
      const off = on('2026-02-07', { status })
      expect(restDays('a', on('2026-02-08'), [on('2026-02-01'), off])).toBe(6)
    },
  )

  test('are unknown of a first game, and count the team’s own games alone', () => {
    const others = on('2026-02-07', { home_team_id: 'c', away_team_id: 'd' })
    expect(restDays('a', on('2026-02-08'), [others, on('2026-02-08')])).toBeNull()
    expect(restDays('a', on('2026-02-08', { start_date: null }), [on('2026-02-01')])).toBeNull()
  })
})

describe('strength of schedule', () => {
  const final = { home_score: 70, away_score: 60 }
  const elos = new Map([
    ['b', 1600],
    ['c', 1400],
    ['d', 1500],
  ])

  test('is the mean of the opponents’ ratings, as often as they meet', () => {
    const games = [
      on('2026-01-01', final),
      on('2026-01-02', { ...final, home_team_id: 'b', away_team_id: 'a' }),
      on('2026-01-03', { ...final, away_team_id: 'c' }),
      on('2026-03-01', { status: 'scheduled', away_team_id: 'd' }),
      on('2026-03-02', { status: 'in_progress', away_team_id: 'c', ...final }),
    ]
    const { played, remaining } = strengthOfSchedule('a', games, elos)
    expect(played).toBeCloseTo((1600 + 1600 + 1400) / 3, 9)
    expect(remaining).toBe(1450)
  })

  test('leaves out opponents without a rating, withdrawn games and games that are called off', () => {
    const games = [
      on('2026-01-01', { ...final, away_team_id: 'elsewhere' }),
      on('2026-01-02', { ...final, deleted: 1 }),
      on('2026-03-01', { status: 'cancelled' }),
      on('2026-03-02', { status: 'Postponed' }),
    ]
    expect(strengthOfSchedule('a', games, elos)).toEqual({ played: null, remaining: null })
  })
})

describe('the last games', () => {
  const games = Array.from({ length: 12 }, (_, at) =>
    on(`2026-01-${String(at + 1).padStart(2, '0')}`, {
      ...(at % 2 === 0 ? {} : { home_team_id: 'b', away_team_id: 'a' }),
      home_score: 70 + at,
      away_score: 70,
    }),
  )

  test.each([
    [5, { games: 5, wins: 2, losses: 3 }],
    [10, { games: 10, wins: 5, losses: 5 }],
    [50, { games: 12, wins: 5, losses: 6 }],
  ])('%s of them, in any order of the rows', (count, expected) => {
    expect(lastGames('a', games.toReversed(), count)).toMatchObject(expected)
  })

  test('have mean points and margins of the team’s own side', () => {
    // Of the last two, one at home, 80 to 70, and one away, 70 to 81.
    expect(lastGames('a', games, 2)).toEqual({
      games: 2,
      wins: 1,
      losses: 1,
      points: 75,
      allowed: 75.5,
      margin: -0.5,
    })
  })

  test('are none of a team that has not played', () => {
    const none = { games: 0, wins: 0, losses: 0, points: null, allowed: null, margin: null }
    expect(lastGames('z', games, 5)).toEqual(none)
    expect(lastGames('a', [on('2026-01-01', { status: 'scheduled' })], 5)).toEqual(none)
  })
})
