import { expect, test } from 'vitest'
import { namesOf, playerAverages } from '../../examples/scoreboard/src/team/averages.ts'
import { playerLines, playersTables } from '../../examples/scoreboard/src/player/player-line.ts'
import type { PlayerLine } from '../../examples/scoreboard/src/player/player-line.ts'

const box = (line: Readonly<Record<string, number>>) =>
  // A football player's boxscore, as the document selects it: all other columns are 0.
  ({
    __typename: 'OtherPlayerBoxscore',
    points: 0,
    passingCompletions: 0,
    passingAttempts: 0,
    passingYards: 0,
    passingTouchdowns: 0,
    passingInterceptions: 0,
    rushingAttempts: 0,
    rushingYards: 0,
    rushingTouchdowns: 0,
    receptions: 0,
    receivingYards: 0,
    receivingTouchdowns: 0,
    soloTackles: 0,
    assistedTackles: 0,
    sacks: 0,
    interceptions: 0,
    ...line,
  }) as unknown as PlayerLine

test('a football player who took part in a kind of play has its zeros, and nothing of the others', () => {
  const stopped = box({ rushingAttempts: 2 })
  const tables = playersTables([stopped]).map(({ title, boxes, cells }) => [title, boxes.map(cells)])
  expect(tables).toEqual([
    ['Passing', []],
    ['Rushing', [['2', '0', '0']]],
    ['Receiving', []],
    ['Defence', []],
    ['Scoring', []],
  ])
  const { columns, cells } = playerLines([stopped, box({ passingAttempts: 1 })])
  expect(columns).toEqual(['Passes', 'Pass yds', 'Pass TD', 'Thrown int', 'Rushes', 'Rush yds', 'Rush TD'])
  expect(cells(stopped)).toEqual(['', '', '', '', '2', '0', '0'])
})

const stats = (values: Readonly<Record<string, number | null>>) =>
  // A season's statistics, as the document selects them.
  ({
    averages: Object.entries(values).map(([name, value]) => ({ name, value, rank: null })),
  }) as unknown as Parameters<typeof playerAverages>[0]

test('an average of 0 is one; sums that nobody has, and statistics of other sports, are left out', () => {
  const bench = stats({ points_per_game: 0, field_goal_percentage: null, passing_yards: null })
  expect(playerAverages(bench)).toEqual([{ name: 'points_per_game', value: 0, rank: null }])
  expect(namesOf(playerAverages(bench))).toEqual(['points_per_game'])
  const [back, receiver] = [stats({ rushing_yards: 80, sacks: 0 }), stats({ rushing_yards: 0, sacks: 0 })]
  expect(namesOf([...playerAverages(back), ...playerAverages(receiver)])).toEqual(['rushing_yards'])
  expect(playerAverages(receiver).map(({ value }) => value)).toEqual([0, 0])
})
