import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleFootball } from '../../src/service/sample/ids.ts'
import { basketball, footballSeason, startSample, today } from './harness.ts'
import type { Sample } from './harness.ts'
import { within } from '../service/client.ts'
import type { Json } from '../service/client.ts'

let sample: Sample
let football: { readonly gameId: string; readonly homeTeamId: string }
beforeAll(async () => {
  sample = await startSample()
  const { organizationId, divisionId } = sampleFootball
  for (let day = 14; !football && day > 0; day -= 1) {
    const date = `2026-02-${String(day).padStart(2, '0')}`
    const { data } = await sample
      .graph()
      .query<{ league: { games: (typeof football & { status: string })[] } }>(
        `{ league(organizationId: "${organizationId}", divisionId: "${divisionId}") {
        games(date: "${date}") { gameId homeTeamId status }
      } }`,
      )
    football = data.league.games.find(({ status }) => status === 'final') ?? football
  }
})
afterAll(() => sample.close())

test('boxscores of a game of another league than the default are found by the game’s row', async () => {
  const graph = sample.graph()
  const { data, errors } = await graph.query<{
    game: { boxscores: { __typename: string; points: number }[] }
  }>(`{ game(id: "${football.gameId}") { boxscores { __typename points } } }`)
  expect(errors).toBeUndefined()
  expect(data.game.boxscores.map(({ __typename }) => __typename)).toEqual([
    'FootballTeamBoxscore',
    'FootballTeamBoxscore',
  ])
  expect(graph.calls.take()).toEqual(['boxscore/readBoxscore 1', 'boxscore/readBoxscore 1', 'game/read 1'])
})

test('one side’s boxscore needs no league in scope: the game’s row names it', async () => {
  const graph = sample.graph({ defaults: {} })
  const { data, errors } = await graph.query(
    `{ game(id: "${football.gameId}") { boxscore(side: HOME) { __typename } } }`,
  )
  expect([errors, data]).toEqual([undefined, { game: { boxscore: { __typename: 'FootballTeamBoxscore' } } }])
  expect(graph.calls.take()).toEqual(['boxscore/readBoxscore 1', 'game/read 1'])
})

test('boxscores of a game whose league is known cost one call', async () => {
  const graph = sample.graph()
  const { organizationId, divisionId } = sampleFootball
  const { data } = await graph.query<{ league: { game: { boxscores: unknown[] } } }>(
    `{ league(organizationId: "${organizationId}", divisionId: "${divisionId}") {
      game(id: "${football.gameId}") { boxscores { points } }
    } }`,
  )
  expect(data.league.game.boxscores).toHaveLength(2)
  expect(graph.calls.take()).toEqual(['boxscore/readBoxscore 1'])
})

test.each([
  ['by its id alone', (id: string) => `{ team(id: "${id}") { conference { conferenceId name } } }`, 1],
  [
    'in the default league, where it has never played',
    (id: string) => `{ league { team(id: "${id}") { conference { conferenceId name } } } }`,
    2,
  ],
])('the conference of a team of another sport is found %s', async (_how, text, ratings) => {
  const { organizationId: organization_id, divisionId: division_id } = sampleFootball
  const elsewhere = { organization_id, division_id }
  const { start_date } = await sample.row('game/get', { game_id: football.gameId })
  const games = await sample.rows('game/getGames', {
    ...elsewhere,
    start_date: String(start_date).slice(0, 10),
  })
  const game = games.find(({ game_id }) => game_id === football.gameId) ?? {}
  const conferenceId = String(within(game, 'teams', football.homeTeamId)['conference_id'])
  const { name } = await sample.row('conference/get', { conference_id: conferenceId })
  const graph = sample.graph()
  const { data, errors } = await graph.query<Json>(text(football.homeTeamId))
  expect(errors).toBeUndefined()
  const { team } = (data['league'] ?? data) as Json
  expect(team).toEqual({ conference: { conferenceId, name } })
  expect(graph.calls.take()).toEqual([
    'conference/read 1',
    ...Array.from({ length: ratings }, () => 'elo/read 1'),
    'game/getGames 1',
    'game/read 1',
  ])
})

test('a boxscore names its player, whose names then cost no read', async () => {
  const graph = sample.graph()
  const { data, errors } = await graph.query<{
    game: {
      playerBoxscores: {
        firstName: string
        lastName: string
        player: { firstName: string; lastName: string }
      }[]
    }
  }>(
    `{ game(id: "${football.gameId}") { playerBoxscores(side: HOME) { firstName lastName player { firstName lastName } } } }`,
  )
  expect(errors).toBeUndefined()
  const rows = data.game.playerBoxscores
  expect(rows.length).toBeGreaterThan(10)
  for (const { player, ...own } of rows) expect(player).toEqual(own)
  expect(graph.calls.take()).toEqual(['game/read 1', 'player_boxscore/read 1'])
})

test('a game without boxscores whose row is wanted too is read once', async () => {
  const day = { ...basketball, start_date: today }
  const rows = await sample.rows('game/getGames', day)
  const none = String(rows.find(({ boxscore }) => boxscore === 0)?.['game_id'])
  const graph = sample.graph()
  const { data, errors } = await graph.query(
    `{ game(id: "${none}") { gameId startDate boxscores { points } } }`,
  )
  expect(errors).toBeUndefined()
  expect(data).toEqual({ game: { gameId: none, startDate: today, boxscores: [] } })
  expect(graph.calls.take()).toEqual(['boxscore/readBoxscore 1', 'game/read 1'])
})

test('a conference of another league than the default is asked about there once its row has said so', async () => {
  const { organizationId, divisionId } = sampleFootball
  const [{ conference_id = '' } = {}] = await sample.rows('conference/read', {
    organization_id: organizationId,
    division_id: divisionId,
  })
  const graph = sample.graph()
  const { data, errors, extensions } = await graph.query(
    `{ conference(id: "${String(conference_id)}") { name stats(season: ${footballSeason}) { organizationId } } }`,
  )
  expect(errors).toBeUndefined()
  expect(data).toMatchObject({ conference: { stats: { organizationId } } })
  // In parallel with the row in the league of most requested conferences, which saves these a round trip.
  expect(graph.calls.take()).toEqual([
    'conference/read 1',
    'conference_statistic_ranking/getStats 1',
    'conference_statistic_ranking/getStats 1',
  ])
  expect(extensions.usage.calls).toBe(3)
})

test.each(['sample-paid', 'sample-trial'])(
  'boxscores of a game that was looked up in another league than its own are found by its row, with %s',
  async (apiKey) => {
    const graph = sample.graph({ apiKey })
    const text = `{ league { game(id: "${football.gameId}") { boxscores { __typename } } } }`
    const { data, errors } = await graph.query(text)
    expect(errors).toBeUndefined()
    const both = [{ __typename: 'FootballTeamBoxscore' }, { __typename: 'FootballTeamBoxscore' }]
    expect(data).toEqual({ league: { game: { boxscores: both } } })
    expect(graph.calls.take()).toEqual(
      apiKey === 'sample-paid'
        ? ['boxscore/readBoxscore 1', 'boxscore/readBoxscore 1', 'game/read 1']
        : [
            'boxscore/getBoxscore 1',
            'boxscore/getBoxscore 1',
            'boxscore/readBoxscore 1',
            'game/get 1',
            'game/read 1',
          ],
    )
    expect((await graph.query(text)).data).toEqual(data)
    expect(graph.calls.take()).toEqual([])
  },
)

test.each([
  ['standings { place }', 'conference/getConferencePrediction'],
  ['projection { standings { id } }', 'conference/getConferencePrediction'],
  ['stats { id }', 'conference_statistic_ranking/getStats'],
  ['playerAverages { id }', 'conference_player_statistic_ranking/getStats'],
])(
  'a conference that was reached in another league than its own has the same %s as in its own',
  async (field, operation) => {
    const [game] = await sample.rows('game/getGames', { ...basketball, start_date: today })
    const { organizationId, divisionId } = sampleFootball
    const within = (league: string) =>
      `{ league${league} { team(id: "${String(game?.['home_team_id'])}") { conference { ${field} } } } }`
    const elsewhere = `(organizationId: "${organizationId}", divisionId: "${divisionId}")`
    const own = await sample.graph().query<{ league: { team: object } }>(within(''))
    expect(own.errors).toBeUndefined()
    const graph = sample.graph()
    const { data, errors } = await graph.query<{ league: { team: object } }>(within(elsewhere))
    expect(errors).toBeUndefined()
    expect(data.league.team).toEqual(own.data.league.team)
    const calls = graph.calls.take()
    expect(calls.filter((call) => /^conference\/(read|get) /.test(call))).toEqual(['conference/read 1'])
    // Once in the league that it was reached in, once in its own.
    expect(calls.filter((call) => call.startsWith(operation))).toEqual([`${operation} 1`, `${operation} 1`])
    expect((await graph.query<{ league: { team: object } }>(within(elsewhere))).data).toEqual(data)
    expect(graph.calls.take()).toEqual([])
  },
)
