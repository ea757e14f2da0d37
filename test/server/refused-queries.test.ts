import { createClient } from 'graphql-ws'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createApp } from '../../src/server/app.ts'
import type { App } from '../../src/server/app.ts'
import { compressed, listen } from '../../src/server/listen.ts'
import { basketball, startSample } from '../graph/harness.ts'
import type { Graph } from '../graph/harness.ts'

const sample = await startSample()
afterAll(() => sample.close())

let graph: Graph
let app: App
let lines: Record<string, unknown>[]
beforeEach(() => {
  graph = sample.graph()
  lines = []
  app = appOf({})
})

const log = { info: (line: object) => void lines.push({ ...line }), error: () => {} }

function appOf(options: object, apiKey: string | null = 'sample-paid'): App {
  return createApp({ upstream: graph.upstream, apiKey, defaults: basketball, log, ...options })
}

const post = (body: string | object, headers: Record<string, string> = {}) =>
  app.fetch('http://statline.test/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'graphql-client-name': 'oldpage', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const series = async () => {
  const text = await (await app.fetch('http://statline.test/metrics')).text()
  return text.split('\n').filter((line) => line.startsWith('statline_queries_total'))
}

test.each([
  ['a field that is not there', { query: 'query Home { gone }' }, 'Home', 'GRAPHQL_VALIDATION_FAILED'],
  ['a document that cannot be parsed', { query: 'query Home {' }, undefined, 'GRAPHQL_PARSE_FAILED'],
  [
    'an operation that is not in the document',
    { query: 'query Home { __typename }', operationName: 'Away' },
    undefined,
    'OPERATION_RESOLUTION_FAILURE',
  ],
  [
    'a limit that is no number',
    { query: 'query Home { __typename }', extensions: { maxTokens: 'few' } },
    undefined,
    'BAD_USER_INPUT',
  ],
  ['a body that is not JSON', '{"query":', undefined, 'BAD_REQUEST'],
])('a query refused for %s is counted once as failed, and logged with its sender', async (...row) => {
  const [, body, operation, code] = row
  await post(body)
  expect(await series()).toEqual(['statline_queries_total{outcome="error"} 1'])
  expect(lines).toEqual([
    {
      id: expect.any(String),
      method: 'POST',
      path: '/graphql',
      status: expect.any(Number),
      ms: expect.any(Number),
      outcome: 'failed',
      codes: [code],
      operation,
      events: undefined,
      client: 'oldpage',
      key: expect.stringMatching(/^[\w-]{8}$/),
      tokens: 0,
      bytes: 0,
      calls: 0,
      cacheHits: 0,
      tokensByOperation: {},
      attempts: 0,
    },
  ])
  expect(graph.calls.take()).toEqual([])
})

test('a document that is not trusted is counted and logged in the same way', async () => {
  app = appOf({ documents: { trusted: new Map(), trustedOnly: true } })
  await post({ query: 'query Home { __typename }' })
  expect(await series()).toEqual(['statline_queries_total{outcome="error"} 1'])
  expect(lines).toMatchObject([{ client: 'oldpage', codes: ['BAD_USER_INPUT'], operation: undefined }])
})

test('a hash that is not known yet is no failed query: its client sends the text', async () => {
  const persistedQuery = { version: 1, sha256Hash: 'a'.repeat(64) }
  await post({ extensions: { persistedQuery } })
  expect(lines).toMatchObject([{ client: 'oldpage', codes: ['PERSISTED_QUERY_NOT_FOUND'] }])
  expect(await series()).toEqual([])
})

test('a query refused for overload is logged with its sender, and under the id that its answer has', async () => {
  app = appOf({ longestWaitMs: -1 })
  const server = await listen(compressed(app), '127.0.0.1', 0)
  const answer = await fetch(`${server.url}/graphql?from=page`, {
    method: 'POST',
    headers: { 'graphql-client-name': 'oldpage', 'x-request-id': 'page-7' },
    body: '{"query":"query Home { __typename }"}',
  })
  await server.close()
  expect([answer.status, answer.headers.get('x-request-id')]).toEqual([503, 'page-7'])
  const told = { id: 'page-7', method: 'POST', path: '/graphql', status: 503, outcome: 'failed' }
  expect(lines).toMatchObject([{ ...told, codes: ['OVERLOADED'], client: 'oldpage', tokens: 0, calls: 0 }])
  expect(graph.calls.take()).toEqual([])
})

test('an executed query that fails is counted once', async () => {
  await post({ query: 'query Wrong { team(id: "nonsense") { name } }' })
  await post({ query: 'query Wrong($id: ID!) { team(id: $id) { name } }' })
  expect(await series()).toEqual(['statline_queries_total{outcome="error"} 2'])
})

test('the same key has the same fingerprint, whether a query is executed or refused', async () => {
  app = appOf({}, null)
  const keys = ['sample-paid', '']
  for (const key of keys)
    for (const query of ['{ __typename }', '{ gone }']) await post({ query }, { 'x-api-key': key })
  expect(lines.map(({ key }) => key)).toEqual([lines[0]?.['key'], lines[0]?.['key'], null, null])
  expect(lines[0]?.['key']).toMatch(/^[\w-]{8}$/)
})

test('a flood of refused queries under new names and keys adds no series and no account', async () => {
  app = appOf({}, null)
  const accountOf = vi.spyOn(graph.upstream, 'accountOf')
  for (let nth = 0; nth < 300; nth += 1) {
    const name = `C${nth}`.padEnd(300, 'x')
    await post(
      { query: `query ${name} { gone }` },
      { 'graphql-client-name': name, 'x-api-key': `key ${nth}` },
    )
  }
  expect(await series()).toEqual(['statline_queries_total{outcome="error"} 300'])
  const metrics = await (await app.fetch('http://statline.test/metrics')).text()
  expect(metrics).not.toContain('C1xx')
  expect(accountOf).not.toHaveBeenCalled()
  expect(
    lines.every(({ client, operation }) => [client, operation].every((one) => String(one).length === 64)),
  ).toBe(true)
})

test('a query that is refused over a WebSocket is counted and logged too', async () => {
  const server = await listen(compressed(app), '127.0.0.1', 0)
  const client = createClient({
    url: `${server.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { 'graphql-client-name': 'oldpage' },
  })
  const ended = (query: string, extensions = {}) =>
    new Promise((resolve) => {
      client.subscribe(
        { query, extensions },
        { next() {}, error: resolve, complete: () => resolve('complete') },
      )
    })
  try {
    await ended('query Home { gone }')
    await ended('query Home {')
    await ended('query Home { __typename }', { maxTokens: 'few' })
    await ended('query A { __typename } query B { __typename }')
  } finally {
    await client.dispose()
    await server.close()
  }
  expect(await series()).toEqual(['statline_queries_total{outcome="error"} 4'])
  const refused = { path: '/graphql', status: 101, outcome: 'failed', client: 'oldpage', tokens: 0 }
  expect(lines).toMatchObject([
    { ...refused, operation: 'Home', codes: ['GRAPHQL_VALIDATION_FAILED'] },
    { ...refused, operation: undefined, codes: ['GRAPHQL_PARSE_FAILED'] },
    { ...refused, operation: undefined, codes: ['BAD_USER_INPUT'] },
    { ...refused, operation: undefined, codes: ['OPERATION_RESOLUTION_FAILURE'] },
  ])
})
