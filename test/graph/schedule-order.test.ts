import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basketball, season, startSample, today } from './harness.ts'
import type { Between, Sample } from './harness.ts'
import { roundTrips } from './recorder.ts'
import { Estimates } from '../../src/account/estimates.ts'
import { operations } from '../../src/specification/operations.ts'
import { judged } from './spoiled.ts'
import { refusedFilters } from '../service/variants/refused-filters.ts'
import { within } from '../service/client.ts'
import type { Json } from '../service/client.ts'

let sample: Sample
let teams: string[]

beforeAll(async () => {
  sample = await startSample()
  const rows = await sample.rows('game/getGames', { ...basketball, start_date: today })
  teams = rows.slice(0, 8).map((game) => String(game['home_team_id']))
})
afterAll(() => sample.close())

/** A team's games of the season that have begun, ordered by the service's own rows. */
async function played(team: string): Promise<unknown[]> {
  const rows = [
    ...(await sample.rows('game/read', { season, home_team_id: team })),
    ...(await sample.rows('game/read', { season, away_team_id: team })),
  ]
  return rows
    .filter(({ home_score }) => home_score !== null)
    .toSorted((a, b) => (String(a['start_datetime']) < String(b['start_datetime']) ? -1 : 1))
    .map(({ game_id }) => game_id)
}

const gamesOf = (team: string, fields: string) =>
  `{ team(id: "${team}") { games(season: ${season}) { gameId homeScore ${fields} } } }`

/** The games in the answer that have begun, in its order. */
const begun = (data: Json) =>
  (within(data, 'team')['games'] as Json[])
    .filter(({ homeScore }) => homeScore !== null)
    .map(({ gameId }) => gameId)

test('a team’s season by scores alone is in the order in which it was played, at no further call', async () => {
  for (const team of teams) {
    const graph = sample.graph()
    const { data } = await graph.query<Json>(gamesOf(team, 'prediction { homePercentage }'))
    expect(begun(data)).toEqual(await played(team))
    expect(graph.calls.take()).toEqual(['game/getScores 1', 'game/getScores 1'])
  }
})

test('a team’s season of scores without predictions is read and by start time, whatever sizes were learned', async () => {
  const learned = new Estimates()
  const ofDay = { ...basketball, start_date: today }
  learned.learn(operations.getScores, ofDay, 10, { bytes: 5_000, tokens: 5, estimated: false })
  const graph = sample.graph({ learned })
  const [team = ''] = teams
  const { data } = await graph.query<Json>(gamesOf(team, 'status'))
  expect(graph.calls.take()).toEqual(['game/read 1', 'game/read 1'])
  const starts = await graph.query<Json>(gamesOf(team, 'startDatetime'))
  const games = within(starts.data, 'team')['games'] as Json[]
  expect(within(data, 'team')['games']).toMatchObject(games.map(({ gameId }) => ({ gameId })))
  expect(games).toEqual(
    games.toSorted((a, b) => (String(a['startDatetime']) < String(b['startDatetime']) ? -1 : 1)),
  )
  expect(graph.calls.take()).toEqual([])
})

test('also where the service tells no line, but a prediction', async () => {
  const between = judged((body, operation) =>
    operation === 'game/getScores'
      ? Object.fromEntries(Object.entries(body).map(([id, row]) => [id, { ...(row as Json), odds: null }]))
      : body,
  )
  const graph = sample.graph({ between })
  const [team = ''] = teams
  const { data } = await graph.query<Json>(gamesOf(team, 'odds { pre { over } }'))
  expect(begun(data)).toEqual(await played(team))
  expect(graph.calls.take()).toEqual(['game/getScores 1', 'game/getScores 1'])
})

describe('a team’s season that is listed by scores, where more of its games is selected than those tell', () => {
  const query = () =>
    `{ team(id: "${teams[0]}") { games(season: ${season}) { startDate } next: games(season: ${season}, next: 2) { gameId } } }`

  test('is by start time for a trial key', async () => {
    const trial = await sample.graph({ apiKey: 'sample-trial' }).query(query())
    expect(trial.errors).toBeUndefined()
    expect(trial.data).toEqual((await sample.graph().query(query())).data)
  })

  test('is by start time where the service does not find games by team, at no further call', async () => {
    const between: Between = (request, service) => refusedFilters.answer(request, service)
    const graph = sample.graph({ between })
    const first = await graph.query(query())
    expect(first.data).toEqual((await sample.graph().query(query())).data)
    const [list] = Object.values(within(first.data, 'team'))
    expect(graph.calls.take()).toEqual([
      'game/getScores 1',
      'game/getScores 1',
      // Refused, and learned.
      'game/read 1',
      'game/read 1',
      `game/read ${(list as Json[]).length}`,
    ])
  })
})

describe('a day’s games of which the start of one is known', () => {
  const day = (fields: string) => `{ league { games(date: "${today}") { ${fields} } } }`
  const starts = (data: Json) =>
    (within(data, 'league')['games'] as Json[]).map(({ startDatetime }) => startDatetime)
  let games: Json[]
  beforeAll(async () => {
    games = await sample.rows('game/getGames', { ...basketball, start_date: today })
  })
  /** A graph that knows the row of the day's last game, and the scores of all. */
  async function partlyWarm() {
    const graph = sample.graph()
    await graph.query(`{ game(id: "${String(games.at(-1)?.['game_id'])}") { startDatetime } }`)
    const scores = await graph.query<{ league: { games: { gameId: string }[] } }>(day('gameId homeScore'))
    graph.calls.take()
    return { graph, listed: scores.data.league.games.map(({ gameId }) => gameId) }
  }

  test('are by start time once the query has read the others, at no further call', async () => {
    const { graph } = await partlyWarm()
    const first = await graph.query<Json>(day('startDatetime'))
    expect(graph.calls.take()).toEqual([`game/read ${games.length - 1}`])
    expect(starts(first.data)).toEqual(games.map((game) => game['start_datetime']).toSorted())
    expect((await graph.query<Json>(day('startDatetime'))).data).toEqual(first.data)
    expect(graph.calls.take()).toEqual([])
  })

  test('are in the service’s order as long as nothing reads the others', async () => {
    const { graph, listed } = await partlyWarm()
    const scores = await sample.rows('game/getScores', { ...basketball, start_date: today })
    expect(listed).toEqual(scores.map(({ game_id }) => game_id))
    await graph.query(day('gameId homeScore'))
    expect(graph.calls.take()).toEqual([])
  })

  test('and the odds’ history is read beside their rows', async () => {
    const { graph } = await partlyWarm()
    const { data } = await graph.query<Json>(day('startDatetime odds { history { over } }'))
    expect(starts(data)).toEqual(games.map((game) => game['start_datetime']).toSorted())
    expect(graph.calls.take()).toEqual([`game/read ${games.length - 1}`, `odds/read ${games.length}`])
    expect(roundTrips(graph.calls.sent.slice(-2))).toBe(1)
  })
})
