import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { badService } from './bad-service.ts'
import { basketball, graphOver, season, startSample, today } from './harness.ts'
import type { Answer, Between, Sample } from './harness.ts'
import { answerOf, instead, judged, operationOf } from './spoiled.ts'
import { httpTransport } from '../../src/wire/transport.ts'
import { within } from '../service/client.ts'
import type { Json } from '../service/client.ts'

let sample: Sample
let games: Json[]
let team: string
let other: string

beforeAll(async () => {
  sample = await startSample()
  games = await sample.rows('game/getGames', { ...basketball, start_date: today })
  team = String(games[0]?.['home_team_id'])
  other = String(games[0]?.['away_team_id'])
})
afterAll(() => sample.close())

const apiKey = 'sample-paid'

const codes = ({ errors = [] }: Answer<unknown>) =>
  errors.map(({ path, extensions }) => [path?.join('.'), extensions?.code])

/** The paths at which a query failed, without the places in lists, each once; and the codes. */
const failed = ({ errors = [] }: Answer<unknown>) => ({
  fields: [
    ...new Set(errors.map(({ path = [] }) => path.filter((step) => typeof step === 'string').join('.'))),
  ].toSorted(),
  codes: [...new Set(errors.map(({ extensions }) => extensions?.code))],
})

const failing = (operation: string) => instead(operation, () => answerOf({ error: 'Something went wrong.' }))

/** Texts that no response may contain: the key, the service's address, paths of files, a stack. */
function givesNothingAway(answer: unknown, url: string): void {
  const text = JSON.stringify(answer)
  for (const secret of [
    apiKey,
    url,
    new URL(url).host,
    '127.0.0.1',
    'localhost',
    '/v1',
    process.cwd(),
    'node_modules',
  ])
    expect(text).not.toContain(secret)
  expect(text).not.toMatch(/\bat \S+ \(|\.ts:\d+|\.js:\d+|ECONN|undici/)
}

describe('one failed call among several', () => {
  const day = `{ league { games(date: "${today}") {
    gameId homeScore homeTeam { name elo { elo } stats { points { value } } roster { lastName } }
    prediction { homePercentage } odds { pre { over } history { over } } boxscores { points }
  } } }`

  test.each([
    ['elo/read', ['homeTeam.elo']],
    ['team/getStats', ['homeTeam.stats']],
    ['team/getPlayers', ['homeTeam.roster']],
    ['game/getScores', ['prediction']],
    ['odds/read', ['odds.history']],
    ['boxscore/readBoxscore', ['boxscores']],
  ])('%s nulls exactly the fields that needed it', async (operation, fields) => {
    const whole = await sample.graph().query<Json>(day)
    const answer = await sample.graph({ between: failing(operation) }).query<Json>(day)
    expect(failed(answer)).toEqual({
      fields: fields.map((field) => `league.games.${field}`),
      codes: ['UPSTREAM_ERROR'],
    })
    const without = (data: Json) => {
      const copy = structuredClone(data)
      for (const game of within(copy, 'league')['games'] as Json[])
        for (const field of fields) {
          const steps = field.split('.')
          const parent = within(game, ...steps.slice(0, -1))
          parent[steps.at(-1) ?? ''] = null
        }
      return copy
    }
    const nulled = answer.data
    const expected = without(whole.data)
    if (operation === 'boxscore/readBoxscore')
      for (const [index, game] of (within(expected, 'league')['games'] as Json[]).entries())
        if (games[index]?.['boxscore'] === 0) game['boxscores'] = []
    expect(nulled).toEqual(expected)
  })

  test.each([
    ['the seasons that may be under way', () => '{ league { currentSeason } }', /^elo\/get/],
    [
      'organizations and divisions',
      () => '{ league(code: "CBB") { games(date: "2026-02-14") { gameId } } }',
      /read/,
    ],
    [
      'the opponents of teams',
      () => `{ teams(ids: ["${team}", "${other}"]) { scheduleStrength(season: ${season}) { played } } }`,
      /^game\/read/,
    ],
    ['days', () => `{ league { gameDays(around: "${today}") } }`, /^game\//],
  ])('among %s: the answer has what all of them cost', async (_what, text, operations) => {
    let failures = 0
    const between: Between = async (request, service) => {
      const isFirst = operations.test(operationOf(request)) && (failures += 1) === 1
      const answer = await service(request)
      if (isFirst) return { ...answer, body: '{"error":"Something went wrong."}' }
      await new Promise((late) => setTimeout(late, 100))
      return answer
    }
    const graph = sample.graph({ between })
    const { extensions } = await graph.query(text())
    const sent = graph.calls.sent.length
    expect(sent).toBeGreaterThan(1)
    expect(graph.calls.sent.every(({ ended }) => ended > 0)).toBe(true)
    const { tokens, calls } = graph.upstream.ledgers.totals()
    expect(extensions.usage).toMatchObject({ tokens, calls })
  })

  test('the games of a day nulls them alone', async () => {
    const between = failing('game/getGames')
    const answer = await sample
      .graph({ between })
      .query<Json>(
        `{ league { organization { organizationId } games(date: "${today}") { homeTeam { name } } } team(id: "${team}") { name } }`,
      )
    expect(codes(answer)).toEqual([['league.games', 'UPSTREAM_ERROR']])
    expect(within(answer.data, 'league')['games']).toBeNull()
    expect(within(answer.data, 'team')['name']).toBeTypeOf('string')
  })

  test('an object whose row could not be read stays, with its key and its links', async () => {
    const graph = sample.graph({ between: failing('team/read') })
    const answer = await graph.query<Json>(
      `{ team(id: "${team}") { id teamId name primaryColor elo(season: ${season}) { elo } } teams(ids: ["${other}"]) { teamId } }`,
    )
    expect(codes(answer)).toEqual([
      ['team.name', 'UPSTREAM_ERROR'],
      ['team.primaryColor', 'UPSTREAM_ERROR'],
    ])
    expect(answer.data).toMatchObject({
      team: { teamId: team, name: null, primaryColor: null, elo: { elo: expect.any(Number) } },
      teams: [{ teamId: other }],
    })
    expect(graph.calls.take()).toEqual(['elo/read 1', 'team/read 2'])
  })

  test('of a batch that is split fails only for its own ids', async () => {
    // Ids go out in their own order, however they are asked.
    const ids = games
      .map((game) => String(game['home_team_id']))
      .slice(0, 4)
      .toSorted()
    const between: Between = async (request, service) =>
      request.path.includes(String(ids[0])) ? answerOf({ error: 'no' }) : service(request)
    const answer = await sample
      .graph({ between, batchSize: 2 })
      .query<{ teams: Json[] }>('query ($ids: [ID!]!) { teams(ids: $ids) { name } }', { variables: { ids } })
    expect(failed(answer).fields).toEqual(['teams.name'])
    expect(answer.data.teams.map(({ name }) => name === null)).toEqual([true, true, false, false])
  })

  test('of the days before a game nulls the rest of all games of the day, and nothing is left unhandled', async () => {
    const between: Between = async (request, service) =>
      operationOf(request) === 'game/getGames' && !JSON.stringify(request.arguments).includes(today)
        ? answerOf({ error: 'Something went wrong.' })
        : service(request)
    const answer = await sample
      .graph({ between })
      .query<Json>(`{ league { games(date: "${today}") { rest { home } } } }`)
    expect(failed(answer)).toMatchObject({ codes: ['UPSTREAM_ERROR'] })
    expect(answer.errors).toHaveLength(games.length)
  })

  test('a statistics row that fails harms no other team’s', async () => {
    const between: Between = async (request, service) =>
      request.path.includes(team) ? answerOf({ error: 'no' }) : service(request)
    const answer = await sample
      .graph({ between })
      .query<{ teams: Json[] }>(
        `{ teams(ids: ["${team}", "${other}"]) { stats(season: ${season}) { games } } }`,
      )
    expect(codes(answer)).toEqual([['teams.0.stats', 'UPSTREAM_ERROR']])
    expect(answer.data.teams).toMatchObject([{ stats: null }, { stats: { games: expect.any(Number) } }])
  })

  test('is not paid for twice in one request', async () => {
    const graph = sample.graph({ between: failing('team/read') })
    await graph.query(`{ a: team(id: "${team}") { name code } b: team(id: "${team}") { altName } }`)
    expect(graph.calls.take()).toEqual(['team/read 1'])
  })
})

const asked = () => `{ team(id: "${team}") { stats(season: ${season}) { games } } }`
const saying = (body: unknown, status = 200) =>
  sample.graph({ between: instead('team/getStats', () => answerOf(body, { status })) })

describe('what the service says', () => {
  test.each([
    ['UNAUTHENTICATED', { error: 'Invalid API key' }],
    ['UNAUTHENTICATED', { error: { code: 'missing_key', message: 'Send the header X-API-KEY.' } }],
    ['UNAUTHENTICATED', { error: { message: 'Unauthorized' } }],
    ['UNAUTHENTICATED', { error: 'Invalid key. Get a free trial at the home page.' }],
    ['ACCESS_DENIED', { error: 'Access denied' }],
    ['ACCESS_DENIED', { error: 'access denied: a trial has a limit of 500 usage tokens and no bulk reads' }],
    ['ACCESS_DENIED', { error: 'You are not authorized to use this function.' }],
    ['ACCESS_DENIED', { error: { code: 'access_denied', message: 'Not part of your plan.' } }],
    ['ACCESS_DENIED', { error: 'A paid subscription is required.' }],
    ['BUDGET_EXCEEDED', { error: { code: 'quota_exceeded', message: 'The month’s tokens are spent.' } }],
    ['BUDGET_EXCEEDED', { error: 'Monthly usage token limit reached' }],
    ['UNSUPPORTED', { error: { code: 'unknown_operation', message: 'Unknown function of class team.' } }],
    ['UPSTREAM_ERROR', { error: 'Something went wrong.' }],
    ['UPSTREAM_ERROR', { error: { type: 'oops', details: [{ reason: { text: 'deep' } }] } }],
    ['UPSTREAM_ERROR', { error: null }],
    ['UPSTREAM_ERROR', { error: 0 }],
    ['UPSTREAM_ERROR', { error: [] }],
    ['UPSTREAM_ERROR', { error: {} }],
    ['UPSTREAM_ERROR', { error: 'x', games: 12, statistic_ranking_id: 'beside the error' }],
    ['UPSTREAM_ERROR', '<!doctype html><title>Maintenance</title>'],
    ['UPSTREAM_ERROR', '{"statistic_ranking_id":"00000000-0000'],
    ['UPSTREAM_ERROR', ''],
    ['UPSTREAM_ERROR', '"text"'],
    ['UPSTREAM_ERROR', '12'],
    ['UPSTREAM_ERROR', '[{"games":1},{"games":2}]'],
  ])('is %s for %j', async (code, body) => {
    const answer = await saying(body).query<Json>(asked())
    expect(codes(answer)).toEqual([['team.stats', code]])
    expect(answer.data).toEqual({ team: { stats: null } })
  })

  test.each([
    [401, 'UNAUTHENTICATED'],
    [403, 'ACCESS_DENIED'],
    [400, 'UPSTREAM_ERROR'],
    [404, 'UPSTREAM_ERROR'],
  ])('with status %d and no word of explanation is %s', async (status, code) => {
    for (const body of ['', {}])
      expect(codes(await saying(body, status).query(asked()))).toEqual([['team.stats', code]])
  })

  test.each(['{}', '[]', 'null', '{"error":"No matching row was found."}'])(
    'nothing matched, as %s, is null or empty and no error',
    async (body) => {
      const graph = sample.graph({ between: async () => answerOf(body) })
      const playing = String(games[1]?.['home_team_id'])
      const answer = await graph.query<Json>(
        `{ team(id: "${team}") { name } teams(ids: ["${other}"]) { name }
           league { games(date: "${today}") { homeTeam { name } } team(id: "${playing}") { stats(season: ${season}) { games } roster(season: ${season}) { lastName } elo(season: ${season}) { elo } } }
           game(id: "${playing}") { odds { pre { over } history { over } } boxscores { points } } organizations { name } }`,
      )
      expect(answer.errors).toBeUndefined()
      expect(answer.data).toEqual({
        team: null,
        teams: [null],
        league: { games: [], team: { stats: null, roster: [], elo: null } },
        game: { odds: { pre: null, history: [] }, boxscores: [] },
        organizations: [],
      })
    },
  )

  test('an unknown key is UNAUTHENTICATED wherever the service is needed', async () => {
    const graph = sample.graph({ apiKey: 'nobody' })
    const answer = await graph.query<Json>(
      `{ team(id: "${team}") { teamId name } league { games(date: "${today}") { status } organization { organizationId } } }`,
    )
    expect(codes(answer).toSorted()).toEqual([
      ['league.games', 'UNAUTHENTICATED'],
      ['team.name', 'UNAUTHENTICATED'],
    ])
  })

  test('a trial key’s plan is ACCESS_DENIED where there is no way round', async () => {
    const graph = sample.graph({ apiKey: 'sample-trial' })
    const answer = await graph.query<Json>(
      `{ team(id: "${team}") { name boxscores(season: ${season}) { points } eloHistory(season: ${season}) { elo } } }`,
    )
    expect(failed(answer)).toEqual({
      fields: ['team.boxscores', 'team.eloHistory'],
      codes: ['ACCESS_DENIED'],
    })
    expect(within(answer.data, 'team')['name']).toBeTypeOf('string')
  })

  test('an error is never kept: the next request has its answer', async () => {
    let broken = true
    const between: Between = async (request, service) =>
      broken ? answerOf({ error: 'Access denied, invalid API key, no such thing' }) : service(request)
    const graph = sample.graph({ between })
    const text = `{ league { games(date: "${today}") { homeScore homeTeam { elo { elo } } } team(id: "${team}") { stats(season: ${season}) { games } roster(season: ${season}) { lastName } } } }`
    expect((await graph.query(text)).errors).toHaveLength(3)
    broken = false
    const { errors, data } = await graph.query<Json>(text)
    expect(errors).toBeUndefined()
    expect(within(data, 'league')['games']).toHaveLength(games.length)
  })
})

const page = '<h1>http://127.0.0.1/v1 at x (y.js:1)</h1>'

const status = (code: number) => (response: ServerResponse) => {
  response.writeHead(code, { 'content-type': 'text/html' }).end(page)
}

const drop = (response: ServerResponse) => {
  response.destroy()
}

const half = (response: ServerResponse) => {
  response.writeHead(200, { 'content-length': '100' }).write('{"a":')
}

describe.concurrent('how the service may fail over HTTP', () => {
  const text = '{ organizations { name } league { organization { organizationId } } }'
  test.each([
    ['status 429', status(429), 'UPSTREAM_UNAVAILABLE', 3],
    ['status 500', status(500), 'UPSTREAM_UNAVAILABLE', 3],
    ['status 503', status(503), 'UPSTREAM_UNAVAILABLE', 3],
    ['a reset', drop, 'UPSTREAM_UNAVAILABLE', 3],
    ['no answer', () => {}, 'UPSTREAM_TIMEOUT', 1],
    ['HTML with status 200', status(200), 'UPSTREAM_ERROR', 1],
    ['half an answer, then silence', half, 'UPSTREAM_TIMEOUT', 1],
  ] as const)('%s', async (_name, answer, code, tries) => {
    const bad = await badService(answer, code === 'UPSTREAM_TIMEOUT' ? 300 : undefined)
    const result = await bad.graph.query<Json>(text)
    expect(codes(result)).toEqual([['organizations', code]])
    expect(result.data).toEqual({
      organizations: null,
      league: { organization: { organizationId: basketball.organization_id } },
    })
    expect(bad.calls()).toBe(tries)
    expect(result.extensions.usage).toMatchObject({ calls: 1 })
    givesNothingAway(result, bad.url)
    await bad.stop()
  })

  test('an answer that is cut off is no answer', async () => {
    const bad = await badService((response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"a":')
      setTimeout(() => response.destroy(), 20)
    })
    const result = await bad.graph.query<Json>(text)
    expect(failed(result).fields).toEqual(['organizations'])
    expect(['UPSTREAM_ERROR', 'UPSTREAM_UNAVAILABLE']).toContain(failed(result).codes[0])
    givesNothingAway(result, bad.url)
    await bad.stop()
  })

  test('nobody listens', async () => {
    const bad = await badService(() => {})
    await bad.stop()
    const graph = graphOver(httpTransport(bad.url))
    const result = await graph.query<Json>(text)
    expect(codes(result)).toEqual([['organizations', 'UPSTREAM_UNAVAILABLE']])
    expect(graph.calls.take()).toHaveLength(3)
    givesNothingAway(result, bad.url)
  })

  test.each([429, 500, 503])('a try after status %d may still succeed', async (code) => {
    const bad = await badService((response, nth) => {
      if (nth < 3) status(code)(response)
      else response.end('{"1":{"organization_id":"1","name":"One","inactive":0,"deleted":0}}')
    })
    const result = await bad.graph.query<Json>(text)
    expect(result.errors).toBeUndefined()
    expect(result.data['organizations']).toEqual([{ name: 'One' }])
    expect(bad.calls()).toBe(3)
    await bad.stop()
  })

  test('whatever an error says, nothing of it is told to a client', async () => {
    const bad = await badService((response) => {
      const { port } = response.req.socket.address() as AddressInfo // an open socket has one
      const error = {
        message: `Error: boom at handler (/srv/v1/app.js:12:3) for ${apiKey} on http://127.0.0.1:${port}/v1`,
        stack: 'Error: boom\n    at handler (/srv/node_modules/x.js:1:1)',
      }
      response.end(JSON.stringify({ error }))
    })
    const result = await bad.graph.query<Json>(text)
    expect(result.errors).toHaveLength(1)
    givesNothingAway(result, bad.url)
    await bad.stop()
  })
})

/** The service's teams in another order, among things that are no teams. */
const amongOthers: Between = async (request, service) => {
  const answer = await service(request)
  if (operationOf(request) !== 'team/read') return answer
  const body = JSON.parse(answer.body) as Json
  const [first, ...rest] = Object.entries(body).toReversed()
  const strange = {
    constructor: { team_id: 'constructor', name: 'Strange' },
    nothing: null,
    list: [1],
    text: 'x',
  }
  return answerOf({
    ...strange,
    ...Object.fromEntries(rest),
    ...Object.fromEntries(first ? [first] : []),
  })
}

describe('rows of other types than the specification’s', () => {
  test('numbers where ids are strings, and strings where numbers are', async () => {
    const between = judged((_body, operation) =>
      operation === 'game/getGames'
        ? {
            7: {
              game_id: 7,
              organization_id: 1,
              division_id: 2,
              season: '2026',
              home_team_id: 11,
              away_team_id: 12,
              home_score: '63',
              away_score: 72,
              start_timestamp: '1771018200',
              neutral_site: '0',
              is_conf_game: '1',
              boxscore: true,
              deleted: '0',
              status: 'postponed',
              network: 5,
              start_date: '2026-02-14',
              start_datetime: '2026-02-14T20:00:00Z',
              teams: {
                11: { team_id: 11, name: 'Eleven' },
                12: { team_id: 12, name: 'Twelve', char6: null },
              },
            },
          }
        : {},
    )
    const graph = sample.graph({ between })
    const { data, errors } = await graph.query<Json>(
      `{ league { games(date: "${today}") { gameId organizationId season homeTeamId homeScore awayScore startTimestamp neutralSite isConfGame
        hasBoxscore deleted status network startDate startDatetime homeTeam { teamId name } awayTeam { teamId name char6 } } } }`,
    )
    expect(errors).toBeUndefined()
    expect(within(data, 'league')['games']).toEqual([
      {
        gameId: '7',
        organizationId: '1',
        season: 2026,
        homeTeamId: '11',
        homeScore: 63,
        awayScore: 72,
        startTimestamp: 1771018200,
        neutralSite: false,
        isConfGame: true,
        hasBoxscore: true,
        deleted: false,
        status: 'postponed',
        network: '5',
        startDate: '2026-02-14',
        startDatetime: '2026-02-14T20:00:00.000Z',
        homeTeam: { teamId: '11', name: 'Eleven' },
        awayTeam: { teamId: '12', name: 'Twelve', char6: null },
      },
    ])
    expect(graph.calls.take()).toEqual(['game/getGames 1'])
  })

  test('rows whose deleted flag is a string are withdrawn all the same', async () => {
    const between = judged((body) =>
      Object.fromEntries(Object.entries(body).map(([key, row]) => [key, { ...(row as Json), deleted: '1' }])),
    )
    const { data } = await sample
      .graph({ between })
      .query<Json>(`{ league { games(date: "${today}") { homeTeamId } } }`)
    expect(data).toEqual({ league: { games: [] } })
  })

  test('a value that cannot be read as its kind is null, and harms no other', async () => {
    const nonsense = {
      home_score: 'many',
      start_datetime: 'soon',
      start_date: 20260214,
      neutral_site: 'maybe',
      season: {},
    }
    const between = judged((body) =>
      Object.fromEntries(Object.entries(body).map(([key, row]) => [key, { ...(row as Json), ...nonsense }])),
    )
    const { data, errors } = await sample
      .graph({ between })
      .query<Json>(
        `{ league { games(date: "${today}") { homeScore startDatetime startDate neutralSite season awayScore } } }`,
      )
    expect(errors).toBeUndefined()
    const rows = within(data, 'league')['games'] as Json[]
    expect(rows).toHaveLength(games.length)
    for (const row of rows)
      expect(row).toMatchObject({
        homeScore: null,
        startDatetime: null,
        startDate: null,
        neutralSite: null,
        season: null,
      })
  })

  test('columns and statistics that nobody has specified pass through', async () => {
    const between = judged((body, operation) =>
      operation === 'team/getStats'
        ? { ...body, clutch_index: 4.5, clutch_index_rank: 3, mood: 'good', odds: 12 }
        : body,
    )
    const { data, errors } = await sample
      .graph({ between })
      .query<Json>(
        `{ team(id: "${team}") { stats(season: ${season}) { columns stat(name: "clutchIndex") { value rank } mood: stat(name: "mood") { value } } } }`,
      )
    expect(errors).toBeUndefined()
    expect(data).toMatchObject({
      team: {
        stats: {
          columns: { clutch_index: 4.5, mood: 'good', odds: 12 },
          stat: { value: 4.5, rank: 3 },
          mood: { value: null },
        },
      },
    })
  })

  test('a row that leaves out a column has null there, and is not asked for again', async () => {
    const between = judged((body) =>
      Object.fromEntries(
        Object.entries(body).map(([key, row]) => {
          const { primary_color: _left, ...rest } = row as Json // a row of teams
          return [key, rest]
        }),
      ),
    )
    const graph = sample.graph({ between })
    const { data, errors } = await graph.query<Json>(`{ team(id: "${team}") { primaryColor name } }`)
    expect(errors).toBeUndefined()
    expect(data).toMatchObject({ team: { primaryColor: null, name: expect.any(String) } })
    expect(graph.calls.take()).toEqual(['team/read 1'])
  })

  test('rows are told apart by their own ids, whatever the order and whatever else comes along', async () => {
    const ids = games.map((game) => String(game['home_team_id'])).slice(0, 5)
    const names = await sample.row('team/read', { team_id: ids })
    const { data, errors } = await sample
      .graph({ between: amongOthers })
      .query<Json>('query ($ids: [ID!]!) { teams(ids: $ids) { teamId name } }', { variables: { ids } })
    expect(errors).toBeUndefined()
    expect(data['teams']).toEqual(ids.map((teamId) => ({ teamId, name: within(names, teamId)['name'] })))
  })
})

const bill = async (header: string | string[] | undefined) => {
  const headers: Record<string, string | string[]> = header === undefined ? {} : { 'x-request-usage': header }
  const graph = sample.graph({
    between: async (request, service) => ({ ...(await service(request)), headers }),
  })
  const { extensions } = await graph.query(`{ team(id: "${team}") { name } }`, {
    extensions: { explain: true },
  })
  return { ...extensions, sent: graph.calls.sent }
}

describe('the usage header', () => {
  test.each([
    ['12', 12],
    ['12.5', 12.5],
    [' 12 ', 12],
    ['12 tokens', 12],
    ['tokens=12', 12],
    ['tokens: 12; remaining: 488', 12],
    ['{"tokens":12,"bytes":900}', 12],
    ['{"bytes":900,"tokens":12}', 12],
    ['usage=12/500', 12],
    [['12'], 12],
    ['0', 0],
  ])('%j is %d tokens', async (header, tokens) => {
    const { usage, plan } = await bill(header)
    expect(usage.tokens).toBe(tokens)
    expect(usage).not.toHaveProperty('estimated')
    expect(plan?.map((line) => line.tokens)).toEqual([tokens])
  })

  test.each([undefined, '', 'plenty', '-1', 'NaN'])(
    '%j is reckoned from the bytes, and marked',
    async (header) => {
      const { usage, plan, sent } = await bill(header)
      const bytes = sent.reduce((sum, one) => sum + one.bytes, 0)
      expect(usage).toMatchObject({ tokens: Math.ceil(bytes / 1024), bytes, estimated: true })
      expect(plan).toMatchObject([{ estimated: true }])
    },
  )
})
