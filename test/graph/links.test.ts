import { isObjectType } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basketball, football, footballSeason, graphOver, season, startSample, today } from './harness.ts'
import type { Answer, Between, Graph, Sample } from './harness.ts'
import { roundTrips } from './recorder.ts'
import { inRounds } from './rounds.ts'
import { answerOf, judged } from './spoiled.ts'
import { camelCase } from '../../src/graph/names.ts'
import { schema } from '../../src/schema.ts'
import { statisticNames } from '../../src/service/numbers/sports.ts'
import { sampleRetired } from '../../src/service/sample/ids.ts'
import { sportsWith } from '../../src/graph/statistic-names.ts'
import { sampleNow } from '../sample.setup.ts'
import { within } from '../service/client.ts'
import type { Json } from '../service/client.ts'

let sample: Sample
let games: Json[]
let teams: string[]
let players: string[]

const unknown = '00000000-0000-4000-8000-000000000000'

beforeAll(async () => {
  sample = await startSample()
  games = await sample.rows('game/getGames', { ...basketball, start_date: today })
  teams = games.flatMap((game) => [String(game['away_team_id']), String(game['home_team_id'])])
  const { organization_id } = basketball
  const roster = await sample.rows('team/getPlayers', { organization_id, team_id: teams[0], season })
  players = roster.map((row) => String(row['player_id']))
})
afterAll(() => sample.close())

const global = (type: string, id: unknown) => Buffer.from(`${type}:${String(id)}`).toString('base64')
const leagueOf = ({ organization_id, division_id }: typeof basketball) =>
  `league(organizationId: "${organization_id}", divisionId: "${division_id}")`

async function ask(graph: Graph, text: string, variables: Record<string, unknown> = {}): Promise<Json> {
  const { data, errors } = await graph.query<Json>(text, { variables })
  expect(errors).toBeUndefined()
  return data
}

const servedLeague = ({ organization_id: organizationId, division_id: divisionId }: typeof football) => ({
  organization: { organizationId },
  division: { divisionId },
})
const nameOf = (rows: Json[], key: string, id: string) => rows.find((row) => row[key] === id)?.['name']

const ranking = (args: string, fields: string) =>
  `{ league { ranking(season: ${season}, ${args}) { totalCount pageInfo { hasNextPage endCursor } edges { cursor node { ${fields} } } } } }`

const codes = ({ errors = [] }: Answer<unknown>) =>
  errors.map(({ path, extensions }) => [path?.join('.'), extensions?.code])

describe('roots', () => {
  test.each([
    ['', { inactive: '1' }, [sampleRetired.organizationId]],
    ['active', { inactive: '0' }, [basketball.organization_id, football.organization_id]],
    ['all', {}, [basketball.organization_id, football.organization_id, sampleRetired.organizationId]],
  ])('organizations and divisions %s', async (which, sent, organizations) => {
    const graph = sample.graph()
    const active = which === 'active' ? '' : `(active: ${which === 'all' ? 'null' : 'false'})`
    const data = await ask(
      graph,
      `{ organizations${active} { organizationId } divisions${active} { divisionId inactive } }`,
    )
    const found = (data['organizations'] as Json[]).map((row) => row['organizationId'])
    expect(found.toSorted()).toEqual(organizations.toSorted())
    expect(graph.calls.take()).toEqual(['division/read 1', 'organization/read 1'])
    expect(graph.calls.sent.map(({ arguments: values }) => values)).toEqual([sent, sent])
  })

  test('a league is the default one, or the one that is named by raw or global ids', async () => {
    const graph = sample.graph()
    const { organization_id, division_id } = football
    const data = await ask(
      graph,
      `{
        default: league { organization { organizationId } division { divisionId } }
        raw: ${leagueOf(football)} { organization { organizationId } division { divisionId } }
        global: league(organizationId: "${global('Organization', organization_id)}", divisionId: "${global('Division', division_id)}") {
          organization { organizationId } division { divisionId }
        }
      }`,
    )
    expect(data).toEqual({
      default: servedLeague(basketball),
      raw: servedLeague(football),
      global: servedLeague(football),
    })
    expect(graph.calls.take()).toEqual([])
  })

  test('a league’s organization and division cost one small read each for their names', async () => {
    const graph = sample.graph()
    const data = await ask(graph, '{ league { organization { name } division { name } } }')
    expect(data['league']).toEqual({
      organization: {
        name: nameOf(await sample.rows('organization/read'), 'organization_id', basketball.organization_id),
      },
      division: { name: nameOf(await sample.rows('division/read'), 'division_id', basketball.division_id) },
    })
    expect(graph.calls.take()).toEqual(['division/read 1', 'organization/read 1'])
  })

  test('a node of any type is found by its global id and keeps it', async () => {
    const first = async (operation: string, key: string, given = {}) =>
      String((await sample.rows(operation, given))[0]?.[key])
    const played = games[0]?.['game_id']
    const footballGame = await first('game/getGames', 'game_id', { ...football, start_date: today })
    const nodes = [
      ['Organization', basketball.organization_id],
      ['Division', basketball.division_id],
      ['Game', played],
      ['Team', teams[0]],
      ['Player', players[0]],
      ['Coach', await first('coach/read', 'coach_id')],
      ['Conference', await first('conference/read', 'conference_id')],
      ['Odds', await first('odds/read', 'odds_id', { game_id: played })],
      ['Elo', await first('elo/read', 'elo_id', { ...basketball, season, current: 1 })],
      ['Transfer', await first('cbb_transfer_player_season/read', 'cbb_transfer_player_season_id')],
      ['BasketballTeamBoxscore', await first('boxscore/read', 'boxscore_id', { game_id: played })],
      ['FootballTeamBoxscore', await first('boxscore/read', 'boxscore_id', { game_id: footballGame })],
      [
        'BasketballPlayerBoxscore',
        await first('player_boxscore/read', 'player_boxscore_id', { game_id: played }),
      ],
      [
        'OtherPlayerBoxscore',
        await first('player_boxscore/read', 'player_boxscore_id', { game_id: footballGame }),
      ],
    ].map(([type = '', id]) => ({ __typename: type, id: global(String(type), id) }))
    const graph = sample.graph()
    const data = await ask(graph, 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }', {
      ids: nodes.map(({ id }) => id),
    })
    expect(data['nodes']).toEqual(nodes)
    expect(graph.calls.take()).toEqual([
      'boxscore/read 2',
      'cbb_transfer_player_season/read 1',
      'coach/read 1',
      'conference/read 1',
      'division/read 1',
      'elo/read 1',
      'game/read 1',
      'odds/read 1',
      'organization/read 1',
      'player/read 1',
      'player_boxscore/read 2',
      'team/read 1',
    ])
    expect(roundTrips(graph.calls.sent)).toBe(1)
  })
})

describe('ids', () => {
  test('an object is found by its raw id in any case, and by its global id', async () => {
    const graph = sample.graph()
    const [id = ''] = teams
    const data = await ask(
      graph,
      `{ raw: team(id: "${id}") { teamId id } upper: team(id: "${id.toUpperCase()}") { teamId }
         global: team(id: "${global('Team', id)}") { teamId } node(id: "${global('Team', id)}") { id } }`,
    )
    expect(data).toEqual({
      raw: { teamId: id, id: global('Team', id) },
      upper: { teamId: id },
      global: { teamId: id },
      node: { id: global('Team', id) },
    })
    expect(graph.calls.take()).toEqual(['team/read 1'])
  })

  test('an id that is none, or of another type, is the query’s fault, in its place, and costs nothing', async () => {
    const graph = sample.graph()
    const [id = '', other = ''] = teams
    const answer = await graph.query<Json>(
      `{
        wrong: team(id: "${global('Game', id)}") { name }
        none: game(id: "42") { status }
        raw: node(id: "${id}") { id }
        teams(ids: ["${id}", "nonsense", "${global('Team', other)}"]) { teamId name }
        nodes(ids: ["${global('Team', other)}", "${global('Nothing', other)}"]) { id }
      }`,
    )
    expect(codes(answer).toSorted()).toEqual(
      ['none', 'nodes.1', 'raw', 'teams.1', 'wrong'].map((path) => [path, 'BAD_USER_INPUT']).toSorted(),
    )
    expect(answer.data['teams']).toMatchObject([{ teamId: id }, null, { teamId: other }])
    expect(answer.data['nodes']).toEqual([{ id: global('Team', other) }, null])
    expect(graph.calls.take()).toEqual(['team/read 2'])
  })

  test('`node` says what to use instead of the service’s own id', async () => {
    const graph = sample.graph()
    const message = async (id: string) =>
      (await graph.query(`{ node(id: "${id}") { id } }`)).errors?.map((error) => error.message)
    expect(await message(teams[0] ?? '')).toEqual([expect.stringContaining('`team(id:)`')])
    expect(await message('nonsense')).toEqual([expect.stringContaining('the `id` of an earlier answer')])
    expect(graph.calls.take()).toEqual([])
  })

  test('types that are no nodes say so, and `node` refuses their ids for nothing', async () => {
    const graph = sample.graph()
    for (const type of Object.values(schema.getTypeMap()).filter((one) => isObjectType(one))) {
      const { id } = type.getFields()
      if (!id || type.name.startsWith('_')) continue
      const isNode = type.getInterfaces().some(({ name }) => name === 'Node')
      expect([type.name, id.description?.includes('does not find it')]).toEqual([type.name, !isNode])
      if (isNode) continue
      const answer = await graph.query(`{ node(id: "${global(type.name, unknown)}") { id } }`)
      expect(codes(answer)).toEqual([['node', 'BAD_USER_INPUT']])
      expect(answer.errors?.[0]?.message).toContain(type.name)
    }
    expect(graph.calls.take()).toEqual([])
  })

  test('unknown ids are null in their places and harm no other', async () => {
    const graph = sample.graph()
    const [id = '', other = ''] = teams
    const data = await ask(
      graph,
      `{ teams(ids: ["${unknown}", "${id}", "${unknown}", "${other}", "${id}"]) { teamId name }
         team(id: "${unknown}") { name } key: team(id: "${unknown}") { teamId }
         node(id: "${global('Team', unknown)}") { id } nodes(ids: ["${global('Team', unknown)}", "${global('Team', id)}"]) { id } }`,
    )
    const names = await sample.row('team/read', { team_id: [id, other] })
    const found = (teamId: string) => ({ teamId, name: within(names, teamId)['name'] })
    expect(data).toEqual({
      teams: [null, found(id), null, found(other), found(id)],
      team: null,
      key: null,
      node: null,
      nodes: [null, { id: global('Team', id) }],
    })
    expect(graph.calls.take()).toEqual(['team/read 3'])
    await ask(graph, `{ team(id: "${unknown}") { name } }`)
    expect(graph.calls.take()).toEqual([])
  })
})

describe('lookups', () => {
  test.each([
    ['its key alone', 'teamId', ['team/read 1']],
    ['its global id alone', 'id', ['team/read 1']],
    ['a column', 'name', ['team/read 1']],
    ['a link alone', `roster(season: ${season}) { playerId }`, ['team/getPlayers 1']],
    ['the key and a link', `id teamId roster(season: ${season}) { playerId }`, ['team/getPlayers 1']],
    [
      'a column and a link',
      `name roster(season: ${season}) { playerId }`,
      ['team/getPlayers 1', 'team/read 1'],
    ],
    ['its statistics', `stats(season: ${season}) { wins { value } }`, ['team/getStats 1']],
    ['its rating', `elo(season: ${season}) { elo }`, ['elo/read 1']],
    ['its ratings', `eloHistory(season: ${season}) { elo }`, ['elo/read 1']],
    ['its games', `games(season: ${season}) { startDate }`, ['game/read 1', 'game/read 1']],
    ['its boxscores', `boxscores(season: ${season}) { points }`, ['boxscore/readBoxscore 1']],
  ])('a team of which %s is wanted costs just that', async (_what, fields, calls) => {
    const graph = sample.graph()
    const data = await ask(graph, `{ team(id: "${teams[0]}") { ${fields} } }`)
    expect(data['team']).not.toBeNull()
    expect(graph.calls.take()).toEqual(calls)
    expect(roundTrips(graph.calls.sent)).toBe(1)
  })

  test.each([
    ['its seasons', 'seasons { season }', ['player/getSeasons 1']],
    ['a game log', `gameLog(season: ${season}) { points }`, ['player/getGameLogs 1']],
    ['statistics', `stats(season: ${season}) { games }`, ['player_statistic_ranking/getStats 1']],
    ['a career', 'careerStats { games }', ['player_statistic_ranking/getStats 1']],
    ['transfers', 'transfers { season }', ['cbb_transfer_player_season/read 1']],
    ['a college beside it', `college seasons { season }`, ['player/getSeasons 1', 'player/read 1']],
  ])('a player of whom %s is wanted costs just that', async (_what, fields, calls) => {
    const graph = sample.graph()
    const data = await ask(graph, `{ player(id: "${players[0]}") { ${fields} } }`)
    expect(data['player']).not.toBeNull()
    expect(graph.calls.take()).toEqual(calls)
  })

  test('an unknown team of which links alone are wanted is there, with nothing in them', async () => {
    const graph = sample.graph()
    const data = await ask(
      graph,
      `{ team(id: "${unknown}") { teamId roster(season: ${season}) { playerId } stats(season: ${season}) { games } elo(season: ${season}) { elo } } }`,
    )
    expect(data).toEqual({ team: { teamId: unknown, roster: [], stats: null, elo: null } })
    expect(graph.calls.take()).toEqual(['elo/read 1', 'team/getPlayers 1', 'team/getStats 1'])
  })

  test('and so it is once its row is known to be missing', async () => {
    const graph = sample.graph()
    const row = await ask(graph, `{ team(id: "${unknown}") { teamId name } }`)
    const links = await ask(graph, `{ team(id: "${unknown}") { teamId id elo(season: ${season}) { elo } } }`)
    expect(row).toEqual({ team: null })
    expect(links).toEqual({ team: { teamId: unknown, id: global('Team', unknown), elo: null } })
    expect(graph.calls.take()).toEqual(['team/read 1'])
  })
})

describe('scope', () => {
  test('a game’s league and season are its teams’, whatever the default', async () => {
    const [game = {}] = await sample.rows('game/getGames', { ...football, start_date: today })
    const graph = sample.graph()
    await ask(
      graph,
      `{ game(id: "${String(game['game_id'])}") { homeTeam { stats { games } roster { playerId } } } }`,
    )
    const sent = graph.calls.sent.filter(({ operation }) => operation.startsWith('team/'))
    const team_id = game['home_team_id']
    const at = { team_id, season: String(footballSeason) }
    expect(new Map(sent.map(({ operation, arguments: values }) => [operation, values]))).toEqual(
      new Map([
        ['team/getStats', { ...football, ...at }],
        ['team/getPlayers', { organization_id: football.organization_id, ...at }],
      ]),
    )
  })

  test('an argument wins over the scope', async () => {
    const graph = sample.graph()
    await ask(
      graph,
      `{ league { games(date: "${today}") { homeTeam { stats(season: ${season - 1}) { games } } } } }`,
    )
    const seasons = new Set(
      graph.calls.sent
        .filter(({ operation }) => operation === 'team/getStats')
        .map(({ arguments: values }) => values['season']),
    )
    expect(seasons).toEqual(new Set([String(season - 1)]))
  })

  test('a league hands itself to all that is reached from it', async () => {
    const team_id = String(
      (await sample.rows('game/getGames', { ...football, start_date: today }))[0]?.['home_team_id'],
    )
    const graph = sample.graph()
    await ask(
      graph,
      `{ ${leagueOf(football)} {
        team(id: "${team_id}") { stats(season: ${footballSeason}) { games } elo(season: ${footballSeason}) { elo } }
        averages(season: ${footballSeason}) { season }
        search(name: "an") { teams { name } }
      } }`,
    )
    expect(graph.calls.sent).toHaveLength(4)
    for (const { arguments: values } of graph.calls.sent) expect(values).toMatchObject(football)
  })

  test('the default league serves where nothing else names one', async () => {
    const graph = sample.graph({ defaults: football })
    await ask(graph, `{ league { averages(season: ${footballSeason}) { season } } }`)
    expect(graph.calls.sent.map(({ arguments: values }) => values)).toMatchObject([football])
  })

  test('another organization has no default division, and the error says so', async () => {
    const graph = sample.graph({ defaults: basketball })
    const answer = await graph.query(
      `{ league(organizationId: "${football.organization_id}") { organization { name } } }`,
    )
    expect(answer.errors?.map(({ message }) => message)).toEqual([
      'Missing: divisionId. The server’s default division belongs to its default organization alone. Write `divisionId`, or reach the field through a league, `{ league(code: "CBB") { … } }`.',
    ])
    expect(graph.calls.take()).toEqual([])
  })

  test.each([
    ['{ league { organization { organizationId } } }', {}, 'league', ['organizationId', 'divisionId']],
    [
      `{ league(organizationId: "${football.organization_id}") { organization { name } } }`,
      basketball,
      'league',
      ['divisionId'],
    ],
    ['team { stats { games } }', {}, 'team.stats', ['organizationId', 'divisionId', 'season']],
    ['team { roster { playerId } }', {}, 'team.roster', ['organizationId', 'season']],
    ['team { games { status } }', {}, 'team.games', ['season']],
    ['team { elo { elo } }', {}, 'team.elo', ['season']],
    ['team { eloHistory { elo } }', {}, 'team.eloHistory', ['season']],
    ['team { boxscores { points } }', {}, 'team.boxscores', ['organizationId', 'season']],
    ['player { gameLog { points } }', {}, 'player.gameLog', ['organizationId', 'divisionId', 'season']],
    ['player { careerStats { games } }', {}, 'player.careerStats', ['organizationId']],
    [`conference { projection { hasAccess } }`, {}, 'conference.projection', ['organizationId', 'season']],
    [`coach { stats { season } }`, {}, 'coach.stats', ['organizationId', 'divisionId', 'season']],
  ])('%s without its scope is an error that names what is missing', async (text, defaults, path, missing) => {
    const graph = sample.graph({ defaults })
    const query = text.replace(/^(team|player|conference|coach) (.*)$/, `{ $1(id: "${unknown}") $2 }`)
    const answer = await graph.query<Json>(query)
    expect(codes(answer)).toEqual([[path, 'SCOPE_REQUIRED']])
    for (const name of missing) expect(answer.errors?.[0]?.message).toContain(name)
    for (const name of ['organizationId', 'divisionId', 'season'].filter((one) => !missing.includes(one)))
      expect(answer.errors?.[0]?.message).not.toContain(name)
    expect(graph.calls.take()).toEqual([])
  })

  test('a field without its scope harms no other', async () => {
    const graph = sample.graph({ defaults: {} })
    const answer = await graph.query<Json>(`{ team(id: "${teams[0]}") { name stats { games } } }`)
    expect(codes(answer)).toEqual([['team.stats', 'SCOPE_REQUIRED']])
    expect(within(answer.data, 'team')['name']).toBeTypeOf('string')
    expect(graph.calls.take()).toEqual(['team/read 1'])
  })
})

/**
 * Where rows of each type appear, and their links: the field of the key, and the linked type, whose own key
 * it must be.
 */
const linked: Readonly<
  Record<
    string,
    {
      at: () => string
      path: readonly string[]
      links: Readonly<Record<string, string>>
      calls: readonly string[]
    }
  >
> = {
  Game: {
    at: () => `{ league { games(date: "${today}") { LINKS } } }`,
    path: ['league', 'games'],
    links: { organization: 'organizationId', division: 'divisionId', homeTeam: 'teamId', awayTeam: 'teamId' },
    calls: ['game/getGames 1'],
  },
  Prediction: {
    at: () => `{ league { games(date: "${today}") { prediction { LINKS } } } }`,
    path: ['league', 'games', 'prediction'],
    links: { game: 'gameId' },
    calls: ['game/getScores 1'],
  },
  Odds: {
    at: () => `{ game(id: "${String(games[0]?.['game_id'])}") { odds { history { LINKS } } } }`,
    path: ['game', 'odds', 'history'],
    links: { game: 'gameId' },
    calls: ['odds/read 1'],
  },
  Elo: {
    at: () => `{ league { elo(season: ${season}) { LINKS } } }`,
    path: ['league', 'elo'],
    links: { organization: 'organizationId', division: 'divisionId', team: 'teamId', game: 'gameId' },
    calls: ['elo/read 1'],
  },
  PlayerTeamSeason: {
    at: () => `{ player(id: "${players[0]}") { seasons { LINKS } } }`,
    path: ['player', 'seasons'],
    links: { player: 'playerId', team: 'teamId' },
    calls: ['player/getSeasons 1'],
  },
  Transfer: {
    at: () => `{ league { transfers(season: ${season}) { LINKS } } }`,
    path: ['league', 'transfers'],
    links: { player: 'playerId', committedTeam: 'teamId' },
    calls: ['cbb_transfer_player_season/read 1'],
  },
  TeamBoxscore: {
    at: () => `{ game(id: "${String(games[0]?.['game_id'])}") { boxscores { LINKS } } }`,
    path: ['game', 'boxscores'],
    links: { organization: 'organizationId', division: 'divisionId', game: 'gameId', team: 'teamId' },
    calls: ['boxscore/readBoxscore 1'],
  },
  PlayerBoxscore: {
    at: () => `{ game(id: "${String(games[0]?.['game_id'])}") { playerBoxscores { LINKS } } }`,
    path: ['game', 'playerBoxscores'],
    links: {
      organization: 'organizationId',
      division: 'divisionId',
      game: 'gameId',
      team: 'teamId',
      player: 'playerId',
    },
    calls: ['player_boxscore/read 1'],
  },
  TeamStatRanking: {
    at: () => `{ team(id: "${teams[0]}") { stats(season: ${season}) { LINKS } } }`,
    path: ['team', 'stats'],
    links: { organization: 'organizationId', division: 'divisionId', team: 'teamId' },
    calls: ['team/getStats 1'],
  },
  PlayerStatRanking: {
    at: () => `{ player(id: "${players[0]}") { stats(season: ${season}) { LINKS } } }`,
    path: ['player', 'stats'],
    links: { organization: 'organizationId', division: 'divisionId', team: 'teamId', player: 'playerId' },
    calls: ['player_statistic_ranking/getStats 1'],
  },
}

const follow = (data: unknown, [name, ...rest]: readonly string[]): Json[] => {
  if (Array.isArray(data))
    return data.flatMap((one) => follow(one, name === undefined ? [] : [name, ...rest]))
  if (name === undefined) return [data as Json] // the end of the path
  return follow((data as Json)[name], rest)
}

describe('rows link to what their keys name', () => {
  test.each(Object.entries(linked))(
    '%s, and the keys of its links cost nothing',
    async (_type, { at, path, links, calls }) => {
      const graph = sample.graph()
      const names = Object.entries(links)
      const fields = names.map(([link, key]) => `${link}Id ${link} { id ${key} }`).join(' ')
      const rows = follow(await ask(graph, at().replace('LINKS', fields)), path)
      expect(rows.length).toBeGreaterThan(0)
      for (const row of rows)
        for (const [link, key] of names)
          if (row[`${link}Id`] === null) expect(row[link]).toBeNull()
          else expect(within(row, link)[key]).toBe(row[`${link}Id`])
      expect(graph.calls.take()).toEqual(calls)
    },
  )
})

describe('a team’s conference', () => {
  test('comes with the games of a day', async () => {
    const graph = sample.graph()
    const data = await ask(
      graph,
      `{ league { games(date: "${today}") { homeTeam { conferenceId conference { conferenceId name } } } } }`,
    )
    const rows = follow(data, ['league', 'games', 'homeTeam'])
    const conferences = await sample.row('conference/read', { ...basketball })
    for (const [index, game] of games.entries()) {
      const id = String(within(game, 'teams', String(game['home_team_id']))['conference_id'])
      expect(rows[index]).toEqual({
        conferenceId: id,
        conference: { conferenceId: id, name: within(conferences, id)['name'] },
      })
    }
    expect(graph.calls.take()).toEqual([
      `conference/read ${new Set(rows.map((row) => row['conferenceId'])).size}`,
      'game/getGames 1',
    ])
  })

  test('that has none is not looked for further', async () => {
    const between = judged((body, operation) =>
      operation === 'game/getGames'
        ? JSON.parse(JSON.stringify(body).replace(/"conference_id":"[^"]*"/g, '"conference_id":null'))
        : body,
    )
    const graph = sample.graph({ between })
    const data = await ask(
      graph,
      `{ league { games(date: "${today}") { homeTeam { conferenceId conference { name } } } } }`,
    )
    expect(follow(data, ['league', 'games', 'homeTeam'])).toEqual(
      games.map(() => ({ conferenceId: null, conference: null })),
    )
    expect(await ask(graph, `{ team(id: "${teams[0]}") { conferenceId } }`)).toEqual({
      team: { conferenceId: null },
    })
    expect(graph.calls.take()).toEqual(['game/getGames 1'])
  })

  test('is found of teams that did not play in the game above them', async () => {
    const graph = sample.graph()
    const at = '2026-01-30'
    const played = await sample.rows('game/getGames', { ...basketball, start_date: at })
    const data = await ask(
      graph,
      `{ league { games(date: "${at}") { homeTeam { conferenceId conference {
        projection(season: ${season}) { standings { team { teamId conferenceId } } }
      } } } } }`,
    )
    const sides = follow(data, ['league', 'games', 'homeTeam'])
    const standing = sides.flatMap((side) => {
      const rows = follow(side, ['conference', 'projection', 'standings', 'team'])
      expect(rows.map((row) => row['conferenceId'])).toEqual(rows.map(() => side['conferenceId']))
      return rows
    })
    expect(new Set(standing.map((row) => row['teamId'])).size).toBeGreaterThan(2 * played.length)
    // The day in scope, and those on which the others played, as their ratings say.
    const asked: Record<string, number> = {}
    for (const call of graph.calls.take()) {
      const [name = '', count] = call.split(' ')
      asked[name] = (asked[name] ?? 0) + Number(count)
    }
    expect(asked).toEqual({
      'conference/getConferencePrediction': 3,
      'elo/read': 24,
      'game/getGames': 7,
      'game/read': 18,
    })
  })

  test('is looked for once, also where the team’s row is wanted too', async () => {
    const graph = sample.graph()
    const data = await ask(
      graph,
      `{ team(id: "${teams[0]}") { name conferenceId conference { conferenceId } again: conference { name } } }`,
    )
    const id = within(games[0] ?? {}, 'teams', String(teams[0]))['conference_id']
    const { name } = await sample.row('team/get', { team_id: teams[0] })
    expect(data).toMatchObject({ team: { name, conferenceId: id, conference: { conferenceId: id } } })
    expect(graph.calls.take()).toEqual(['conference/read 1', 'elo/read 1', 'game/getGames 1', 'game/read 1'])
  })

  test.each([
    [
      'roster { lastName }',
      'brings its name, where nothing waits for the team',
      ['game/read 1', 'team/getPlayers 1'],
    ],
    [
      'roster { college }',
      'is read with its name, where the players wait for the team',
      ['game/read 1', 'player/read 11', 'team/getPlayers 1', 'team/read 1'],
    ],
    [
      'games { awayTeam { name } }',
      'is read with its name, where the opponents wait for the team',
      ['game/read 1', 'game/read 1', 'team/read 1', 'team/read 11'],
    ],
  ])('beside %s %s', async (fields, _, calls) => {
    const rounds = async (text: string) => {
      const counted = inRounds(sample.transport)
      const graph = graphOver(counted.transport)
      const { errors } = await graph.query(`{ team(id: "${teams[0]}") { ${text} } }`)
      expect(errors).toBeUndefined()
      return {
        rounds: counted.bill().rounds,
        calls: graph.calls.take().filter((call) => call !== 'elo/get 1'),
      }
    }
    const together = await rounds(`name conferenceId ${fields}`)
    expect(together.calls).toEqual(['elo/read 1', 'game/getGames 1', ...calls])
    expect(together.rounds).toBe(
      Math.max((await rounds('conferenceId')).rounds, (await rounds(fields)).rounds),
    )
  })

  test.each(['name conferenceId', 'conferenceId name'])('%s costs the search alone', async (fields) => {
    const graph = sample.graph()
    const data = await ask(graph, `{ team(id: "${teams[0]}") { ${fields} } }`)
    const { name } = await sample.row('team/get', { team_id: teams[0] })
    const conferenceId = within(games[0] ?? {}, 'teams', String(teams[0]))['conference_id']
    expect(data).toEqual({ team: { name, conferenceId } })
    expect(graph.calls.take()).toEqual(['elo/read 1', 'game/getGames 1', 'game/read 1'])
  })

  test('of a team that does not exist is looked for in its ratings, and the team is null', async () => {
    const graph = sample.graph()
    const data = await ask(graph, `{ team(id: "${unknown}") { name conferenceId } }`)
    expect(data).toEqual({ team: null })
    expect(graph.calls.take()).toEqual(['elo/read 1', 'team/read 1'])
  })

  test('of a game’s teams brings their names too', async () => {
    const graph = sample.graph()
    const side = '{ name conferenceId }'
    const game = String(games[0]?.['game_id'])
    const data = await ask(graph, `{ game(id: "${game}") { homeTeam ${side} awayTeam ${side} } }`)
    for (const [index, name] of ['awayTeam', 'homeTeam'].entries()) {
      const row = await sample.row('team/get', { team_id: teams[index] })
      const conferenceId = within(games[0] ?? {}, 'teams', String(teams[index]))['conference_id']
      expect(within(data, 'game', name)).toEqual({ name: row['name'], conferenceId })
    }
    expect(graph.calls.take()).toEqual(['game/getGames 1', 'game/read 1'])
  })

  test('of all teams brings their names too', async () => {
    const graph = sample.graph()
    const text = (fields: string) => `{ league { teams { ${fields} } } }`
    const data = await ask(graph, text('name conferenceId'))
    const calls = graph.calls.take()
    const alone = sample.graph()
    const names = await ask(alone, text('name'))
    expect(follow(data, ['league', 'teams']).map((row) => row['name'])).toEqual(
      follow(names, ['league', 'teams']).map((row) => row['name']),
    )
    const other = sample.graph()
    await ask(other, text('conferenceId'))
    expect(calls).toEqual(other.calls.take())
  })

  test.each([
    ['cannot be looked for', answerOf({ message: 'broken' }, { status: 500 }), [['team', 'conferenceId']]],
    ['is not found', answerOf({}), undefined],
  ])('that %s leaves the team’s name, which is then read', async (_, days, paths) => {
    const between: Between = async (request, service) =>
      `${request.operation.class}/${request.operation.function}` === 'game/getGames' ? days : service(request)
    const graph = sample.graph({ between, retryPauses: [] })
    const { data, errors } = await graph.query<Json>(`{ team(id: "${teams[0]}") { name conferenceId } }`)
    const { name } = await sample.row('team/get', { team_id: teams[0] })
    expect(data).toEqual({ team: { name, conferenceId: null } })
    expect(errors?.map(({ path }) => path)).toEqual(paths)
    expect(graph.calls.take()).toEqual(['elo/read 1', 'game/getGames 1', 'game/read 1', 'team/read 1'])
  })

  test.each([
    ['elo/read', 'game/read'],
    ['game/read', 'elo/read'],
  ])('is found through the season’s games, %s before %s', async (first, last) => {
    const held: (() => void)[] = []
    const between: Between = async (request, service) => {
      const name = `${request.operation.class}/${request.operation.function}`
      if (name === last) await new Promise<void>((resolve) => void held.push(resolve))
      const answer = await service(request)
      // Once what is next in line has been asked for.
      if (name === first) setTimeout(() => held.splice(0).forEach((letGo) => letGo()), 50)
      return answer
    }
    const graph = sample.graph({ between })
    const data = await ask(
      graph,
      `{ team(id: "${teams[0]}") { conferenceId games(season: ${season}) { startDate } } }`,
    )
    const id = within(games[0] ?? {}, 'teams', String(teams[0]))['conference_id']
    expect(data).toMatchObject({ team: { conferenceId: id } })
    expect(graph.calls.take()).toEqual(['elo/read 1', 'game/getGames 1', 'game/read 1', 'game/read 1'])
  })

  test('is found through the games of the current season, although that is told late', async () => {
    const held: (() => void)[] = []
    const between: Between = async (request, service) => {
      const name = `${request.operation.class}/${request.operation.function}`
      if (name === 'elo/get') await new Promise<void>((resolve) => void held.push(resolve))
      const answer = await service(request)
      if (name === 'elo/read') setTimeout(() => held.splice(0).forEach((letGo) => letGo()), 50)
      return answer
    }
    const graph = sample.graph({ between })
    const data = await ask(graph, `{ team(id: "${teams[0]}") { conferenceId games { startDate } } }`)
    const id = within(games[0] ?? {}, 'teams', String(teams[0]))['conference_id']
    expect(data).toMatchObject({ team: { conferenceId: id } })
    expect(graph.calls.take()).toEqual([
      'elo/get 1',
      'elo/get 1',
      'elo/read 1',
      'game/getGames 1',
      'game/read 1',
      'game/read 1',
    ])
  })

  test.each(['', `elo(season: ${season}) { season team { teamId } }`])(
    'is otherwise found through a day on which the team played %s',
    async (beside) => {
      const graph = sample.graph()
      const data = await ask(
        graph,
        `{ league { team(id: "${teams[0]}") { conference { name } ${beside} } } }`,
      )
      const [game = {}] = games
      const id = String(within(game, 'teams', String(teams[0]))['conference_id'])
      const { name } = await sample.row('conference/get', { conference_id: id })
      expect(data).toMatchObject({ league: { team: { conference: { name } } } })
      expect(graph.calls.take()).toEqual([
        'conference/read 1',
        ...(beside ? ['elo/read 1'] : []),
        'elo/read 1',
        'game/getGames 1',
        'game/read 1',
      ])
    },
  )
})

describe('a team’s statistics', () => {
  test('do not say their league, which is the one that they were asked for', async () => {
    const graph = sample.graph()
    const place = { ...basketball, team_id: teams[0] ?? '', season }
    const row = await sample.row('team/getStats', place)
    expect(Object.keys(row)).not.toContain('organization_id')
    expect(Object.keys(row)).not.toContain('division_id')
    const fields = 'organizationId divisionId organization { organizationId } columns'
    const data = await ask(graph, `{ team(id: "${teams[0]}") { stats(season: ${season}) { ${fields} } } }`)
    const { organization_id: organizationId, division_id: divisionId } = basketball
    expect(within(data, 'team', 'stats')).toEqual({
      organizationId,
      divisionId,
      organization: { organizationId },
      columns: row,
    })
    expect(graph.calls.take()).toEqual(['team/getStats 1'])
  })
})

describe('search', () => {
  test('asks for the groups that the query selects, and a group that was not searched is null', async () => {
    const graph = sample.graph()
    const data = await ask(
      graph,
      `{ league { one: search(name: "an") { players { player { playerId lastName } begin end relevanceScore } }
        two: search(name: "or", groups: [TEAMS]) { teams { teamId name primaryColor } coaches { begin } } } }`,
    )
    const one = await sample.row('search/search', { ...basketball, name: 'an', player: 1 })
    const two = await sample.row('search/search', { ...basketball, name: 'or', team: 1 })
    expect(data['league']).toEqual({
      one: {
        players: (one['players'] as Json[]).map((row) => ({
          player: { playerId: row['player_id'], lastName: row['last_name'] },
          begin: row['begin'],
          end: row['end'],
          relevanceScore: row['relevance_score'],
        })),
      },
      two: {
        teams: (two['teams'] as Json[]).map((row) => ({
          teamId: row['team_id'],
          name: row['name'],
          primaryColor: row['primary_color'],
        })),
        coaches: null,
      },
    })
    expect(graph.calls.take()).toEqual(['search/search 1', 'search/search 1'])
    const flags = graph.calls.sent.map(({ arguments: { team, player, coach } }) => [team, player, coach])
    expect(flags).toEqual([
      [undefined, '1', undefined],
      ['1', undefined, undefined],
    ])
  })

  test('asks for all three without flags', async () => {
    const graph = sample.graph()
    await ask(
      graph,
      '{ league { search(name: "an") { teams { name } players { begin } coaches { end coach { firstName } } } } }',
    )
    expect(graph.calls.sent.map(({ arguments: values }) => values)).toEqual([{ ...basketball, name: 'an' }])
  })

  test('asks for two groups by two calls, one flag each, for a flag searches its group alone', async () => {
    const graph = sample.graph()
    const data = await ask(
      graph,
      '{ league { search(name: "an") { teams { teamId } players { player { playerId } } } } }',
    )
    const { teams } = await sample.row('search/search', { ...basketball, name: 'an', team: 1 })
    const { players: found } = await sample.row('search/search', { ...basketball, name: 'an', player: 1 })
    expect(within(data, 'league', 'search')).toEqual({
      teams: (teams as Json[]).map((row) => ({ teamId: row['team_id'] })),
      players: (found as Json[]).map((row) => ({ player: { playerId: row['player_id'] } })),
    })
    expect(graph.calls.sent.map(({ arguments: values }) => values)).toEqual([
      { ...basketball, name: 'an', player: '1' },
      { ...basketball, name: 'an', team: '1' },
    ])
    expect(roundTrips(graph.calls.sent)).toBe(1)
    graph.calls.take()
    await ask(graph, '{ league { search(name: "an") { teams { name } coaches { begin } } } }')
    expect(graph.calls.sent.at(-1)?.arguments).toEqual({ ...basketball, name: 'an', coach: '1' })
    expect(graph.calls.take()).toEqual(['search/search 1'])
  })

  test('a group whose call fails is null alone', async () => {
    const graph = sample.graph({
      between: async (request, service) =>
        `${request.path} ${request.body ?? ''}`.includes('player')
          ? answerOf({ error: 'no players today' })
          : service(request),
    })
    const answer = await graph.query<Json>(
      '{ league { search(name: "an") { teams { teamId } players { begin } } } }',
    )
    expect(codes(answer)).toEqual([['league.search.players', 'UPSTREAM_ERROR']])
    expect(within(answer.data, 'league', 'search')).toMatchObject({
      teams: Array.from({ length: 6 }, () => ({})),
      players: null,
    })
  })

  test('a search for a name of more than 200 characters is refused, because the name is kept with what it finds', async () => {
    const graph = sample.graph()
    const search = (name: string) =>
      graph.query('query Search($name: String!) { league { search(name: $name) { teams { name } } } }', {
        variables: { name },
      })
    expect(await search('x'.repeat(200))).toMatchObject({ data: { league: { search: { teams: null } } } })
    expect(graph.calls.take()).toHaveLength(1)
    expect(await search('x'.repeat(201))).toMatchObject({
      data: { league: { search: null } },
      errors: [
        {
          message: 'A search takes a name of at most 200 characters.',
          extensions: { code: 'BAD_USER_INPUT' },
        },
      ],
    })
    expect(graph.calls.take()).toEqual([])
    const league = schema.getType('League')
    const args = isObjectType(league) ? league.getFields()['search']?.args : []
    expect(args?.find(({ name }) => name === 'name')?.description).toContain('at most 200 characters')
  })

  test('a search for nothing is the query’s fault', async () => {
    const graph = sample.graph()
    const answer = await graph.query('{ league { search(name: "  ") { teams { name } } } }')
    expect(codes(answer)).toEqual([['league.search', 'BAD_USER_INPUT']])
    expect(graph.calls.take()).toEqual([])
  })
})

describe('conferences and coaches', () => {
  test('a projection lists the conference’s teams, best first by conference wins', async () => {
    const [conference = {}] = await sample.rows('conference/read', { ...basketball })
    const conference_id = String(conference['conference_id'])
    const graph = sample.graph()
    const data = await ask(
      graph,
      `{ conference(id: "${conference_id}") { projection(season: ${season}) { hasAccess standings { teamId confwins { value } wins { value } } } } }`,
    )
    const { organization_id } = basketball
    const rows = await sample.rows('conference/getConferencePrediction', {
      organization_id,
      conference_id,
      season,
    })
    const standings = follow(data, ['conference', 'projection', 'standings'])
    expect(within(data, 'conference', 'projection')['hasAccess']).toBe(true)
    expect(standings.map((row) => row['teamId']).toSorted()).toEqual(
      rows.map((row) => row['team_id']).toSorted(),
    )
    const wins = standings.map((row) => Number(within(row, 'confwins')['value']))
    expect(wins).toEqual(wins.toSorted((a, b) => b - a))
    expect(graph.calls.take()).toEqual(['conference/getConferencePrediction 1'])
  })

  test('a projection leaves the teams’ current rows as they are', async () => {
    const graph = sample.graph()
    const [conference = {}] = await sample.rows('conference/read', { ...basketball })
    const projected = follow(
      await ask(
        graph,
        `{ conference(id: "${String(conference['conference_id'])}") { projection(season: ${season}) { standings { teamId wins { value } } } } }`,
      ),
      ['conference', 'projection', 'standings'],
    )
    const team_id = String(projected[0]?.['teamId'])
    const data = await ask(
      graph,
      `{ team(id: "${team_id}") { stats(season: ${season}) { wins { value } } } }`,
    )
    const row = await sample.row('team/getStats', { ...basketball, team_id, season })
    expect(data).toEqual({ team: { stats: { wins: { value: row['wins'] } } } })
    expect(row['wins']).not.toBe(within(projected[0] ?? {}, 'wins')['value'])
  })

  test('statistics of a day are those of that day', async () => {
    const graph = sample.graph()
    const date = '2026-02-01'
    const data = await ask(
      graph,
      `{ league { averages(season: ${season}, date: "${date}") { dateOfRank } team(id: "${teams[0]}") { stats(season: ${season}, date: "${date}") { dateOfRank games points { rank } } } } }`,
    )
    const given = { ...basketball, season, date_of_rank: date }
    const row = await sample.row('statistic_ranking/getStats', { ...given, team_id: teams[0] })
    const averages = await sample.row('league_statistic_ranking/getStats', given)
    expect(data['league']).toEqual({
      averages: { dateOfRank: averages['date_of_rank'] },
      team: {
        stats: { dateOfRank: row['date_of_rank'], games: row['games'], points: { rank: row['points_rank'] } },
      },
    })
    expect(row['date_of_rank']).toBe(`${date}T00:00:00.000Z`)
    expect(graph.calls.take()).toEqual([
      'league_statistic_ranking/getStats 1',
      'statistic_ranking/getStats 1',
    ])
  })
})

describe('lists', () => {
  /** The service's answers with their rows in the opposite order. */
  const reversed: Between = judged((body) => Object.fromEntries(Object.entries(body).toReversed()))

  /** The service's answers, in which every second row has been withdrawn. */
  const withdrawn: Between = judged((body) =>
    Object.fromEntries(
      Object.entries(body).map(([key, row], index) => [
        key,
        index % 2 === 0 ? row : { ...(row as Json), deleted: 1 },
      ]), // rows
    ),
  )

  test.each([
    [
      'games of a day',
      () => `{ league { games(date: "${today}") { key: startDatetime } } }`,
      ['league', 'games'],
    ],
    [
      'a team’s games',
      () => `{ team(id: "${teams[0]}") { games(season: ${season}) { key: startDatetime } } }`,
      ['team', 'games'],
    ],
    [
      'a line’s history',
      () => `{ game(id: "${String(games[0]?.['game_id'])}") { odds { history { key: dateOfEntry } } } }`,
      ['game', 'odds', 'history'],
    ],
    [
      'a team’s ratings',
      () => `{ team(id: "${teams[0]}") { eloHistory(season: ${season}) { key: dateOfEntry } } }`,
      ['team', 'eloHistory'],
    ],
  ])('%s are in the order of time, whatever the service’s', async (_list, text, path) => {
    const rows = follow(await ask(sample.graph({ between: reversed }), text()), path).map((row) =>
      String(row['key']),
    )
    expect(rows.length).toBeGreaterThan(5)
    expect(rows).toEqual(rows.toSorted())
  })

  test('boxscores are away, then home, whatever the service’s order', async () => {
    const [game = {}] = games
    const text = `{ game(id: "${String(game['game_id'])}") { homeTeamId boxscores { teamId } } }`
    for (const graph of [sample.graph(), sample.graph({ between: reversed })])
      expect(follow(await ask(graph, text), ['game', 'boxscores'])).toEqual([
        { teamId: game['away_team_id'] },
        { teamId: game['home_team_id'] },
      ])
  })

  test('games without a start come last, in the service’s order', async () => {
    const without = new Set(games.slice(0, 2).map((game) => String(game['game_id'])))
    const between = judged((body) =>
      Object.fromEntries(
        Object.entries(body).map(([key, row]) => [
          key,
          without.has(key) ? { ...(row as Json), start_datetime: null } : row,
        ]),
      ),
    )
    const data = await ask(
      sample.graph({ between }),
      `{ league { games(date: "${today}") { gameId startDatetime } } }`,
    )
    const ids = follow(data, ['league', 'games']).map((row) => row['gameId'])
    expect(ids).toEqual([...games.slice(2), ...games.slice(0, 2)].map((game) => game['game_id']))
  })

  test.each([
    [
      'games of a day',
      () => `{ league { games(date: "${today}") { gameId deleted homeTeamId } } }`,
      ['league', 'games'],
      () => games.length,
    ],
    [
      'a roster',
      () => `{ league { team(id: "${teams[0]}") { roster(season: ${season}) { lastName } } } }`,
      ['league', 'team', 'roster'],
      () => players.length,
    ],
    [
      'ratings of a league',
      () => `{ league { elo(season: ${season}) { elo } } }`,
      ['league', 'elo'],
      () => 40,
    ],
    [
      'movements of a line',
      () => `{ game(id: "${String(games[0]?.['game_id'])}") { odds { history { over } } } }`,
      ['game', 'odds', 'history'],
      async () => (await sample.rows('odds/read', { game_id: games[0]?.['game_id'] })).length,
    ],
  ])('%s are without withdrawn rows', async (_list, text, path, all) => {
    const rows = follow(await ask(sample.graph({ between: withdrawn }), text()), path)
    expect(rows).toHaveLength(Math.ceil((await all()) / 2))
  })
})

test('a league’s ratings are the current ones unless `current` is false, as its description says', async () => {
  const current = await sample.rows('elo/read', { ...basketball, season, current: 1 })
  for (const argument of ['', ', current: true', ', current: null']) {
    const graph = sample.graph()
    const data = await ask(graph, `{ league { elo(season: ${season}${argument}) { eloId } } }`)
    expect(follow(data, ['league', 'elo'])).toHaveLength(current.length)
    expect(graph.calls.take()).toEqual(['elo/read 1'])
  }
  const league = schema.getType('League')
  const elo = isObjectType(league) ? league.getFields()['elo'] : undefined
  expect(elo?.args.find(({ name }) => name === 'current')?.description).toMatch(
    /true and null for the latest/,
  )
})

describe('a leaderboard', () => {
  test('is a page of the one download, best first', async () => {
    const graph = sample.graph()
    const fields = '... on TeamStatRanking { teamId points { value rank } }'
    const first = await ask(graph, ranking('subject: TEAM, orderBy: "points", first: 10', fields))
    const ranks = follow(first, ['league', 'ranking', 'edges', 'node', 'points']).map((row) =>
      Number(row['rank']),
    )
    expect(ranks).toHaveLength(10)
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
    expect(ranks[0]).toBe(1)
    const { endCursor, hasNextPage } = within(first, 'league', 'ranking', 'pageInfo')
    expect(hasNextPage).toBe(true)
    const rest = await ask(
      graph,
      ranking(`subject: TEAM, orderBy: "points", after: "${String(endCursor)}"`, fields),
    )
    expect(follow(rest, ['league', 'ranking', 'edges'])).toHaveLength(
      Number(within(first, 'league', 'ranking')['totalCount']) - 10,
    )
    expect(graph.calls.take()).toEqual(['ranking/download 1'])
  })

  test.each([
    ...['', 'total rebounds', 'points!', 'teamId', 'date_of_rank', 'season', 'points_rank', 'pionts'].map(
      (orderBy) => ['TEAM', orderBy],
    ),
    ['TEAM', 'points_per_game'],
    ['PLAYER', 'opponent_points'],
    ['PLAYER', 'confwins'],
    ['COACH', 'relevance_score'],
    ['CONFERENCE', 'organizationId'],
    ['TRANSFER', 'committed'],
  ])(
    'of %s by %j, which can be no statistic, is the query’s fault and costs nothing',
    async (subject, orderBy) => {
      const graph = sample.graph()
      const { data, errors } = await graph.query<Json>(
        ranking(`subject: ${subject}, orderBy: "${orderBy}"`, 'season'),
      )
      expect(errors?.map(({ extensions }) => extensions?.code)).toEqual(['BAD_USER_INPUT'])
      expect(data).toEqual({ league: { ranking: null } })
      expect(graph.calls.take()).toEqual([])
    },
  )

  test.each(['points_rank', 'pointsRank'])(
    'is not by %s, a column of ranks, whatever is known',
    async (by) => {
      const graph = sample.graph()
      const text = ranking(`subject: TEAM, orderBy: "${by}"`, 'season')
      for (const calls of [['ranking/download 1'], []]) {
        const { data, errors } = await graph.query<Json>(text)
        expect(errors?.map(({ extensions, message }) => [extensions?.code, message])).toEqual([
          ['BAD_USER_INPUT', expect.stringContaining('Name the statistic, not its rank')],
        ])
        expect(data).toEqual({ league: { ranking: null } })
        await ask(graph, ranking('subject: TEAM, orderBy: "points"', 'season'))
        expect(graph.calls.take()).toEqual(calls)
      }
    },
  )

  test.each([
    ['basketball', 'TEAM', 'passing_yards'],
    ['basketball', 'PLAYER', 'rushing_yards_per_game'],
    ['football', 'TEAM', 'possessions'],
    ['football', 'COACH', 'three_point_field_goal'],
    ['football', 'PLAYER', 'assists_per_game'],
  ] as const)(
    'of %s is not downloaded for a statistic of another sport: %s by %s',
    async (sport, subject, orderBy) => {
      const graph = sample.graph({ defaults: sport === 'football' ? football : basketball })
      const text = `{ league { ranking(subject: ${subject}, orderBy: "${orderBy}") { totalCount } } }`
      // The season that was left out is looked up beside the sport.
      for (const calls of [['elo/get 1', 'elo/get 1', 'organization/read 1'], []]) {
        const { errors } = await graph.query(text)
        const other = sport === 'football' ? 'basketball' : 'football'
        expect(
          errors?.map(({ path, extensions, message }) => [path?.join('.'), extensions?.code, message]),
        ).toEqual([
          ['league.ranking', 'BAD_USER_INPUT', expect.stringContaining(`It is a statistic of ${other}.`)],
        ])
        expect(graph.calls.take()).toEqual(calls)
      }
    },
  )

  test.each([
    ['TEAM', 'pionts', 'Is "points" meant?'],
    ['TEAM', 'totalRebound', 'Is "total_rebounds" meant?'],
    ['PLAYER', 'points_pergames', 'Is "points_per_game" meant?'],
  ])(
    'of %s by %s names the closest statistic and costs nothing, also without a season',
    async (subject, orderBy, hint) => {
      const graph = sample.graph()
      const { errors } = await graph.query(
        `{ league { ranking(subject: ${subject}, orderBy: "${orderBy}") { totalCount } } }`,
      )
      expect(errors?.map(({ message }) => message)).toEqual([expect.stringContaining(hint)])
      expect(graph.calls.take()).toEqual([])
    },
  )

  test('whose rows were seen without a statistic is not downloaded for it again, however old they are', async () => {
    let now = sampleNow
    const graph = sample.graph({
      clock: () => now,
      // Without names of organizations, nothing tells the sport but the rows.
      async between(request, service) {
        const answer = await service(request)
        const isOrganization = answer.body.includes('Sample College')
        return isOrganization
          ? { ...answer, body: answer.body.replaceAll(/Sample College \w+/g, 'Sample') }
          : answer
      },
    })
    const text = ranking('subject: TEAM, orderBy: "passing_yards"', 'season')
    for (const calls of [['organization/read 1', 'ranking/download 1'], [], []]) {
      expect(codes(await graph.query(text))).toEqual([['league.ranking', 'BAD_USER_INPUT']])
      expect(graph.calls.take()).toEqual(calls)
      now += 3_600_000
    }
  })

  test.each(['basketball', 'football'] as const)('may be by any statistic of %s', (sport) => {
    for (const [table, ranks] of [
      ['statistic_ranking', 'teams'],
      ['player_statistic_ranking', 'players'],
    ] as const) {
      const { ranked, unranked } = statisticNames(sport, table)
      const names = [...ranked, ...unranked]
      expect(names.filter((name) => !sportsWith(ranks, name).includes(sport))).toEqual([])
      expect(names.filter((name) => !sportsWith(ranks, camelCase(name)).includes(sport))).toEqual([])
    }
  })

  test('of transfers adds no columns to the player’s own statistics', async () => {
    const [transfer] = await sample.rows('ranking/download', { ...basketball, season, type: 'transfer' })
    const player = `{ league { player(id: "${String(transfer?.['player_id'])}") { stats(season: ${season}) { columns } } } }`
    const graph = sample.graph()
    const before = await ask(graph, player)
    await ask(graph, ranking('subject: TRANSFER, orderBy: "games"', 'columns'))
    expect(await ask(graph, player)).toEqual(before)
    expect(graph.calls.take()).toEqual(['player_statistic_ranking/getStats 1', 'ranking/download 1'])
  })

  test('has a player once for each transfer', async () => {
    const graph = sample.graph({
      async between(request, service) {
        const answer = await service(request)
        const [first, ...others] = Object.entries(JSON.parse(answer.body) as Record<string, Json>)
        if (!first) return answer
        const [id, row] = first
        const another = { ...row, cbb_transfer_player_season_id: players[0], committed_team_id: teams[0] }
        const body = JSON.stringify(Object.fromEntries([[id, row], [players[0], another], ...others]))
        return { ...answer, body }
      },
    })
    const data = await ask(graph, ranking('subject: TRANSFER, orderBy: "games"', 'columns id'))
    const rows = follow(data, ['league', 'ranking', 'edges', 'node'])
    const moves = rows.map(({ columns }) => columns as Json)
    const again = moves.find((row) => row['cbb_transfer_player_season_id'] === players[0])
    const own = moves.filter((row) => row['player_id'] === again?.['player_id'])
    expect(own.map((row) => row['committed_team_id'])).toContain(teams[0])
    expect(own).toHaveLength(2)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
    expect(graph.calls.take()).toEqual(['ranking/download 1'])
  })

  describe.each(['TEAM', 'PLAYER', 'COACH', 'CONFERENCE', 'TRANSFER'] as const)('of %s', (subject) => {
    const orderBy = subject === 'PLAYER' || subject === 'TRANSFER' ? 'pointsPerGame' : 'points'
    const cursorsIn = (data: Json) =>
      follow(data, ['league', 'ranking', 'edges']).map(({ cursor }) => String(cursor))

    test('goes on after a cursor of the day before, whose rows had other ids', async () => {
      let now = sampleNow
      let digit = '0'
      const graph = sample.graph({
        clock: () => now,
        async between(request, service) {
          const answer = await service(request)
          const rows = Object.values(JSON.parse(answer.body) as Record<string, Json>)
          const body = Object.fromEntries(
            rows.map((row) => {
              const name = Object.keys(row).find((column) => column.endsWith('statistic_ranking_id')) ?? ''
              const id = `${digit}${String(row[name]).slice(1)}`
              const key = subject === 'TRANSFER' ? String(row['cbb_transfer_player_season_id']) : id
              return [key, { ...row, [name]: id }]
            }),
          )
          return { ...answer, body: JSON.stringify(body) }
        },
      })
      const args = `subject: ${subject}, orderBy: "${orderBy}"`
      const all = cursorsIn(await ask(graph, ranking(args, 'season')))
      const cursors = cursorsIn(await ask(graph, ranking(`${args}, first: 2`, 'season')))
      expect(cursors).toEqual(all.slice(0, 2))
      expect(new Set(all).size).toBe(all.length)
      now += 86_400_000
      digit = '1'
      const next = await ask(graph, ranking(`${args}, after: "${cursors[1]}"`, 'season'))
      expect(cursorsIn(next)).toEqual(all.slice(2))
      expect(graph.calls.take()).toEqual(['ranking/download 1', 'ranking/download 1'])
    })

    test.each(['xyz', '', btoa('row:1'), btoa(`${subject.toLowerCase()}:`), btoa('league:1')])(
      'refuses the malformed cursor %j for nothing',
      async (after) => {
        const graph = sample.graph()
        const text = ranking(`subject: ${subject}, orderBy: "${orderBy}", after: "${after}"`, 'season')
        expect(codes(await graph.query(text))).toEqual([['league.ranking', 'BAD_USER_INPUT']])
        expect(graph.calls.take()).toEqual([])
      },
    )

    test('has no cursor of a subject that is not on it', async () => {
      const graph = sample.graph()
      const after = btoa(`${subject.toLowerCase()}:nobody`)
      const text = ranking(`subject: ${subject}, orderBy: "${orderBy}", after: "${after}"`, 'season')
      expect(codes(await graph.query(text))).toEqual([['league.ranking', 'BAD_USER_INPUT']])
      expect(graph.calls.take()).toEqual(['ranking/download 1'])
    })
  })

  test.each(['PLAYER', 'COACH', 'CONFERENCE', 'TRANSFER'])('ranks every %s', async (subject) => {
    const graph = sample.graph()
    const orderBy = subject === 'PLAYER' || subject === 'TRANSFER' ? 'pointsPerGame' : 'points'
    const data = await ask(
      graph,
      ranking(
        `subject: ${subject}, orderBy: "${orderBy}", first: 3`,
        `season stat(name: "${orderBy}") { rank }`,
      ),
    )
    const ranks = follow(data, ['league', 'ranking', 'edges', 'node', 'stat']).map((row) =>
      Number(row['rank']),
    )
    expect(ranks).toHaveLength(3)
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
    expect(graph.calls.take()).toEqual(['ranking/download 1'])
  })
})
