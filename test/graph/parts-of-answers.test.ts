import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basketball, football, season, startSample, today } from './harness.ts'
import type { Graph, Sample } from './harness.ts'
import { answerOf, instead } from './spoiled.ts'
import type { Json } from '../service/client.ts'

let sample: Sample
let games: Json[]
let team: string
let game: string

beforeAll(async () => {
  sample = await startSample()
  games = await sample.rows('game/getGames', { ...basketball, start_date: today })
  const played = games.find(({ status }) => status === 'final')
  team = String(played?.['home_team_id'])
  game = String(played?.['game_id'])
})
afterAll(() => sample.close())

async function ask(graph: Graph, text: string): Promise<Json> {
  const { data, errors } = await graph.query<Json>(text)
  expect(errors).toBeUndefined()
  return data
}

const sorted = (data: Json) => {
  const { both } = data['game'] as { both: Json[] }
  return both.map((row) => JSON.stringify(row)).toSorted()
}

const inLeague = (fields: string) => `{ league { ${fields} } }`
const ofTeam = (fields: string) => inLeague(`team(id: "${team}") { ${fields} }`)
const ofGame = (fields: string) => `{ game(id: "${game}") { ${fields} } }`

describe('what was paid for as a part of more is not paid for again', () => {
  test.each([
    [
      'a team’s rating, after every team’s',
      () => inLeague(`elo(season: ${season}) { elo }`),
      () => ofTeam(`elo(season: ${season}) { elo }`),
    ],
    [
      'a team’s history of ratings, after every team’s',
      () => inLeague(`elo(season: ${season}, current: false) { elo }`),
      () => ofTeam(`eloHistory(season: ${season}) { elo dateOfEntry } elo(season: ${season}) { elo }`),
    ],
    [
      'one side’s player boxscores, after both sides’',
      () => ofGame('homeTeamId playerBoxscores { points }'),
      () => ofGame('playerBoxscores(side: HOME) { points }'),
    ],
    [
      'a conference’s statistics, after the leaderboard',
      () => inLeague(`ranking(subject: CONFERENCE, season: ${season}, orderBy: "points") { totalCount }`),
      () => ofTeam(`conference { stats(season: ${season}) { season } }`),
    ],
  ])('%s', async (_name, first, second) => {
    const expected = await ask(sample.graph(), second())
    const graph = sample.graph()
    await ask(graph, first())
    await ask(graph, ofTeam('conferenceId'))
    graph.calls.take()
    expect(await ask(graph, second())).toEqual(expected)
    expect(graph.calls.take()).toEqual([])
  })

  test.each(['boxscore', 'playerBoxscores'])('both sides of a game, after each side’s %s', async (name) => {
    const graph = sample.graph()
    const fields = name === 'boxscore' ? '{ teamId points }' : '{ playerId points }'
    const whole = `awayTeamId both: ${name === 'boxscore' ? 'boxscores' : name} ${fields}`
    await ask(graph, ofGame(`${name}(side: HOME) ${fields}`))
    await ask(graph, ofGame(`${name}(side: AWAY) ${fields}`))
    graph.calls.take()
    const { data, extensions } = await graph.query<Json>(ofGame(whole))
    expect(sorted(data)).toEqual(sorted(await ask(sample.graph(), ofGame(whole))))
    expect(extensions.usage).toMatchObject({ calls: 0, cacheHits: 2 })
    expect(graph.calls.take()).toEqual([])
  })

  test('a team’s side of its games, after its season of boxscores', async () => {
    const graph = sample.graph()
    await ask(graph, ofTeam(`boxscores(season: ${season}) { points }`))
    await ask(graph, ofGame('homeTeamId'))
    graph.calls.take()
    const expected = await ask(sample.graph(), ofGame('boxscore(side: HOME) { points }'))
    expect(await ask(graph, ofGame('boxscore(side: HOME) { points }'))).toEqual(expected)
    expect(graph.calls.take()).toEqual([])
  })

  test.each([
    ['boxscore(side: HOME) { points }', 'boxscores { teamId points }', 'boxscore/readBoxscore'],
    ['playerBoxscores(side: HOME) { points }', 'playerBoxscores { playerId points }', 'player_boxscore/read'],
  ])('one side of a game, after %s: both cost the other side alone', async (one, whole, operation) => {
    const graph = sample.graph()
    await ask(graph, ofGame(`homeTeamId awayTeamId ${one}`))
    graph.calls.take()
    const rowsOf = (data: Json) =>
      Object.values(data['game'] as Json)
        .flat()
        .map((row) => JSON.stringify(row))
        .toSorted()
    const expected = rowsOf(await ask(sample.graph(), ofGame(`homeTeamId ${whole}`)))
    expect(expected.length).toBeGreaterThan(2)
    expect(rowsOf(await ask(graph, ofGame(`homeTeamId ${whole}`)))).toEqual(expected)
    const [call, ...more] = graph.calls.sent.slice(-1)
    expect(graph.calls.take()).toEqual([`${operation} 1`])
    expect(more).toEqual([])
    expect(call?.arguments).toHaveProperty('team_id')
  })

  test('the transfers of a player who has none, after the season’s', async () => {
    const graph = sample.graph()
    const all = (await ask(graph, inLeague(`transfers(season: ${season}) { playerId }`))) as {
      league: { transfers: { playerId: string }[] }
    }
    const moved = new Set(all.league.transfers.map(({ playerId }) => playerId))
    const roster = (await ask(graph, ofTeam(`roster(season: ${season}) { playerId }`))) as {
      league: { team: { roster: { playerId: string }[] } }
    }
    const stayed = roster.league.team.roster.find(({ playerId }) => !moved.has(playerId))
    graph.calls.take()
    const data = await ask(
      graph,
      `{ player(id: "${stayed?.playerId}") { transfers(season: ${season}) { committed } } }`,
    )
    expect(data).toEqual({ player: { transfers: [] } })
    expect(graph.calls.take()).toEqual([])
  })

  test('each player’s transfers, after the season’s', async () => {
    const graph = sample.graph()
    const fields = `player { playerId transfers(season: ${season}) { season committed } }`
    await ask(graph, inLeague(`transfers(season: ${season}) { committed ${fields} }`))
    expect(graph.calls.take()).toEqual(['cbb_transfer_player_season/read 1'])
  })

  test('a player’s statistics, after the leaderboard, where the player has one row', async () => {
    const graph = sample.graph()
    const page = `ranking(subject: PLAYER, season: ${season}, orderBy: "points_per_game", first: 3) { edges { node { ... on PlayerStatRanking { playerId games player { stats(season: ${season}) { games } } } } } }`
    const data = (await ask(graph, inLeague(page))) as {
      league: { ranking: { edges: { node: { games: number; player: { stats: { games: number } } } }[] } }
    }
    expect(graph.calls.take()).toEqual(['ranking/download 1'])
    for (const { node } of data.league.ranking.edges) expect(node.player.stats.games).toBe(node.games)
  })
})

test('a season whose scores are refused is asked for once', async () => {
  const graph = sample.graph({
    between: instead('game/getScores', () => answerOf({ error: 'Access denied.' })),
  })
  const answer = await graph.query<{ league: { team: { games: Json[] } } }>(
    ofTeam(`games(season: ${season}) { homeScore network prediction { homePercentage } }`),
  )
  expect(answer.data.league.team.games.length).toBeGreaterThan(10)
  expect(
    new Set(answer.errors?.map(({ path, extensions }) => [path?.at(-1), extensions?.code].join())),
  ).toEqual(new Set(['prediction,ACCESS_DENIED']))
  expect(graph.calls.take()).toEqual(['game/getScores 1', 'game/getScores 1', 'game/read 1', 'game/read 1'])
})

test('a team’s season under two leagues is two lists, cold and once one of them is known', async () => {
  const graph = sample.graph()
  const [own, other] = [basketball, football].map(
    ({ organization_id, division_id }) =>
      `league(organizationId: "${organization_id}", divisionId: "${division_id}") { team(id: "${team}") { games(season: ${season}) { homeScore prediction { homePercentage } odds { pre { over } } } } }`,
  )
  type Season = { team: { games: Json[] } }
  const { data } = await graph.query<{ own: Season; other: Season }>(`{ own: ${own} other: ${other} }`)
  expect(data.own.team.games.length).toBeGreaterThan(10)
  expect(data.other.team.games).toEqual([])
  const again = await graph.query<{ other: Season }>(`{ other: ${other} }`)
  expect(again.data.other.team.games).toEqual([])
  expect(again.extensions.usage.calls).toBe(0)
})

test('a try that is billed and followed by another is on the bill', async () => {
  let tries = 0
  const graph = sample.graph({
    between: async (request, send) => {
      const answer = await send(request)
      tries += 1
      return tries === 1 ? { ...answer, status: 503, headers: { 'x-request-usage': '7' } } : answer
    },
  })
  const { data, extensions } = await graph.query<Json>('{ organizations { name } }')
  expect((data['organizations'] as Json[]).length).toBeGreaterThan(0)
  expect(extensions.usage.tokens).toBe(8)
  expect(graph.upstream.ledgers.totals().tokens).toBe(8)
})

test.each(['organizations', 'divisions'])(
  'the active and the inactive %s, with or after all of them',
  async (roots) => {
    const apart = sample.graph()
    const lists: Record<string, unknown> = {}
    for (const active of ['true', 'false', 'null'])
      lists[active] = (await apart.query<Json>(`{ ${roots}(active: ${active}) { name } }`)).data[roots]
    const graph = sample.graph()
    const all = `all: ${roots}(active: null) { name }`
    const some = `active: ${roots} { name } inactive: ${roots}(active: false) { name }`
    const { data } = await graph.query(`{ ${some} ${all} }`)
    expect(data).toEqual({ active: lists['true'], inactive: lists['false'], all: lists['null'] })
    expect(graph.calls.take()).toEqual([`${roots.slice(0, -1)}/read 1`])
    const after = sample.graph()
    await after.query(`{ ${all} }`)
    expect((await after.query(`{ ${some} }`)).data).toEqual({
      active: lists['true'],
      inactive: lists['false'],
    })
    expect(after.calls.take()).toEqual([`${roots.slice(0, -1)}/read 1`])
  },
)
