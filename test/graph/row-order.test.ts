import { afterAll, beforeAll, expect, test } from 'vitest'
import { basketball, season, startSample, today } from './harness.ts'
import type { Between, Graph, Sample } from './harness.ts'
import { within } from '../service/client.ts'
import type { Json } from '../service/client.ts'

let sample: Sample
let game: Json
beforeAll(async () => {
  sample = await startSample()
  const games = await sample.rows('game/getGames', { ...basketball, start_date: today })
  game = games.find(({ status }) => status === 'final') ?? {}
})
afterAll(() => sample.close())

/** The service answers its rows in another order: `order` sorts them. */
const shuffled =
  (order: (row: Json) => string): Between =>
  async (request, service) => {
    const answer = await service(request)
    const rows = Object.entries(JSON.parse(answer.body) as Record<string, Json>)
    const body = Object.fromEntries(rows.toSorted(([, a], [, b]) => (order(a) < order(b) ? -1 : 1)))
    return { ...answer, body: JSON.stringify(body) }
  }

test('a game log is in the order in which its games began, whatever the service’s is', async () => {
  const [{ player_id = '' } = {}] = await sample.rows('team/getPlayers', {
    organization_id: basketball.organization_id,
    team_id: game['home_team_id'],
    season,
  })
  const text = `{ league { player(id: "${String(player_id)}") { gameLog(season: ${season}) { gameId game { startDatetime } } } } }`
  const ids: unknown[] = []
  for (const between of [undefined, shuffled((row) => String(row['player_boxscore_id']))]) {
    const graph = sample.graph(between && { between })
    for (const calls of [['player/getGameLogs 1'], []]) {
      const { data } = await graph.query<Json>(text)
      const log = within(data, 'league', 'player')['gameLog'] as Json[]
      const starts = log.map((row) => String(within(row, 'game')['startDatetime']))
      expect(starts.length).toBeGreaterThan(5)
      expect(starts).toEqual(starts.toSorted())
      ids.push(log.map(({ gameId }) => gameId))
      expect(graph.calls.take()).toEqual(calls)
    }
  }
  expect(new Set(ids.map(String)).size).toBe(1)
})

/** The players' boxscores of both teams, after other queries. */
async function playersAfter(graph: Graph, ...before: readonly string[]): Promise<readonly Json[]> {
  const of = (fields: string) => `{ game(id: "${String(game['game_id'])}") { ${fields} } }`
  for (const fields of before) await graph.query(of(fields))
  graph.calls.take()
  const { data } = await graph.query<Json>(of('playerBoxscores { teamId playerId }'))
  return within(data, 'game')['playerBoxscores'] as Json[]
}

const home = 'playerBoxscores(side: HOME) { points }'
const away = 'playerBoxscores(side: AWAY) { points }'

test.each([
  ['the game’s row', ['homeTeamId'], ['player_boxscore/read 1']],
  ['the home side', [home], ['player_boxscore/read 1']],
  ['the away side', [away], ['player_boxscore/read 1']],
  ['the home and then the away side', [home, away], []],
  ['the away and then the home side', [away, home], []],
  ['both sides', ['playerBoxscores { points }'], []],
])('a game’s player boxscores have one order, also after %s', async (_name, before, calls) => {
  for (const between of [undefined, shuffled((row) => String(row['player_id']))]) {
    const rows = await playersAfter(sample.graph(between && { between }))
    expect(new Set(rows.map(({ teamId }) => teamId)).size).toBe(2)
    const teams = rows.map(({ teamId }) => teamId)
    expect(teams).toEqual(teams.toSorted())
    const graph = sample.graph(between && { between })
    expect(await playersAfter(graph, ...before)).toEqual(rows)
    expect(graph.calls.take()).toEqual(calls)
  }
})
