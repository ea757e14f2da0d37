import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { basketball, season, startSample, today } from './harness.ts'
import type { Graph, Sample } from './harness.ts'
import { roundTrips } from './recorder.ts'
import { unspecified } from './specified.ts'
import { answerOf, instead } from './spoiled.ts'
import { sampleNow } from '../sample.setup.ts'
import { within } from '../service/client.ts'
import type { Json } from '../service/client.ts'

let sample: Sample
let graph: Graph
let games: Json[]
let teamIds: string[]

beforeAll(async () => {
  sample = await startSample()
  games = await sample.rows('game/getGames', { ...basketball, start_date: today })
  teamIds = games.flatMap((game) => [String(game['away_team_id']), String(game['home_team_id'])])
})
afterAll(() => sample.close())
afterEach(() => expect(unspecified(graph.calls.sent)).toEqual([]))

/** A graph with nothing kept yet. */
function cold(options?: Parameters<Sample['graph']>[0]): Graph {
  graph = sample.graph(options)
  return graph
}

/** What a query answers; fails on any error. */
async function ask<Data>(text: string, variables: Record<string, unknown> = {}): Promise<Data> {
  const { data, errors } = await graph.query<Data>(text, { variables })
  expect(errors).toBeUndefined()
  return data
}

interface Games<Game> {
  readonly league: { readonly games: readonly Game[] }
}

const day = (fields: string) => `{ league { games(date: "${today}") { ${fields} } } }`
const idsOf = (rows: readonly Json[]) => rows.map((row) => String(row['game_id']))
const scores = () => sample.rows('game/getScores', { ...basketball, start_date: today })
const byId = (rows: readonly Json[], key: string) => new Map(rows.map((row) => [String(row[key]), row]))

const team = (game: Json, side: string) => within(game, 'teams', String(game[`${side}_team_id`]))
const global = (id: string | undefined) => Buffer.from(`Team:${id}`).toString('base64')
const list = (fields: string) => `query ($ids: [ID!]!) { games(ids: $ids) { ${fields} } }`
const roster = (fields: string) =>
  `{ league { team(id: "${teamIds[0]}") { roster(season: ${season}) { ${fields} } } } }`
const players = () =>
  sample.rows('team/getPlayers', {
    organization_id: basketball.organization_id,
    team_id: teamIds[0],
    season,
  })

describe('a day of games', () => {
  test('scores, clock, status, prediction and current odds cost one getScores', async () => {
    cold()
    const data = await ask<Games<Record<string, unknown>>>(
      day(
        'gameId homeScore awayScore clock currentPeriod status prediction { homePercentage } odds { pre { spreadHome } live { over } }',
      ),
    )
    const expected = (await scores()).map((row) => ({
      gameId: row['game_id'],
      homeScore: row['home_score'],
      awayScore: row['away_score'],
      clock: row['clock'],
      currentPeriod: row['current_period'],
      status: row['status'],
      prediction: { homePercentage: within(row, 'prediction')['home_percentage'] },
      odds: {
        pre: { spreadHome: within(row, 'odds', 'pre')['spread_home'] },
        live: within(row, 'odds')['live'] && { over: within(row, 'odds', 'live')['over'] },
      },
    }))
    expect(data.league.games).toEqual(expected)
    expect(graph.calls.take()).toEqual(['game/getScores 1'])
  })

  test('games with team names and colours cost one getGames and no team/read', async () => {
    cold()
    const data = await ask<Games<Record<string, unknown>>>(
      day('gameId homeTeam { name primaryColor } awayTeam { name secondaryColor }'),
    )
    expect(data.league.games).toEqual(
      games.map((game) => ({
        gameId: game['game_id'],
        homeTeam: { name: team(game, 'home')['name'], primaryColor: team(game, 'home')['primary_color'] },
        awayTeam: { name: team(game, 'away')['name'], secondaryColor: team(game, 'away')['secondary_color'] },
      })),
    )
    expect(graph.calls.take()).toEqual(['game/getGames 1'])
  })

  test('scores with team names cost one getGames alone', async () => {
    cold()
    const data = await ask<Games<{ homeScore: number | null; homeTeam: { name: string } }>>(
      day('homeScore awayScore status clock homeTeam { name } awayTeam { name }'),
    )
    expect(data.league.games.map(({ homeScore }) => homeScore)).toEqual(
      games.map((game) => game['home_score']),
    )
    expect(graph.calls.take()).toEqual(['game/getGames 1'])
  })

  test.each(['prediction { homePercentage }', 'odds { pre { over } }', 'odds { live { over } }'])(
    'getScores joins getGames side by side for %s beside team names',
    async (line) => {
      cold()
      await ask(day(`homeScore homeTeam { name } ${line}`))
      expect(graph.calls.take()).toEqual(['game/getGames 1', 'game/getScores 1'])
      expect(roundTrips(graph.calls.sent)).toBe(1)
    },
  )

  test('keys that the games already hold cost nothing more, as id, raw key or object', async () => {
    cold()
    const data = await ask<Games<{ homeTeamId: string; homeTeam: { teamId: string } }>>(
      day('gameId homeTeamId homeTeam { id teamId } awayTeam { teamId } organization { organizationId }'),
    )
    expect(data.league.games.map(({ homeTeam }) => homeTeam.teamId)).toEqual(
      games.map((game) => game['home_team_id']),
    )
    expect(graph.calls.take()).toEqual(['game/getGames 1'])
  })

  test('current Elo of every team of the day costs one elo/read with all their ids', async () => {
    cold()
    type Rated = Games<{ homeTeam: { teamId: string; elo: { elo: number } } }>
    const data = await ask<Rated>(day('homeTeam { teamId elo { elo } } awayTeam { elo { elo } }'))
    const ratings = byId(
      await sample.rows('elo/read', { ...basketball, season, current: 1, team_id: teamIds }),
      'team_id',
    )
    for (const { homeTeam } of data.league.games)
      expect(homeTeam.elo.elo).toBe(ratings.get(homeTeam.teamId)?.['elo'])
    expect(graph.calls.take()).toEqual([`elo/read ${new Set(teamIds).size}`, 'game/getGames 1'])
    const sent = graph.calls.sent.find(({ operation }) => operation === 'elo/read')
    expect(new Set(sent?.arguments['team_id'])).toEqual(new Set(teamIds))
    expect(sent?.arguments).toMatchObject({ season: String(season), current: '1' })
  })

  test('one side’s player boxscores of a whole day cost getGames and one player_boxscore/read', async () => {
    cold()
    type Sides = Games<{ homeScore: number; playerBoxscores: { points: number; teamId: string }[] }>
    const data = await ask<Sides>(day('homeScore homeTeamId playerBoxscores(side: HOME) { points teamId }'))
    const played = games.filter((game) => game['boxscore'] === 1)
    expect(graph.calls.take()).toEqual(['game/getGames 1', `player_boxscore/read ${played.length}`])
    for (const [index, { homeScore, playerBoxscores }] of data.league.games.entries()) {
      expect(playerBoxscores.reduce((sum, { points }) => sum + points, 0)).toBe(homeScore ?? 0)
      for (const { teamId } of playerBoxscores) expect(teamId).toBe(games[index]?.['home_team_id'])
    }
  })

  test('every game’s boxscores cost one readBoxscore with the games that have any', async () => {
    cold()
    const data = await ask<Games<{ gameId: string; boxscores: { teamId: string; points: number }[] }>>(
      day('gameId hasBoxscore boxscores { teamId points }'),
    )
    const withBoxscore = games.filter((game) => game['boxscore'] === 1)
    expect(withBoxscore.length).toBeLessThan(games.length)
    expect(graph.calls.take()).toEqual([`boxscore/readBoxscore ${withBoxscore.length}`, 'game/getGames 1'])
    expect(data.league.games.map(({ boxscores }) => boxscores)).toEqual(
      games.map((game) =>
        game['boxscore'] === 1
          ? [
              { teamId: game['away_team_id'], points: game['away_score'] },
              { teamId: game['home_team_id'], points: game['home_score'] },
            ]
          : [],
      ),
    )
  })
})

describe('keys that are at hand', () => {
  test('the league’s own keys cost nothing', async () => {
    cold()
    const data = await ask('{ league { organization { id organizationId } division { divisionId } } }')
    expect(data).toMatchObject({
      league: {
        organization: { organizationId: basketball.organization_id },
        division: { divisionId: basketball.division_id },
      },
    })
    expect(graph.calls.take()).toEqual([])
  })

  test('a statistics row’s team costs nothing beyond the row', async () => {
    cold()
    const [id] = teamIds
    await ask(`{ team(id: "${id}") { teamId stats(season: ${season}) { teamId team { id teamId } } } }`)
    expect(graph.calls.take()).toEqual(['team/getStats 1'])
  })
})

describe('rows by id', () => {
  test('20 team ids from all over the query cost one team/read with 20 ids', async () => {
    cold()
    const ids = teamIds.slice(0, 20)
    const data = await ask<Record<string, { name: string } & { name: string }[]>>(
      `query ($some: [ID!]!, $others: [ID!]!, $nodes: [ID!]!) {
        one: team(id: "${ids[0]}") { name }
        again: team(id: "${ids[0]}") { primaryColor }
        two: team(id: "${global(ids[1])}") { name }
        some: teams(ids: $some) { name }
        others: teams(ids: $others) { ...Named }
        nodes(ids: $nodes) { ... on Team { name } }
        node(id: "${global(ids[18])}") { ...Named }
        league { team(id: "${ids[19]}") { name } }
      }
      fragment Named on Team { name }`,
      { some: ids.slice(2, 8), others: ids.slice(6, 14), nodes: ids.slice(14, 18).map(global) },
    )
    expect(graph.calls.take()).toEqual(['team/read 20'])
    const names = byId(await sample.rows('team/read', { team_id: ids }), 'team_id')
    expect(data['others']?.map(({ name }) => name)).toEqual(
      ids.slice(6, 14).map((id) => names.get(id)?.['name']),
    )
  })

  test('a batch larger than one call may carry is split and goes out side by side', async () => {
    cold({ batchSize: 8 })
    await ask('query ($ids: [ID!]!) { teams(ids: $ids) { name } }', { ids: teamIds.slice(0, 20) })
    expect(graph.calls.take()).toEqual(['team/read 4', 'team/read 8', 'team/read 8'])
    expect(roundTrips(graph.calls.sent)).toBe(1)
  })

  test.each([
    ['odds { history { over } }', 'odds/read'],
    ['boxscores { points }', 'boxscore/readBoxscore'],
    ['playerBoxscores { points }', 'player_boxscore/read'],
  ])('more games than one call may carry are split for %s too', async (fields, operation) => {
    const ids = idsOf(games.filter((game) => game['boxscore'] === 1)).slice(0, 7)
    cold()
    const expected = await ask<Json>(list(fields), { ids })
    cold({ batchSize: 3 })
    expect(await ask<Json>(list(fields), { ids })).toEqual(expected)
    expect(graph.calls.take()).toEqual([`${operation} 1`, `${operation} 3`, `${operation} 3`])
    expect(roundTrips(graph.calls.sent)).toBe(1)
  })

  test('a call too long for an address goes by POST', async () => {
    cold()
    const players = (await sample.rows('player/read')).slice(0, 120).map((row) => row['player_id'])
    await ask('query ($ids: [ID!]!) { players(ids: $ids) { lastName } }', { ids: players })
    expect(graph.calls.take()).toEqual(['player/read 120'])
    expect(graph.calls.sent.map(({ method }) => method)).toEqual(['POST'])
  })
})

describe('a team', () => {
  test('a roster’s names cost one getPlayers', async () => {
    cold()
    const data = await ask(roster('firstName lastName number'))
    const expected = (await players()).map((row) => ({
      firstName: row['first_name'],
      lastName: row['last_name'],
      number: row['number'],
    }))
    expect(data).toEqual({ league: { team: { roster: expected } } })
    expect(graph.calls.take()).toEqual(['team/getPlayers 1'])
  })

  test('a roster’s colleges too cost one player/read for all of them', async () => {
    cold()
    const data = await ask<{ league: { team: { roster: { playerId: string; college: string | null }[] } } }>(
      roster('playerId firstName college draftYear'),
    )
    const ids = (await players()).map((row) => String(row['player_id']))
    const colleges = byId(await sample.rows('player/read', { player_id: ids }), 'player_id')
    expect(data.league.team.roster.map(({ college }) => college)).toEqual(
      ids.map((id) => colleges.get(id)?.['college']),
    )
    expect(graph.calls.take()).toEqual([`player/read ${ids.length}`, 'team/getPlayers 1'])
  })

  test('a season of games costs two game/read side by side, at home and away', async () => {
    cold()
    const [id] = teamIds
    const data = await ask<{ team: { games: { gameId: string; startDatetime: string }[] } }>(
      `{ team(id: "${id}") { games(season: ${season}) { gameId startDatetime homeScore homeTeamId } } }`,
    )
    const own = [
      ...(await sample.rows('game/read', { season, home_team_id: id })),
      ...(await sample.rows('game/read', { season, away_team_id: id })),
    ].toSorted((a, b) => (String(a['start_datetime']) < String(b['start_datetime']) ? -1 : 1))
    expect(data.team.games.map(({ gameId }) => gameId)).toEqual(idsOf(own))
    expect(graph.calls.take()).toEqual(['game/read 1', 'game/read 1'])
    expect(graph.calls.sent.map(({ arguments: values }) => values)).toEqual([
      { season: String(season), home_team_id: id },
      { season: String(season), away_team_id: id },
    ])
    expect(roundTrips(graph.calls.sent)).toBe(1)
  })

  test('the predictions and current odds of a season cost two getScores', async () => {
    cold()
    const [id] = teamIds
    const data = await ask<{ team: { games: { gameId: string; prediction: object | null }[] } }>(
      `{ team(id: "${id}") { games(season: ${season}) { gameId homeScore prediction { awayPercentage } odds { pre { over } } } } }`,
    )
    const expected = byId(
      [
        ...(await sample.rows('game/getScores', { ...basketball, season, home_team_id: id })),
        ...(await sample.rows('game/getScores', { ...basketball, season, away_team_id: id })),
      ],
      'game_id',
    )
    expect(data.team.games).toHaveLength(expected.size)
    for (const game of data.team.games) {
      const row = expected.get(game.gameId) ?? {}
      expect(game).toEqual({
        gameId: row['game_id'],
        homeScore: row['home_score'],
        prediction: { awayPercentage: within(row, 'prediction')['away_percentage'] },
        odds: { pre: within(row, 'odds')['pre'] && { over: within(row, 'odds', 'pre')['over'] } },
      })
    }
    expect(graph.calls.take()).toEqual(['game/getScores 1', 'game/getScores 1'])
    expect(roundTrips(graph.calls.sent)).toBe(1)
  })

  test('a day’s lines with a column that scores lack cost getScores, then the rows by their ids', async () => {
    cold()
    const games = await sample.rows('game/getGames', { ...basketball, start_date: today })
    const data = await ask<{ league: { games: Json[] } }>(
      `{ league { games(date: "${today}") { startDatetime homeScore odds { pre { over } } } } }`,
    )
    const starts = games.map((game) => game['start_datetime'])
    expect(data.league.games.map(({ startDatetime }) => startDatetime)).toEqual(starts.toSorted())
    expect(graph.calls.take()).toEqual(['game/getScores 1', `game/read ${games.length}`])
    expect(roundTrips(graph.calls.sent)).toBe(2)
  })

  test('a season of games with predictions costs two game/read and two getScores, all side by side', async () => {
    cold()
    await ask(
      `{ team(id: "${teamIds[0]}") { games(season: ${season}) { startDatetime prediction { homePercentage } } } }`,
    )
    expect(graph.calls.take()).toEqual(['game/getScores 1', 'game/getScores 1', 'game/read 1', 'game/read 1'])
    expect(roundTrips(graph.calls.sent)).toBe(1)
  })

  test('the Elo history of several teams costs one elo/read', async () => {
    cold()
    const ids = teamIds.slice(0, 5)
    type Histories = { teams: { eloHistory: { eloId: string; gameId: string }[] }[] }
    const data = await ask<Histories>(
      `query ($ids: [ID!]!) { teams(ids: $ids) { eloHistory(season: ${season}) { eloId gameId elo } } }`,
      { ids },
    )
    for (const [index, id] of ids.entries()) {
      const rows = await sample.rows('elo/read', { ...basketball, season, team_id: id })
      const oldest = rows.toSorted((a, b) =>
        String(a['date_of_entry']) < String(b['date_of_entry']) ? -1 : 1,
      )
      expect(data.teams[index]?.eloHistory.map(({ gameId }) => gameId)).toEqual(idsOf(oldest))
    }
    expect(graph.calls.take()).toEqual(['elo/read 5'])
    expect(graph.calls.sent[0]?.arguments).not.toHaveProperty('current')
  })

  test('the statistics of n teams cost n getStats, side by side', async () => {
    cold()
    const ids = teamIds.slice(0, 6)
    type Stats = { teams: { stats: { points: { value: number; rank: number } } }[] }
    const data = await ask<Stats>(
      `query ($ids: [ID!]!) { teams(ids: $ids) { stats(season: ${season}) { points { value rank } } } }`,
      { ids },
    )
    for (const [index, team_id] of ids.entries()) {
      const row = await sample.row('team/getStats', { ...basketball, team_id, season })
      expect(data.teams[index]?.stats.points).toEqual({ value: row['points'], rank: row['points_rank'] })
    }
    expect(graph.calls.take()).toEqual(ids.map(() => 'team/getStats 1'))
    expect(roundTrips(graph.calls.sent)).toBe(1)
  })
})

test('all of a team’s page goes out side by side, each call once and none of them a hit', async () => {
  cold()
  const { errors, extensions } = await graph.query(
    `{ league { team(id: "${teamIds[0]}") {
      name
      roster(season: ${season}) { lastName }
      stats(season: ${season}) { points { rank } }
      games(season: ${season}) { startDate homeScore }
      elo(season: ${season}) { elo }
    } } }`,
  )
  expect(errors).toBeUndefined()
  const calls = [
    'elo/read 1',
    'game/read 1',
    'game/read 1',
    'team/getPlayers 1',
    'team/getStats 1',
    'team/read 1',
  ]
  expect(graph.calls.take()).toEqual(calls)
  expect(roundTrips(graph.calls.sent)).toBe(1)
  expect(extensions.usage).toMatchObject({ calls: calls.length, cacheHits: 0 })
})

describe('games known by id', () => {
  test('the odds history of n games costs one odds/read with n ids', async () => {
    cold()
    const ids = idsOf(games).slice(0, 4)
    type Histories = { games: { odds: { history: { oddsId: string; spreadHome: number }[] } }[] }
    const data = await ask<Histories>(list('odds { history { oddsId spreadHome } }'), { ids })
    for (const [index, id] of ids.entries()) {
      const rows = await sample.rows('odds/read', { game_id: id })
      const oldest = rows.toSorted((a, b) =>
        String(a['date_of_entry']) < String(b['date_of_entry']) ? -1 : 1,
      )
      expect(data.games[index]?.odds.history.map(({ oddsId }) => oddsId)).toEqual(
        oldest.map((row) => row['odds_id']),
      )
    }
    expect(graph.calls.take()).toEqual(['odds/read 4'])
  })

  test('current odds with their history cost the one odds/read of the history', async () => {
    cold()
    const ids = idsOf(games).slice(0, 4)
    type Odds = {
      games: { gameId: string; odds: { pre: { oddsId: string }; live: { oddsId: string } | null } }[]
    }
    const data = await ask<Odds>(list('gameId odds { pre { oddsId } live { oddsId } history { over } }'), {
      ids,
    })
    const current = byId(await scores(), 'game_id')
    for (const { gameId, odds } of data.games) {
      const { pre, live } = within(current.get(gameId) ?? {}, 'odds') as Record<string, Json | null>
      expect(odds).toMatchObject({
        pre: { oddsId: pre?.['odds_id'] },
        live: live && { oddsId: live['odds_id'] },
      })
    }
    expect(graph.calls.take()).toEqual(['odds/read 4'])
  })

  test('current odds of a few games whose day is unknown cost one odds/read', async () => {
    cold()
    const ids = idsOf(games).slice(0, 3)
    await ask(list('odds { pre { spreadHome } live { over } }'), { ids })
    expect(graph.calls.take()).toEqual(['odds/read 3'])
  })

  test('current odds of ten games of one day whose day is unknown cost their rows and the day’s scores', async () => {
    cold()
    const ids = idsOf(games).slice(0, 10)
    type Current = { games: { gameId: string; odds: { pre: { oddsId: string } | null } }[] }
    const data = await ask<Current>(list('gameId odds { pre { oddsId } live { over } }'), { ids })
    const current = byId(await scores(), 'game_id')
    expect(data.games.map(({ odds }) => odds.pre?.oddsId)).toEqual(
      ids.map((id) => within(current.get(id) ?? {}, 'odds', 'pre')['odds_id']),
    )
    expect(graph.calls.take()).toEqual(['game/getScores 1', 'game/read 10'])
    expect(graph.calls.sent.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(25_000)
    expect(roundTrips(graph.calls.sent)).toBe(2)
  })

  test('current odds of ten games beside their rows cost the rows once, and the day’s scores', async () => {
    cold()
    await ask(list('homeScore odds { pre { spreadHome } }'), { ids: idsOf(games).slice(0, 10) })
    expect(graph.calls.take()).toEqual(['game/getScores 1', 'game/read 10'])
  })

  test('current odds of ten games of one known day cost the day’s scores alone', async () => {
    cold()
    const ids = idsOf(games).slice(0, 10)
    await ask(list('startDate'), { ids })
    graph.calls.take()
    await ask(list('odds { pre { spreadHome } }'), { ids })
    expect(graph.calls.take()).toEqual(['game/getScores 1'])
  })

  test('current odds of every game of a known day cost one getScores, being smaller', async () => {
    cold()
    await ask(day('startDate'))
    graph.calls.take()
    await ask(list('odds { pre { spreadHome } }'), { ids: idsOf(games) })
    expect(graph.calls.take()).toEqual(['game/getScores 1'])
  })

  test('current odds of one game of a known day cost one odds/read, being smaller', async () => {
    cold()
    const ids = idsOf(games).slice(-1)
    await ask(list('startDate'), { ids })
    graph.calls.take()
    await ask(list('odds { pre { spreadHome } }'), { ids })
    expect(graph.calls.take()).toEqual(['odds/read 1'])
  })

  test('predictions cost one getScores for each day once the days are known', async () => {
    cold()
    const before = await sample.rows('game/getGames', { ...basketball, start_date: '2026-02-10' })
    const ids = [...idsOf(games).slice(0, 3), ...idsOf(before).slice(0, 2)]
    type Predicted = { games: { prediction: { homePercentage: number; gameId: string } }[] }
    const data = await ask<Predicted>(list('prediction { gameId homePercentage }'), { ids })
    expect(data.games.map(({ prediction }) => prediction.gameId)).toEqual(ids)
    expect(graph.calls.take()).toEqual(['game/getScores 1', 'game/getScores 1', 'game/read 5'])
    const days = graph.calls.sent.map(({ arguments: values }) => values['start_date']).filter(Boolean)
    expect(days.toSorted()).toEqual(['2026-02-10', today])
    expect(roundTrips(graph.calls.sent)).toBe(2)
  })

  test('predictions of games whose rows are at hand cost the scores of their days alone', async () => {
    cold()
    const ids = idsOf(games).slice(0, 3)
    await ask(list('startDate'), { ids })
    graph.calls.take()
    await ask(list('prediction { homePercentage }'), { ids })
    expect(graph.calls.take()).toEqual(['game/getScores 1'])
  })

  test('both boxscores of n games cost one readBoxscore with n ids', async () => {
    cold()
    const ids = idsOf(games).slice(0, 5)
    type Boxscores = { games: { boxscores: { teamId: string }[] }[] }
    const data = await ask<Boxscores>(list('boxscores { teamId points }'), { ids })
    expect(graph.calls.take()).toEqual(['boxscore/readBoxscore 5'])
    for (const { boxscores } of data.games) expect(boxscores).toHaveLength(2)
  })

  test('one side’s boxscores cost one readBoxscore with the games and the teams, once the teams are known', async () => {
    cold()
    const played = games.filter((game) => game['boxscore'] === 1)
    type Sides = { games: { boxscore: { teamId: string; points: number } | null }[] }
    const data = await ask<Sides>(list('boxscore(side: AWAY) { teamId points }'), { ids: idsOf(games) })
    expect(data.games.map(({ boxscore }) => boxscore)).toEqual(
      games.map((game) =>
        game['boxscore'] === 1 ? { teamId: game['away_team_id'], points: game['away_score'] } : null,
      ),
    )
    expect(graph.calls.take()).toEqual([
      `boxscore/readBoxscore ${played.length}`,
      `game/read ${games.length}`,
    ])
    expect(new Set(graph.calls.sent[1]?.arguments['team_id'])).toEqual(
      new Set(played.map((game) => game['away_team_id'])),
    )
  })

  test('a team’s season of boxscores costs one readBoxscore for all teams that ask', async () => {
    cold()
    const ids = teamIds.slice(0, 3)
    type Seasons = { teams: { boxscores: { gameId: string; teamId: string }[] }[] }
    const data = await ask<Seasons>(
      `query ($ids: [ID!]!) { teams(ids: $ids) { boxscores(season: ${season}) { gameId teamId } } }`,
      { ids },
    )
    for (const [index, team_id] of ids.entries()) {
      const { organization_id } = basketball
      const rows = await sample.rows('boxscore/readBoxscore', { organization_id, team_id, season })
      expect(data.teams[index]?.boxscores.map(({ gameId }) => gameId).toSorted()).toEqual(
        idsOf(rows).toSorted(),
      )
    }
    expect(graph.calls.take()).toEqual(['boxscore/readBoxscore 3'])
  })

  test('a game whose row is at hand and says that it has no boxscores is not asked for any', async () => {
    cold()
    const [id] = idsOf(games.filter((game) => game['boxscore'] === 0))
    expect(await ask(`{ game(id: "${id}") { hasBoxscore } }`)).toEqual({ game: { hasBoxscore: false } })
    graph.calls.take()
    const data = await ask(
      `{ game(id: "${id}") { hasBoxscore boxscores { points } boxscore(side: HOME) { points } playerBoxscores { points } } }`,
    )
    expect(data).toEqual({ game: { hasBoxscore: false, boxscores: [], boxscore: null, playerBoxscores: [] } })
    expect(graph.calls.take()).toEqual([])
  })

  test('games whose scores say that they have not begun are not asked for any', async () => {
    const ahead = sample.graph()
    const boxscores = 'boxscores { points } boxscore(side: HOME) { points } playerBoxscores { points }'
    const text = (fields: string) => `{ league { games(date: "2026-02-16") { ${fields} } } }`
    const { data } = await ahead.query<Json>(
      text(`odds { pre { over } } boxscores { points } playerBoxscores { points }`),
    )
    const rows = within(data, 'league')['games'] as Json[]
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) expect(row).toMatchObject({ boxscores: [], playerBoxscores: [] })
    expect(ahead.calls.take()).toEqual(['game/getScores 1'])
    expect((await ahead.query(text(boxscores))).errors).toBeUndefined()
    expect(ahead.calls.take().filter((name) => name.includes('boxscore'))).toEqual([])
  })

  test('one side’s player boxscores cost one player_boxscore/read with the game and the team', async () => {
    cold()
    const [game = {}] = games
    const id = String(game['game_id'])
    await ask(`{ game(id: "${id}") { homeTeamId } }`)
    graph.calls.take()
    const data = await ask<{ game: { playerBoxscores: { playerId: string; points: number }[] } }>(
      `{ game(id: "${id}") { playerBoxscores(side: HOME) { playerId points } } }`,
    )
    expect(graph.calls.take()).toEqual(['player_boxscore/read 1'])
    const given = { game_id: id, team_id: game['home_team_id'] }
    expect(graph.calls.sent.at(-1)?.arguments).toEqual(given)
    const rows = await sample.rows('player_boxscore/read', given)
    expect(data.game.playerBoxscores.map(({ playerId }) => playerId).toSorted()).toEqual(
      rows.map((row) => row['player_id']).toSorted(),
    )
    const points = data.game.playerBoxscores.reduce((sum, row) => sum + row.points, 0)
    expect(points).toBe(game['home_score'])
  })
})

describe('a player', () => {
  test('a game log with opponents’ names costs one getGameLogs', async () => {
    cold()
    const [row = {}] = await sample.rows('team/getPlayers', {
      organization_id: basketball.organization_id,
      team_id: teamIds[0],
      season,
    })
    const player_id = String(row['player_id'])
    type Log = { league: { player: { gameLog: { points: number; game: { homeTeam: { name: string } } }[] } } }
    const data = await ask<Log>(
      `{ league { player(id: "${player_id}") { gameLog(season: ${season}) {
        points game { startDate homeScore homeTeam { name } awayTeam { name } }
      } } } }`,
    )
    const startOf = (line: Json) => String(within(line, 'game')['start_datetime'])
    const answered = await sample.rows('player/getGameLogs', { ...basketball, player_id, season })
    const rows = answered.toSorted((a, b) => (startOf(a) < startOf(b) ? -1 : 1))
    expect(rows.length).toBeGreaterThan(5)
    expect(data.league.player.gameLog.map(({ points, game }) => [points, game.homeTeam.name])).toEqual(
      rows.map((line) => {
        const game = within(line, 'game')
        return [line['points'], within(game, 'teams', String(game['home_team_id']))['name']]
      }),
    )
    expect(graph.calls.take()).toEqual(['player/getGameLogs 1'])
  })
})

describe('a key that may not read in bulk', () => {
  const named = 'query ($ids: [ID!]!) { teams(ids: $ids) { name } }'

  test('pays the refused read once, then one get for each id, and the refusal is remembered', async () => {
    cold({ apiKey: 'sample-trial' })
    const ids = teamIds.slice(0, 3)
    const data = await ask<{ teams: { name: string }[] }>(named, { ids })
    const names = byId(await sample.rows('team/read', { team_id: ids }), 'team_id')
    expect(data.teams.map(({ name }) => name)).toEqual(ids.map((id) => names.get(id)?.['name']))
    expect(graph.calls.take()).toEqual(['team/get 1', 'team/get 1', 'team/get 1', 'team/read 3'])
    await ask(named, { ids: teamIds.slice(3, 5) })
    expect(graph.calls.take()).toEqual(['team/get 1', 'team/get 1'])
    await ask(named, { ids: teamIds.slice(0, 5) })
    expect(graph.calls.take()).toEqual([])
  })

  test('finds a season by the scores that it wants anyway, once', async () => {
    cold({ apiKey: 'sample-trial' })
    const [id] = teamIds
    const data = await ask<{ team: { games: Json[] } }>(
      `{ team(id: "${id}") { games(season: ${season}) { startDatetime prediction { homePercentage } } } }`,
    )
    const rows = [
      ...(await sample.rows('game/read', { season, home_team_id: id })),
      ...(await sample.rows('game/read', { season, away_team_id: id })),
    ]
    expect(data.team.games.map(({ startDatetime }) => startDatetime).toSorted()).toEqual(
      rows.map((row) => row['start_datetime']).toSorted(),
    )
    expect(graph.calls.take()).toEqual([
      ...rows.map(() => 'game/get 1'),
      'game/getScores 1',
      'game/getScores 1',
      'game/read 1',
      'game/read 1',
    ])
  })

  test('gets each game’s boxscores by themselves: one that fails harms no other game', async () => {
    const final = games.filter(({ status }) => status === 'final').map(({ game_id }) => String(game_id))
    const [one = '', other = ''] = final
    let failed = 0
    cold({
      apiKey: 'sample-trial',
      between: instead('boxscore/getBoxscore', (request, service) =>
        request.arguments['game_id'] === one && (failed += 1) === 1
          ? answerOf({ error: 'Something went wrong.' })
          : service(request),
      ),
    })
    const { data, errors, extensions } = await graph.query<{ games: Json[] }>(
      `{ games(ids: ["${one}", "${other}"]) { boxscores { gameId } } }`,
    )
    expect(data.games).toEqual([{ boxscores: null }, { boxscores: [{ gameId: other }, { gameId: other }] }])
    expect(errors?.map(({ path }) => path?.join('.'))).toEqual(['games.0.boxscores'])
    expect(extensions.usage.calls).toBe(graph.calls.sent.length)
    expect(graph.calls.take()).toEqual([
      ...Array.from({ length: 4 }, () => 'boxscore/getBoxscore 1'),
      'boxscore/readBoxscore 2',
      'game/get 1',
      'game/get 1',
      'game/read 2',
    ])
  })

  test('gets a team’s current rating, also beside what has no other way', async () => {
    const [id] = teamIds
    const [row] = await sample.rows('elo/read', { ...basketball, season, team_id: id, current: 1 })
    const text = `{ league { elo(season: ${season}) { elo } team(id: "${id}") { elo(season: ${season}) { elo } eloHistory(season: ${season}) { elo } } } }`
    cold({ apiKey: 'sample-trial' })
    for (const refused of [['elo/read 1', 'elo/read 1'], []]) {
      const { data, errors = [] } = await graph.query<Json>(text)
      expect(data).toEqual({ league: { elo: null, team: { elo: { elo: row?.['elo'] }, eloHistory: null } } })
      expect(errors.map(({ path }) => path?.join('.'))).toEqual(['league.elo', 'league.team.eloHistory'])
      expect(graph.calls.take()).toEqual(refused.length > 0 ? ['elo/get 1', ...refused] : [])
    }
    await graph.query(
      `{ league { elo(season: ${season}) { elo } team(id: "${teamIds[1]}") { elo(season: ${season}) { elo } } } }`,
    )
    expect(graph.calls.take()).toEqual(['elo/get 1'])
  })

  test('sends no more gets at once than calls may be under way', async () => {
    cold({ apiKey: 'sample-trial', concurrency: 2 })
    await ask(named, { ids: teamIds.slice(0, 8) })
    const moments = graph.calls.sent.flatMap(({ began, ended }) => [
      { at: began, step: 1 },
      { at: ended, step: -1 },
    ])
    let open = 0
    let most = 0
    for (const { step } of moments.toSorted((a, b) => a.at - b.at)) most = Math.max(most, (open += step))
    expect(most).toBe(2)
  })

  test('gets each side’s boxscore where readBoxscore is refused', async () => {
    cold({ apiKey: 'sample-trial' })
    const [game = {}] = games
    const data = await ask(
      `{ league { game(id: "${String(game['game_id'])}") { boxscores { teamId points } } } }`,
    )
    expect(data).toEqual({
      league: {
        game: {
          boxscores: [
            { teamId: game['away_team_id'], points: game['away_score'] },
            { teamId: game['home_team_id'], points: game['home_score'] },
          ],
        },
      },
    })
    expect(graph.calls.take()).toEqual([
      'boxscore/getBoxscore 1',
      'boxscore/getBoxscore 1',
      'boxscore/readBoxscore 1',
      'game/get 1',
      'game/read 1',
    ])
  })
})

describe('what is fresh', () => {
  test('the same query again costs nothing, and says what was at hand', async () => {
    cold()
    const text = `{
      league { games(date: "${today}") { homeScore homeTeam { name stats { points { rank } } elo { elo } } prediction { homePercentage } } }
      team(id: "${teamIds[0]}") { name games(season: ${season}) { startDate } }
      organizations { name }
    }`
    const first = await graph.query(text)
    expect(first.errors).toBeUndefined()
    graph.calls.take()
    const second = await graph.query(text)
    expect(graph.calls.take()).toEqual([])
    expect(second.data).toEqual(first.data)
    expect(second.extensions.usage).toMatchObject({ tokens: 0, bytes: 0, calls: 0 })
    expect(second.extensions.usage.cacheHits).toBeGreaterThan(0)
  })

  test('of rows some of which are fresh only the missing ones are asked for', async () => {
    cold()
    const named = 'query ($ids: [ID!]!) { teams(ids: $ids) { name } }'
    await ask(named, { ids: teamIds.slice(0, 5) })
    graph.calls.take()
    await ask(named, { ids: teamIds.slice(0, 8) })
    expect(graph.calls.take()).toEqual(['team/read 3'])
    expect(graph.calls.sent.at(-1)?.arguments['team_id']).toEqual(teamIds.slice(5, 8).toSorted())
  })

  test('of games that have aged only those that are not over are asked for again', async () => {
    let now = sampleNow
    cold({ clock: () => now })
    const text = 'query ($ids: [ID!]!) { games(ids: $ids) { homeScore status } }'
    await ask(text, { ids: idsOf(games) })
    graph.calls.take()
    now += 10 * 60_000
    await ask(text, { ids: idsOf(games) })
    const open = games.filter((game) => game['status'] !== 'final')
    expect(graph.calls.take()).toEqual([`game/read ${open.length}`])
    expect(graph.calls.sent.at(-1)?.arguments['game_id']).toEqual(idsOf(open).toSorted())
  })

  test('100 clients at once cost what one does, and the sum of what they are told is the bill', async () => {
    const text = `{
      league { games(date: "${today}") { homeScore homeTeam { name elo { elo } } odds { pre { over } history { over } } } }
      teams(ids: ["${teamIds[0]}", "${teamIds[1]}"]) { name stats(season: ${season}) { wins { value } } }
    }`
    cold()
    const one = await graph.query(text)
    const calls = graph.calls.take()
    cold()
    const all = await Promise.all(Array.from({ length: 100 }, () => graph.query(text)))
    expect(graph.calls.take()).toEqual(calls)
    for (const { data, errors } of all) expect([data, errors]).toEqual([one.data, undefined])
    const billed = graph.calls.sent.reduce((sum, { bytes }) => sum + bytes, 0)
    const told = all.map(({ extensions }) => extensions.usage)
    expect(told.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(billed)
    expect(told.reduce((sum, { calls: count }) => sum + count, 0)).toBe(calls.length)
    const { usage } = await ask<{ usage: { tokens: number; bytes: number } }>('{ usage { tokens bytes } }')
    expect(usage).toEqual({ tokens: told.reduce((sum, { tokens }) => sum + tokens, 0), bytes: billed })
  })
})

test('who asks for the history of odds has no part in the scores that another needs of the same day', async () => {
  cold()
  const ids = idsOf(games.slice(0, 2))
  await ask(list('startDate'), { ids })
  graph.calls.take()
  const options = { variables: { ids }, extensions: { explain: true } }
  const answers = await Promise.all([
    graph.query(list('odds { history { over } }'), options),
    graph.query(list('prediction { homePercentage }'), options),
  ])
  expect(answers.map(({ errors }) => errors)).toEqual([undefined, undefined])
  expect(graph.calls.take()).toEqual(['game/getScores 1', 'odds/read 2'])
  const plans = answers.map(({ extensions }) =>
    extensions.plan?.filter(({ source }) => source !== 'MEMORY').map((one) => [one.operation, one.source]),
  )
  expect(plans).toEqual([[['odds/read', 'UPSTREAM']], [['game/getScores', 'UPSTREAM']]])
})

test('a plan asked for names each call, its arguments, its ids and its bill', async () => {
  cold()
  const { extensions } = await graph.query(
    `query ($ids: [ID!]!) { league { games(date: "${today}") { homeScore } } teams(ids: $ids) { name } }`,
    { variables: { ids: teamIds.slice(0, 4) }, extensions: { explain: true } },
  )
  const plan = (extensions.plan ?? []).toSorted((a, b) => (a.operation < b.operation ? -1 : 1))
  expect(plan).toMatchObject([
    {
      operation: 'game/getScores',
      arguments: ['organization_id', 'division_id', 'start_date'],
      ids: 1,
      source: 'UPSTREAM',
    },
    { operation: 'team/read', arguments: ['team_id'], ids: 4, source: 'UPSTREAM' },
  ])
  expect(plan.map(({ bytes }) => bytes)).toEqual(
    graph.calls.sent.toSorted((a, b) => (a.operation < b.operation ? -1 : 1)).map(({ bytes }) => bytes),
  )
  expect(plan.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(extensions.usage.tokens)
})
