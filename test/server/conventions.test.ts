import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSchema } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../src/server/app.ts'
import type { AppOptions } from '../../src/server/app.ts'
import { hashOf } from '../../src/client/hash.ts'
import { LeaguesDocument } from '../../src/client/generated/graphql.ts'
import { readDocuments } from '../../src/server/documents.ts'
import { compressed, listen } from '../../src/server/listen.ts'
import { basketball, startSample } from '../graph/harness.ts'
import type { Between, Sample } from '../graph/harness.ts'
import { answerOf } from '../graph/spoiled.ts'
import { sampleNow } from '../sample.setup.ts'

let sample: Sample
beforeAll(async () => {
  sample = await startSample()
})
afterAll(() => sample.close())

function appWith(
  options: Partial<AppOptions> = {},
  between: Between = (request, service) => service(request),
) {
  const { upstream, calls } = sample.graph({ between })
  const app = createApp({ upstream, apiKey: 'sample-paid', defaults: basketball, ...options })
  const ask = (query: unknown, headers: Record<string, string> = {}) =>
    app.fetch('http://statline.test/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', host: 'statline.test', ...headers },
      body: JSON.stringify(typeof query === 'string' ? { query } : query),
    })
  return { app, ask, calls }
}

const over = '{ league { games(date: "2026-02-12") { homeScore homeTeam { name } } } }'
const today = '{ league { games(date: "2026-02-14") { homeScore clock } } }'

describe('cache-control', () => {
  test('lets a day that is over be kept for as long as its teams are', async () => {
    const { ask } = appWith()
    expect((await ask(over)).headers.get('cache-control')).toBe('public, max-age=86400')
  })

  test('lets a day that is over be kept for a day, with its lines and after other days', async () => {
    const { ask } = appWith()
    await ask(today)
    const lines = over.replace('homeScore', 'homeScore odds { pre { over } } prediction { homePercentage }')
    expect((await ask(lines)).headers.get('cache-control')).toBe('public, max-age=86400')
  })

  test('lets a game under way be kept for 15 seconds', async () => {
    const { ask } = appWith({}, async (request, service) => {
      const answer = await service(request)
      return { ...answer, body: answer.body.replaceAll('"scheduled"', '"in_progress"') }
    })
    expect((await ask(today)).headers.get('cache-control')).toBe('public, max-age=15')
  })

  test('lets scores of games that have not begun be kept for five minutes', async () => {
    const { ask } = appWith()
    expect((await ask(today)).headers.get('cache-control')).toBe('public, max-age=300')
  })

  test('keeps what a client’s own key has paid for from other clients', async () => {
    const { ask } = appWith({ apiKey: null })
    const response = await ask(over, { 'x-api-key': 'sample-paid' })
    expect(response.headers.get('cache-control')).toBe('private, max-age=86400')
    expect(response.headers.get('vary')).toContain('X-API-KEY')
  })

  test('names Accept in Vary, because the same address has answers of several types', async () => {
    const { app, calls } = appWith()
    const address = `http://statline.test/graphql?query=${encodeURIComponent(over)}`
    const typeOf = async (accept: string) => {
      const response = await app.fetch(address, { headers: { accept } })
      expect(response.headers.get('cache-control')).toBe('public, max-age=86400')
      expect(response.headers.get('vary')).toBe('Origin, Accept')
      return response.headers.get('content-type')
    }
    const types = ['application/json', 'application/graphql-response+json']
    for (const type of types) expect(await typeOf(type)).toBe(`${type}; charset=utf-8`)
    const page = await app.fetch('http://statline.test/graphql', { headers: { accept: 'text/html' } })
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('vary')).toBe('Origin, Accept')
    expect(calls.take()).toEqual(['game/getGames 1'])
  })

  test('stores no answer with an error, even with rows', async () => {
    const { ask } = appWith()
    const response = await ask(`{ broken: team(id: "nonsense") { name } ${over.slice(1)}`)
    const { data, errors } = (await response.json()) as { data: { league: object }; errors: unknown[] }
    expect([data.league, errors.length]).toEqual([expect.any(Object), 1])
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test('stores no answer with expired rows, which stand in while the service fails', async () => {
    let [now, fails] = [sampleNow, false]
    const graph = sample.graph({
      clock: () => now,
      between: async (request, service) => (fails ? answerOf('', { status: 418 }) : service(request)),
    })
    const app = createApp({ upstream: graph.upstream, apiKey: 'sample-paid', defaults: basketball })
    const ask = () =>
      app.fetch('http://statline.test/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: over }),
      })
    expect((await ask()).headers.get('cache-control')).toBe('public, max-age=86400')
    fails = true
    now += 25 * 3_600_000
    const response = await ask()
    const { data, errors, extensions } = (await response.json()) as Record<string, unknown>
    expect([data, errors]).toEqual([expect.any(Object), undefined])
    expect(extensions).toMatchObject({ stale: { seconds: 90_000 } })
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test('stores neither errors nor the usage of the moment', async () => {
    const { ask } = appWith()
    expect((await ask('{ team(id: "nonsense") { name } }')).headers.get('cache-control')).toBe('no-store')
    expect((await ask('{ usage { tokens } }')).headers.get('cache-control')).toBe('no-store')
  })
})

describe('origins', () => {
  test('pages of this machine may ask and read', async () => {
    const { ask } = appWith()
    const response = await ask('{ __typename }', { origin: 'http://localhost:5173' })
    expect(response.status).toBe(200)
    expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost:5173')
  })

  test('a page from elsewhere is refused before it has spent anything', async () => {
    const { ask, calls } = appWith()
    const refused = await ask(over, { origin: 'https://evil.example' })
    expect(refused.status).toBe(403)
    expect(await refused.text()).toContain('CORS_ORIGINS')
    expect((await ask(over, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' })).status).toBe(
      403,
    )
    expect(calls.take()).toEqual([])
  })

  test('named origins may ask, others may not', async () => {
    const { app, ask } = appWith({ origins: ['https://scores.example'] })
    expect((await ask('{ __typename }', { origin: 'http://localhost:5173' })).status).toBe(403)
    const preflight = await app.fetch('http://statline.test/graphql', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://scores.example',
        'access-control-request-headers': 'content-type,x-api-key',
      },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('https://scores.example')
    expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type,x-api-key')
  })
})

describe('persisted documents', () => {
  const query = '{ organizations { name } }'
  const sha256Hash = createHash('sha256').update(query).digest('hex')
  const extensions = { persistedQuery: { version: 1, sha256Hash } }
  const codeOf = async (response: Response) => {
    const { errors } = (await response.json()) as { errors?: { extensions: { code: string } }[] }
    return errors?.[0]?.extensions.code
  }

  test('a hash replaces a document that was sent with it once', async () => {
    const { ask, calls } = appWith()
    expect(await codeOf(await ask({ extensions }))).toBe('PERSISTED_QUERY_NOT_FOUND')
    expect(await codeOf(await ask({ query, extensions }))).toBeUndefined()
    const { data } = (await (await ask({ extensions })).json()) as { data: { organizations: unknown[] } }
    expect(data.organizations).toHaveLength(2)
    expect(calls.take()).toEqual(['organization/read 1'])
  })

  test('a hash that is another document’s is refused', async () => {
    const { ask } = appWith()
    expect(await codeOf(await ask({ query: '{ __typename }', extensions }))).toBe('BAD_USER_INPUT')
  })

  test.each([
    ['generated code', { [`sha256:${sha256Hash}`]: query }],
    ['Apollo', { format: 'apollo-persisted-query-manifest', operations: [{ id: sha256Hash, body: query }] }],
  ])('a manifest of %s is trusted, and its documents named by documentId too', async (_by, manifest) => {
    const folder = mkdtempSync(join(tmpdir(), 'statline-manifest-'))
    const path = join(folder, 'manifest.json')
    writeFileSync(path, JSON.stringify(manifest))
    const { app, ask } = appWith({ documents: readDocuments(path, true) })
    expect(await codeOf(await ask({ extensions }))).toBeUndefined()
    expect(await codeOf(await ask({ documentId: `sha256:${sha256Hash}` }))).toBeUndefined()
    const got = await app.fetch(`http://statline.test/graphql?documentId=sha256:${sha256Hash}`, {
      headers: { accept: 'application/json' },
    })
    expect(await codeOf(got)).toBeUndefined()
    expect(await codeOf(await ask(over))).toBe('BAD_USER_INPUT')
    writeFileSync(path, '{ "operations": [] }')
    expect(() => readDocuments(path, true)).toThrow('not a manifest of documents')
    writeFileSync(path, '{ "name": "some-package" }')
    expect(() => readDocuments(path, true)).toThrow('whose "name" is not a GraphQL document')
    rmSync(folder, { recursive: true })
  })

  /** As the hooks name a document. */
  const byHash = (document: object) => ({
    extensions: { persistedQuery: { version: 1, sha256Hash: hashOf(document) } },
  })

  test('where only trusted documents are answered, those of the scoreboard are among them', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'statline-manifest-'))
    const path = join(folder, 'manifest.json')
    writeFileSync(path, JSON.stringify({ [`sha256:${sha256Hash}`]: query }))
    const { ask, calls } = appWith({ documents: readDocuments(path, true) })
    rmSync(folder, { recursive: true })
    expect(await codeOf(await ask(byHash(LeaguesDocument)))).toBeUndefined()
    expect(calls.take().toSorted()).toEqual(['division/read 1', 'organization/read 1'])
    expect(await codeOf(await ask(over))).toBe('BAD_USER_INPUT')
    expect(calls.take()).toEqual([])
  })

  test('where only trusted documents are answered, another is refused', async () => {
    const documents = { trusted: new Map([[sha256Hash, query]]), trustedOnly: true }
    const { ask, calls } = appWith({ documents })
    expect(await codeOf(await ask({ extensions }))).toBeUndefined()
    expect(await codeOf(await ask({ query }))).toBeUndefined()
    expect(await codeOf(await ask(over))).toBe('BAD_USER_INPUT')
    expect(calls.take()).toEqual(['organization/read 1'])
  })
})

test('a request is logged with its id and its bill, and without its key', async () => {
  const lines: unknown[] = []
  const log = { info: (line: unknown) => lines.push(line), error: () => {} }
  const { ask } = appWith({ log })
  const response = await ask('query Leagues { organizations { name } }', {
    'x-request-id': 'abc-1',
    'x-api-key': 'sample-paid',
  })
  expect(response.headers.get('x-request-id')).toBe('abc-1')
  expect(lines).toMatchObject([
    {
      id: 'abc-1',
      method: 'POST',
      path: '/graphql',
      status: 200,
      operation: 'Leagues',
      calls: 1,
      cacheHits: 0,
    },
  ])
  expect(JSON.stringify(lines)).not.toContain('sample-paid')
  expect(
    (await ask('{ __typename }', { 'x-request-id': 'bad id\u007f' })).headers.get('x-request-id'),
  ).toMatch(/^[\da-f-]{36}$/)
})

test('metrics tell what each operation was billed', async () => {
  const { app, ask } = appWith()
  const { extensions } = (await (await ask(over)).json()) as {
    extensions: { usage: { tokens: number; bytes: number } }
  }
  const text = await (await app.fetch('http://statline.test/metrics')).text()
  expect(text).toContain(
    `statline_upstream_tokens_total{operation="game/getGames"} ${extensions.usage.tokens}`,
  )
  expect(text).toContain(`statline_upstream_bytes_total{operation="game/getGames"} ${extensions.usage.bytes}`)
  expect(text).toContain('statline_queries_total{outcome="ok"} 1')
  expect(text).toContain(`statline_month_tokens ${extensions.usage.tokens}`)
  expect(text).not.toContain('statline_month_tokens_budget') // there is none
})

describe('a schema without a bill', () => {
  const schema = buildSchema('type Query { greeting: String }')
  const ask = (headers: Record<string, string> = {}) =>
    createApp({ schema }).fetch('http://statline.test/graphql?query={greeting}', {
      headers: { accept: 'application/json', ...headers },
    })

  test('is served without a word of a bill', async () => {
    expect(await (await ask()).json()).toEqual({ data: { greeting: null } })
    const metrics = await (await createApp({ schema }).fetch('http://statline.test/metrics')).text()
    expect(metrics).toContain('statline_queries_total')
    expect(metrics).not.toContain('statline_upstream')
    expect(metrics).not.toContain('statline_month')
  })

  test('has a federated trace of the whole answer where a gateway asks for one', async () => {
    const { data, extensions } = (await (
      await ask({ 'apollo-federation-include-trace': 'ftv1' })
    ).json()) as {
      data: unknown
      extensions: { ftv1: string }
    }
    expect(data).toEqual({ greeting: null })
    expect(Object.keys(extensions)).toEqual(['ftv1'])
    expect(Buffer.from(extensions.ftv1, 'base64').length).toBeGreaterThan(20)
  })
})

test('answers are compressed for clients that ask for it, over a real port', async () => {
  const { app } = appWith()
  const server = await listen(compressed(app), '127.0.0.1', 0)
  const url = `${server.url}/graphql?query=${encodeURIComponent('{ __schema { types { name description } } }')}`
  const response = await fetch(url, { headers: { 'accept-encoding': 'gzip', accept: 'application/json' } })
  expect(response.headers.get('content-encoding')).toBe('gzip')
  expect(((await response.json()) as { data: unknown }).data).toBeTruthy()
  await server.close()
})
