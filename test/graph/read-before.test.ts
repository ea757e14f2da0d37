import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { globalId } from '../../src/graph/ids.ts'
import { basketball, football, season, startSample, today } from './harness.ts'
import type { Graph, Sample } from './harness.ts'
import { answerOf } from './spoiled.ts'

let sample: Sample
beforeAll(async () => {
  sample = await startSample()
})
afterAll(() => sample.close())

/** A query's data, which has no errors, and its calls. */
async function asked(graph: Graph, text: string) {
  const { data, errors } = await graph.query(text)
  expect(errors).toBeUndefined()
  return [data, graph.calls.take()] as const
}

describe('a row that was read by its own id', () => {
  test('of a transfer is not taken for the transfers of all players', async () => {
    const [one, other] = await sample.rows('cbb_transfer_player_season/read')
    const id = globalId('Transfer', String(one?.['cbb_transfer_player_season_id']))
    const graph = sample.graph()
    await asked(graph, `{ node(id: "${id}") { id } }`)
    graph.calls.take()
    const text = `{ player(id: "${String(other?.['player_id'])}") { transfers { cbbTransferPlayerSeasonId } } }`
    const key = other?.['cbb_transfer_player_season_id']
    expect(await asked(graph, text)).toEqual([
      { player: { transfers: [{ cbbTransferPlayerSeasonId: key }] } },
      ['cbb_transfer_player_season/read 1'],
    ])
  })

  test('of a rating is not taken for the ratings of all teams', async () => {
    const [one, other] = await sample.rows('elo/read', { ...basketball, season, current: 1 })
    const graph = sample.graph()
    await asked(graph, `{ node(id: "${globalId('Elo', String(one?.['elo_id']))}") { id } }`)
    graph.calls.take()
    const text = `{ team(id: "${String(other?.['team_id'])}") { conferenceId } }`
    const [cold, calls] = await asked(sample.graph(), text)
    expect(cold).toEqual({ team: { conferenceId: expect.any(String) } })
    expect(await asked(graph, text)).toEqual([cold, calls])
  })
})

describe('an id that nobody has', () => {
  const nobody = '00000000-0000-4000-8000-000000000000'

  const lists = {
    game: {
      fields: 'boxscores { boxscoreId } playerBoxscores { playerBoxscoreId } odds { history { oddsId } }',
      none: { boxscores: [], playerBoxscores: [], odds: { history: [] } },
    },
    team: {
      fields: `eloHistory(season: ${season}) { eloId } roster(season: ${season}) { playerId }
        boxscores(season: ${season}) { boxscoreId }`,
      none: { eloHistory: [], roster: [], boxscores: [] },
    },
    player: {
      fields: `seasons { playerTeamSeasonId } transfers { id } gameLog(season: ${season}) { playerBoxscoreId }`,
      none: { seasons: [], transfers: [], gameLog: [] },
    },
  }

  test.each(Object.entries(lists))(
    'of a %s has lists without rows, whether or not its row was asked for before',
    async (table, { fields, none }) => {
      const graph = sample.graph()
      const text = `{ ${table}(id: "${nobody}") { ${fields} } }`
      expect((await asked(graph, text))[0]).toEqual({ [table]: none })
      const other = sample.graph()
      const row = `{ ${table}(id: "${nobody}") { ${table}Id } }`
      expect(await asked(other, row)).toEqual([{ [table]: null }, [`${table}/read 1`]])
      expect(await asked(other, text)).toEqual([{ [table]: none }, []])
    },
  )
})

describe('a league without games', () => {
  const none = `league(organizationId: "${basketball.organization_id}", divisionId: "${football.division_id}")`

  test('has no season, also after a day of another league of its organization', async () => {
    const graph = sample.graph()
    const text = `{ ${none} { seasons currentSeason } }`
    const [cold, calls] = await asked(graph, text)
    expect(cold).toEqual({ league: { seasons: [], currentSeason: null } })
    const other = sample.graph()
    await asked(other, `{ league { games(date: "${today}") { gameId attendance } } }`)
    other.calls.take()
    expect(await asked(other, text)).toEqual([cold, calls])
    const together = `{ league { games(date: "${today}") { gameId attendance } } none: ${none} { seasons currentSeason } }`
    expect((await asked(sample.graph(), together))[0]['none']).toEqual(cold['league'])
  })
})

describe('the type in a global id', () => {
  test.each([
    ['BasketballTeamBoxscore', 'boxscore'],
    ['FootballTeamBoxscore', 'boxscore'],
    ['BasketballPlayerBoxscore', 'player_boxscore'],
  ])('%s holds where its row cannot be read, and its columns fail', async (typeName, table) => {
    const graph = sample.graph({
      between: async () => answerOf('{"error":"Something is broken."}'),
    })
    const id = globalId(typeName, '00000000-0000-4000-8000-000000000001')
    const { data, errors } = await graph.query(
      `{ node(id: "${id}") { __typename id ... on TeamBoxscore { points } ... on PlayerBoxscore { points } } }`,
    )
    expect(data).toEqual({ node: { __typename: typeName, id, points: null } })
    expect(errors?.map(({ path, extensions }) => [path, extensions?.code])).toEqual([
      [['node', 'points'], 'UPSTREAM_ERROR'],
    ])
    expect(graph.calls.take()).toEqual([`${table}/read 1`])
  })
})
