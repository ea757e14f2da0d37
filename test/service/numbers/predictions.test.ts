import { describe, expect, it } from 'vitest'
import { usualLeague } from '../../../src/service/leagues/leagues.ts'
import { chronicle } from '../../../src/service/numbers/chronicle.ts'
import { MarginRatings } from '../../../src/service/numbers/margins.ts'
import type { Pairing } from '../../../src/service/numbers/margins.ts'
import type { Result } from '../../../src/service/numbers/result.ts'
import {
  predict,
  ratingLogOdds,
  spreadLogOdds,
  tallyScores,
} from '../../../src/service/numbers/predictions.ts'
import type { Form, Scorings } from '../../../src/service/numbers/predictions.ts'
import type { LeagueRules, MarginRule, Sport } from '../../../src/service/numbers/rules.ts'
import { projectStandings } from '../../../src/service/numbers/projection.ts'

const basketball = usualLeague.basketball.rules
const football = usualLeague.football.rules

const pairing = { home_team_id: 'a', away_team_id: 'b', neutral_site: false, conference: true }
const result = {
  ...pairing,
  game_id: 'g',
  season: 1,
  day: '2026-01-01',
  starts: '2026-01-01T18:00:00.000Z',
  ended: '2026-01-01T20:00:00.000Z',
}

const noMargins = (sport: Sport = 'basketball') =>
  new MarginRatings(['a', 'b'], usualLeague[sport].rules.margin)

const rated = (home: number, away: number) =>
  new Map([
    ['a', { rating: home, games: 20 }],
    ['b', { rating: away, games: 20 }],
  ])

const predicted = (pair: Pairing, form: Form, rules: LeagueRules, spread?: number) => {
  const logOdds =
    spread === undefined ? ratingLogOdds(pair, form, rules) : spreadLogOdds(spread, rules.forecast)
  return predict(pair, form.scorings, rules.forecast, logOdds)
}

describe('a prediction', () => {
  it('is logistic in the Elo lead and the expected margin, home advantage included', () => {
    const form = { ratings: rated(1550, 1500), margins: noMargins(), scorings: new Map() }
    const { home_percentage, away_percentage } = predicted(pairing, form, basketball)
    const rule = basketball.forecast
    const logOdds = rule.elo_weight * 1.3 + rule.margin_weight * basketball.margin.home_points
    expect(home_percentage).toBeCloseTo(1 / (1 + Math.exp(-logOdds)), 4)
    expect(home_percentage + away_percentage).toBeCloseTo(1, 10)
  })

  it('is even between equals at a neutral site, and still names a winner', () => {
    const form = { ratings: rated(1500, 1500), margins: noMargins(), scorings: new Map() }
    const forecast = predicted({ ...pairing, neutral_site: true }, form, basketball)
    expect(forecast.home_percentage).toBe(0.5)
    expect(forecast.home_score).not.toBe(forecast.away_score)
  })

  it('shares out the total that the averages suggest', () => {
    const scorings: Scorings = new Map([
      ['a', { games: 2, scored: 170, allowed: 130 }],
      ['b', { games: 2, scored: 140, allowed: 160 }],
    ])
    const form = { ratings: rated(1600, 1500), margins: noMargins(), scorings }
    const forecast = predicted(pairing, form, basketball)
    // With two games of 75-75 each: 80 and 77.5 against 72.5 and 70.
    expect(forecast.home_score + forecast.away_score).toBe(150)
    expect(forecast.home_score).toBeGreaterThan(forecast.away_score)
  })

  it('is the usual score before the first games', () => {
    const form = { ratings: rated(1500, 1500), margins: noMargins('football'), scorings: new Map() }
    const forecast = predicted({ ...pairing, neutral_site: true }, form, football)
    expect(forecast.home_score + forecast.away_score).toBe(55)
  })

  it('never calls a game certain', () => {
    const form = { ratings: rated(9000, 0), margins: noMargins('football'), scorings: new Map() }
    expect(predicted(pairing, form, football)).toMatchObject({
      home_percentage: 0.9999,
      away_percentage: 0.0001,
    })
  })

  it('counts both sides of a finished game', () => {
    const scorings: Scorings = new Map()
    tallyScores(scorings, { ...result, home_score: 81, away_score: 64 })
    expect(scorings.get('b')).toEqual({ games: 1, scored: 64, allowed: 81 })
  })

  it('follows the closing spread where it is known', () => {
    const form = { ratings: rated(1500, 1500), margins: noMargins('football'), scorings: new Map() }
    const neutral = { ...pairing, neutral_site: true }
    const rule = football.forecast
    const { home_percentage } = predicted(neutral, form, football, -7)
    expect(home_percentage).toBeCloseTo(1 / (1 + Math.exp(-7 * rule.spread_weight)), 4)
    expect(predicted(neutral, form, football, 0).home_percentage).toBe(0.5)
    expect(predicted(neutral, form, football, 7).home_percentage).toBeCloseTo(1 - home_percentage, 4)
  })
})

const day = (number: number, hour: number) => `2026-01-0${number}T${hour}:00:00.000Z`
const upset = { ...result, neutral_site: true, home_score: 90, away_score: 60 }
const fixture = (game_id: string, number: number, hour: number) => ({
  ...pairing,
  game_id,
  season: 1,
  day: `2026-01-0${number}`,
  starts: day(number, hour),
  neutral_site: true,
})

describe('a season in order', () => {
  const chancesOf = (games: readonly (typeof upset | ReturnType<typeof fixture>)[]) => {
    const { forecasts } = chronicle({ rules: basketball, teams: ['a', 'b'], games })
    return games.map(({ game_id }) => forecasts.get(game_id)?.home_percentage ?? 0)
  }

  it('predicts a game from those of earlier days, and not from one of its own day that is over', () => {
    const [first, sameDay, nextDay] = chancesOf([
      upset,
      fixture('later that day', 1, 22),
      fixture('a day later', 2, 18),
    ])
    expect([first, sameDay]).toEqual([0.5, 0.5])
    expect(nextDay).toBeGreaterThan(0.6)
  })

  it('predicts two games of one team on one day as if the other were not played', () => {
    const early = { ...upset, day: '2025-12-30', starts: '2025-12-30T18:00:00.000Z' }
    const before = { ...early, game_id: 'before', ended: '2025-12-30T20:00:00.000Z' }
    const second = { ...upset, game_id: 'second', home_score: 40, starts: day(1, 21), ended: day(1, 23) }
    const both = chancesOf([before, upset, second])
    expect(both[1]).toBe(both[2])
    expect(both[2]).toBe(chancesOf([before, second])[1])
    expect(both[1]).toBeGreaterThan(0.6)
  })

  it('predicts nothing from a game of the day before that was not over when it began', () => {
    const late = { ...upset, ended: day(2, 19) }
    expect(chancesOf([late, fixture('too early', 2, 18), fixture('after it', 2, 20)])).toEqual([
      0.5,
      0.5,
      chancesOf([upset, fixture('next day', 2, 20)])[1],
    ])
  })

  it('begins with what the season before has left', () => {
    const before = new Map([['a', { rating: 1700, games: 0 }]])
    const games = [fixture('first', 1, 18)]
    const { forecasts } = chronicle({ rules: basketball, teams: ['a', 'b'], games }, before)
    expect(forecasts.get('first')?.home_percentage).toBeGreaterThan(0.65)
  })

  it('takes closing spreads where it is given them', () => {
    const games = [fixture('lined', 1, 18), fixture('not lined', 1, 19)]
    const spreads = new Map([['lined', -10]])
    const { forecasts } = chronicle({ rules: football, teams: ['a', 'b'], games, spreads })
    expect(forecasts.get('lined')?.home_percentage).toBeGreaterThan(0.7)
    expect(forecasts.get('not lined')?.home_percentage).toBe(0.5)
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
  ratings.expected({ home_team_id: home, away_team_id: away, neutral_site: true, conference: false })
const plain: MarginRule = {
  home_points: 0,
  prior_games: 1,
  carried_games: 3,
  elo_points: 0.05,
  host_points: 0,
  outsider: 0,
}

describe('margin ratings', () => {
  it('draw a single game towards the average, worked by hand', () => {
    const ratings = new MarginRatings(['a', 'b'], plain)
    ratings.add(meet('a', 'b', 12))
    // a = (12 + b) / 2 and b = (a − 12) / 2: a = 4, b = −4.
    expect(expected(ratings, 'a', 'b')).toBeCloseTo(8, 2)
  })

  it('compare teams through a common opponent', () => {
    const ratings = new MarginRatings(['a', 'b', 'c'], { ...plain, prior_games: 0.01 })
    ratings.add(meet('a', 'b', 10))
    ratings.add(meet('c', 'b', 4))
    expect(expected(ratings, 'a', 'c')).toBeCloseTo(6, 0)
  })

  it('take the home advantage out of a margin and put it into an expectation', () => {
    const ratings = new MarginRatings(['a', 'b'], { ...plain, home_points: 3, outsider: -20 })
    ratings.add({ ...meet('a', 'b', 3), neutral_site: false })
    expect(expected(ratings, 'a', 'b')).toBe(0)
    expect(ratings.expected(pairing)).toBe(3)
    expect(expected(ratings, 'a', 'elsewhere')).toBe(20)
  })

  it('begin with what the season before has left, which counts for a few games', () => {
    const opening = new Map([
      ['a', { rating: 1600, games: 0, carried: true }],
      ['b', { rating: 1500, games: 0, carried: true }],
    ])
    const ratings = new MarginRatings(['a', 'b'], plain, opening)
    expect(expected(ratings, 'a', 'b')).toBe(5)
    ratings.add(meet('a', 'b', -10))
    // a = (4 × 5 − 10 + b) / 5 and b = (4 × 0 + 10 + a) / 5: a = 2.5, b = 2.5.
    expect(expected(ratings, 'a', 'b')).toBeCloseTo(0, 2)
  })

  it('take the host of a game outside the conference for the better team until games have shown it', () => {
    const ratings = new MarginRatings(['a', 'b'], { ...plain, host_points: 12 })
    const visit = { ...pairing, conference: false }
    expect(ratings.expected(visit)).toBe(12)
    expect(ratings.expected(pairing)).toBe(0)
    expect(ratings.expected({ ...visit, neutral_site: true })).toBe(0)
    ratings.add({ ...meet('a', 'b', 0), neutral_site: false })
    expect(ratings.expected(visit)).toBe(6)
  })

  it('learn nothing from an opponent from outside the division', () => {
    const ratings = new MarginRatings(['a', 'b'], { ...plain, outsider: -20 })
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
