import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { within } from '../service/client.ts'
import type { Json } from '../service/client.ts'
import { basketball, season, startSample, today } from './harness.ts'
import type { Sample } from './harness.ts'

/** A past day on which teams played whose seasons went on. */
const past = '2026-01-10'

let sample: Sample
let game: Json
beforeAll(async () => {
  sample = await startSample()
  const games = await sample.rows('game/getGames', { ...basketball, start_date: past })
  game = games.find(({ status }) => status === 'final') ?? {}
})
afterAll(() => sample.close())

const gamesOf = async (team_id: string) =>
  [
    ...(await sample.rows('game/read', { season, home_team_id: team_id })),
    ...(await sample.rows('game/read', { season, away_team_id: team_id })),
  ].filter(({ status }) => status === 'final')

const winsIn = (games: readonly Json[], team_id: string) =>
  games.filter(
    ({ home_team_id, home_score, away_score }) =>
      Number(home_score) > Number(away_score) === (home_team_id === team_id),
  ).length

describe('Team.form', () => {
  test('until a day sums up the games on that day or earlier, and costs no more', async () => {
    const team = String(game['home_team_id'])
    const before = (await gamesOf(team)).filter(({ start_date }) => String(start_date).slice(0, 10) < past)
    const graph = sample.graph()
    const { data } = await graph.query<Json>(
      `{ team(id: "${team}") {
        before: form(games: 99, season: ${season}, to: "2026-01-09") { games wins losses }
        with: form(games: 99, season: ${season}, to: "${past}") { games }
        all: form(games: 99, season: ${season}) { games }
      } }`,
    )
    const [games, wins] = [before.length, winsIn(before, team)]
    expect(games).toBeGreaterThan(3)
    expect(data).toEqual({
      team: {
        before: { games, wins, losses: games - wins },
        with: { games: games + 1 },
        all: { games: (await gamesOf(team)).length },
      },
    })
    expect(graph.calls.take()).toEqual(['game/read 1', 'game/read 1'])
  })

  test('until a day before the season has no games', async () => {
    const { data } = await sample
      .graph()
      .query<Json>(
        `{ team(id: "${String(game['home_team_id'])}") { form(season: ${season}, to: "2025-07-01") { games margin } } }`,
      )
    expect(data).toEqual({ team: { form: { games: 0, margin: null } } })
  })
})

describe('Game.stats', () => {
  const ofBoth = (id: unknown, fields: string) =>
    `{ league { game(id: "${String(id)}") { home: stats(side: HOME) { ${fields} } away: stats(side: AWAY) { ${fields} } } } }`

  test('of a past game is each team’s row of its day, with that game and none after it', async () => {
    const graph = sample.graph()
    const { data, errors } = await graph.query<Json>(
      ofBoth(game['game_id'], 'statisticRankingId teamId wins { value } games points { value rank }'),
    )
    expect(errors).toBeUndefined()
    const shown = within(data, 'league', 'game')
    for (const [side, column] of [
      ['home', 'home_team_id'],
      ['away', 'away_team_id'],
    ] as const) {
      const team_id = String(game[column])
      const row = await sample.row('statistic_ranking/getStats', {
        ...basketball,
        season,
        team_id,
        date_of_rank: past,
      })
      const until = (await gamesOf(team_id)).filter((one) => String(one['start_date']).slice(0, 10) <= past)
      expect(shown[side]).toEqual({
        statisticRankingId: row['statistic_ranking_id'],
        teamId: team_id,
        wins: { value: winsIn(until, team_id) },
        games: until.length,
        points: { value: row['points'], rank: row['points_rank'] },
      })
    }
    expect(graph.calls.take()).toEqual([
      'game/read 1',
      'statistic_ranking/getStats 1',
      'statistic_ranking/getStats 1',
    ])
  })

  test.each([
    ['today', today],
    ['to come', '2026-02-20'],
  ])('of a game %s is each team’s current row, and costs nothing beside it', async (_what, day) => {
    const [first] = await sample.rows('game/getGames', { ...basketball, start_date: day })
    const graph = sample.graph()
    const { data } = await graph.query<Json>(
      `{ league { game(id: "${String(first?.['game_id'])}") {
        homeTeam { stats { statisticRankingId } } stats(side: HOME) { statisticRankingId current }
      } } }`,
    )
    const { homeTeam, stats } = within(data, 'league', 'game')
    expect(stats).toEqual({ ...within(homeTeam as Json, 'stats'), current: true })
    expect(graph.calls.take()).toEqual(['game/read 1', 'team/getStats 1'])
  })

  test('of a day’s games costs one call for each team, as its statistics do', async () => {
    const graph = sample.graph()
    const { data } = await graph.query<Json>(
      `{ league { games(date: "${past}") { stats(side: AWAY) { dateOfRank } } } }`,
    )
    const rows = within(data, 'league')['games'] as Json[]
    expect(new Set(rows.map((row) => String(within(row, 'stats')['dateOfRank']).slice(0, 10)))).toEqual(
      new Set([past]),
    )
    expect(graph.calls.take()).toEqual(['game/getGames 1', ...rows.map(() => 'statistic_ranking/getStats 1')])
  })
})
