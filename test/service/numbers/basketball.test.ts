import { describe, expect, it } from 'vitest'
import {
  basketballEfficiency,
  basketballPlayer,
  basketballTeam,
  possessions,
} from '../../../src/service/numbers/basketball.ts'
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

const [own, opponents] = [tallyOf(buffalo), tallyOf(southernMiss)]
const statistic = (name: string) => basketballTeam.formulas[name]?.(own, opponents)

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
    expect(basketballEfficiency(buffalo)).toBeCloseTo(8500 / 65.1, 9)
  })

  it('gives the opponents the same ratings from their side', () => {
    expect(statistic('opponent_offensive_rating')).toBe(statistic('defensive_rating'))
    expect(statistic('opponent_defensive_rating')).toBe(statistic('offensive_rating'))
    expect(statistic('opponent_efficiency_rating')).toBeCloseTo(-(statistic('efficiency_rating') ?? 0), 9)
  })

  it('takes the pace over 40 minutes of five players', () => {
    expect(statistic('pace')).toBeCloseTo(65.8, 9)
    const overtime = tallyOf({ ...buffalo, minutes_played: 225 })
    expect(basketballTeam.formulas['pace']?.(overtime, opponents)).toBeCloseTo((65.8 * 40) / 45, 9)
  })

  it('takes percentages of totals, not the mean of the games’ own', () => {
    const two = tallyOf(buffalo, { ...buffalo, free_throws: 0, free_throw_attempts: 4 })
    expect(basketballTeam.formulas['free_throw_percentage']?.(two, opponents)).toBeCloseTo((100 * 25) / 40, 9)
    expect(basketballTeam.formulas['points']?.(two, opponents)).toBe(85)
  })

  it('has no value for what nobody counts', () => {
    expect(statistic('steals')).toBeNull()
    expect(statistic('opponent_fouls')).toBeNull()
    expect(possessions((name) => (name === 'turnovers' ? null : 1))).toBeNull()
    expect(basketballEfficiency({ ...buffalo, turnovers: null })).toBeNull()
  })

  it('has no value before the first game', () => {
    const none = new Tally()
    const values = Object.values(basketballTeam.formulas).map((formula) => formula(none, none))
    expect(values.every((value) => value === null)).toBe(true)
  })

  it('has a formula for every average it names but the adjusted rating', () => {
    const missing = basketballTeam.names.filter((name) => !basketballTeam.formulas[name])
    expect(missing).toEqual(['adjusted_efficiency_rating'])
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
