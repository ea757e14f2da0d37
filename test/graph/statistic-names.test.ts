import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { execute, parse } from 'graphql'
import { schema } from '../../src/schema.ts'
import { ClientRequest } from '../../src/account/client-request.ts'
import { within } from '../service/client.ts'
import type { Json } from '../service/client.ts'
import { basketball, football, footballSeason, season, startSample, teamsOfToday } from './harness.ts'
import type { Answer, Sample } from './harness.ts'

let sample: Sample
let team: string
let player: string
beforeAll(async () => {
  sample = await startSample()
  team = String((await teamsOfToday(sample))[0])
  const { organization_id } = basketball
  const roster = await sample.rows('team/getPlayers', { organization_id, team_id: team, season })
  player = String(roster[0]?.['player_id'])
})
afterAll(() => sample.close())

const faults = ({ errors }: Pick<Answer<unknown>, 'errors'>) =>
  errors?.map(({ path, extensions, message }) => [path?.join('.'), extensions?.code, message])

/** Adds columns to each row of statistics that the service sends. */
const withColumns =
  (columns: Json) => async (request: Parameters<Sample['transport']>[0], service: Sample['transport']) => {
    const answer = await service(request)
    const body = JSON.parse(answer.body) as Json // the service sends objects
    return { ...answer, body: JSON.stringify({ ...body, ...columns }) }
  }

describe('statNames', () => {
  test('has the statistics of a team’s row, not its keys, its dates or the ranks', async () => {
    const graph = sample.graph()
    const { data } = await graph.query<Json>(
      `{ team(id: "${team}") { stats(season: ${season}) { statNames columns } } }`,
    )
    expect(graph.calls.take()).toEqual(['team/getStats 1'])
    const { statNames, columns } = within(data, 'team', 'stats')
    const identity = new Set([
      'statistic_ranking_id',
      'season',
      'team_id',
      'date_of_rank',
      'current',
      'deleted',
    ])
    expect(statNames).toEqual(
      Object.keys(columns as Json).filter((name) => !identity.has(name) && !name.endsWith('_rank')),
    )
    expect(statNames).toEqual(expect.arrayContaining(['games', 'wins', 'points', 'opponent_blocks']))
  })

  test('has a statistic that nobody has specified, and no texts', async () => {
    const between = withColumns({ clutch_index: null, clutch_index_rank: 3, mood: 'good', has_mood: true })
    const graph = sample.graph({ between })
    const { data } = await graph.query<Json>(
      `{ league { player(id: "${player}") { stats(season: ${season}) { statNames } } } }`,
    )
    const { statNames } = within(data, 'league', 'player', 'stats')
    expect(statNames).toContain('clutch_index')
    expect(
      (statNames as string[]).filter((name) => /mood|_id$|_rank$|career|deleted|season/.test(name)),
    ).toEqual([])
    expect(graph.calls.take()).toEqual(['player_statistic_ranking/getStats 1'])
  })

  test('has the football statistics of a football row, and costs no call beside it', async () => {
    const graph = sample.graph({ defaults: football })
    const { data } = await graph.query<Json>(
      `{ league { averages(season: ${footballSeason}) { statNames passingYards { value rank } } } }`,
    )
    expect(within(data, 'league', 'averages')['statNames']).toEqual(
      expect.arrayContaining(['passing_yards', 'opponent_rushing_yards', 'turnover_margin']),
    )
    expect(graph.calls.take()).toEqual(['league_statistic_ranking/getStats 1'])
  })
})

describe('a name that is neither in the row nor in our lists', () => {
  test.each([
    ['asists', 'The row has no statistic "asists". Is "assists" meant?'],
    [
      'fieldGoalPercentge',
      'The row has no statistic "fieldGoalPercentge". Is "field_goal_percentage" meant?',
    ],
    ['rebounds', 'The row has no statistic "rebounds". Is "total_rebounds" meant?'],
    ['points_per_game', 'The row has no statistic "points_per_game". Is "points" meant?'],
    ['xyz', 'The row has no statistic "xyz". `columns` has the names that it has.'],
  ])('is null with an error that names the closest: %s', async (name, message) => {
    const graph = sample.graph()
    const answer = await graph.query(
      `{ team(id: "${team}") { stats(season: ${season}) { stat(name: "${name}") { value } points { value } } } }`,
    )
    expect(faults(answer)).toEqual([['team.stats.stat', 'BAD_USER_INPUT', message]])
    expect(answer.data).toEqual({
      team: { stats: { stat: null, points: { value: expect.any(Number) as unknown } } },
    })
    expect(graph.calls.take()).toEqual(['team/getStats 1'])
  })

  test('is one error for each field, not for each row, and costs no more than a right name', async () => {
    const graph = sample.graph()
    const ofPlayers = (fields: string) =>
      `{ league { team(id: "${team}") { roster(season: ${season}) { stats(season: ${season}) { ${fields} } } } } }`
    const answer = await graph.query<Json>(
      ofPlayers(
        'right: stat(name: "assists") { value } wrong: stat(name: "asists") { value } again: stat(name: "asists") { value }',
      ),
    )
    const rows = within(answer.data, 'league', 'team')['roster'] as Json[]
    expect(rows.length).toBeGreaterThan(5)
    for (const { stats } of rows)
      expect(stats).toEqual({ right: { value: expect.any(Number) as unknown }, wrong: null, again: null })
    expect(answer.errors?.map(({ path }) => path?.at(-1)).toSorted()).toEqual(['again', 'wrong'])
    const calls = graph.calls.take()
    const other = sample.graph()
    await other.query(ofPlayers('right: stat(name: "assists") { value }'))
    expect(calls).toEqual(other.calls.take())
  })

  test('is one error under GraphQL’s own executor too, which answers gateways that want times', async () => {
    const { upstream } = sample.graph()
    const contextValue = {
      clientRequest: new ClientRequest(upstream.accountOf('sample-paid')),
      defaults: basketball,
    }
    const document = parse(
      `{ league { team(id: "${team}") { roster(season: ${season}) { stats(season: ${season}) { stat(name: "asists") { value } } } } } }`,
    )
    const { errors } = await execute({ schema, document, contextValue })
    expect(errors).toHaveLength(1)
  })

  test('among several names is a null value with one error, beside the others’ values', async () => {
    const graph = sample.graph()
    const answer = await graph.query<Json>(
      `{ team(id: "${team}") { stats(season: ${season}) {
        stats(names: ["points", "asists", "blokcs", "passing_yards"]) { name value rank }
        ranks: stats(names: ["blokcs"]) { rank }
      } } }`,
    )
    expect(within(answer.data, 'team', 'stats')['stats']).toEqual([
      { name: 'points', value: expect.any(Number) as unknown, rank: expect.any(Number) as unknown },
      { name: 'asists', value: null, rank: null },
      { name: 'blokcs', value: null, rank: null },
      { name: 'passing_yards', value: null, rank: null },
    ])
    expect(faults(answer)).toEqual([
      ['team.stats.stats.1.value', 'BAD_USER_INPUT', expect.stringContaining('Is "assists" meant?')],
      ['team.stats.ranks.0.rank', 'BAD_USER_INPUT', expect.stringContaining('Is "blocks" meant?')],
    ])
    expect(graph.calls.take()).toEqual(['team/getStats 1'])
  })

  test('of boxscores is one error for each field, of teams and of players', async () => {
    const graph = sample.graph()
    const [game] = await sample.rows('game/read', {
      ...basketball,
      season,
      home_team_id: team,
      status: 'final',
    })
    const answer = await graph.query<Json>(
      `{ game(id: "${String(game?.['game_id'])}") {
        boxscores { stat(name: "asists") }
        playerBoxscores { stat(name: "stela") right: stat(name: "steals") other: stat(name: "passing_yards") }
      } }`,
    )
    expect(answer.errors?.map(({ extensions, message }) => [extensions?.code, message]).toSorted()).toEqual([
      ['BAD_USER_INPUT', 'The row has no statistic "asists". Is "assists" meant?'],
      ['BAD_USER_INPUT', 'The row has no statistic "stela". Is "steals" meant?'],
    ])
    const rows = within(answer.data, 'game')['playerBoxscores'] as Json[]
    for (const row of rows)
      expect(row).toEqual({ stat: null, right: expect.any(Number) as unknown, other: null })
    expect(graph.calls.take()).toEqual(['boxscore/readBoxscore 1', 'player_boxscore/read 1'])
  })

  test('is the closest of the row’s own names too', async () => {
    const graph = sample.graph({ between: withColumns({ clutch_index: 4.5, clutch_index_rank: 3 }) })
    const answer = await graph.query(
      `{ team(id: "${team}") { stats(season: ${season}) { right: stat(name: "clutchIndex") { value rank } stat(name: "clutchIndx") { value } } } }`,
    )
    expect(faults(answer)).toEqual([
      ['team.stats.stat', 'BAD_USER_INPUT', expect.stringContaining('Is "clutch_index" meant?')],
    ])
    expect(answer.data).toEqual({ team: { stats: { right: { value: 4.5, rank: 3 }, stat: null } } })
  })

  test('is told again by the next request, which costs nothing', async () => {
    const graph = sample.graph()
    const text = `{ team(id: "${team}") { stats(season: ${season}) { stat(name: "asists") { value } } } }`
    for (const calls of [['team/getStats 1'], []]) {
      expect((await graph.query(text)).errors).toHaveLength(1)
      expect(graph.calls.take()).toEqual(calls)
    }
  })

  test('is no fault in a dry run, whose rows are made up', async () => {
    const graph = sample.graph()
    const text = `{ team(id: "${team}") { stats(season: ${season}) { stat(name: "clutchIndex") { value } } } }`
    const answer = await graph.query(text, { extensions: { explain: 'dry' } })
    expect(answer.errors).toBeUndefined()
    expect(graph.calls.take()).toEqual([])
  })
})

test.each(['passing_yards', 'passingYards', 'minutes_played', 'opponent_passing_yards'])(
  'a statistic of our lists that a row does not have is null without an error: %s',
  async (name) => {
    const graph = sample.graph()
    const { data, errors } = await graph.query<Json>(
      `{ team(id: "${team}") { stats(season: ${season}) { stat(name: "${name}") { rank } } } }`,
    )
    expect(errors).toBeUndefined()
    expect(Object.keys(within(data, 'team', 'stats'))).toEqual(['stat'])
    expect(graph.calls.take()).toEqual(['team/getStats 1'])
  },
)

test('a name that no row has is one error, also of a row that many objects lead to', async () => {
  const graph = sample.graph()
  const answer = await graph.query<Json>(
    `{ team(id: "${team}") { games(season: ${season}) { homeTeam { stats(season: ${season}, date: "2026-01-10") { stat(name: "nothing") { value } } } } } }`,
  )
  expect(faults(answer)).toEqual([
    [
      expect.stringMatching(/^team\.games\.\d+\.homeTeam\.stats\.stat$/),
      'BAD_USER_INPUT',
      expect.any(String),
    ],
  ])
  expect(new Set(graph.calls.take())).toEqual(new Set(['game/read 1', 'statistic_ranking/getStats 1']))
})
