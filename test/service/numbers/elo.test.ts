import { describe, expect, it } from 'vitest'
import { usualLeague } from '../../../src/service/leagues/leagues.ts'
import {
  expectedScore,
  homeLead,
  initialRating,
  marginMultiplier,
  openingRatings,
  rateDay,
} from '../../../src/service/numbers/elo.ts'
import type { EloChange, Ratings } from '../../../src/service/numbers/elo.ts'
import type { EloRule } from '../../../src/service/numbers/rules.ts'
import type { Result } from '../../../src/service/numbers/result.ts'

const rule = usualLeague.basketball.rules.elo

const game = (more: Partial<Result> = {}): Result => ({
  game_id: 'g1',
  season: 2026,
  day: '2025-11-03',
  starts: '2025-11-03T18:00:00.000Z',
  ended: '2025-11-03T20:00:00.000Z',
  home_team_id: 'a',
  away_team_id: 'b',
  home_score: 80,
  away_score: 70,
  neutral_site: false,
  conference: false,
  ...more,
})

function rate(ratings: Ratings, result: Result, by: EloRule): EloChange {
  const [change] = rateDay(ratings, [result], by)
  if (!change) throw new Error('a game changes the ratings')
  return change
}

describe('Elo', () => {
  it('takes 400 points for odds of ten to one', () => {
    expect(expectedScore(0)).toBe(0.5)
    expect(expectedScore(400)).toBeCloseTo(10 / 11, 12)
    expect(expectedScore(-400)).toBeCloseTo(1 / 11, 12)
  })

  it('weighs a margin by its logarithm, less for a favourite', () => {
    expect(marginMultiplier(9, 0)).toBeCloseTo(Math.log(10), 12)
    expect(marginMultiplier(9, 200)).toBeCloseTo((Math.log(10) * 2.2) / 2.4, 12)
    expect(marginMultiplier(9, -200)).toBeGreaterThan(marginMultiplier(9, 200))
  })

  it('moves both teams by the same whole number, worked by hand', () => {
    const ratings = openingRatings(['a', 'b'], rule)
    const change = rate(ratings, game(), rule)
    const chance = 1 / (1 + 10 ** (-80 / 400))
    const multiplier = (Math.log(11) * 2.2) / (0.001 * 80 + 2.2)
    const moved = Math.round(26 * 3 * multiplier * (1 - chance))
    expect(change).toMatchObject({
      home_before: 1500,
      away_before: 1500,
      home_after: 1500 + moved,
      away_after: 1500 - moved,
    })
    expect(moved).toBe(70)
  })

  it('gives the home team no advantage at a neutral site', () => {
    const ratings = openingRatings(['a', 'b'], rule)
    expect(homeLead(ratings, game(), rule)).toBe(80)
    expect(homeLead(ratings, game({ neutral_site: true }), rule)).toBe(0)
  })

  it('treats an unknown site as the home team’s', () => {
    expect(homeLead(openingRatings(['a', 'b'], rule), game({ neutral_site: null }), rule)).toBe(80)
  })

  it('keeps the sum of all ratings of a closed division', () => {
    const teams = ['a', 'b', 'c', 'd', 'e']
    const ratings = openingRatings(teams, rule)
    for (let n = 0; n < 200; n++) {
      const [home, away] = [teams[n % 5] ?? '', teams[(n * 3 + 1 + (n % 5)) % 5] ?? '']
      if (home === away) continue
      rate(
        ratings,
        game({ home_team_id: home, away_team_id: away, home_score: 60 + ((n * 7) % 40), away_score: 79 }),
        rule,
      )
    }
    const sum = [...ratings.values()].reduce((total, { rating }) => total + rating, 0)
    expect(sum).toBe(5 * initialRating)
    expect(new Set([...ratings.values()].map(({ rating }) => rating)).size).toBeGreaterThan(3)
  })

  it('moves a team less after ten games than in its first', () => {
    const ratings = openingRatings(['a', 'b'], rule)
    const first = Math.abs((rate(ratings, game(), rule).home_after ?? 0) - 1500)
    for (const team of ['a', 'b']) ratings.set(team, { rating: 1500, games: 10 })
    const later = Math.abs((rate(ratings, game(), rule).home_after ?? 0) - 1500)
    expect(first).toBe(70)
    expect(later).toBe(23)
  })

  it('rates the division’s team alone against one from outside', () => {
    const ratings = openingRatings(['a'], rule)
    const change = rate(ratings, game({ home_score: 60, away_score: 70 }), rule)
    expect(change.away_before).toBe(rule.outsider)
    expect(change.away_after).toBeNull()
    expect(change.home_after).toBeLessThan(1500)
    expect([...ratings.keys()]).toEqual(['a'])
  })

  it('carries the stated share of last season’s distance from 1500', () => {
    const before = new Map([['a', { rating: 1700, games: 30 }]])
    const opening = openingRatings(['a', 'new'], rule, before)
    expect(opening.get('a')).toEqual({ rating: 1640, games: 0, carried: true })
    expect(opening.get('new')).toEqual({ rating: 1500, games: 0, carried: false })
  })

  it('moves two games of one team on one day from the ratings of that morning, in either order', () => {
    const games = [
      game({ home_score: 90, away_score: 60 }),
      game({ game_id: 'g2', away_team_id: 'c', home_score: 61, away_score: 60 }),
    ]
    const changesOf = (list: readonly Result[]) => {
      const ratings = openingRatings(['a', 'b', 'c'], rule)
      const changes = rateDay(ratings, list, rule)
      const moved = new Map(
        changes.map((change) => [change.game.game_id, (change.home_after ?? 0) - change.home_before]),
      )
      return { moved, ratings }
    }
    const [one, other] = [changesOf(games), changesOf(games.toReversed())]
    const alone = changesOf(games.slice(1))
    expect(one.moved.get('g2')).toBe(alone.moved.get('g2'))
    expect(new Map([...one.moved].toSorted())).toEqual(new Map([...other.moved].toSorted()))
    expect(one.ratings).toEqual(other.ratings)
  })
})
