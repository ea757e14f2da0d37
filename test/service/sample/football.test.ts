import { describe, expect, test } from 'vitest'
import { footballLine } from '../../../src/specification/statistics.ts'
import type { Line } from '../../../src/service/league/facts.ts'
import { football } from '../../../src/service/sample/competitions.ts'
import { footballTeamOnly } from '../../../src/service/sample/boxscore-lines.ts'
import { breaking, isRate, meanOf, sidesOf, total, value } from './sides.ts'

const points = (line: Line) =>
  6 *
    (value(line, 'receiving_touchdowns') +
      value(line, 'rushing_touchdowns') +
      value(line, 'punt_return_touchdowns') +
      value(line, 'kick_return_touchdowns') +
      value(line, 'interception_return_touchdowns') +
      value(line, 'fumble_return_touchdowns')) +
  3 * value(line, 'field_goals_made') +
  value(line, 'extra_points_made')

describe('a football boxscore', () => {
  const sides = sidesOf(football)

  test('exists for both sides of every game that is over, with all columns of the line', () => {
    expect(sides.length).toBeGreaterThan(150)
    expect(breaking(sides, ({ line }) => Object.keys(line).join() === footballLine.join())).toEqual([])
    expect(breaking(sides, ({ players }) => players.length >= 15 && players.length <= 28)).toEqual([])
  })

  test.each(footballLine.filter((column) => !isRate(column) && !footballTeamOnly.has(column)))(
    'has %s add up from players to the team',
    (column) => {
      expect(breaking(sides, ({ line, players }) => total(players, column) === line[column])).toEqual([])
    },
  )

  test.each(footballLine.filter((column) => /_long$|longest/.test(column)))(
    'has the longest of any player as %s',
    (column) => {
      const longest = (lines: readonly Line[]) => {
        const known = lines.map((line) => line[column] ?? null).filter((each) => each !== null)
        return known.length === 0 ? null : Math.max(...known)
      }
      expect(breaking(sides, ({ line, players }) => longest(players) === line[column])).toEqual([])
    },
  )

  test('has the points of the score: touchdowns, extra points and field goals', () => {
    expect(breaking(sides, ({ line, score }) => line['points'] === score)).toEqual([])
    expect(
      breaking(sides, ({ line, players }) =>
        [line, ...players].every((each) => points(each) === each['points']),
      ),
    ).toEqual([])
  })

  test('has what was thrown caught', () => {
    for (const [thrown, caught] of [
      ['passing_completions', 'receptions'],
      ['passing_yards', 'receiving_yards'],
      ['passing_touchdowns', 'receiving_touchdowns'],
      ['passing_long', 'receiving_long'],
    ] as const)
      expect(breaking(sides, ({ line }) => line[thrown] === line[caught])).toEqual([])
  })

  test('has what one side lost found by the other', () => {
    for (const [lost, found] of [
      ['passing_interceptions', 'interceptions'],
      ['fumbles_lost', 'fumbles_recovered'],
    ] as const)
      expect(breaking(sides, ({ line, opponent }) => line[lost] === opponent[found])).toEqual([])
    expect(
      breaking(sides, ({ line, opponent }) => value(line, 'punt_returns') <= value(opponent, 'punts')),
    ).toEqual([])
  })

  test('has yards gained less yards lost, and an hour of possession between the sides', () => {
    expect(
      breaking(sides, ({ line, players }) =>
        [line, ...players].every(
          (each) =>
            value(each, 'rushing_yards_gained') - value(each, 'rushing_yards_lost') === each['rushing_yards'],
        ),
      ),
    ).toEqual([])
    const seconds = 'time_of_possession_seconds'
    expect(
      breaking(sides, ({ line, opponent }) => value(line, seconds) + value(opponent, seconds) === 3_600),
    ).toEqual([])
    expect(breaking(sides, ({ line }) => line['minutes_played'] === 60)).toEqual([])
  })

  test('never has more made than tried', () => {
    for (const [made, tried] of [
      ['passing_completions', 'passing_attempts'],
      ['field_goals_made', 'field_goals_attempted'],
      ['extra_points_made', 'extra_points_attempted'],
      ['third_down_conversions', 'third_down_attempts'],
      ['fourth_down_conversions', 'fourth_down_attempts'],
      ['successful_pass_plays', 'passing_attempts'],
      ['successful_rush_plays', 'rushing_attempts'],
      ['fumbles_lost', 'fumbles'],
    ] as const)
      expect(breaking(sides, ({ line }) => value(line, made) <= value(line, tried))).toEqual([])
  })

  test('is that of a college game on average', () => {
    expect(meanOf(sides, 'points')).toBeGreaterThan(21)
    expect(meanOf(sides, 'points')).toBeLessThan(33)
    expect(meanOf(sides, 'passing_yards') + meanOf(sides, 'rushing_yards')).toBeGreaterThan(330)
    expect(meanOf(sides, 'passing_yards') + meanOf(sides, 'rushing_yards')).toBeLessThan(460)
  })
})
