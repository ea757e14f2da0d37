import { describe, expect, it } from 'vitest'
import { predict, tallyScores } from '../../../src/service/numbers/predictions.ts'
import type { Scorings } from '../../../src/service/numbers/predictions.ts'
import { projectStandings } from '../../../src/service/numbers/projection.ts'

const pairing = { home_team_id: 'a', away_team_id: 'b', neutral_site: false }
const even = () => new Map(['a', 'b'].map((team) => [team, { rating: 1500, games: 5 }]))

describe('a prediction', () => {
  it('is logistic in the rating lead, home advantage included', () => {
    const { home_percentage, away_percentage } = predict(pairing, even(), new Map(), 'basketball')
    expect(home_percentage).toBeCloseTo(1 / (1 + 10 ** (-80 / 450)), 4)
    expect(home_percentage + away_percentage).toBeCloseTo(1, 10)
  })

  it('is even between equals at a neutral site, and still names a winner', () => {
    const forecast = predict({ ...pairing, neutral_site: true }, even(), new Map(), 'basketball')
    expect(forecast.home_percentage).toBe(0.5)
    expect(forecast.home_score).not.toBe(forecast.away_score)
  })

  it('divides the total that the averages suggest by the rating lead', () => {
    const scorings: Scorings = new Map([
      ['a', { games: 2, scored: 170, allowed: 130 }],
      ['b', { games: 2, scored: 140, allowed: 160 }],
    ])
    const ratings = new Map([
      ['a', { rating: 1600, games: 2 }],
      ['b', { rating: 1500, games: 2 }],
    ])
    const forecast = predict(pairing, ratings, scorings, 'basketball')
    // (170+150)/4 = 80 and (160+150)/4 = 77.5 make 78.75; (140+150)/4 = 72.5 and (130+150)/4 = 70 make 71.25; a lead of 180 is 7.2 points.
    expect([forecast.home_score, forecast.away_score]).toEqual([79, 71])
  })

  it('is the usual score where nobody has played', () => {
    const forecast = predict({ ...pairing, neutral_site: true }, even(), new Map(), 'football')
    expect(forecast.home_score + forecast.away_score).toBe(55)
  })

  it('never calls a game certain', () => {
    const ratings = new Map([
      ['a', { rating: 9000, games: 9 }],
      ['b', { rating: 0, games: 9 }],
    ])
    expect(predict(pairing, ratings, new Map(), 'football')).toMatchObject({
      home_percentage: 0.9999,
      away_percentage: 0.0001,
    })
  })

  it('counts both sides of a finished game', () => {
    const scorings: Scorings = new Map()
    const result = { ...pairing, game_id: 'g', season: 1, day: '2026-01-01', conference: true }
    tallyScores(scorings, { ...result, home_score: 81, away_score: 64 })
    expect(scorings.get('b')).toEqual({ games: 1, scored: 64, allowed: 81 })
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
