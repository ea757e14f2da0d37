import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basketball, football, footballSeason, season, startSample, today } from './harness.ts'
import type { Graph, Sample } from './harness.ts'
import { roundTrips } from './recorder.ts'
import { unspecified } from './specified.ts'
import { sampleNow } from '../sample.setup.ts'
import { within } from '../service/client.ts'
import type { Json } from '../service/client.ts'

let sample: Sample
let graph: Graph
beforeAll(async () => {
  sample = await startSample()
})
afterAll(() => sample.close())

const sports = [
  { sport: 'basketball', league: basketball, season, day: today },
  { sport: 'football', league: football, season: footballSeason, day: today },
] as const

/** The answer of a query with an empty cache, its calls, and how many had to wait for one another. */
async function ask<Data>(text: string, defaults: typeof basketball = basketball) {
  graph = sample.graph({ defaults })
  return again<Data>(text)
}

async function again<Data>(text: string) {
  const before = graph.calls.sent.length
  const { data, errors } = await graph.query<Data>(text)
  expect(errors).toBeUndefined()
  const sent = graph.calls.sent.slice(before)
  expect(unspecified(sent)).toEqual([])
  return { data, calls: graph.calls.take(), trips: roundTrips(sent) }
}

const num = (row: Json | undefined, name: string) => Number(row?.[name])
const gamesOf = async (team: string, year: number) =>
  [
    ...(await sample.rows('game/read', { season: year, home_team_id: team })),
    ...(await sample.rows('game/read', { season: year, away_team_id: team })),
  ].toSorted((a, b) => (String(a['start_datetime']) < String(b['start_datetime']) ? -1 : 1))

/** The closing lines of a team's games, by game. */
async function linesOf(team: string, year: number, league: typeof basketball) {
  const scores = [
    ...(await sample.rows('game/getScores', { ...league, season: year, home_team_id: team })),
    ...(await sample.rows('game/getScores', { ...league, season: year, away_team_id: team })),
  ]
  return new Map(scores.map((row) => [String(row['game_id']), within(row, 'odds', 'pre')]))
}

describe.each(sports)('$sport', ({ sport, league, season: year, day }) => {
  let games: Json[]
  let team: string
  beforeAll(async () => {
    games = await sample.rows('game/getGames', { ...league, start_date: day })
    team = String(games[0]?.['home_team_id'])
  })

  test('results against closing lines and edges of predictions cost a day’s getScores alone', async () => {
    type Row = {
      gameId: string
      lineResult: { spread: string; spreadMargin: number; total: string; totalMargin: number } | null
      predictionEdge: { home: number; spread: number; total: number }
      odds: { pre: { impliedProbability: { home: number; away: number; vig: number } } }
    }
    const { data, calls } = await ask<{ league: { games: Row[] } }>(
      `{ league { games(date: "${day}") { gameId
        lineResult { spread spreadMargin total totalMargin }
        predictionEdge { home spread total }
        odds { pre { impliedProbability { home away vig } } } } } }`,
      league,
    )
    expect(calls).toEqual(['game/getScores 1'])
    const scores = await sample.rows('game/getScores', { ...league, start_date: day })
    expect(data.league.games).toHaveLength(scores.length)
    const final = scores.filter(({ status }) => status === 'final')
    expect(final.length).toBeGreaterThan(0)
    for (const row of scores) {
      const found = data.league.games.find(({ gameId }) => gameId === row['game_id'])
      const line = within(row, 'odds', 'pre')
      const prediction = within(row, 'prediction')
      const margin = num(row, 'home_score') - num(row, 'away_score') + num(line, 'spread_home')
      const total = num(row, 'home_score') + num(row, 'away_score') - num(line, 'over')
      const sign = (value: number, [above, below]: readonly [string, string]) =>
        value > 0 ? above : value < 0 ? below : 'PUSH'
      expect(found?.lineResult).toEqual(
        row['status'] === 'final'
          ? {
              spread: sign(margin, ['HOME', 'AWAY']),
              spreadMargin: margin,
              total: sign(total, ['OVER', 'UNDER']),
              totalMargin: total,
            }
          : null,
      )
      const odds = (money: number) => (money < 0 ? -money / (100 - money) : 100 / (100 + money))
      const [home, away] = [odds(num(line, 'money_line_home')), odds(num(line, 'money_line_away'))]
      expect(found?.odds.pre.impliedProbability.home).toBeCloseTo(home / (home + away), 9)
      expect(found?.odds.pre.impliedProbability.away).toBeCloseTo(away / (home + away), 9)
      expect(found?.odds.pre.impliedProbability.vig).toBeCloseTo(home + away - 1, 9)
      expect(found?.predictionEdge.home).toBeCloseTo(
        num(prediction, 'home_percentage') - home / (home + away),
        9,
      )
      expect(found?.predictionEdge.spread).toBe(
        num(prediction, 'home_score') - num(prediction, 'away_score') + num(line, 'spread_home'),
      )
    }
  })

  test('a record against closing lines costs two getScores side by side; by site, the games’ rows too', async () => {
    type Record = {
      wins: number
      losses: number
      pushes: number
      overs: number
      unders: number
      totalPushes: number
    }
    const counts = 'wins losses pushes overs unders totalPushes'
    const query = (parts: string) =>
      `{ league { team(id: "${team}") { lineRecord(season: ${year}) { ${parts} } } } }`
    type Answer = { league: { team: { lineRecord: { all: Record; home: Record; away: Record } } } }
    const all = await ask<Answer>(query(`all { ${counts} }`), league)
    expect(all.calls).toEqual(['game/getScores 1', 'game/getScores 1'])
    expect(all.trips).toBe(1)

    const lines = await linesOf(team, year, league)
    const expected = (some: readonly Json[]): Record => {
      const record = { wins: 0, losses: 0, pushes: 0, overs: 0, unders: 0, totalPushes: 0 }
      for (const game of some) {
        const line = lines.get(String(game['game_id']))
        if (game['status'] !== 'final' || !line) continue
        const isHome = game['home_team_id'] === team
        const margin = num(game, 'home_score') - num(game, 'away_score') + num(line, 'spread_home')
        const own = isHome ? margin : -margin
        const total = num(game, 'home_score') + num(game, 'away_score') - num(line, 'over')
        record[own > 0 ? 'wins' : own < 0 ? 'losses' : 'pushes'] += 1
        record[total > 0 ? 'overs' : total < 0 ? 'unders' : 'totalPushes'] += 1
      }
      return record
    }
    const own = await gamesOf(team, year)
    expect(all.data.league.team.lineRecord.all).toEqual(expected(own))
    expect(all.data.league.team.lineRecord.all.wins).toBeGreaterThan(0)

    const sites = await ask<Answer>(query(`all { ${counts} } home { ${counts} } away { ${counts} }`), league)
    expect(sites.calls).toEqual(['game/getScores 1', 'game/getScores 1', 'game/read 1', 'game/read 1'])
    expect(sites.trips).toBe(1)
    const at = (side: string) =>
      own.filter((game) => game[`${side}_team_id`] === team && game['neutral_site'] === 0)
    expect(sites.data.league.team.lineRecord).toEqual({
      all: expected(own),
      home: expected(at('home')),
      away: expected(at('away')),
    })
  })

  test('the last games cost the season’s two game/read, however many are asked for', async () => {
    type Form = { games: number; wins: number; losses: number; points: number; opponentPoints: number }
    const { data, calls, trips } = await ask<{ league: { team: { five: Form; ten: Form } } }>(
      `{ league { team(id: "${team}") {
        five: form(season: ${year}) { games wins losses points opponentPoints }
        ten: form(games: 10, season: ${year}) { games wins losses points opponentPoints } } } }`,
      league,
    )
    expect(calls).toEqual(['game/read 1', 'game/read 1'])
    expect(trips).toBe(1)
    const over = (await gamesOf(team, year)).filter(({ status }) => status === 'final')
    for (const [form, count] of [
      [data.league.team.five, 5],
      [data.league.team.ten, 10],
    ] as const) {
      const last = over.slice(-count).map((game) => {
        const [own, other] = game['home_team_id'] === team ? ['home', 'away'] : ['away', 'home']
        return { own: num(game, `${own}_score`), other: num(game, `${other}_score`) }
      })
      expect(form).toMatchObject({
        games: last.length,
        wins: last.filter(({ own, other }) => own > other).length,
        losses: last.filter(({ own, other }) => own < other).length,
      })
      expect(form.points).toBeCloseTo(last.reduce((sum, { own }) => sum + own, 0) / last.length, 9)
      expect(form.opponentPoints).toBeCloseTo(
        last.reduce((sum, { other }) => sum + other, 0) / last.length,
        9,
      )
    }
  })

  test('one team’s strength of schedule costs its games and one elo/read with its opponents', async () => {
    type Strength = { played: number; remaining: number }
    const { data, calls, trips } = await ask<{ league: { team: { scheduleStrength: Strength } } }>(
      `{ league { team(id: "${team}") { scheduleStrength(season: ${year}) { played remaining } } } }`,
      league,
    )
    const own = await gamesOf(team, year)
    const opponentOf = (game: Json) =>
      String(game['home_team_id'] === team ? game['away_team_id'] : game['home_team_id'])
    const opponents = new Set(own.map(opponentOf))
    expect(calls).toEqual([`elo/read ${opponents.size}`, 'game/read 1', 'game/read 1'])
    expect(trips).toBe(2)
    const rows = await sample.rows('elo/read', { ...league, season: year, current: 1 })
    const elos = new Map(rows.map((row) => [row['team_id'], num(row, 'elo')]))
    const mean = (some: readonly Json[]) =>
      some.reduce((sum, game) => sum + (elos.get(opponentOf(game)) ?? 0), 0) / some.length
    const { played, remaining } = data.league.team.scheduleStrength
    expect(played).toBeCloseTo(mean(own.filter(({ status }) => status === 'final')), 9)
    expect(remaining).toBeCloseTo(mean(own.filter(({ status }) => status !== 'final')), 9)
  })

  test('title chances cost the projection and each team’s home games and predictions, side by side', async () => {
    const [row] = Object.values(games[0]?.['teams'] ?? {}) as Json[]
    const conference = String(row?.['conference_id'])
    type Chance = { teamId: string; probability: number; team: { name: string } }
    const { data, calls, trips } = await ask<{
      conference: { projection: { standings: unknown[]; titleChances: Chance[] } }
    }>(
      `{ conference(id: "${conference}") { projection(season: ${year}) {
        standings { teamId } titleChances { teamId probability } } } }`,
      league,
    )
    const { standings, titleChances } = data.conference.projection
    const each = (call: string) => titleChances.map(() => call)
    expect(calls).toEqual([
      'conference/getConferencePrediction 1',
      ...each('game/getScores 1'),
      ...each('game/read 1'),
    ])
    expect(trips).toBe(2)
    expect(titleChances).toHaveLength(standings.length)
    const chances = titleChances.map(({ probability }) => probability)
    expect(chances.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 9)
    expect(chances).toEqual(chances.toSorted((a, b) => b - a))
    expect(chances[0]).toBeGreaterThan(1 / chances.length)
  })

  test('rest days of one game cost both teams’ seasons, after its row', async () => {
    const game = games.at(-1)
    const [home, away] = [String(game?.['home_team_id']), String(game?.['away_team_id'])]
    const { data, calls, trips } = await ask<{ game: { rest: { home: number; away: number } } }>(
      `{ game(id: "${String(game?.['game_id'])}") { rest { home away } } }`,
      league,
    )
    expect(data.game.rest).toEqual({
      home: await restBefore(game, home),
      away: await restBefore(game, away),
    })
    expect(calls).toEqual(['game/read 1', 'game/read 1', 'game/read 1', 'game/read 1', 'game/read 1'])
    expect(trips).toBe(2)
  })

  /** Days without a game between a team's game and its last one, counted on the calendar. */
  async function restBefore(game: Json | undefined, own: string) {
    const days = (await gamesOf(own, year)).map((row) => String(row['start_date']).slice(0, 10)).toReversed()
    const before = days.find((one) => one < String(game?.['start_date']).slice(0, 10))
    if (before === undefined) return null
    return (Date.parse(String(game?.['start_date'])) - Date.parse(before)) / 86_400_000 - 1
  }

  test('rest days of a whole day’s games cost at most the games of the days before, and are the same', async () => {
    type Rested = { gameId: string; homeTeamId: string; rest: { home: number | null; away: number | null } }
    const { data, calls } = await ask<{ league: { games: Rested[] } }>(
      `{ league { games(date: "${day}") { gameId homeTeamId rest { home away } } } }`,
      league,
    )
    const days = calls.filter((call) => call === 'game/getGames 1')
    expect(days).toHaveLength(9)
    // Of a team that has not played for longer, the season tells.
    expect(calls.length - days.length).toBeLessThanOrEqual(
      sport === 'basketball' ? 0 : 2 * 2 * games.length - 8,
    )
    for (const { gameId, homeTeamId, rest } of data.league.games.slice(0, 4)) {
      const game = games.find((row) => row['game_id'] === gameId)
      expect(rest.home).toBe(await restBefore(game, homeTeamId))
    }
    expect((await again(`{ league { games(date: "${day}") { rest { home away } } } }`)).calls).toEqual([])
  })
})

test('a finished game’s result by its id costs its row and its odds side by side, and none once it is not final', async () => {
  const rows = await sample.rows('game/getGames', { ...basketball, start_date: today })
  const idOf = (isFinal: boolean) =>
    String(rows.find(({ status }) => (status === 'final') === isFinal)?.['game_id'])
  const query = (id: string) => `{ game(id: "${id}") { lineResult { spreadMargin } } }`
  const final = await ask<{ game: { lineResult: object } }>(query(idOf(true)))
  expect(final.data.game.lineResult).toMatchObject({ spreadMargin: expect.any(Number) })
  expect(final.calls).toEqual(['game/read 1', 'odds/read 1'])
  expect(final.trips).toBe(1)

  await ask(`{ game(id: "${idOf(false)}") { status } }`)
  const open = await again(query(idOf(false)))
  expect(open).toMatchObject({ data: { game: { lineResult: null } }, calls: [] })
})

test('strengths of many teams cost every team’s rating beside their games, in one round trip', async () => {
  const rows = await sample.rows('game/getGames', { ...basketball, start_date: today })
  const ids = rows.map((row) => `"${String(row['home_team_id'])}"`).slice(0, 10)
  const { data, calls, trips } = await ask<{ teams: { scheduleStrength: { played: number } }[] }>(
    `{ teams(ids: [${ids.join(', ')}]) { scheduleStrength(season: ${season}) { played } } }`,
  )
  expect(calls).toEqual(['elo/read 1', ...ids.flatMap(() => ['game/read 1', 'game/read 1'])])
  expect(trips).toBe(1)
  for (const { scheduleStrength } of data.teams) expect(scheduleStrength.played).toBeGreaterThan(1000)
})

test('four factors come with the statistics, and football has none', async () => {
  const query = (id: string, year: number) =>
    `{ team(id: "${id}") { stats(season: ${year}) { fourFactors {
      own { effectiveFieldGoalPercentage turnoverPercentage offensiveReboundPercentage freeThrowRate }
      opponent { freeThrowRate } } } } }`
  const [game] = await sample.rows('game/getGames', { ...basketball, start_date: today })
  const team_id = String(game?.['home_team_id'])
  const { data, calls } = await ask<{
    team: { stats: { fourFactors: { own: object; opponent: object } } }
  }>(query(team_id, season))
  expect(calls).toEqual(['team/getStats 1'])
  const row = await sample.row('team/getStats', { ...basketball, team_id, season })
  const share = (part: number, whole: number) => expect.closeTo((100 * part) / whole, 9)
  expect(data.team.stats.fourFactors).toEqual({
    own: {
      effectiveFieldGoalPercentage: share(
        num(row, 'field_goal') + num(row, 'three_point_field_goal') / 2,
        num(row, 'field_goal_attempts'),
      ),
      turnoverPercentage: share(num(row, 'turnovers'), num(row, 'possessions')),
      offensiveReboundPercentage: share(
        num(row, 'offensive_rebounds'),
        num(row, 'offensive_rebounds') + num(row, 'opponent_defensive_rebounds'),
      ),
      freeThrowRate: share(num(row, 'free_throws'), num(row, 'field_goal_attempts')),
    },
    opponent: {
      freeThrowRate: share(num(row, 'opponent_free_throws'), num(row, 'opponent_field_goal_attempts')),
    },
  })
  const [kickOff] = await sample.rows('game/getGames', { ...football, start_date: today })
  const other = await ask(query(String(kickOff?.['home_team_id']), footballSeason), football)
  expect(other.data).toMatchObject({ team: { stats: { fourFactors: null } } })
})

test('a trial key still gets a record, by the scores that it may read', async () => {
  const [game] = await sample.rows('game/getGames', { ...basketball, start_date: today })
  const trial = sample.graph({ apiKey: 'sample-trial' })
  const { data, errors } = await trial.query<{ team: { lineRecord: { all: { wins: number } } } }>(
    `{ team(id: "${String(game?.['home_team_id'])}") { lineRecord(season: ${season}) { all { wins } } } }`,
  )
  expect(errors).toBeUndefined()
  expect(data.team.lineRecord.all.wins).toBeGreaterThan(0)
  expect(trial.calls.take()).toEqual(['game/getScores 1', 'game/getScores 1'])
})

test('a form of no games is refused', async () => {
  const { errors } = await sample
    .graph()
    .query(`{ team(id: "x") { form(games: 0, season: ${season}) { wins } } }`)
  expect(errors?.[0]?.extensions?.code).toBe('BAD_USER_INPUT')
})

test('title chances are null for a key without access to simulations, and cost nothing more', async () => {
  const [game] = await sample.rows('game/getGames', { ...basketball, start_date: today })
  const [row] = Object.values(game?.['teams'] ?? {}) as Json[]
  const trial = sample.graph({ apiKey: 'sample-trial' })
  const { data, errors } = await trial.query(
    `{ conference(id: "${String(row?.['conference_id'])}") { projection(season: ${season}) { hasAccess titleChances { teamId } } } }`,
  )
  expect(errors).toBeUndefined()
  expect(data).toEqual({ conference: { projection: { hasAccess: false, titleChances: null } } })
  expect(trial.calls.take()).toEqual(['conference/getConferencePrediction 1'])
})

test.each([
  ['team', 'lineRecord(season: 2026) { home { wins } }', 4],
  ['team', 'form(season: 2026) { wins }', 2],
  ['team', 'scheduleStrength(season: 2026) { played }', 3],
  ['game', 'lineResult { spread }', 2],
  ['game', 'predictionEdge { home }', 2],
  ['game', 'rest { home away }', 5],
])('a dry run of a %s’s %s knows its calls', async (what, fields, most) => {
  const [game] = await sample.rows('game/getGames', { ...basketball, start_date: today })
  const id = String(game?.[what === 'game' ? 'game_id' : 'home_team_id'])
  const query = `{ league { ${what}(id: "${id}") { ${fields} } } }`
  const cold = sample.graph()
  const { errors, extensions } = await cold.query(query, { extensions: { explain: 'dry' } })
  expect(errors).toBeUndefined()
  expect(cold.calls.take()).toEqual([])
  const { calls } = (extensions as unknown as { estimate: { calls: { from: number; to: number } } }).estimate
  expect(calls.to).toBe(most)
  const { extensions: real } = await cold.query(query)
  expect(real.usage.calls).toBe(most)
})

test('computed values follow their rows, also where answers are kept', async () => {
  const [game] = await sample.rows('game/getGames', { ...basketball, start_date: today })
  const id = String(game?.['home_team_id'])
  let now = sampleNow
  let isOver = false
  const watched = sample.graph({
    clock: () => now,
    async between(request, service) {
      const answer = await service(request)
      if (!isOver || !request.path.includes('read')) return answer
      const body = answer.body
        .replaceAll('"away_score":null,"home_score":null', '"away_score":60,"home_score":90')
        .replaceAll('"status":"scheduled"', '"status":"final"')
      return { ...answer, body }
    },
  })
  const query = `{ team(id: "${id}") { form(games: 99, season: ${season}) { games wins } } }`
  type Form = { team: { form: { games: number; wins: number } } }
  const formNow = async () => (await watched.query<Form>(query)).data.team.form
  const before = await formNow()
  expect(await formNow()).toEqual(before)
  expect(await formNow()).toEqual(before)
  isOver = true
  now += 10 * 60_000
  const after = await formNow()
  expect(after.games).toBe((await gamesOf(id, season)).length)
  expect(after.games).toBeGreaterThan(before.games)
  expect(after.wins).toBeGreaterThan(before.wins)
})
