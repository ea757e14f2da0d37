import { describe, expect, test } from 'vitest'
import { basketballLine } from '../../../src/specification/statistics.ts'
import type { Line } from '../../../src/service/league/facts.ts'
import { basketball } from '../../../src/service/sample/competitions.ts'
import { breaking, isRate, meanOf, sidesOf, total, value } from './sides.ts'

const points = (line: Line) =>
  2 * value(line, 'two_point_field_goal') +
  3 * value(line, 'three_point_field_goal') +
  value(line, 'free_throws')

const shotsAdd = (line: Line) =>
  ['', '_attempts'].every(
    (part) =>
      value(line, `two_point_field_goal${part}`) + value(line, `three_point_field_goal${part}`) ===
      line[`field_goal${part}`],
  )

const noMoreThanTried = (line: Line) =>
  value(line, 'field_goal') <= value(line, 'field_goal_attempts') &&
  value(line, 'three_point_field_goal') <= value(line, 'three_point_field_goal_attempts') &&
  value(line, 'free_throws') <= value(line, 'free_throw_attempts')

const reboundsAdd = (line: Line) =>
  value(line, 'offensive_rebounds') + value(line, 'defensive_rebounds') === line['total_rebounds']

const misses = (line: Line) =>
  value(line, 'field_goal_attempts') -
  value(line, 'field_goal') +
  value(line, 'free_throw_attempts') -
  value(line, 'free_throws')

const percentagesRight = (line: Line) =>
  (['field_goal', 'two_point_field_goal', 'three_point_field_goal'] as const).every((shot) => {
    const tried = value(line, `${shot}_attempts`)
    const share = line[`${shot}_percentage`]
    return tried === 0 ? share === null : Math.abs((share ?? -1) - (100 * value(line, shot)) / tried) < 0.001
  })

describe('a basketball boxscore', () => {
  const sides = sidesOf(basketball)

  test('exists for both sides of every game that is over, with all columns of the line', () => {
    expect(sides.length).toBeGreaterThan(1_500)
    expect(breaking(sides, ({ line }) => Object.keys(line).join() === basketballLine.join())).toEqual([])
    expect(breaking(sides, ({ players }) => players.length >= 5 && players.length <= 11)).toEqual([])
  })

  test.each(basketballLine.filter((column) => !isRate(column)))(
    'has %s add up from players to the team',
    (column) => {
      expect(breaking(sides, ({ line, players }) => total(players, column) === line[column])).toEqual([])
    },
  )

  test('has the points of the score, two, three and one at a time', () => {
    expect(breaking(sides, ({ line, score }) => line['points'] === score)).toEqual([])
    expect(
      breaking(sides, ({ line, players }) =>
        [line, ...players].every((each) => points(each) === each['points']),
      ),
    ).toEqual([])
  })

  test('has shots that add up, and never more made than tried', () => {
    expect(
      breaking(sides, ({ line, players }) =>
        [line, ...players].every((each) => shotsAdd(each) && noMoreThanTried(each)),
      ),
    ).toEqual([])
  })

  test('has offensive and defensive rebounds that make the total, and no more than there were misses', () => {
    expect(breaking(sides, ({ line, players }) => [line, ...players].every(reboundsAdd))).toEqual([])
    expect(
      breaking(
        sides,
        ({ line, opponent }) =>
          value(line, 'offensive_rebounds') + value(opponent, 'defensive_rebounds') <= misses(line),
      ),
    ).toEqual([])
  })

  test('has 200 minutes, and 25 for each overtime; no player plays more than the game', () => {
    expect(breaking(sides, ({ line, overtimes }) => line['minutes_played'] === 200 + 25 * overtimes)).toEqual(
      [],
    )
    expect(
      breaking(sides, ({ players, overtimes }) =>
        players.every((line) => value(line, 'minutes_played') <= 40 + 5 * overtimes),
      ),
    ).toEqual([])
    expect(sides.some(({ overtimes }) => overtimes > 0)).toBe(true)
  })

  test('has no more assists than shots made, steals than turnovers and blocks than misses, and no player with six fouls', () => {
    expect(breaking(sides, ({ line }) => value(line, 'assists') <= value(line, 'field_goal'))).toEqual([])
    expect(
      breaking(sides, ({ line, opponent }) => value(line, 'steals') <= value(opponent, 'turnovers')),
    ).toEqual([])
    expect(
      breaking(
        sides,
        ({ line, opponent }) =>
          value(line, 'blocks') <=
          value(opponent, 'two_point_field_goal_attempts') - value(opponent, 'two_point_field_goal'),
      ),
    ).toEqual([])
    expect(breaking(sides, ({ players }) => players.every((line) => value(line, 'fouls') <= 5))).toEqual([])
  })

  test('has percentages of what was made and tried, null without a try', () => {
    expect(breaking(sides, ({ line, players }) => [line, ...players].every(percentagesRight))).toEqual([])
  })

  test('is that of a college game on average', () => {
    expect(meanOf(sides, 'points')).toBeGreaterThan(64)
    expect(meanOf(sides, 'points')).toBeLessThan(78)
    expect(meanOf(sides, 'field_goal_percentage')).toBeGreaterThan(42)
    expect(meanOf(sides, 'field_goal_percentage')).toBeLessThan(49)
    expect(meanOf(sides, 'turnovers')).toBeLessThan(15)
  })
})
