import { request } from 'node:http'
import type { RequestListener } from 'node:http'
import { parse } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ExecutionBudget } from '../../src/graph/execution/budget.ts'
import { createApp } from '../../src/server/app.ts'
import type { App, AppOptions } from '../../src/server/app.ts'
import { hostCheck } from '../../src/server/hosts.ts'
import { withDirectPath } from '../../src/server/direct-path.ts'
import { ClientRequest } from '../../src/account/client-request.ts'
import { basketball, startSample } from '../graph/harness.ts'
import type { Graph, Sample } from '../graph/harness.ts'
import { onPorts } from './ports.ts'

let sample: Sample
const listening = onPorts()

beforeAll(async () => {
  sample = await startSample()
})
afterAll(() => sample.close())

interface Served {
  readonly app: App
  readonly calls: Graph['calls']
  readonly url: string
}

/** The same server over a port, with the direct path, and by `app.fetch`, which is Yoga alone. */
async function serve(options: Partial<AppOptions> = {}): Promise<Served> {
  const { upstream, calls } = sample.graph()
  const app = createApp({ upstream, apiKey: 'sample-paid', defaults: basketball, ...options })
  return { app, calls, url: await urlOf(app) }
}

const urlOf = async (listener: RequestListener) => `${await listening(listener)}/graphql`

type Ask = (url: string, init: RequestInit) => Response | Promise<Response>

const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

async function seen(ask: Ask, url: string, init: RequestInit) {
  const response = await ask(url, init)
  const header = (name: string) => response.headers.get(name)
  return {
    status: response.status,
    type: header('content-type'),
    cache: header('cache-control'),
    vary: header('vary'),
    origin: header('access-control-allow-origin'),
    body: await response.text(),
  }
}

/** The status of an answer to a request with any header: fetch sends no host of the caller's choice. */
function statusOf(url: string, query: string, headers: Record<string, string> = {}, variables = {}) {
  const body = JSON.stringify({ query, variables })
  return new Promise<number>((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
    })
    sent.on('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

const day = 'query Day { league { games(date: "2026-02-12") { homeScore homeTeam { name } } } }'
const fresh = '{ league { elo(season: 2026) { elo } } }'
const wrong = '{ team(id: "nonsense") { name } league { games(date: "2026-02-12") { gameId } } }'
const known = '{ __typename }'
const introspection = '{ __schema { queryType { name } } }'
const local = { origin: 'http://localhost:5173' }

describe('a query over a port', () => {
  test.each<[string, RequestInit]>([
    ['plain', post({ query: day })],
    ['with an operation name', post({ query: day, operationName: 'Day' })],
    ['with null variables and extensions', post({ query: day, variables: null, extensions: null })],
    [
      'with variables',
      post({
        query: 'query ($n: String!) { league { search(name: $n) { teams { name } } } }',
        variables: { n: 'a' },
      }),
    ],
    [
      'with a variable that does not fit',
      post({
        query: 'query ($n: String!) { league { search(name: $n) { teams { name } } } }',
        variables: { n: 1 },
      }),
    ],
    ['with an error in a field', post({ query: wrong })],
    ['that is invalid', post({ query: '{ nothing }' })],
    ['that cannot be parsed', post({ query: '{' })],
    ['with the name of another operation', post({ query: day, operationName: 'Night' })],
    ['that asks about the schema', post({ query: '{ __schema { queryType { name } } }' })],
    ['that asks for its plan', post({ query: day, extensions: { explain: 'dry' } })],
    ['that may cost less than it does', post({ query: fresh, extensions: { maxTokens: 1 } })],
    ['that may cost what it costs', post({ query: day, extensions: { maxTokens: 1000 } })],
    ['with a limit that is no number', post({ query: day, extensions: { maxTokens: '5' } })],
    ['with a negative limit', post({ query: day, extensions: { maxTokens: -1 } })],
    ['in a list', post([{ query: day }])],
    ['that is no object', post('7')],
    ['that is no JSON', post('{"query":')],
    ['with a query of the wrong type', post({ query: 7 })],
    ['with extensions of the wrong type', post({ query: day, extensions: 7 })],
    ['of an allowed page', post({ query: day }, local)],
    ['of another page', post({ query: day }, { origin: 'https://evil.example' })],
    ['of another site', post({ query: day }, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' })],
    [
      'that accepts the newer type',
      post({ query: day }, { accept: 'application/graphql-response+json, application/json' }),
    ],
    [
      'that fails and accepts the newer type',
      post({ query: wrong }, { accept: 'application/graphql-response+json' }),
    ],
    ['that accepts events', post({ query: day }, { accept: 'text/event-stream' })],
    ['that accepts nothing that is written', post({ query: day }, { accept: 'image/png' })],
    ['as text', post({ query: day }, { 'content-type': 'text/plain' })],
    ['in another charset', post({ query: day }, { 'content-type': 'application/json; charset=latin1' })],
    [
      'named by a hash that nobody knows',
      post({ extensions: { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } } }),
    ],
  ])('%s is answered as Yoga alone answers it', async (_what, init) => {
    const { app, url } = await serve()
    // Yoga adds a content-length to the headers that it is given. Sent twice, it is no longer a number.
    const ask: Ask = (to, given) => app.fetch(to, { ...given, headers: new Headers(given.headers) })
    // Everything is kept and every document is known after the first.
    await seen(fetch, url, init)
    const expected = await seen(ask, url, init)
    expect(await seen(fetch, url, init)).toEqual(expected)
    expect(await seen(fetch, url, init)).toEqual(expected)
  })

  test.each<[string, Record<string, string>]>([
    ['of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }],
    ['of another page', { origin: 'https://evil.example' }],
    ['for another host', { host: 'evil.example' }],
  ])('%s is refused though its document is known and its answer is kept', async (_what, headers) => {
    const { url, calls } = await serve({ isOurHost: hostCheck(null, '127.0.0.1') })
    const other = day.replace('2026-02-12', '2026-02-13')
    for (const query of [day, day, other]) expect(await statusOf(url, query)).toBe(200)
    calls.take()
    // The direct path has the answer to the first query and rows for the second, and would have to buy the
    // third.
    const third = 'query Day($d: Date!) { league { games(date: $d) { homeScore } } }'
    expect(await statusOf(url, third, {}, { d: '2026-02-11' })).toBe(200)
    calls.take()
    for (const [query, variables] of [
      [day, {}],
      [other, {}],
      [third, { d: '2026-02-10' }],
    ] as const)
      expect(await statusOf(url, query, headers, variables)).toBe(403)
    expect(calls.take()).toEqual([])
  })

  test('is answered from cached rows once they are bought', async () => {
    const { url, calls } = await serve()
    const { body } = await seen(fetch, url, post({ query: day }))
    expect(calls.take()).toEqual(['game/getGames 1'])
    const again = JSON.parse((await seen(fetch, url, post({ query: day }))).body)
    expect(again.data).toEqual(JSON.parse(body).data)
    expect(again.extensions.usage).toMatchObject({ tokens: 0, calls: 0 })
    expect(calls.take()).toEqual([])
  })

  test.each<[string, RequestInit, boolean]>([
    ['a known document', post({ query: known }), false],
    [
      'a known document that Yoga would refuse',
      post({ query: known }, { origin: 'https://evil.example' }),
      true,
    ],
    ['an unknown document', post({ query: '{ a: __typename }' }), true],
    ['a document about the schema', post({ query: introspection }), false],
    ['a plan', post({ query: known, extensions: { explain: true } }), true],
    ['events', post({ query: known }, { accept: 'text/event-stream' }), true],
    ['a form', post({ query: known }, { 'content-type': 'text/plain' }), true],
    ['a query by GET', {}, true],
  ])('of %s goes to Yoga only where it has to', async (_what, init, isYogas) => {
    let asked: string | null = null
    const yoga: RequestListener = async (request, response) => {
      asked = ''
      for await (const part of request) asked += part
      response.end('Yoga')
    }
    const documents = new Map([known, introspection].map((text) => [text, parse(text)]))
    const listener = withDirectPath(
      yoga,
      {
        isAllowed: ({ origin }) => origin === undefined,
        nameOf: String,
        find: () => undefined,
        clientOf: () => '',
        textOf: ({ query }) => query,
        documentOf: (text) => documents.get(text),
        contextOf: () => ({
          clientRequest: new ClientRequest(sample.graph().upstream.accountOf('')),
          defaults: {},
          budget: new ExecutionBudget(),
        }),
        execute: async () => ({
          bytes: Buffer.from('{"data":"direct"}'),
          errors: undefined,
          isNull: false,
          cacheControl: 'no-store',
        }),
        vary: 'Origin',
        cacheControlOf: () => 'no-store',
      },
      null,
    )
    const { body } = await seen(fetch, await urlOf(listener), init)
    expect(body).toBe(isYogas ? 'Yoga' : '{"data":"direct"}')
    expect(asked).toBe(isYogas ? (init.body ?? '') : null)
  })

  test('without an operation’s name is answered on the direct path, also after requests with names and an empty one', async () => {
    // The direct path looks at the host once, and Yoga once more.
    let looks = 0
    const isOurHost = () => (looks += 1) > 0
    const { app, url, calls } = await serve({ isOurHost })
    const ask = async (operationName?: string) => {
      looks = 0
      const { status, body } = await seen(fetch, url, post({ query: day, operationName }))
      return { path: looks === 1 ? 'direct' : 'Yoga', status, answer: JSON.parse(body) }
    }
    const first = await ask('Day')
    expect(first).toMatchObject({ path: 'direct', status: 200 })
    expect(first.answer.data.league.games).toHaveLength(5)
    expect(calls.take()).toEqual(['game/getGames 1'])
    const named = await ask('Day')
    expect(named).toMatchObject({ path: 'direct', status: 200, answer: { data: first.answer.data } })
    expect(await ask('')).toMatchObject({
      path: 'Yoga',
      answer: { errors: [{ extensions: { code: 'OPERATION_RESOLUTION_FAILURE' } }] },
    })
    const nameless = [await ask(), await ask(), await ask()]
    expect(nameless).toEqual([named, named, named])
    const yogas = await seen(app.fetch, url, post({ query: day }))
    expect(JSON.parse(yogas.body)).toEqual(named.answer)
    expect(calls.take()).toEqual([])
  })

  /** The account is dropped with its rows before the answer is sent. */
  test('of a key that comes for the first time says for how long it is fresh', async () => {
    const current = '{ league { games(date: "2026-02-14") { homeScore } } }'
    const asked = post({ query: current }, { 'x-api-key': 'sample-paid' })
    const direct = await serve({ apiKey: null })
    expect((await seen(fetch, direct.url, asked)).cache).toBe('private, max-age=300')
    expect((await seen(fetch, direct.url, asked)).cache).toBe('private, max-age=300')
    const yogas = await serve({ apiKey: null })
    const inYoga: Ask = (url, init) => yogas.app.fetch(url, init)
    expect((await seen(inYoga, yogas.url, asked)).cache).toBe('private, max-age=300')
  })

  test('of a key of its own is answered from what that key has paid for', async () => {
    const { url, calls } = await serve({ apiKey: null })
    const ask = (key: string) => seen(fetch, url, post({ query: day }, { 'x-api-key': key }))
    await ask('sample-paid')
    expect(await ask('sample-paid')).toMatchObject({
      cache: expect.stringContaining('private'),
      vary: 'Origin, Accept, X-API-KEY',
    })
    expect(calls.take()).toEqual(['game/getGames 1'])
    expect(JSON.parse((await ask('')).body).errors[0].extensions.code).toBe('UNAUTHENTICATED')
    expect(calls.take()).toEqual([])
  })

  test('is counted and logged like any other', async () => {
    const lines: object[] = []
    const log = { info: (line: object) => void lines.push(line), error: () => {} }
    const { url } = await serve({ log })
    const id = { 'x-request-id': 'direct-1' }
    await seen(fetch, url, post({ query: day }, id))
    const response = await fetch(url, post({ query: day }, id))
    expect(response.headers.get('x-request-id')).toBe('direct-1')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toMatchObject({
      id: 'direct-1',
      method: 'POST',
      path: '/graphql',
      status: 200,
      operation: 'Day',
      tokens: 0,
    })
    expect(Object.keys(lines[1] ?? {}).toSorted()).toEqual(Object.keys(lines[0] ?? {}).toSorted())
    const metrics = await (await fetch(url.replace('/graphql', '/metrics'))).text()
    expect(metrics).toContain('statline_queries_total{outcome="ok"} 2')
  })

  test('that comes in small pieces is put together', async () => {
    const { url } = await serve()
    const text = JSON.stringify({ query: `${day} # Zoë 🏀` })
    const { request } = await import('node:http')
    const body = await new Promise<string>((resolve, reject) => {
      const bytes = Buffer.from(text)
      const headers = { 'content-type': 'application/json', 'content-length': bytes.length }
      const sent = request(url, { method: 'POST', headers }, async (response) => {
        let all = ''
        for await (const part of response) all += part
        resolve(all)
      })
      sent.on('error', reject)
      for (const byte of bytes) sent.write(Buffer.of(byte))
      sent.end()
    })
    expect(JSON.parse(body).data.league.games.length).toBe(5)
  })
})
