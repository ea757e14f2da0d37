import { request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Answer as Executed } from '../../src/graph/execution/answer.ts'
import { createApp } from '../../src/server/app.ts'
import type { AppOptions } from '../../src/server/app.ts'
import { compressed } from '../../src/server/listen.ts'
import { basketball, football, startSample, today } from '../graph/harness.ts'
import type { Between, GraphOptions, Sample } from '../graph/harness.ts'
import { judged } from '../graph/spoiled.ts'
import { sampleNow } from '../sample.setup.ts'
import type { Json } from '../service/client.ts'
import { onPorts } from './ports.ts'

let sample: Sample
const urlOf = onPorts()

beforeAll(async () => {
  sample = await startSample()
})
afterAll(() => sample.close())

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

interface Answer {
  readonly data: unknown
  readonly extensions: { readonly usage: { readonly tokens: number; readonly remaining?: number } }
}

const parsed = ({ body }: Received) => JSON.parse(body.toString()) as Answer // as GraphQL over HTTP has it

type Options = Partial<AppOptions> & GraphOptions & { readonly between?: Between; readonly apiKey?: null }

/** A server over a port, whose answers are compressed as in production. */
async function serve({ apiKey, ...options }: Options = {}) {
  const { upstream, calls } = sample.graph(options)
  const key = apiKey === null ? null : 'sample-paid'
  const app = createApp({ upstream, apiKey: key, defaults: basketball, ...options })
  const url = await urlOf(compressed(app))
  const ask = (query: string, headers: Record<string, string> = {}) =>
    post(`${url}/graphql`, JSON.stringify({ query }), headers)
  const reused = async () => {
    const metrics = await (await fetch(`${url}/metrics`)).text()
    return Number(/^statline_queries_reused_total (\d+)$/m.exec(metrics)?.[1])
  }
  const metric = async (line: string) => (await (await fetch(`${url}/metrics`)).text()).includes(line)
  return { ask, reused, metric, calls, upstream }
}

/** Asks without decoding what comes. */
function post(url: string, body: string, headers: Record<string, string>): Promise<Received> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } }
  return new Promise((resolve, reject) => {
    const sent = request(url, { ...init, agent: false }, async (response) => {
      const parts: Buffer[] = []
      for await (const part of response) parts.push(part)
      resolve({ headers: response.headers, body: Buffer.concat(parts) })
    })
    sent.on('error', reject)
    sent.setHeader('content-length', Buffer.byteLength(body))
    sent.end(body)
  })
}

const day = 'query Day { league { games(date: "2026-02-12") { homeScore homeTeam { name } } } }'
const longDay =
  '{ league { games(date: "2026-02-12") { id homeScore awayScore status homeTeam { id name } } } }'
const elsewhere = `{ league(organizationId: "${football.organization_id}", divisionId: "${football.division_id}") {
  games(date: "2025-10-04") { gameId } } }`
const gamesToday = `{ league { games(date: "${today}") { homeScore clock } } }`

/** Sends a query until its answer is kept: the first one buys, the second is made of kept rows. */
async function warmUp(ask: (query: string) => Promise<Received>, query: string) {
  await ask(query)
  return ask(query)
}

describe('an answer from cached rows', () => {
  test('is kept whether its length is even or odd', async () => {
    const { ask } = await serve()
    const lengths = new Set<number>()
    for (const name of ['a', 'ab', 'abc', 'abcd']) {
      const query = longDay.replace('league', `${name}: league`)
      const made = await warmUp(ask, query)
      expect(parsed(made).data).toMatchObject({ [name]: { games: expect.any(Array) } })
      expect((await ask(query)).body.toString()).toBe(made.body.toString())
      lengths.add(made.body.length % 2)
    }
    expect(lengths.size).toBe(2)
  })

  test('is sent again as it was, without a call, counted and billed at no tokens', async () => {
    const { ask, reused, metric, calls } = await serve()
    const made = await warmUp(ask, day)
    expect(await reused()).toBe(0)
    expect(calls.take()).toEqual(['game/getGames 1'])
    const again = await ask(day)
    expect(again.body.toString()).toBe(made.body.toString())
    expect(parsed(again).extensions.usage).toEqual({ tokens: 0, bytes: 0, calls: 0, cacheHits: 1 })
    expect(again.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(again.body.length),
      'cache-control': made.headers['cache-control'],
      vary: 'Origin, Accept, Accept-Encoding',
    })
    expect(await reused()).toBe(1)
    expect(await metric('statline_queries_total{outcome="ok"} 3')).toBe(true)
    expect(await metric('statline_upstream_calls_total{operation="game/getGames",source="MEMORY"} 2')).toBe(
      true,
    )
    expect(calls.take()).toEqual([])
  })

  test('is logged with an id of its own', async () => {
    const lines: Record<string, unknown>[] = []
    const { ask } = await serve({ log: { info: (line: object) => void lines.push({ ...line }), error() {} } })
    await warmUp(ask, day)
    const { headers } = await ask(day)
    const [first, second, third] = lines
    expect(Object.keys(third ?? {})).toEqual(Object.keys(second ?? {}))
    expect(third).toMatchObject({ operation: 'Day', status: 200, tokens: 0, calls: 0, cacheHits: 1 })
    expect(headers['x-request-id']).toBe(third?.['id'])
    expect(new Set([first?.['id'], second?.['id'], third?.['id']]).size).toBe(3)
  })

  test('lets each origin read it, no matter which one asked first', async () => {
    const { ask, reused } = await serve()
    await warmUp(ask, day)
    const origin = 'http://localhost:5173'
    const { headers } = await ask(day, { origin })
    expect(headers['access-control-allow-origin']).toBe(origin)
    expect((await ask(day)).headers['access-control-allow-origin']).toBeUndefined()
    expect(await reused()).toBe(2)
    expect((await ask(day, { origin: 'https://evil.example' })).body.toString()).not.toContain('data')
    expect(await reused()).toBe(2)
  })

  test('is compressed once in each coding that clients accept', async () => {
    const { ask, reused } = await serve()
    const plain = await warmUp(ask, longDay)
    for (const [accepted, coding, unpack] of [
      ['gzip', 'gzip', gunzipSync],
      ['br, gzip;q=0.5', 'br', brotliDecompressSync],
      ['gzip, deflate', 'gzip', gunzipSync],
    ] as const) {
      const { headers, body } = await ask(longDay, { 'accept-encoding': accepted })
      expect(headers).toMatchObject({
        'content-encoding': coding,
        'content-length': String(body.length),
        vary: 'Origin, Accept, Accept-Encoding',
      })
      expect(body.length).toBeLessThan(0.7 * plain.body.length)
      expect(unpack(body).toString()).toBe(plain.body.toString())
    }
    const refused = await ask(longDay, { 'accept-encoding': 'gzip;q=0' })
    expect(refused.body.toString()).toBe(plain.body.toString())
    expect(await reused()).toBe(4)
  })

  test.each([10, 11, 12, 13])('may have any length: an alias of %i characters', async (length) => {
    const { ask, reused } = await serve()
    const query = longDay.replace('homeScore', `${'s'.repeat(length)}: homeScore`)
    const made = await warmUp(ask, query.replace(/\bid\b/, ''))
    expect(parsed(made).data).toBeTruthy()
    await ask(query.replace(/\bid\b/, ''))
    expect(await reused()).toBe(1)
  })

  test('tells what remains of the budget now', async () => {
    const { ask, reused } = await serve({ budget: 100_000_000 })
    const made = parsed(await warmUp(ask, longDay)).extensions.usage.remaining ?? 0
    await ask(elsewhere)
    const plain = parsed(await ask(longDay))
    const zipped = await ask(longDay, { 'accept-encoding': 'gzip' })
    expect(await reused()).toBe(2)
    expect(plain.extensions.usage.remaining).toBeLessThan(made)
    expect(JSON.parse(gunzipSync(zipped.body).toString())).toEqual(plain)
    expect(parsed(await ask('{ usage { remaining } }'))).toMatchObject({
      data: { usage: { remaining: plain.extensions.usage.remaining } },
    })
  })

  test('tells each client what it may still spend', async () => {
    const clientBudgets = new Map([['scoreboard', 1_000]])
    const { ask, reused } = await serve({ clientBudgets })
    await warmUp(ask, day)
    const named = await ask(day, { 'graphql-client-name': 'scoreboard' })
    expect(parsed(named).extensions.usage.remaining).toBe(1_000)
    expect(parsed(await ask(day)).extensions.usage).not.toHaveProperty('remaining')
    expect(await reused()).toBe(2)
  })

  test('is answered in the media type that is asked for', async () => {
    const { ask } = await serve()
    await warmUp(ask, day)
    const accept = 'application/graphql-response+json'
    expect((await ask(day, { accept })).headers['content-type']).toBe(`${accept}; charset=utf-8`)
    expect((await ask(day)).headers['content-type']).toBe('application/json; charset=utf-8')
  })
})

describe('an answer is kept no longer than its rows', () => {
  test.each([
    ['of a day that is over', day, 86_400_000],
    ['of games under way', gamesToday, 15_000],
  ])('%s', async (_what, query, freshFor) => {
    let now = sampleNow
    const between: Between = async (sent, service) => {
      const answer = await service(sent)
      return { ...answer, body: answer.body.replaceAll('"scheduled"', '"in_progress"') }
    }
    const { ask, reused, calls } = await serve({ clock: () => now, between })
    await warmUp(ask, query)
    calls.take()
    const { headers } = await ask(query)
    expect(await reused()).toBe(1)
    const [, age] = /max-age=(\d+)/.exec(String(headers['cache-control'])) ?? []
    expect(Number(age)).toBeLessThanOrEqual(freshFor / 1000)
    now += Number(age) * 500
    expect((await ask(query)).headers['cache-control']).toBe(`public, max-age=${Math.floor(Number(age) / 2)}`)
    expect(await reused()).toBe(2)
    expect(calls.take()).toEqual([])
    now = sampleNow + Number(age) * 1000 + 1000
    const again = parsed(await ask(query))
    expect(again.extensions.usage.tokens).toBeGreaterThan(0)
    expect(calls.take()).not.toEqual([])
    expect(await reused()).toBe(2)
  })

  /** A roster whose players have other names once another query has bought them anew. */
  async function renamedRoster() {
    let name = 'First'
    const between: Between = async (sent, service) => {
      const answer = await service(sent)
      const rows = JSON.parse(answer.body) as Record<string, object> // of players
      if (sent.operation.class !== 'player' && sent.operation.function !== 'getPlayers') return answer
      const body = JSON.stringify(
        Object.fromEntries(Object.entries(rows).map(([key, row]) => [key, { ...row, first_name: name }])),
      )
      return { ...answer, body }
    }
    const served = await serve({ between })
    const teams = longDay.replace('id name', 'teamId')
    const [, team] = /"teamId":"([^"]+)"/.exec((await served.ask(teams)).body.toString()) ?? []
    const roster = `{ team(id: "${team}") { roster(season: 2026) { firstName } } }`
    const rename = async () => {
      name = 'Second'
      await served.ask(roster.replace('firstName', 'firstName college'))
      served.calls.take()
    }
    return { ...served, roster, rename }
  }

  test('which another query may buy anew', async () => {
    const { ask, reused, calls, roster, rename } = await renamedRoster()
    const before = await warmUp(ask, roster)
    expect(before.body.toString()).toContain('First')
    await ask(roster)
    expect(await reused()).toBe(1)
    await rename()
    const after = await ask(roster)
    expect(after.body.toString()).toContain('Second')
    expect(after.body.toString()).not.toContain('First"')
    expect(calls.take()).toEqual([])
    expect(await reused()).toBe(1)
  })

  test('which another query may buy anew while it is printed', async () => {
    const { ask, reused, calls, roster, rename } = await renamedRoster()
    await ask(roster)
    const { bytes } = Executed.prototype
    const printing = vi.spyOn(Executed.prototype, 'bytes').mockImplementationOnce(async function (
      this: Executed,
      ...texts
    ) {
      const printed = await bytes.apply(this, texts)
      await rename()
      return printed
    })
    expect((await ask(roster)).body.toString()).toContain('First')
    printing.mockRestore()
    expect((await ask(roster)).body.toString()).toContain('Second')
    expect(calls.take()).toEqual([])
    expect(await reused()).toBe(0)
  })

  test('which no longer count as fresh once another row shows that their game goes on', async () => {
    let now = sampleNow
    let status = 'final'
    const between = judged((body) =>
      Object.fromEntries(
        Object.entries(body).map(([key, row]) => [
          key,
          (row as Json)['status'] === undefined ? row : { ...(row as Json), status }, // rows
        ]),
      ),
    )
    const { ask, reused, calls } = await serve({ between, clock: () => now })
    const [row] = await sample.rows('game/getGames', { ...basketball, start_date: '2026-02-12' })
    const game = (fields: string) => `{ league { game(id: "${String(row?.['game_id'])}") { ${fields} } } }`
    const [, id] = /"id":"([^"]+)"/.exec((await ask(game('boxscores { id }'))).body.toString()) ?? []
    const boxscore = `{ node(id: "${id}") { ... on BasketballTeamBoxscore { points totalRebounds } } }`
    for (let times = 0; times < 3; times += 1) {
      now += 60_000
      await ask(boxscore)
    }
    expect(await reused()).toBe(2)
    status = 'in_progress'
    calls.take()
    await ask(game('status'))
    expect(calls.take()).toEqual(['game/read 1'])
    expect(parsed(await ask(boxscore)).data).toMatchObject({ node: { points: expect.any(Number) } })
    expect(calls.take()).toEqual(['boxscore/read 1'])
    expect(await reused()).toBe(2)
  })
})

describe('an answer is not sent again', () => {
  test('to another key, which pays itself', async () => {
    const { ask, reused, calls } = await serve({ apiKey: null })
    const as = (key: string) => ask(day, { 'x-api-key': key })
    await as('sample-paid')
    await as('sample-paid')
    calls.take()
    expect((await as('sample-paid')).headers['cache-control']).toContain('private')
    expect(await reused()).toBe(1)
    expect(calls.take()).toEqual([])
    expect((await as('')).body.toString()).toContain('UNAUTHENTICATED')
    expect(parsed(await as('sample-trial')).extensions.usage.tokens).toBeGreaterThan(0)
    expect(calls.take()).toEqual(['game/getGames 1'])
    expect(await reused()).toBe(1)
  })

  test('while the service refuses its key', async () => {
    let isRefused = false
    const between: Between = async (sent, service) => {
      const body = '{"error":"invalid api key"}'
      return isRefused ? { status: 200, headers: {}, body, bytes: body.length } : service(sent)
    }
    const { ask, reused } = await serve({ between })
    await warmUp(ask, day)
    await ask(day)
    expect(await reused()).toBe(1)
    isRefused = true
    expect((await ask(gamesToday)).body.toString()).toContain('UNAUTHENTICATED')
    await ask(day)
    await ask(day)
    expect(await reused()).toBe(1)
    isRefused = false
    await ask(gamesToday)
    await ask(day)
    await ask(day)
    expect(await reused()).toBe(2)
  })

  test('that says another thing of its data than what is known by now', async () => {
    let isRandomized = false
    const between: Between = async (sent, service) => {
      const answer = await service(sent)
      return isRandomized
        ? { ...answer, headers: { ...answer.headers, 'x-data-quality': 'randomized' } }
        : answer
    }
    const { ask, reused } = await serve({ between })
    const quality = (answer: Received) =>
      (parsed(answer).extensions as { readonly dataQuality?: string }).dataQuality
    await warmUp(ask, day)
    const real = await ask(day)
    expect(quality(real)).toBeUndefined()
    expect(real.headers['cache-control']).toMatch(/^public, /)
    expect(await reused()).toBe(1)
    isRandomized = true
    await ask(gamesToday)
    const marked = [await ask(day), await ask(day)]
    expect(marked.map(quality)).toEqual(['RANDOMIZED', 'RANDOMIZED'])
    expect(marked.map(({ headers }) => headers['cache-control'])).toEqual([
      expect.stringMatching(/^private, max-age=\d+$/),
      expect.stringMatching(/^private, max-age=\d+$/),
    ])
    expect(await reused()).toBe(2)
  })

  test.each([
    [
      'that has an error',
      '{ team(id: "nonsense") { name } league { games(date: "2026-02-12") { gameId } } }',
    ],
    ['that is of this moment', '{ usage { tokens } league { games(date: "2026-02-12") { gameId } } }'],
    ['that is made of no row', '{ __typename }'],
  ])('%s', async (_what, query) => {
    const { ask, reused } = await serve()
    for (let times = 0; times < 4; times += 1) await ask(query)
    expect(await reused()).toBe(0)
  })

  test('when there is no room for it', async () => {
    const { ask, reused } = await serve({ mostAnswers: 15_000 })
    const queries = Array.from({ length: 20 }, (_, nth) => day.replace('homeScore', `s${nth}: homeScore`))
    for (const query of [...queries, ...queries.slice(0, 10)]) await ask(query)
    expect(await reused()).toBe(0)
    await ask(queries[9] ?? '')
    expect(await reused()).toBe(1)
  })

  test('when its rows were evicted', async () => {
    const { ask, upstream, reused } = await serve({ mostKept: 400_000 })
    await warmUp(ask, day)
    await ask(day)
    expect(await reused()).toBe(1)
    for (let back = 1; back < 11; back += 1)
      await ask(day.replace('2026-02-12', `2026-02-${String(12 - back).padStart(2, '0')}`))
    upstream.makeRoom()
    await ask(day)
    expect(await reused()).toBe(1)
  })
})
