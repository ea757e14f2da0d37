import { describe, expect, it } from 'vitest'
import {
  footballPlayer,
  footballRates,
  footballTeam,
  passerRatingCollege,
  passerRatingPro,
} from '../../../src/service/numbers/football.ts'
import { sportStatistics } from '../../../src/specification/sport-statistics.ts'
import { Tally } from '../../../src/service/numbers/tally.ts'

const passing = (
  attempts: number,
  completions: number,
  yards: number,
  touchdowns: number,
  interceptions: number,
) => {
  const line: Record<string, number> = {
    passing_attempts: attempts,
    passing_completions: completions,
    passing_yards: yards,
    passing_touchdowns: touchdowns,
    passing_interceptions: interceptions,
  }
  return (name: string) => line[name] ?? null
}

const tallyOf = (...lines: Parameters<Tally['add']>[0][]) => {
  const tally = new Tally()
  for (const line of lines) tally.add(line)
  return tally
}

describe('football', () => {
  it('rates passers as the NCAA does: Joe Burrow’s 2019, 402 of 527 for 5,671 yards, 60 and 6', () => {
    expect(passerRatingCollege(passing(527, 402, 5671, 60, 6))).toBeCloseTo(202.0, 1)
  })

  it('rates passers as the NFL does: Aaron Rodgers’s 2011, 343 of 502 for 4,643 yards, 45 and 6', () => {
    expect(passerRatingPro(passing(502, 343, 4643, 45, 6))).toBeCloseTo(122.5, 1)
  })

  it('holds the professional rating between 0 and 158.3', () => {
    expect(passerRatingPro(passing(10, 10, 400, 5, 0))).toBeCloseTo(158.333, 2)
    expect(passerRatingPro(passing(10, 0, 0, 0, 5))).toBe(0)
    expect(passerRatingPro(passing(0, 0, 0, 0, 0))).toBeNull()
  })

  it('derives a line’s rates, null where there was no try', () => {
    expect(footballRates(passing(20, 15, 180, 1, 0))).toMatchObject({
      passing_completion_percentage: 75,
      passing_yards_per_attempt: 9,
      passing_yards_per_completion: 12,
      punt_average: null,
    })
  })

  it('takes plays, yards a play, turnovers and ratings of a side', () => {
    const own = tallyOf({
      points: 35,
      rushing_attempts: 40,
      rushing_yards: 200,
      passing_attempts: 30,
      passing_yards: 290,
      passing_interceptions: 1,
      fumbles_lost: 0,
      third_down_conversions: 6,
      third_down_attempts: 12,
    })
    const opponents = tallyOf({
      points: 14,
      rushing_attempts: 30,
      passing_attempts: 20,
      passing_interceptions: 2,
      fumbles_lost: 1,
    })
    const of = (name: string) => footballTeam[name]?.(own, opponents)
    expect([of('plays'), of('total_yards'), of('yards_per_play')]).toEqual([70, 490, 7])
    expect([of('turnovers'), of('opponent_turnovers'), of('turnover_margin')]).toEqual([1, 3, 2])
    expect([of('offensive_rating'), of('defensive_rating'), of('efficiency_rating')]).toEqual([50, 28, 22])
    expect(of('third_down_percentage')).toBe(50)
    expect(of('opponent_yards_per_play')).toBeNull()
  })

  it('has a formula for every average it names but the adjusted rating', () => {
    const missing = sportStatistics.football.teams.filter((name) => !footballTeam[name])
    expect(missing).toEqual(['adjusted_efficiency_rating'])
    expect(Object.keys(footballPlayer).toSorted()).toEqual(sportStatistics.football.players.toSorted())
  })

  it('adds a player’s games up, keeps the longest play, and divides by every game', () => {
    const tally = tallyOf(
      { receptions: 5, receiving_yards: 80, receiving_long: 41 },
      { receptions: 3, receiving_yards: 20, receiving_long: 12 },
      { solo_tackles: 1 },
    )
    const of = (name: string) => footballPlayer[name]?.(tally)
    expect([of('receptions'), of('receiving_long'), of('receiving_yards_per_reception')]).toEqual([
      8, 41, 12.5,
    ])
    expect(of('receiving_yards_per_game')).toBeCloseTo(100 / 3, 9)
    expect(of('passing_yards')).toBeNull()
  })
})
