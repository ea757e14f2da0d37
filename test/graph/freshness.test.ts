import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basketball, football, footballSeason, season, startSample, today } from './harness.ts'
import type { Graph, Sample } from './harness.ts'
import type { FreshFor } from '../../src/rows/freshness.ts'
import { answerOf, instead, judged } from './spoiled.ts'
import { sampleNow } from '../sample.setup.ts'
import type { Json } from '../service/client.ts'

let sample: Sample
let games: Json[]
let team: string
let player: string

beforeAll(async () => {
  sample = await startSample()
  games = await sample.rows('game/getGames', { ...basketball, start_date: today })
  team = String(games[0]?.['home_team_id'])
  const { organization_id } = basketball
  const roster = await sample.rows('team/getPlayers', { organization_id, team_id: team, season: 2025 })
  player = String(roster[0]?.['player_id'])
})
afterAll(() => sample.close())

const second = 1_000
const minute = 60 * second
const year = 365 * 24 * 60 * minute

/** A graph with a clock that tests move, over a service in which all games of the day have a given state. */
function graphAt(change: Json = {}, freshFor: Partial<FreshFor> = {}) {
  let now = sampleNow
  const between = judged((body) =>
    Object.fromEntries(
      Object.entries(body).map(([key, row]) => [
        key,
        (row as Json | null)?.['game_id'] === undefined ? row : { ...(row as Json), ...change }, // rows
      ]),
    ),
  )
  const graph = sample.graph({ clock: () => now, between, freshFor })
  return { graph, pass: (time: number) => (now += time) }
}

async function costs(graph: Graph, text: string): Promise<string[]> {
  const { errors } = await graph.query(text)
  expect(errors).toBeUndefined()
  return graph.calls.take()
}

const game = (fields: string, nth = 0) =>
  `{ league { game(id: "${String(games[nth]?.['game_id'])}") { ${fields} } } }`

describe('what belongs to a game under way', () => {
  const live = { status: 'in_progress', final: 0 }

  test.each([
    ['its row', 'homeScore clock', ['game/read 1']],
    ['its boxscores', 'boxscores { points }', ['boxscore/readBoxscore 1']],
    ['its players’ boxscores', 'playerBoxscores { points }', ['player_boxscore/read 1']],
    ['its line’s history', 'odds { history { over } }', ['odds/read 1']],
    ['its current odds', 'odds { live { over } }', ['odds/read 1']],
  ])('%s is served for 15 seconds and no longer', async (_what, fields, calls) => {
    const { graph, pass } = graphAt(live)
    await costs(graph, game('status homeTeamId'))
    const text = game(fields)
    await costs(graph, text)
    pass(14 * second)
    expect(await costs(graph, text)).toEqual([])
    pass(2 * second)
    expect(await costs(graph, text)).toEqual(calls)
  })

  test('is told by its score, however long ago it started', async () => {
    const start_datetime = new Date(sampleNow - year).toISOString()
    const { graph, pass } = graphAt({ ...live, start_datetime, home_score: 2, away_score: 0 })
    const text = game('homeScore network')
    await costs(graph, text)
    pass(14 * second)
    expect(await costs(graph, text)).toEqual([])
    pass(2 * second)
    expect(await costs(graph, text)).toEqual(['game/read 1'])
  })

  test('a day with a game under way is asked for again, and only what moves in it', async () => {
    const { graph, pass } = graphAt(live)
    const text = `{ league { games(date: "${today}") { homeScore homeTeam { name } } } }`
    await costs(graph, text)
    pass(16 * second)
    const calls = await costs(graph, text)
    expect(calls).toHaveLength(1)
    expect(calls[0]).toMatch(/^game\//)
  })
})

test('a game to come is not kept past its start', async () => {
  const start_datetime = new Date(sampleNow + minute).toISOString()
  const { graph, pass } = graphAt({ status: 'scheduled', start_datetime })
  const text = game('status network')
  await costs(graph, text)
  pass(59 * second)
  expect(await costs(graph, text)).toEqual([])
  pass(second)
  expect(await costs(graph, text)).toEqual(['game/read 1'])
})

test('a day’s list of games is kept for five minutes until the day is over, also if all are final: one may be added', async () => {
  const { graph, pass } = graphAt({ status: 'final', home_score: 2, away_score: 1 })
  const text = `{ league { games(date: "${today}") { gameId homeScore attendance } } }`
  await costs(graph, text)
  pass(5 * minute - second)
  expect(await costs(graph, text)).toEqual([])
  pass(2 * second)
  expect(await costs(graph, text)).toEqual(['game/getScores 1'])
  // Past noon of the next day in UTC, when it is over everywhere.
  pass(17 * 60 * minute)
  expect(await costs(graph, text)).toEqual(['game/getScores 1'])
  pass(6 * 60 * minute)
  expect(await costs(graph, text)).toEqual([])
})

describe('what is over is kept, and rechecked once a day', () => {
  const day = 24 * 60 * minute
  let over: Json[]
  // Two days ago: the age of the newest line shows that the game is over.
  beforeAll(
    async () => void (over = await sample.rows('game/getGames', { ...basketball, start_date: '2026-02-12' })),
  )
  const game = (fields: string) => `{ league { game(id: "${String(over[0]?.['game_id'])}") { ${fields} } } }`

  /** Asked again and again within a day, after it, and within the next. */
  async function isKept({ graph, pass }: ReturnType<typeof graphAt>, text: string, bill: string[]) {
    expect(await costs(graph, text)).toEqual(bill)
    for (const time of [16 * second, 5 * minute, 55 * minute, 22 * 60 * minute]) {
      pass(time)
      expect(await costs(graph, text)).toEqual([])
    }
    pass(day - 22 * 60 * minute)
    const recheck = await costs(graph, text)
    expect(recheck).toEqual(bill)
    pass(day - minute)
    expect(await costs(graph, text)).toEqual([])
  }

  test.each([
    ['a game’s row', 'homeScore attendance', ['game/read 1']],
    ['its boxscores', 'boxscores { points }', ['boxscore/readBoxscore 1']],
    ['its players’ boxscores', 'playerBoxscores { points }', ['player_boxscore/read 1']],
    ['its line’s history', 'odds { history { over } }', ['odds/read 1']],
    ['its current lines', 'odds { pre { over } live { over } }', ['odds/read 1']],
    ['its line’s history beside its row', 'status odds { history { over } }', ['game/read 1', 'odds/read 1']],
    ['its prediction', 'prediction { homePercentage }', ['game/getScores 1', 'game/read 1']],
  ])('%s', async (_what, fields, bill) => {
    await isKept(graphAt(), game(fields), bill)
  })

  test.each([
    ['boxscores', 'boxscore/readBoxscore 1'],
    ['playerBoxscores', 'player_boxscore/read 1'],
  ])('%s whose flag is text', async (field, call) => {
    await isKept(graphAt({ final: '1' }), game(`${field} { points }`), [call])
  })

  test.each([
    ['with its teams', 'homeScore homeTeamId network', 'game/getGames 1'],
    ['by scores alone', 'homeScore odds { pre { over } }', 'game/getScores 1'],
  ])('a day long past, %s', async (_what, fields, call) => {
    await isKept(graphAt(), `{ league { games(date: "2026-01-22") { ${fields} } } }`, [call])
  })

  test.each([
    ['its games', 'games(season: 2025) { homeScore status }', ['game/read 1', 'game/read 1']],
    ['its boxscores', 'boxscores(season: 2025) { points }', ['boxscore/readBoxscore 1']],
    ['a team’s statistics', 'stats(season: 2025) { games }', ['team/getStats 1']],
    ['a team’s ratings', 'eloHistory(season: 2025) { elo }', ['elo/read 1']],
    ['a roster', 'roster(season: 2025) { lastName }', ['team/getPlayers 1']],
  ])('a finished season: %s', async (_what, fields, bill) => {
    const { graph, pass } = graphAt()
    // A season is over once games of the next have begun.
    await costs(graph, `{ league { games(date: "${today}") { season } } }`)
    const team = String(games[0]?.['home_team_id'])
    const text = `{ league { team(id: "${team}") { ${fields} } } }`
    expect(await costs(graph, text)).toEqual(bill)
    pass(23 * 60 * minute)
    expect(await costs(graph, text)).toEqual([])
    pass(2 * 60 * minute)
    expect(await costs(graph, text)).toEqual(bill)
  })

  test.each([
    ['a final boxscore of the next', () => game('boxscores { points }'), ['boxscore/readBoxscore 1']],
    [
      'a game of its own, longer ago than a season lasts',
      () => '{ league { games(date: "2025-01-22") { season } } }',
      ['game/getGames 1'],
    ],
  ])('a roster of a finished season, which %s tells', async (_what, text, bill) => {
    const { graph, pass } = graphAt({ final: 1 })
    expect(await costs(graph, text())).toEqual(bill)
    const roster = `{ league { team(id: "${team}") { roster(season: 2025) { lastName } } } }`
    expect(await costs(graph, roster)).toEqual(['team/getPlayers 1'])
    for (const time of [6 * minute, 22 * 60 * minute]) {
      pass(time)
      expect(await costs(graph, roster)).toEqual([])
    }
  })

  /** Rows of a finished season, by the team, the player and the conference of a game. */
  const ofLastSeason = (): readonly (readonly [string, string, readonly string[]])[] => [
    ['a game log', `player(id: "${player}") { gameLog(season: 2025) { points } }`, ['player/getGameLogs 1']],
    [
      'a leaderboard',
      'ranking(subject: TEAM, season: 2025, orderBy: "points", first: 5) { totalCount }',
      ['ranking/download 1'],
    ],
    ['everybody’s ratings', 'elo(season: 2025) { elo }', ['elo/read 1']],
    ['the league’s averages', 'averages(season: 2025) { columns }', ['league_statistic_ranking/getStats 1']],
    [
      'a player’s statistics',
      `player(id: "${player}") { stats(season: 2025) { columns } }`,
      ['player_statistic_ranking/getStats 1'],
    ],
  ]

  test.each([0, 1, 2, 3, 4])(
    'a finished season that no other season’s game has told of, cold: %i',
    async (nth) => {
      const [what = '', fields = '', bill = []] = ofLastSeason()[nth] ?? []
      const { graph, pass } = graphAt()
      const text = `{ league { ${fields} } }`
      expect(await costs(graph, text), what).toEqual(bill)
      for (const time of [6 * minute, 55 * minute, 22 * 60 * minute]) {
        pass(time)
        expect(await costs(graph, text), what).toEqual([])
      }
      pass(2 * 60 * minute)
      expect(await costs(graph, text), what).toEqual(bill)
    },
  )

  test('a game whose lines alone are asked for: its row tells once whether it is over', async () => {
    // A line of four days ago could be that of a game to come.
    const date_of_entry = new Date(sampleNow - 4 * day).toISOString()
    const { graph, pass } = graphAt({ live: 0, date_of_entry })
    const text = game('odds { history { over } }')
    expect(await costs(graph, text)).toEqual(['odds/read 1'])
    pass(16 * second)
    expect(await costs(graph, text)).toEqual(['game/read 1'])
    pass(23 * 60 * minute)
    expect(await costs(graph, text)).toEqual([])
  })
})

describe('a game that ends', () => {
  test('is bought once more, and then kept', async () => {
    const state: Json = { status: 'in_progress', final: 0 }
    const { graph, pass } = graphAt(state)
    const text = game('homeScore status odds { live { over } } boxscores { points }')
    await costs(graph, text)
    pass(16 * second)
    expect(await costs(graph, text)).toHaveLength(3)
    Object.assign(state, {
      status: 'final',
      final: 1,
      updated_at: new Date(sampleNow + 20 * second).toISOString(),
    })
    pass(16 * second)
    expect(await costs(graph, text)).toHaveLength(3)
    pass(23 * 60 * minute)
    expect(await costs(graph, text)).toEqual([])
  })

  test('does not keep what was bought before its end', async () => {
    const state: Json = { status: 'in_progress', final: 0 }
    const { graph, pass } = graphAt(state)
    await costs(graph, game('status'))
    await costs(graph, game('odds { live { over } }'))
    Object.assign(state, { status: 'final', updated_at: null })
    pass(16 * second)
    expect(await costs(graph, game('status'))).toEqual(['game/read 1'])
    expect(await costs(graph, game('odds { live { over } }'))).toEqual(['odds/read 1'])
    pass(60 * minute)
    expect(await costs(graph, game('status odds { live { over } }'))).toEqual([])
  })
})

describe('a game that will not be played on is not polled as a live one', () => {
  test.each(['postponed', 'Suspended', 'PPD'])('%s: it may get a new date', async (status) => {
    const { graph, pass } = graphAt({ status })
    const text = game('status homeScore odds { history { over } }')
    await costs(graph, text)
    pass(4 * minute)
    expect(await costs(graph, text)).toEqual([])
    pass(2 * minute)
    expect(await costs(graph, text)).toEqual(['game/read 1', 'odds/read 1'])
  })

  test.each(['cancelled', 'Canceled', 'abandoned', 'forfeit'])('%s: nothing will follow', async (status) => {
    const { graph, pass } = graphAt({ status })
    const text = game('status homeScore odds { history { over } }')
    await costs(graph, text)
    pass(23 * 60 * minute)
    expect(await costs(graph, text)).toEqual([])
  })
})

describe('a day to come', () => {
  const ahead = '2026-02-20'

  test.each([
    ['scores alone', 'homeScore status'],
    ['current lines', 'odds { pre { over } }'],
  ])('%s are served for five minutes', async (_what, fields) => {
    const { graph, pass } = graphAt()
    const text = `{ league { games(date: "${ahead}") { ${fields} } } }`
    expect(await costs(graph, text)).toEqual(['game/getScores 1'])
    pass(4 * minute)
    expect(await costs(graph, text)).toEqual([])
    pass(2 * minute)
    expect(await costs(graph, text)).toEqual(['game/getScores 1'])
  })
})

describe('FRESH_…: 0 never reuses a row in another request', () => {
  const none = { live: 0, current: 0, reference: 0 }

  test.each([
    ['a live game', () => game('homeScore odds { live { over } }')],
    ['a team', () => `{ team(id: "${String(games[0]?.['home_team_id'])}") { name } }`],
    ['a list', () => `{ league { elo(season: ${season}) { elo team { name } } } }`],
  ])('%s', async (_what, text) => {
    const { graph } = graphAt({ status: 'in_progress' }, none)
    const first = await graph.query(text())
    expect(first.errors).toBeUndefined()
    const calls = graph.calls.take()
    const again = await graph.query(text())
    expect(again.data).toEqual(first.data)
    expect(graph.calls.take()).toEqual(calls)
  })
})

describe('what moves from day to day is served for minutes', () => {
  const team = () => String(games[0]?.['home_team_id'])

  test.each([
    [
      'current statistics',
      () => `{ team(id: "${team()}") { stats(season: ${season}) { games } } }`,
      ['team/getStats 1'],
    ],
    ['current ratings', () => `{ league { elo(season: ${season}) { elo } } }`, ['elo/read 1']],
    [
      'a roster',
      () => `{ league { team(id: "${team()}") { roster(season: ${season}) { lastName } } } }`,
      ['team/getPlayers 1'],
    ],
    ['a search', () => '{ league { search(name: "an") { teams { name } } } }', ['search/search 1']],
    [
      'a team that is not there',
      () => '{ team(id: "00000000-0000-4000-8000-000000000000") { name } }',
      ['team/read 1'],
    ],
  ])('%s', async (_what, text, calls) => {
    const { graph, pass } = graphAt()
    expect(await costs(graph, text())).toEqual(calls)
    pass(minute)
    expect(await costs(graph, text())).toEqual([])
    pass(30 * minute)
    expect(await costs(graph, text())).toEqual(calls)
  })
})

describe('what is undated of a season of which nothing else was seen', () => {
  const fields = [
    ['a roster', 'roster', 'lastName', 'team/getPlayers 1'],
    ['a team’s boxscores', 'boxscores', 'points', 'boxscore/readBoxscore 1'],
  ] as const

  test.each(fields)(
    '%s of last season is kept for a day: that the next has begun is asked once',
    async (_what, field, column, call) => {
      const { graph, pass } = graphAt()
      const text = `{ league { team(id: "${team}") { ${field}(season: ${season - 1}) { ${column} } } } }`
      const { data } = await graph.query(text)
      expect(graph.calls.take()).toEqual([call])
      pass(6 * minute)
      const again = await graph.query(text)
      expect(again.data).toEqual(data)
      expect(again.extensions.usage).toMatchObject({ tokens: 1, calls: 1 })
      expect(graph.calls.take()).toEqual(['elo/get 1'])
      for (let hours = 0; hours < 23; hours += 1) {
        pass(60 * minute)
        expect(await costs(graph, text)).toEqual([])
      }
      pass(60 * minute)
      expect(await costs(graph, text)).toEqual([call])
    },
  )

  test.each(fields)(
    '%s of a season that may be under way is bought every five minutes, and asked about once a day',
    async (_what, field, column, call) => {
      const { graph, pass } = graphAt()
      const [row] = await sample.rows('elo/read', { ...football, season: footballSeason, current: 1 })
      const text = `{ league(organizationId: "${football.organization_id}", divisionId: "${football.division_id}") {
        team(id: "${String(row?.['team_id'])}") { ${field}(season: ${footballSeason}) { ${column} } } } }`
      expect(await costs(graph, text)).toEqual([call])
      pass(6 * minute)
      expect(await costs(graph, text)).toEqual([call, 'elo/get 1'].toSorted())
      for (let times = 0; times < 12; times += 1) {
        pass(60 * minute)
        expect(await costs(graph, text)).toEqual([call])
      }
    },
  )

  test('is bought again where nobody can tell whether the next season has begun', async () => {
    let now = sampleNow
    const between = instead('elo/get', () => answerOf({ error: 'not available' }))
    const graph = sample.graph({ clock: () => now, between })
    const text = `{ league { team(id: "${team}") { roster(season: ${season - 1}) { lastName } } } }`
    expect(await costs(graph, text)).toEqual(['team/getPlayers 1'])
    now += 6 * minute
    expect(await costs(graph, text)).toEqual(['elo/get 1', 'team/getPlayers 1'])
  })

  test('is bought again at once where nothing is ever reused', async () => {
    const { graph } = graphAt({}, { current: 0 })
    const text = `{ league { team(id: "${team}") { roster(season: ${season - 1}) { lastName } } } }`
    for (let times = 0; times < 3; times += 1) expect(await costs(graph, text)).toEqual(['team/getPlayers 1'])
  })
})

describe('teams, players and leagues are served for a day', () => {
  test.each([
    ['a team', () => `{ team(id: "${team}") { name } }`, ['team/read 1']],
    ['a player', () => `{ player(id: "${player}") { lastName } }`, ['player/read 1']],
    [
      'the leagues',
      () => '{ organizations { name } divisions { name } }',
      ['division/read 1', 'organization/read 1'],
    ],
  ])('%s', async (_what, text, calls) => {
    const { graph, pass } = graphAt()
    expect(await costs(graph, text())).toEqual(calls)
    for (const time of [6 * minute, 55 * minute, 22 * 60 * minute]) {
      pass(time)
      expect(await costs(graph, text())).toEqual([])
    }
    pass(60 * minute)
    expect(await costs(graph, text())).toEqual(calls)
  })
})

test('keys never age: a link’s key is known forever', async () => {
  const { graph, pass } = graphAt({ status: 'in_progress' })
  await costs(graph, game('homeScore'))
  pass(year)
  expect(await costs(graph, game('homeTeam { teamId }'))).toEqual([])
})

describe('a clock that was a day ahead and is set back', () => {
  const day = 24 * 60 * minute

  test.each([
    ['a game under way', () => game('homeScore clock'), 15 * second, ['game/read 1']],
    ['its lines', () => game('odds { live { over } }'), 15 * second, ['game/read 1', 'odds/read 1']],
    [
      'a roster',
      () => `{ league { team(id: "${team}") { roster(season: ${season}) { lastName } } } }`,
      5 * minute,
      ['team/getPlayers 1'],
    ],
    [
      'a team that is not there',
      () => '{ team(id: "00000000-0000-4000-8000-000000000000") { name } }',
      5 * minute,
      ['team/read 1'],
    ],
  ])('keeps %s no longer than ever', async (_what, text, freshFor, bill) => {
    const { graph, pass } = graphAt({ status: 'in_progress', final: 0 })
    pass(day)
    await costs(graph, text())
    expect(await costs(graph, text())).toEqual([]) // the rows of a key that came once are kept otherwise
    pass(-day)
    expect(await costs(graph, text())).toEqual([])
    pass(freshFor + second)
    for (const call of await costs(graph, text())) expect(bill).toContain(call)
    pass(second)
    expect(await costs(graph, text())).toEqual([])
    expect(graph.calls.sent.length).toBeGreaterThan(1)
  })

  test('asks again whether the key may read in bulk', async () => {
    let now = sampleNow + day
    const graph = sample.graph({
      clock: () => now,
      between: async (request, service) =>
        `${request.path} ${request.body}`.includes('read')
          ? answerOf({ error: 'access denied' })
          : service(request),
    })
    const name = (nth: number) => `{ team(id: "${String(games[nth]?.['home_team_id'])}") { name } }`
    expect(await costs(graph, name(0))).toEqual(['team/get 1', 'team/read 1'])
    now -= day
    expect(await costs(graph, name(1))).toEqual(['team/get 1'])
    now += 6 * minute
    expect(await costs(graph, name(2))).toEqual(['team/get 1', 'team/read 1'])
  })

  test('does not take a season for finished because the next one had begun by it', async () => {
    let now = sampleNow + 365 * day
    const graph = sample.graph({ clock: () => now })
    const roster = `{ league { team(id: "${team}") { roster(season: 2025) { lastName } } } }`
    await costs(graph, `{ league { games(date: "${today}") { season } } }`)
    now = Date.parse('2025-03-01T20:00:00.000Z')
    await costs(graph, roster)
    now += 6 * minute
    expect(await costs(graph, roster)).toEqual(['team/getPlayers 1'])
  })
})

test('a refusal to read in bulk expires, so that an upgraded key is noticed', async () => {
  let now = sampleNow
  let isUpgraded = false
  const graph = sample.graph({
    clock: () => now,
    apiKey: sample.apiKey,
    between: async (request, service) =>
      isUpgraded || !`${request.path} ${request.body}`.includes('read')
        ? service(request)
        : answerOf({ error: 'access denied' }),
  })
  const [first, second_, third] = games.map(
    (row) => `{ team(id: "${String(row['home_team_id'])}") { name } }`,
  )
  expect(await costs(graph, String(first))).toEqual(['team/get 1', 'team/read 1'])
  isUpgraded = true
  now += minute
  expect(await costs(graph, String(second_))).toEqual(['team/get 1'])
  now += 5 * minute
  expect(await costs(graph, String(third))).toEqual(['team/read 1'])
})

describe('STALE_IF_ERROR', () => {
  function failing(freshFor: Partial<FreshFor> = {}) {
    let now = sampleNow
    let fails = false
    const graph = sample.graph({
      clock: () => now,
      freshFor,
      between: async (request, service) => (fails ? answerOf('', { status: 418 }) : service(request)),
    })
    return { graph, fail: (time: number) => ((fails = true), (now += time)) }
  }
  const team = () => `{ team(id: "${String(games[0]?.['home_team_id'])}") { name } }`
  const day = 24 * 60 * minute
  type Marked = { extensions: { stale?: { rows: number; seconds: number } } }

  test('an expired row is served, marked, while the service fails', async () => {
    const { graph, fail } = failing()
    const { data } = await graph.query(team())
    fail(day + minute)
    const again = await graph.query(team())
    expect(again.errors).toBeUndefined()
    expect(again.data).toEqual(data)
    expect((again as Marked).extensions.stale).toEqual({ rows: 1, seconds: 86_460 })
  })

  test.each([
    ['where it has expired for longer', {}, 2 * day + minute],
    ['where it is 0', { staleIfError: 0 }, day + minute],
  ])('no row is served %s', async (_what, freshFor, time) => {
    const { graph, fail } = failing(freshFor)
    await graph.query(team())
    fail(time)
    const again = await graph.query(team())
    expect(again.errors).toHaveLength(1)
    expect((again as Marked).extensions.stale).toBeUndefined()
  })

  test.each([
    ['scores', 'gameId status homeScore', 'game/getScores 1'],
    [
      'scores, predictions and lines',
      'homeScore prediction { homePercentage } odds { pre { over } }',
      'game/getScores 1',
    ],
    ['games and teams', 'gameId homeScore network homeTeam { name }', 'game/getGames 1'],
  ])('a day’s %s are served as they were, and asked for by one call in vain', async (_what, fields, call) => {
    const { graph, fail } = failing()
    const text = `{ league { games(date: "2026-02-20") { ${fields} } } }`
    const { data } = await graph.query(text)
    expect(graph.calls.take()).toEqual([call])
    fail(10 * minute)
    const again = await graph.query(text)
    expect(again.errors).toBeUndefined()
    expect(again.data).toEqual(data)
    expect((again as Marked).extensions.stale?.seconds).toBe(600)
    expect(graph.calls.take()).toEqual([call])
  })

  test('a row that was missing stands in for nothing else', async () => {
    const { graph, fail } = failing()
    const missing = (fields: string) => `{ team(id: "00000000-0000-4000-8000-000000000000") { ${fields} } }`
    expect((await graph.query(missing('name'))).errors).toBeUndefined()
    fail(6 * minute)
    const { errors, extensions } = await graph.query(missing(`stats(season: ${season}) { games }`))
    expect(errors).toHaveLength(1)
    expect((extensions as Marked['extensions']).stale).toBeUndefined()
  })

  test('an expired row is served, marked, once the budget is spent', async () => {
    let now = sampleNow
    const graph = sample.graph({ clock: () => now, budget: 1 })
    const { data } = await graph.query(team())
    expect(graph.calls.take()).toEqual(['team/read 1'])
    now += day + minute
    const again = await graph.query(team())
    expect(again.errors).toBeUndefined()
    expect(again.data).toEqual(data)
    expect((again as Marked).extensions.stale).toEqual({ rows: 1, seconds: 86_460 })
    expect(graph.calls.take()).toEqual([])
    const other = await graph.query(`{ team(id: "${String(games[0]?.['away_team_id'])}") { name } }`)
    expect(other.errors?.[0]?.extensions?.code).toBe('BUDGET_EXCEEDED')
  })
})
