import { expect, test } from 'vitest'
import { fourFactors } from '../../src/derived/four-factors.ts'

const row = {
  field_goal: 25,
  field_goal_attempts: 60,
  three_point_field_goal: 8,
  free_throws: 15,
  turnovers: 12,
  possessions: 70,
  offensive_rebounds: 10,
  defensive_rebounds: 25,
  opponent_field_goal: 24,
  opponent_field_goal_attempts: 58,
  opponent_three_point_field_goal: 6,
  opponent_free_throws: 12,
  opponent_turnovers: 14,
  opponent_possessions: 70,
  opponent_offensive_rebounds: 9,
  opponent_defensive_rebounds: 24,
}

const columns = (of: Record<string, number | null | undefined>) => (name: string) => of[name] ?? null

test('the four factors of both sides, worked by hand', () => {
  const factors = fourFactors(columns(row))
  expect(factors?.own.effectiveFieldGoalPercentage).toBeCloseTo((100 * 29) / 60, 9)
  expect(factors?.own.turnoverPercentage).toBeCloseTo((100 * 12) / 70, 9)
  expect(factors?.own.offensiveReboundPercentage).toBeCloseTo((100 * 10) / 34, 9)
  expect(factors?.own.freeThrowRate).toBeCloseTo(25, 9)
  expect(factors?.opponent.effectiveFieldGoalPercentage).toBeCloseTo((100 * 27) / 58, 9)
  expect(factors?.opponent.offensiveReboundPercentage).toBeCloseTo((100 * 9) / 34, 9)
})

test.each([
  ['a column that the service leaves out', { turnovers: undefined }, 'turnoverPercentage'],
  ['a column without a value', { opponent_defensive_rebounds: null }, 'offensiveReboundPercentage'],
  ['no attempts', { field_goal_attempts: 0 }, 'effectiveFieldGoalPercentage'],
] as const)('a factor is null with %s, and the others stay', (_what, change, factor) => {
  const own = fourFactors(columns({ ...row, ...change }))?.own
  expect(own?.[factor]).toBeNull()
  expect(Object.values(own ?? {}).filter((value) => value !== null).length).toBeGreaterThanOrEqual(2)
})

test('a row of football has none', () => {
  expect(fourFactors(columns({ passing_yards: 230, points: 27 }))).toBeNull()
})
