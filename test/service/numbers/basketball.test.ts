import { describe, expect, it } from 'vitest'
import { usualLeague } from '../../../src/service/leagues/leagues.ts'
import {
  basketballEfficiency,
  basketballPlayer,
  basketballTeam,
  possessions,
} from '../../../src/service/numbers/basketball.ts'
import { sportStatistics } from '../../../src/specification/sport-statistics.ts'
import { Tally } from '../../../src/service/numbers/tally.ts'

// Buffalo against Southern Miss., 3 November 2025: 85-79.
const buffalo = {
  minutes_played: 200,
  field_goal: 24,
  field_goal_attempts: 53,
  two_point_field_goal: 12,
  two_point_field_goal_attempts: 23,
  three_point_field_goal: 12,
  three_point_field_goal_attempts: 30,
  free_throws: 25,
  free_throw_attempts: 36,
  offensive_rebounds: 13,
  defensive_rebounds: 17,
  total_rebounds: 30,
  assists: 16,
  steals: null,
  blocks: 4,
  turnovers: 8,
  fouls: null,
  points: 85,
}
const southernMiss = {
  ...buffalo,
  field_goal: 27,
  field_goal_attempts: 50,
  free_throw_attempts: 20,
  offensive_rebounds: 7,
  turnovers: 14,
  points: 79,
}

const tallyOf = (...lines: Parameters<Tally['add']>[0][]) => {
  const tally = new Tally()
  for (const line of lines) tally.add(line)
  return tally
}

const { rules } = usualLeague.basketball
const formulas = basketballTeam(rules)
const [own, opponents] = [tallyOf(buffalo), tallyOf(southernMiss)]
const statistic = (name: string) => formulas[name]?.(own, opponents)

describe('basketball', () => {
  it('estimates possessions from attempts, rebounds, turnovers and free throws', () => {
    // 53 − 13 + 8 + 0.475 × 36 and 50 − 7 + 14 + 0.475 × 20
    expect(statistic('possessions')).toBeCloseTo(65.1, 9)
    expect(statistic('opponent_possessions')).toBeCloseTo(66.5, 9)
  })

  it('rates offence and defence by 100 possessions', () => {
    expect(statistic('offensive_rating')).toBeCloseTo(8500 / 65.1, 9)
    expect(statistic('defensive_rating')).toBeCloseTo(7900 / 66.5, 9)
    expect(statistic('efficiency_rating')).toBeCloseTo(8500 / 65.1 - 7900 / 66.5, 9)
    expect(basketballEfficiency(buffalo, rules)).toBeCloseTo(8500 / 65.1, 9)
  })

  it('gives the opponents the same ratings from their side', () => {
    expect(statistic('opponent_offensive_rating')).toBe(statistic('defensive_rating'))
    expect(statistic('opponent_defensive_rating')).toBe(statistic('offensive_rating'))
    expect(statistic('opponent_efficiency_rating')).toBeCloseTo(-(statistic('efficiency_rating') ?? 0), 9)
  })

  it('takes the pace over 40 minutes of five players', () => {
    expect(statistic('pace')).toBeCloseTo(65.8, 9)
    const overtime = tallyOf({ ...buffalo, minutes_played: 225 })
    expect(formulas['pace']?.(overtime, opponents)).toBeCloseTo((65.8 * 40) / 45, 9)
  })

  it('takes percentages of totals, not the mean of the games’ own', () => {
    const two = tallyOf(buffalo, { ...buffalo, free_throws: 0, free_throw_attempts: 4 })
    expect(formulas['free_throw_percentage']?.(two, opponents)).toBeCloseTo((100 * 25) / 40, 9)
    expect(formulas['points']?.(two, opponents)).toBe(85)
  })

  it('has no value without counts', () => {
    expect(statistic('steals')).toBeNull()
    expect(statistic('opponent_fouls')).toBeNull()
    expect(possessions((name) => (name === 'turnovers' ? null : 1), 0.475)).toBeNull()
    expect(basketballEfficiency({ ...buffalo, turnovers: null }, rules)).toBeNull()
  })

  it('has no possessions where the counts come to less than nothing', () => {
    const rebounds = (name: string) => (name === 'offensive_rebounds' ? 5 : 1)
    expect(possessions(rebounds, 0.475)).toBeNull()
    const broken = tallyOf({ ...buffalo, field_goal_attempts: 0, turnovers: 0, free_throw_attempts: 0 })
    expect(formulas['possessions']?.(broken, opponents)).toBeNull()
    expect(formulas['pace']?.(broken, opponents)).toBeNull()
  })

  it('uses the constants of its league', () => {
    const longer = basketballTeam({ ...rules, minutes: 48, free_throw_possessions: 0.44 })
    const own48 = tallyOf({ ...buffalo, minutes_played: 240 })
    // 53 − 13 + 8 + 0.44 × 36 and 50 − 7 + 14 + 0.44 × 20
    expect(longer['possessions']?.(own48, opponents)).toBeCloseTo(63.84, 9)
    expect(longer['pace']?.(own48, opponents)).toBeCloseTo((63.84 + 65.8) / 2, 9)
  })

  it('has no value before the first game', () => {
    const none = new Tally()
    const values = Object.values(formulas).map((formula) => formula(none, none))
    expect(values.every((value) => value === null)).toBe(true)
  })

  it('has a formula for every average it names but the adjusted rating', () => {
    const missing = sportStatistics.basketball.teams.filter((name) => !formulas[name])
    expect(missing).toEqual(['adjusted_efficiency_rating'])
    expect(Object.keys(basketballPlayer).toSorted()).toEqual(sportStatistics.basketball.players.toSorted())
  })

  it('gives a player totals, means a game and the efficiency of the box', () => {
    const line = { points: 20, total_rebounds: 8, assists: 5, steals: 2, blocks: 1, turnovers: 3 }
    const shots = { field_goal: 8, field_goal_attempts: 15, free_throws: 4, free_throw_attempts: 5 }
    const tally = tallyOf({ ...line, ...shots }, { ...line, ...shots, points: 10 })
    const of = (name: string) => basketballPlayer[name]?.(tally)
    expect([of('points'), of('points_per_game'), of('field_goal_percentage')]).toEqual([
      30,
      15,
      (100 * 16) / 30,
    ])
    // 15 + 8 + 5 + 2 + 1 − 7 missed − 1 missed − 3 = 20
    expect(of('efficiency_rating')).toBeCloseTo(20, 9)
  })
})
