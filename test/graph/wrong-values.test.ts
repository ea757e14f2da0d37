import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basketball, season, startSample, today } from './harness.ts'
import type { Sample } from './harness.ts'
import { judged } from './spoiled.ts'
import { within } from '../service/client.ts'
import type { Json } from '../service/client.ts'
import type { Arguments } from '../../src/specification/operation.ts'

let sample: Sample
let games: Json[]

beforeAll(async () => {
  sample = await startSample()
  games = await sample.rows('game/getGames', { ...basketball, start_date: today })
})
afterAll(() => sample.close())

/** Changes each row of a keyed answer. */
const eachRow = (change: (row: Json, index: number) => Json) =>
  judged((body) =>
    Object.fromEntries(
      Object.entries(body).map(([key, row], index) => [key, change(row as Json, index)]), // keyed rows
    ),
  )

test('a number that no integer of the graph can hold is null, and no error', async () => {
  const between = eachRow((row) => ({
    ...row,
    start_timestamp: 1_771_000_000_000,
    attendance: 1e300,
    season: -3e9,
  }))
  const graph = sample.graph({ between })
  const { data, errors } = await graph.query<Json>(
    `{ league { games(date: "${today}") { startTimestamp attendance season } } }`,
  )
  expect(errors).toBeUndefined()
  expect(within(data, 'league')['games']).toEqual(
    games.map(() => ({ startTimestamp: null, attendance: null, season: null })),
  )
  expect(graph.calls.take()).toEqual(['game/getGames 1'])
})

test('what is no match among a search’s matches is left out, withdrawn ones too', async () => {
  const teams = [
    null,
    'x',
    7,
    { name: 'No id' },
    { team_id: 'a', name: 'A', deleted: 1 },
    { team_id: 'b', name: 'B' },
  ]
  const graph = sample.graph({ between: judged(() => ({ teams, players: {}, coaches: 'none' })) })
  const { data, errors } = await graph.query<Json>(
    '{ league { search(name: "a") { teams { teamId name } players { begin } coaches { begin } } } }',
  )
  expect(errors).toBeUndefined()
  expect(data).toEqual({
    league: { search: { teams: [{ teamId: 'b', name: 'B' }], players: null, coaches: null } },
  })
  expect(graph.calls.take()).toEqual(['search/search 1'])
})

test('a row that comes twice under two keys is there once', async () => {
  const team = String(games[0]?.['home_team_id'])
  const between = judged((body, operation) =>
    operation === 'team/getPlayers'
      ? { ...body, ...Object.fromEntries(Object.entries(body).map(([key, row]) => [`again ${key}`, row])) }
      : body,
  )
  const graph = sample.graph({ between })
  const { data } = await graph.query<Json>(
    `{ league { team(id: "${team}") { roster(season: ${season}) { playerId } } } }`,
  )
  const { organization_id } = basketball
  const rows = await sample.rows('team/getPlayers', { organization_id, team_id: team, season })
  expect(within(data, 'league', 'team')['roster']).toEqual(
    rows.map((row) => ({ playerId: row['player_id'] })),
  )
  expect(graph.calls.take()).toEqual(['team/getPlayers 1'])
})

test('standings are without withdrawn rows, and know access in any spelling', async () => {
  const text = `{ league { games(date: "${today}") { gameId } } conference(id: "${conference()}") { projection(season: ${season}) { hasAccess standings { teamId } } } }`
  const between = judged((body, operation) =>
    operation === 'conference/getConferencePrediction'
      ? Object.fromEntries(
          Object.entries(body).map(([key, row], index) => [
            key,
            { ...(row as Json), hasAccess: 'true', deleted: index === 0 ? 1 : 0 },
          ]),
        )
      : body,
  )
  const whole = await sample.graph().query<Json>(text)
  const graph = sample.graph({ between })
  const { data } = await graph.query<Json>(text)
  const standings = (answer: Json) => within(answer, 'conference', 'projection')['standings'] as Json[]
  expect(standings(data)).toHaveLength(standings(whole.data).length - 1)
  expect(within(data, 'conference', 'projection')['hasAccess']).toBe(true)
  expect(graph.calls.take()).toEqual(['conference/getConferencePrediction 1', 'game/getScores 1'])
})

test('of two rows that both say current, one of them withdrawn, the other is the current one', async () => {
  const final = games.find(({ status }) => status === 'final') ?? {}
  const [id, team] = [String(final['game_id']), String(final['home_team_id'])]
  const lines = (await sample.rows('odds/read', { game_id: id })).filter(({ live }) => live === 0)
  const ratings = await sample.rows('elo/read', { ...basketball, season, team_id: team })
  const last = (rows: readonly Json[], nth: number) =>
    rows.toSorted((a, b) => (String(a['date_of_entry']) < String(b['date_of_entry']) ? -1 : 1)).at(nth)
  // The last two of each are current, and the last is withdrawn.
  const both = [last(lines, -2), last(lines, -1), last(ratings, -2), last(ratings, -1)]
  const keyOf = (row?: Json) => row?.['odds_id'] ?? row?.['elo_id']
  const between = eachRow((row) => {
    const index = both.findIndex((one) => keyOf(one) === keyOf(row))
    return index < 0 ? row : { ...row, current: 1, deleted: index % 2 }
  })
  const graph = sample.graph({ between })
  const { data } = await graph.query<Json>(
    `{ game(id: "${id}") { odds { pre { oddsId } history { oddsId } } }
      league { team(id: "${team}") { elo(season: ${season}) { eloId } eloHistory(season: ${season}) { eloId } } } }`,
  )
  expect(within(data, 'game', 'odds')['pre']).toEqual({ oddsId: keyOf(both[0]) })
  expect(within(data, 'league', 'team')['elo']).toEqual({ eloId: keyOf(both[2]) })
  expect(graph.calls.take()).toEqual(['elo/read 1', 'odds/read 1'])
})

describe('of rows of which one is picked, a withdrawn one is not', () => {
  const withdrawn = (isPicked: (row: Json, operation: string) => boolean, more: Json = {}) =>
    judged((body, operation) => {
      const change = (row: unknown) => {
        const one = row as Json // the rows of an answer
        return isPicked(one, operation) ? { ...one, deleted: 1, ...more } : one
      }
      if (operation.includes('getStats')) return change(body)
      return Object.fromEntries(Object.entries(body).map(([key, row]) => [key, change(row)]))
    })
  const final = () => games.find(({ status }) => status === 'final') ?? {}

  test('a side’s boxscore', async () => {
    const { game_id: id, home_team_id: home } = final()
    const text = `{ game(id: "${String(id)}") { boxscore(side: HOME) { teamId } boxscores { teamId } } }`
    const between = withdrawn((row) => row['boxscore_id'] !== undefined && row['team_id'] === home)
    const graph = sample.graph({ between })
    const { data } = await graph.query<Json>(text)
    expect(within(data, 'game')).toEqual({
      boxscore: null,
      boxscores: [{ teamId: final()['away_team_id'] }],
    })
    expect(graph.calls.take()).toEqual(['boxscore/readBoxscore 1', 'game/read 1'])
  })

  test('the rating that names a team’s last game, and that game', async () => {
    const team = String(final()['home_team_id'])
    const text = `{ league { team(id: "${team}") { lastGame(season: ${season}) { gameId homeScore } } } }`
    const played = (await sample.rows('game/read', { season, home_team_id: team })).concat(
      await sample.rows('game/read', { season, away_team_id: team }),
    )
    const over = played
      .filter(({ status }) => status === 'final')
      .toSorted((a, b) => (String(a['start_datetime']) < String(b['start_datetime']) ? -1 : 1))
    const [last, before] = [over.at(-1), over.at(-2)]
    const seen = async (isPicked: Parameters<typeof withdrawn>[0]) => {
      const graph = sample.graph({ between: withdrawn(isPicked) })
      const { data } = await graph.query<Json>(text)
      return [
        within(data, 'league', 'team')['lastGame'],
        graph.calls.take().map((call) => call.split(' ')[0]),
      ]
    }
    expect(await seen((row) => row['elo_id'] !== undefined)).toEqual([null, ['elo/read']])
    expect(await seen((row) => row['game_id'] === last?.['game_id'] && row['status'] !== undefined)).toEqual([
      { gameId: before?.['game_id'], homeScore: before?.['home_score'] },
      ['elo/read', 'game/read', 'game/read', 'game/read'],
    ])
  })

  test('the ratings inside a schedule’s strength', async () => {
    const team = String(final()['home_team_id'])
    const graph = sample.graph({ between: withdrawn((row) => row['elo_id'] !== undefined) })
    const { data } = await graph.query<Json>(
      `{ league { team(id: "${team}") { scheduleStrength(season: ${season}) { played remaining } } } }`,
    )
    expect(within(data, 'league', 'team')['scheduleStrength']).toEqual({ played: null, remaining: null })
    expect(graph.calls.take().map((call) => call.split(' ')[0])).toEqual([
      'elo/read',
      'game/read',
      'game/read',
    ])
  })

  test('a row of statistics', async () => {
    const team = String(final()['home_team_id'])
    const graph = sample.graph({ between: withdrawn((_row, operation) => operation.includes('getStats')) })
    const { data } = await graph.query<Json>(
      `{ league { averages { season } team(id: "${team}") { stats { season } } } }`,
    )
    expect(within(data, 'league')).toEqual({ averages: null, team: { stats: null } })
    expect(graph.calls.take()).toEqual(expect.arrayContaining(['team/getStats 1']))
  })

  test('a day’s current lines and predictions', async () => {
    const between = judged((body) =>
      Object.fromEntries(
        Object.entries(body).map(([key, row]) => {
          const { prediction, odds, ...score } = row as Json // a score entry
          const [pre, live] = ['pre', 'live'].map((name) => (odds as Json)[name]) // an object
          const gone = (line: unknown) => line && { ...line, deleted: 1 }
          return [key, { ...score, prediction: gone(prediction), odds: { pre: gone(pre), live: gone(live) } }]
        }),
      ),
    )
    const graph = sample.graph({ between })
    const { data } = await graph.query<Json>(
      `{ league { games(date: "${today}") { prediction { homeScore } odds { pre { over } live { over } } } } }`,
    )
    const nothing = { prediction: null, odds: { pre: null, live: null } }
    expect(within(data, 'league')['games']).toEqual(games.map(() => nothing))
    expect(graph.calls.take()).toEqual(['game/getScores 1'])
  })
})

test('careerStats(active: false) is the row, as without the argument, and no second call', async () => {
  const [roster = {}] = await sample.rows('team/getPlayers', {
    organization_id: basketball.organization_id,
    team_id: games[0]?.['home_team_id'],
    season,
  } as Arguments)
  const graph = sample.graph()
  const { data } = await graph.query<Json>(
    `{ league { player(id: "${String(roster['player_id'])}") {
        all: careerStats { games } any: careerStats(active: false) { games } active: careerStats(active: true) { games } } } }`,
  )
  const player = within(data, 'league', 'player')
  expect(player['any']).toEqual({ games: expect.any(Number) })
  expect(player['all']).toEqual(player['any'])
  expect(player['active']).toEqual(player['any'])
  expect(graph.calls.take()).toEqual([
    'player_statistic_ranking/getStats 1',
    'player_statistic_ranking/getStats 1',
  ])
})

test('a row of statistics without a key of its own is known by what it was asked by', async () => {
  const keyless = judged((body) =>
    Object.fromEntries(Object.entries(body).filter(([name]) => !name.endsWith('statistic_ranking_id'))),
  )
  const graph = sample.graph({ between: keyless })
  const [one, other] = games.map((game) => String(game['home_team_id']))
  const { data, errors } = await graph.query<Json>(
    `{ league { averages(season: ${season}) { leagueStatisticRankingId stat(name: "points") { value } }
        playerAverages(season: ${season}) { stat(name: "pointsPerGame") { value } }
        a: team(id: "${one}") { stats(season: ${season}) { id teamId points { value } } } b: team(id: "${other}") { stats(season: ${season}) { id teamId points { value } } } } }`,
  )
  expect(errors).toBeUndefined()
  const league = within(data, 'league')
  const { points } = await sample.row('league_statistic_ranking/getStats', {
    ...basketball,
    season,
    current: 1,
  })
  expect(league['averages']).toEqual({
    leagueStatisticRankingId: expect.stringMatching(/./),
    stat: { value: points },
  })
  expect(league['playerAverages']).toMatchObject({ stat: { value: expect.any(Number) } })
  expect(within(league, 'a', 'stats')).toMatchObject({ teamId: one, points: { value: expect.any(Number) } })
  expect(within(league, 'b', 'stats')).toMatchObject({ teamId: other })
  expect(within(league, 'a', 'stats')['id']).not.toBe(within(league, 'b', 'stats')['id'])
  expect(graph.calls.take()).toHaveLength(4)
  expect(
    (await graph.query(`{ team(id: "${one}") { stats(season: ${season}) { games } } }`)).errors,
  ).toBeUndefined()
  expect(graph.calls.take()).toEqual([])
})

test('predictions, lines and teams without keys of their own are those of the game that they come with', async () => {
  const keyless = judged((body) =>
    JSON.parse(JSON.stringify(body).replace(/"(prediction_id|odds_id|team_id)":"[^"]*",/g, '')),
  )
  const text = `{ league { games(date: "${today}") { homeTeam { name } prediction { homePercentage } odds { pre { spreadHome } live { over } } } } }`
  const graph = sample.graph({ between: keyless })
  const answer = await graph.query(text)
  const whole = await sample.graph().query(text)
  expect(answer.errors).toBeUndefined()
  expect(answer.data).toEqual(whole.data)
  expect(graph.calls.take()).toEqual(['game/getGames 1', 'game/getScores 1'])
})

const conference = () => {
  const [team] = Object.values(within(games[0] ?? {}, 'teams')) as Json[]
  return String(team?.['conference_id'])
}

/** What no flag, number or text can be made of, not even by asking it. */
const wild = { toString: 1, valueOf: [] }

test.each<[what: string, text: () => string]>([
  [
    'games',
    () =>
      `{ league { games(date: "${today}") { gameId homeScore status deleted season neutralSite homeTeam { teamId name } } } }`,
  ],
  [
    'scores',
    () =>
      `{ league { games(date: "${today}") { gameId homeScore clock prediction { current homePercentage } odds { pre { live over } live { over } } } } }`,
  ],
  [
    'lines',
    () =>
      `{ game(id: "${String(games[0]?.['game_id'])}") { odds { pre { oddsId } history { over live current dateOfEntry } } } }`,
  ],
  ['ratings', () => `{ league { elo(season: ${season}) { elo current dateOfEntry } } }`],
  [
    'rosters',
    () =>
      `{ league { team(id: "${String(games[0]?.['home_team_id'])}") { roster(season: ${season}) { lastName deleted } } } }`,
  ],
  [
    'boxscores',
    () =>
      `{ league { game(id: "${String(games[0]?.['game_id'])}") { boxscores { points final } playerBoxscores { points } } } }`,
  ],
  [
    'statistics',
    () =>
      `{ league { team(id: "${String(games[0]?.['home_team_id'])}") { stats(season: ${season}) { games points { value } columns } } } }`,
  ],
  [
    'projections',
    () =>
      `{ conference(id: "${conference()}") { projection(season: ${season}) { hasAccess standings { teamId season } } } }`,
  ],
  ['leagues', () => '{ organizations { code inactive } divisions(active: null) { name } }'],
  ['transfers', () => `{ league { transfers(season: ${season}) { playerId committed } } }`],
  [
    'computed fields',
    () =>
      `{ league { currentSeason games(date: "${today}") { lineResult { spread total } predictionEdge { home } rest { home away } odds { pre { impliedProbability { home } } closing { over } } }
        team(id: "${String(games[0]?.['home_team_id'])}") { lineRecord(season: ${season}) { all { wins } } form(season: ${season}) { wins points } scheduleStrength(season: ${season}) { played } stats(season: ${season}) { fourFactors { own { turnoverPercentage } } } } } }`,
  ],
])('%s whose columns are all objects are rows of nulls, paid for once', async (_what, text) => {
  const spoil = (row: Json): Json =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => {
        if (/_id$|^id$/.test(name)) return [name, value]
        if (
          ['teams', 'odds', 'pre', 'live', 'prediction', 'game'].includes(name) &&
          typeof value === 'object'
        )
          return [name, value && spoil(value as Json)]
        return [
          name,
          typeof value === 'object' && value && !Array.isArray(value) ? spoil(value as Json) : wild,
        ]
      }),
    )
  const graph = sample.graph({ between: judged((body) => spoil(body)) })
  const first = await graph.query(text())
  expect(first.errors).toBeUndefined()
  expect(graph.calls.take().length).toBeGreaterThan(0)
  expect((await graph.query(text())).data).toEqual(first.data)
  expect(graph.calls.take()).toEqual([])
})

test('rows whose keys are objects are none, and columns of any length are told by their beginning', async () => {
  const between = judged((body) =>
    Object.fromEntries(
      Object.entries(body).map(([key, row], index) => [
        key,
        index === 0 ? { ...(row as Json), game_id: wild } : { ...(row as Json), ['x'.repeat(100_000)]: 1 },
      ]),
    ),
  )
  const graph = sample.graph({ between })
  const { data, errors } = await graph.query<{ league: { games: Json[] } }>(
    `{ league { games(date: "${today}") { gameId homeScore network } } }`,
  )
  expect(errors).toBeUndefined()
  expect(data.league.games).toHaveLength(games.length - 1)
  const told = graph.upstream.capabilities.drift.lines.map(({ where }) => where.length)
  expect(Math.max(...told)).toBeLessThan(200)
})

describe('rows of another game', () => {
  const other = '00000000-0000-4000-8000-000000000001'
  const text = `{ league { games(date: "${today}") { gameId prediction { homePercentage game { gameId } } odds { pre { over } live { over } } } } }`
  type Games = { league: { games: { prediction: unknown; odds: { pre: unknown; live: unknown } }[] } }

  test('nested in a score entry are not shown as its own', async () => {
    const between = eachRow((row) => ({
      ...row,
      prediction: row['prediction'] && { ...(row['prediction'] as Json), game_id: other },
      odds: { pre: { ...(within(row, 'odds')['pre'] as Json | null), game_id: other }, live: null },
    }))
    const graph = sample.graph({ between })
    const { data, errors } = await graph.query<Games>(text)
    expect(errors).toBeUndefined()
    for (const { prediction, odds } of data.league.games)
      expect({ prediction, odds }).toEqual({ prediction: null, odds: { pre: null, live: null } })
    expect(graph.calls.take()).toEqual(['game/getScores 1'])
  })

  test('that have the id of a row of this one do not take its place', async () => {
    const between = eachRow((row) => ({
      ...row,
      prediction: row['prediction'] && { ...(row['prediction'] as Json), prediction_id: other },
      odds: {
        pre: within(row, 'odds')['pre'] && { ...(within(row, 'odds')['pre'] as Json), odds_id: other },
        live: within(row, 'odds')['live'] && { ...(within(row, 'odds')['live'] as Json), odds_id: other },
      },
    }))
    const expected = await sample.graph().query(text)
    const graph = sample.graph({ between })
    expect((await graph.query(text)).data).toEqual(expected.data)
    expect(graph.calls.take()).toEqual(['game/getScores 1'])
  })

  test('without a game are those of none', async () => {
    const id = String(games.find(({ status }) => status === 'final')?.['game_id'])
    const between = judged((body, operation) =>
      operation === 'game/read'
        ? body
        : Object.fromEntries(
            Object.entries(body).map(([key, row]) => [key, { ...(row as Json), game_id: null, final: 1 }]),
          ),
    )
    const graph = sample.graph({ between })
    const { data, errors } = await graph.query<Json>(
      `{ league { game(id: "${id}") { odds { history { over } } boxscores { points } playerBoxscores { points } } } }`,
    )
    expect(errors).toBeUndefined()
    expect(within(data, 'league')['game']).toEqual({
      odds: { history: [] },
      boxscores: [],
      playerBoxscores: [],
    })
  })
})

test('columns with names of ours, or of every object’s, are columns as any other', async () => {
  const names = { key: 'k', constructor: 'c', hasOwnProperty: 1, entry: 2, length: 4, value: 5 }
  const between = judged((body) =>
    Object.fromEntries(
      Object.entries(body).map(([key, row]) => [
        key,
        JSON.parse(`{"__proto__":{"current":0},${JSON.stringify({ ...(row as Json), ...names }).slice(1)}`),
      ]),
    ),
  )
  const [id, team] = [String(games[0]?.['game_id']), String(games[0]?.['home_team_id'])]
  const text = `{ game(id: "${id}") { homeScore odds { pre { over } history { oddsId over } } boxscores { points } playerBoxscores { points } }
    league { games(date: "${today}") { homeScore homeTeam { name } } team(id: "${team}") { roster(season: ${season}) { lastName } elo(season: ${season}) { elo } eloHistory(season: ${season}) { eloId } } elo(season: ${season}) { eloId current } } }`
  const expected = await sample.graph().query(text)
  const { data, errors } = await sample.graph({ between }).query(text)
  expect(errors).toBeUndefined()
  expect(data).toEqual(expected.data)
})

test('rows with such keys are rows of those keys', async () => {
  const between = judged((body) =>
    JSON.parse(
      JSON.stringify({ ...body, constructor: null, toString: [], valueOf: 'x' }).replace(
        /^\{/,
        '{"__proto__":{"game_id":"__proto__","home_score":7},',
      ),
    ),
  )
  const graph = sample.graph({ between })
  const { data, errors } = await graph.query<{ league: { games: Json[] } }>(
    `{ league { games(date: "${today}") { gameId homeScore } } }`,
  )
  expect(errors).toBeUndefined()
  expect(data.league.games).toHaveLength(games.length + 1)
  expect(data.league.games).toContainEqual({ gameId: '__proto__', homeScore: 7 })
  expect(graph.calls.take()).toEqual(['game/getScores 1'])
})
