import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importedSmallSeason } from '../service/import/small-source.ts'
import type { SourceFolder } from '../service/import/small-source.ts'
import { startSample } from './harness.ts'
import type { Sample } from './harness.ts'

// Whole seasons are compared with their public files in seasons.test.ts, one of the suites.

let folder: SourceFolder
let sample: Sample
let defaults = { organization_id: '', division_id: '' }

const standing = (sport: 'basketball' | 'football') => {
  beforeAll(async () => {
    folder = await importedSmallSeason(sport)
    sample = await startSample(folder.path)
    const only = async (table: string) => String(Object.keys(await sample.row(`${table}/read`))[0])
    defaults = { organization_id: await only('organization'), division_id: await only('division') }
  })
  afterAll(async () => {
    await sample.close()
    folder.remove()
  })
}

/** What a graph with nothing kept yet says of the league, and its calls. */
async function asked(fields: string) {
  const graph = sample.graph({ apiKey: sample.apiKey, defaults })
  const { data, errors } = await graph.query<{ league: unknown }>(`{ league { ${fields} } }`)
  expect(errors).toBeUndefined()
  return { league: data.league, calls: graph.calls.take() }
}

const times = (count: number, call: string) => Array.from({ length: count }, () => call)

/** The teams of a league are those with a rating. */
const ratings = ['elo/get 1', 'elo/get 1', 'elo/read 1']

describe('a small season of basketball through the graph', () => {
  standing('basketball')

  test('the final score of a game is the boxscores’, where the schedule has it the wrong way round', async () => {
    expect(
      await asked(
        'games(date: "2025-11-03") { status homeScore awayScore homeTeam { name } awayTeam { name } }',
      ),
    ).toEqual({
      league: {
        games: [
          {
            status: 'final',
            homeScore: 70,
            awayScore: 60,
            homeTeam: { name: 'Ants' },
            awayTeam: { name: 'Bees' },
          },
        ],
      },
      calls: ['game/getGames 1'],
    })
  })

  test('a roster is the source’s', async () => {
    expect(
      await asked('teams { name roster(season: 2026) { firstName lastName number height position } }'),
    ).toEqual({
      league: {
        teams: [
          {
            name: 'Ants',
            roster: [
              { firstName: 'Ann', lastName: 'Three Names', number: '4', height: '6-1', position: 'G' },
            ],
          },
          {
            name: 'Bees',
            roster: [{ firstName: 'Bob', lastName: 'Bee', number: '5', height: '6-2', position: null }],
          },
          { name: 'Cats', roster: [] },
        ],
      },
      calls: [...ratings, ...times(3, 'team/getPlayers 1'), 'team/read 3'],
    })
  })

  test('a team’s statistics are the means of its boxscores', async () => {
    expect(
      await asked(`teams {
      stats(season: 2026) { games points { value rank } opponentPoints { value rank } fieldGoalPercentage { value } }
      boxscores(season: 2026) { points }
    }`),
    ).toEqual({
      league: {
        teams: [
          {
            stats: {
              games: 2,
              points: { value: 72, rank: 3 },
              opponentPoints: { value: 70, rank: 2 },
              fieldGoalPercentage: { value: 43.333 },
            },
            boxscores: [{ points: 70 }, { points: 74 }],
          },
          {
            stats: {
              games: 2,
              points: { value: 75, rank: 2 },
              opponentPoints: { value: 60, rank: 1 },
              fieldGoalPercentage: { value: 45.833 },
            },
            boxscores: [{ points: 90 }, { points: 60 }],
          },
          {
            stats: {
              games: 1,
              points: { value: 80, rank: 1 },
              opponentPoints: { value: 74, rank: 3 },
              fieldGoalPercentage: { value: 50 },
            },
            boxscores: [{ points: 80 }],
          },
        ],
      },
      calls: ['boxscore/readBoxscore 3', ...ratings, ...times(3, 'team/getStats 1')],
    })
  })

  test('a rank of a day is the place among the teams that have played', async () => {
    expect(
      await asked('teams { name stats(season: 2026, date: "2025-11-03") { games points { value rank } } }'),
    ).toEqual({
      league: {
        teams: [
          { name: 'Ants', stats: { games: 1, points: { value: 70, rank: 1 } } },
          { name: 'Bees', stats: { games: 1, points: { value: 60, rank: 2 } } },
          { name: 'Cats', stats: { games: 0, points: { value: null, rank: null } } },
        ],
      },
      calls: [...ratings, ...times(3, 'statistic_ranking/getStats 1'), 'team/read 3'],
    })
  })
})

describe('a small season of football through the graph', () => {
  standing('football')

  test('the final score of a game is the source’s, with its line', async () => {
    expect(
      await asked(`games(date: "2025-09-06") {
        status homeScore awayScore homeTeam { altName } awayTeam { altName } odds { pre { spreadHome over } }
      }`),
    ).toEqual({
      league: {
        games: [
          {
            status: 'final',
            homeScore: 17,
            awayScore: 20,
            homeTeam: { altName: 'Ants Ant' },
            awayTeam: { altName: 'Bees Bee' },
            odds: { pre: { spreadHome: -3.5, over: 44.5 } },
          },
        ],
      },
      calls: ['game/getGames 1', 'game/getScores 1'],
    })
  })

  test('every player of the division is in one leaderboard, the most passing yards a game first', async () => {
    expect(
      await asked(`ranking(subject: PLAYER, season: 2025, orderBy: "passing_yards_per_game", first: 1) {
        totalCount edges { node {
          stat(name: "passing_yards_per_game") { value rank } ...on PlayerStatRanking { player { lastName } }
        } }
      }`),
    ).toEqual({
      league: {
        ranking: {
          totalCount: 3,
          edges: [{ node: { stat: { value: 180, rank: 1 }, player: { lastName: 'Arm' } } }],
        },
      },
      calls: ['organization/read 1', 'player/read 1', 'ranking/download 1'],
    })
  })

  test('a roster is everybody who has played for the team, and its statistics are the means of its boxscores', async () => {
    expect(
      await asked(`teams {
      name roster(season: 2025) { lastName } stats(season: 2025) { stat(name: "totalYards") { value rank } }
      boxscores(season: 2025) { ...on FootballTeamBoxscore { passingYards rushingYards firstDowns } }
    }`),
    ).toEqual({
      league: {
        teams: [
          {
            name: 'Ants Ant',
            roster: [{ lastName: 'Arm' }, { lastName: 'Catch' }, { lastName: 'Kick' }],
            stats: { stat: { value: 300, rank: 1 } },
            boxscores: [{ passingYards: 180, rushingYards: 120, firstDowns: 20 }],
          },
          {
            name: 'Bees Bee',
            roster: [],
            stats: { stat: { value: 300, rank: 1 } },
            boxscores: [{ passingYards: 200, rushingYards: 100, firstDowns: 18 }],
          },
        ],
      },
      calls: [
        'boxscore/readBoxscore 2',
        ...ratings,
        ...times(2, 'team/getPlayers 1'),
        ...times(2, 'team/getStats 1'),
        'team/read 2',
      ],
    })
  })
})
