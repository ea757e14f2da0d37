import { describe, expect, it } from 'vitest'
import { usualLeague } from '../../../src/service/leagues/leagues.ts'
import { chronicle } from '../../../src/service/numbers/chronicle.ts'
import { MarginRatings } from '../../../src/service/numbers/margins.ts'
import type { Result } from '../../../src/service/numbers/result.ts'
import { predict, tallyScores } from '../../../src/service/numbers/predictions.ts'
import type { Scorings } from '../../../src/service/numbers/predictions.ts'
import type { Sport } from '../../../src/service/numbers/rules.ts'
import { projectStandings } from '../../../src/service/numbers/projection.ts'

const basketball = usualLeague.basketball.rules
const football = usualLeague.football.rules

const pairing = { home_team_id: 'a', away_team_id: 'b', neutral_site: false }
const result = {
  ...pairing,
  game_id: 'g',
  season: 1,
  day: '2026-01-01',
  starts: '2026-01-01T18:00:00.000Z',
  ended: '2026-01-01T20:00:00.000Z',
  conference: true,
}

const noMargins = (sport: Sport = 'basketball') =>
  new MarginRatings(['a', 'b'], usualLeague[sport].rules.margin)

const rated = (home: number, away: number) =>
  new Map([
    ['a', { rating: home, games: 20 }],
    ['b', { rating: away, games: 20 }],
  ])

describe('a prediction', () => {
  it('is logistic in the Elo lead and the expected margin, home advantage included', () => {
    const form = { ratings: rated(1550, 1500), margins: noMargins(), scorings: new Map() }
    const { home_percentage, away_percentage } = predict(pairing, form, basketball)
    const rule = basketball.forecast
    const logOdds = rule.elo_weight * 1.3 + rule.margin_weight * 3.2
    expect(home_percentage).toBeCloseTo(1 / (1 + Math.exp(-logOdds)), 4)
    expect(home_percentage + away_percentage).toBeCloseTo(1, 10)
  })

  it('is even between equals at a neutral site, and still names a winner', () => {
    const form = { ratings: rated(1500, 1500), margins: noMargins(), scorings: new Map() }
    const forecast = predict({ ...pairing, neutral_site: true }, form, basketball)
    expect(forecast.home_percentage).toBe(0.5)
    expect(forecast.home_score).not.toBe(forecast.away_score)
  })

  it('shares out the total that the averages suggest', () => {
    const scorings: Scorings = new Map([
      ['a', { games: 2, scored: 170, allowed: 130 }],
      ['b', { games: 2, scored: 140, allowed: 160 }],
    ])
    const form = { ratings: rated(1600, 1500), margins: noMargins(), scorings }
    const forecast = predict(pairing, form, basketball)
    // With two games of 75-75 each: 80 and 77.5 against 72.5 and 70.
    expect(forecast.home_score + forecast.away_score).toBe(150)
    expect(forecast.home_score).toBeGreaterThan(forecast.away_score)
  })

  it('is the usual score where nobody has played', () => {
    const form = { ratings: rated(1500, 1500), margins: noMargins('football'), scorings: new Map() }
    const forecast = predict({ ...pairing, neutral_site: true }, form, football)
    expect(forecast.home_score + forecast.away_score).toBe(55)
  })

  it('never calls a game certain', () => {
    const form = { ratings: rated(9000, 0), margins: noMargins('football'), scorings: new Map() }
    expect(predict(pairing, form, football)).toMatchObject({
      home_percentage: 0.9999,
      away_percentage: 0.0001,
    })
  })

  it('counts both sides of a finished game', () => {
    const scorings: Scorings = new Map()
    tallyScores(scorings, { ...result, home_score: 81, away_score: 64 })
    expect(scorings.get('b')).toEqual({ games: 1, scored: 64, allowed: 81 })
  })

  it('knows of a game’s margin what was known when it began', () => {
    const games = [
      { ...result, neutral_site: true, home_score: 90, away_score: 60 },
      { ...result, game_id: 'before its end', starts: '2026-01-01T19:59:00.000Z', neutral_site: true },
      { ...result, game_id: 'after its end', starts: '2026-01-01T20:00:00.000Z', neutral_site: true },
    ]
    const { forecasts } = chronicle({ rules: basketball, teams: ['a', 'b'], games })
    const chances = ['g', 'before its end', 'after its end'].map(
      (id) => forecasts.get(id)?.home_percentage ?? 0,
    )
    expect(chances[0]).toBe(0.5)
    expect(chances[1]).toBeGreaterThan(0.5)
    expect(chances[2]).toBeGreaterThan((chances[1] ?? 1) + 0.1)
  })
})

const meet = (home: string, away: string, margin: number): Result => ({
  ...result,
  home_team_id: home,
  away_team_id: away,
  neutral_site: true,
  home_score: 70 + margin,
  away_score: 70,
})
const expected = (ratings: MarginRatings, home: string, away: string) =>
  ratings.expected({ home_team_id: home, away_team_id: away, neutral_site: true })

describe('margin ratings', () => {
  it('draw a single game towards the average, worked by hand', () => {
    const ratings = new MarginRatings(['a', 'b'], { home_points: 0, prior_games: 1, outsider: 0 })
    ratings.add(meet('a', 'b', 12))
    // a = (12 + b) / 2 and b = (a − 12) / 2: a = 4, b = −4.
    expect(expected(ratings, 'a', 'b')).toBeCloseTo(8, 2)
  })

  it('compare teams through a common opponent', () => {
    const ratings = new MarginRatings(['a', 'b', 'c'], { home_points: 0, prior_games: 0.01, outsider: 0 })
    ratings.add(meet('a', 'b', 10))
    ratings.add(meet('c', 'b', 4))
    expect(expected(ratings, 'a', 'c')).toBeCloseTo(6, 0)
  })

  it('take the home advantage out of a margin and put it into an expectation', () => {
    const ratings = new MarginRatings(['a', 'b'], { home_points: 3, prior_games: 1, outsider: -20 })
    ratings.add({ ...meet('a', 'b', 3), neutral_site: false })
    expect(expected(ratings, 'a', 'b')).toBe(0)
    expect(ratings.expected(pairing)).toBe(3)
    expect(expected(ratings, 'a', 'elsewhere')).toBe(20)
  })

  it('learn nothing from an opponent from outside the division', () => {
    const ratings = new MarginRatings(['a', 'b'], { home_points: 0, prior_games: 1, outsider: -20 })
    ratings.add(meet('a', 'elsewhere', 60))
    expect(expected(ratings, 'a', 'b')).toBe(0)
  })
})

describe('a projection', () => {
  const record = { wins: 10, losses: 5, confwins: 4, conflosses: 2 }
  const records = new Map([
    ['a', record],
    ['b', record],
  ])
  const game = { ...pairing, conference: true, home_percentage: 0.75 }

  it('adds what a thousand simulated seasons bring on average', () => {
    const projected = projectStandings(
      records,
      Array.from({ length: 8 }, () => game),
    )
    expect(projected.get('a')?.wins).toBeCloseTo(16, 0)
    expect(projected.get('b')?.confwins).toBeCloseTo(6, 0)
    for (const { wins, losses, confwins, conflosses } of projected.values()) {
      expect(wins + losses).toBeCloseTo(23, 9)
      expect(confwins + conflosses).toBeCloseTo(14, 9)
    }
  })

  it('is the same for the same seed, and another for another', () => {
    const games = Array.from({ length: 5 }, () => game)
    expect(projectStandings(records, games, 7)).toEqual(projectStandings(records, games, 7))
    expect(projectStandings(records, games, 7)).not.toEqual(projectStandings(records, games, 8))
  })

  it('is the record where nothing is left to play', () => {
    expect(projectStandings(records, []).get('a')).toEqual(record)
  })

  it('leaves conference records alone in a game outside the conference', () => {
    const projected = projectStandings(records, [{ ...game, conference: false, home_percentage: 1 }])
    expect(projected.get('a')).toEqual({ wins: 11, losses: 5, confwins: 4, conflosses: 2 })
    expect(projected.get('b')).toEqual({ wins: 10, losses: 6, confwins: 4, conflosses: 2 })
  })

  it('counts the game of an opponent that has no record here for the other alone', () => {
    const projected = projectStandings(records, [{ ...game, away_team_id: 'elsewhere', home_percentage: 1 }])
    expect([...projected.keys()]).toEqual(['a', 'b'])
    expect(projected.get('a')?.wins).toBe(11)
  })
})
