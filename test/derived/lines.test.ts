import { describe, expect, test } from 'vitest'
import { lineRecords, lineResult } from '../../src/derived/lines.ts'
import { game, odds } from './rows.ts'

describe('a game against its closing line', () => {
  test.each([
    ['the home favourite covers', 80, 70, -7.5, 'HOME', 2.5],
    ['the home favourite wins by too little', 80, 75, -7.5, 'AWAY', -2.5],
    ['the home favourite wins by exactly the spread', 77, 70, -7, 'PUSH', 0],
    ['the home underdog loses by less', 70, 73, 4.5, 'HOME', 1.5],
    ['even teams', 70, 73, 0, 'AWAY', -3],
  ])('%s', (_what, home_score, away_score, spread_home, spread, spreadMargin) => {
    const result = lineResult(game({ home_score, away_score }), odds({ spread_home }))
    expect(result).toEqual({ spread, spreadMargin, total: null, totalMargin: null })
  })

  test.each([
    ['over', 80, 71, 150.5, 'OVER', 0.5],
    ['under', 80, 70, 150.5, 'UNDER', -0.5],
    ['exactly the total', 80, 70, 150, 'PUSH', 0],
  ])('%s', (_what, home_score, away_score, over, total, totalMargin) => {
    const result = lineResult(game({ home_score, away_score }), odds({ over, under: over }))
    expect(result).toMatchObject({ total, totalMargin, spread: null })
  })

  test.each(['Final', 'FINAL/OT', 'complete', 'closed'])('counts a game with the status %s', (status) => {
    const over = game({ status, home_score: 80, away_score: 70 })
    expect(lineResult(over, odds({ spread_home: -1 }))?.spread).toBe('HOME')
  })

  test('reads a spread that only the visitors have', () => {
    expect(lineResult(game({ home_score: 80, away_score: 70 }), odds({ spread_away: 9.5 }))?.spread).toBe(
      'HOME',
    )
    expect(lineResult(game({ home_score: 79, away_score: 70 }), odds({ spread_away: 9.5 }))?.spread).toBe(
      'AWAY',
    )
  })

  test.each([
    [
      'is not final',
      game({ status: 'in_progress', home_score: 10, away_score: 8 }),
      odds({ spread_home: -1 }),
    ],
    ['has no score', game(), odds({ spread_home: -1 })],
    ['has no line', game({ home_score: 10, away_score: 8 }), null],
  ])('is unknown where the game %s', (_what, row, line) => {
    expect(lineResult(row, line)).toBeNull()
  })
})

test('a team’s record counts its side of every spread, and games at a neutral site among all alone', () => {
  const played = (game_id: string, home: string, home_score: number, away_score: number, neutral_site = 0) =>
    game({
      game_id,
      home_team_id: home,
      away_team_id: home === 'a' ? 'b' : 'a',
      home_score,
      away_score,
      neutral_site,
    })
  const games = [
    played('covers at home', 'a', 80, 70),
    played('pushes at home', 'a', 75, 70),
    played('covers away', 'b', 70, 72),
    played('fails away', 'b', 90, 60),
    played('covers at a neutral site', 'a', 90, 60, 1),
    played('without a line', 'a', 90, 60),
    game({ game_id: 'of others', home_team_id: 'c', away_team_id: 'd', home_score: 9, away_score: 8 }),
    game({ game_id: 'to come', status: 'scheduled' }),
  ]
  const line = odds({ spread_home: -5, over: 145, under: 145 })
  const lines = new Map(
    games.filter((one) => one.game_id !== 'without a line').map((one) => [one.game_id ?? '', line]),
  )
  const none = { wins: 0, losses: 0, pushes: 0, overs: 0, unders: 0, totalPushes: 0 }
  expect(lineRecords('a', games, lines)).toEqual({
    all: { wins: 3, losses: 1, pushes: 1, overs: 3, unders: 1, totalPushes: 1 },
    home: { ...none, wins: 1, pushes: 1, overs: 1, totalPushes: 1 },
    away: { ...none, wins: 1, losses: 1, overs: 1, unders: 1 },
  })
  expect(lineRecords('z', games, lines).all).toEqual(none)
})
