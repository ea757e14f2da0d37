import { expect, it } from 'vitest'
import { eligiblePlayers, eligibleTeams } from '../../../src/service/numbers/eligible.ts'
import type { Numbers } from '../../../src/service/numbers/formula.ts'
import { meanOf, rankedColumns } from '../../../src/service/numbers/ranked.ts'

const subject =
  (values: Record<string, number>): Numbers =>
  (name) =>
    values[name] ?? null

const ranks = (name: string, subjects: readonly Numbers[], eligible: ReturnType<typeof eligibleTeams>) =>
  [...rankedColumns({ unranked: [], ranked: [name] }, subjects, eligible)].map((column) => column.ranks)

it('a team needs half of the median number of games to be ranked, and keeps its value', () => {
  const teams = [12, 12, 13, 6, 5, 1].map((games) => subject({ games, points: 50 - games }))
  // The median is 9.
  const [column] = rankedColumns({ unranked: [], ranked: ['points'] }, teams, eligibleTeams(teams))
  expect(column?.ranks).toEqual([3, 3, 5, 2, 1, null])
  expect(column?.values[5]).toBe(49)
})

it('before any game every team is ranked, and with one game each all are', () => {
  const none = [0, 0].map((games) => subject({ games, wins: 0 }))
  expect(ranks('wins', none, eligibleTeams(none))).toEqual([[1, 1]])
  const one = [1, 1, 0].map((games) => subject({ games, wins: games }))
  expect(ranks('wins', one, eligibleTeams(one))).toEqual([[1, 1, null]])
})

it('a player needs attempts to be ranked by a rate, and games by a mean; totals are ranked for all', () => {
  const players = [
    subject({
      games: 20,
      field_goal_attempts: 100,
      field_goal_percentage: 45,
      points_per_game: 10,
      points: 200,
    }),
    subject({
      games: 10,
      field_goal_attempts: 60,
      field_goal_percentage: 50,
      points_per_game: 14,
      points: 140,
    }),
    subject({
      games: 2,
      field_goal_attempts: 59,
      field_goal_percentage: 90,
      points_per_game: 40,
      points: 80,
    }),
  ]
  // Three quarters of 20 games, four attempts each: 60.
  const eligible = eligiblePlayers('basketball', players)
  expect(ranks('field_goal_percentage', players, eligible)).toEqual([[2, 1, null]])
  expect(ranks('points_per_game', players, eligible)).toEqual([[2, 1, null]])
  expect(ranks('points', players, eligible)).toEqual([[1, 2, 3]])
})

it('a mean does not depend on the order of its subjects', () => {
  const values = [0.1, 0.2, 0.3, 1e16, -1e16].map((points) => subject({ points }))
  expect(meanOf(values)('points')).toBe(meanOf(values.toReversed())('points'))
})

it('a passer of one pass leads no rating', () => {
  const players = [
    subject({ games: 12, passing_attempts: 300, passing_rating_college: 150 }),
    subject({ games: 12, passing_attempts: 1, passing_rating_college: 600 }),
  ]
  const eligible = eligiblePlayers('football', players)
  expect(ranks('passing_rating_college', players, eligible)).toEqual([[1, null]])
})
