import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basketball, startSample, today } from '../graph/harness.ts'
import type { Sample } from '../graph/harness.ts'
import { createApp } from '../../src/server/app.ts'
import { ReadinessChecks } from '../../src/server/readiness-checks.ts'
import type { Trouble } from '../../src/server/readiness-checks.ts'
import { listen, open } from '../../src/server/listen.ts'
import type { Listening } from '../../src/server/listen.ts'
import { Upstream } from '../../src/account/upstream.ts'
import { sampleNow } from '../sample.setup.ts'
import type { Json } from '../service/client.ts'
import { fills } from '../../src/loaders/fills.ts'

let sample: Sample
let server: Listening
let trouble: Trouble | null = null
let team: string

beforeAll(async () => {
  sample = await startSample()
  const [game] = await sample.rows('game/getGames', { ...basketball, start_date: today })
  team = String(game?.['home_team_id'])
  const upstream = new Upstream({
    transport: sample.transport,
    fills,
    monthlyTokenBudget: null,
    timeoutMs: 10_000,
    batchSize: 500,
    concurrency: 32,
    clock: () => sampleNow,
  })
  const app = createApp({
    upstream,
    apiKey: 'sample-paid',
    defaults: basketball,
    checks: new ReadinessChecks({ part: () => trouble }),
  })
  server = await listen(app, '127.0.0.1', 0)
})
afterAll(async () => {
  await server.close()
  await sample.close()
})

const at = (path: string, options?: RequestInit) => fetch(`${server.url}${path}`, options)
const post = (body: unknown, headers: Record<string, string> = {}) =>
  at('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
const json = async (response: Response) => (await response.json()) as Json & { errors?: Json[] } // a GraphQL answer

const named = () => `{ team(id: "${team}") { teamId name } }`

describe('GraphQL over HTTP', () => {
  test('answers a query by POST and by GET alike, with its usage', async () => {
    const byPost = await post({ query: named() })
    const byGet = await at(`/graphql?${new URLSearchParams({ query: named() }).toString()}`)
    expect([byPost.status, byGet.status]).toEqual([200, 200])
    const [one, other] = [await json(byPost), await json(byGet)]
    expect(one['data']).toEqual({ team: { teamId: team, name: expect.any(String) } })
    expect(other['data']).toEqual(one['data'])
    for (const answer of [one, other])
      expect(answer['extensions']).toMatchObject({
        usage: {
          tokens: expect.any(Number),
          bytes: expect.any(Number),
          calls: expect.any(Number),
          cacheHits: expect.any(Number),
        },
      })
  })

  test('takes variables and an operation’s name by GET too', async () => {
    const query = 'query A($id: ID!) { team(id: $id) { teamId } } query B { organizations { name } }'
    const search = new URLSearchParams({ query, operationName: 'A', variables: JSON.stringify({ id: team }) })
    expect(await json(await at(`/graphql?${search.toString()}`))).toMatchObject({
      data: { team: { teamId: team } },
    })
  })

  test('speaks the media type of GraphQL responses where it is asked for', async () => {
    const response = await post({ query: '{ __typename }' }, { accept: 'application/graphql-response+json' })
    expect(response.headers.get('content-type')).toContain('application/graphql-response+json')
    expect(await json(response)).toMatchObject({ data: { __typename: 'Query' } })
  })

  test.each([
    ['a syntax error', 'GRAPHQL_PARSE_FAILED', { query: '{ team(' }],
    ['a field that is not there', 'GRAPHQL_VALIDATION_FAILED', { query: '{ nothing }' }],
    ['an argument that is missing', 'GRAPHQL_VALIDATION_FAILED', { query: '{ team { name } }' }],
    [
      'an argument of the wrong kind',
      'GRAPHQL_VALIDATION_FAILED',
      { query: '{ league { games(date: "tomorrow") { status } } }' },
    ],
    [
      'a variable that is missing',
      'BAD_USER_INPUT',
      { query: 'query ($id: ID!) { team(id: $id) { name } }' },
    ],
    [
      'an operation that is not in the document',
      'OPERATION_RESOLUTION_FAILURE',
      { query: 'query A { __typename }', operationName: 'B' },
    ],
    ['no query', 'BAD_REQUEST', {}],
    ['a mutation', 'BAD_USER_INPUT', { query: 'mutation { anything }' }],
  ])('%s is the query’s fault, %s, and costs nothing', async (_what, code, body) => {
    const answer = await json(await post(body))
    expect(answer['data'] ?? null).toBeNull()
    expect(answer.errors?.map((error) => error['extensions'])).toMatchObject([{ code }])
    expect(answer['extensions']).toMatchObject({ usage: { tokens: 0, bytes: 0, calls: 0 } })
  })

  test('a body that is not JSON is refused, without a stack', async () => {
    const response = await post('{"query": "{ __typ')
    const text = await response.text()
    expect(response.status).toBe(400)
    expect(text).not.toMatch(/\bat \S+ \(|node_modules|\.ts:/)
  })

  test('a path that is not there is 404', async () => {
    expect((await at('/nowhere')).status).toBe(404)
  })

  test('the schema can be asked for', async () => {
    const answer = await json(
      await post({ query: '{ __schema { queryType { name } types { name } } _service { sdl } }' }),
    )
    expect(answer.errors).toBeUndefined()
    expect(answer['data']).toMatchObject({ __schema: { queryType: { name: 'Query' } } })
  })
})

describe('while the process starts', () => {
  test('each answer says so, and a client may try again', async () => {
    const starting = await open('127.0.0.1', 0, 'PORT')
    const come = async (path: string, init?: RequestInit) => {
      const response = await fetch(starting.url + path, init)
      return [response.status, response.headers.get('retry-after'), await response.text()]
    }
    const text = 'Statline is starting. Try again in some seconds.\n'
    const body = JSON.stringify({ query: '{ __typename }' })
    expect(await come('/')).toEqual([503, '1', text])
    expect(await come('/graphql', { method: 'POST', body })).toEqual([503, '1', text])
    expect(await come('/health')).toEqual([200, null, ''])
    expect(await come('/ready')).toEqual([503, '1', expect.stringContaining('It is starting.')])
    await starting.close()
  })
})

describe('health', () => {
  test('is 200 as soon as the process is up', async () => {
    expect((await at('/health')).status).toBe(200)
  })

  test('and readiness 200 only when queries can be answered', async () => {
    expect((await at('/ready')).status).toBe(200)
    trouble = { reason: 'It is slow.' }
    expect((await at('/ready')).status).toBe(200)
    trouble = { reason: 'It is gone.', isFatal: true }
    expect((await at('/ready')).status).toBe(503)
    expect((await at('/health')).status).toBe(200)
    trouble = null
    expect([await json(await at('/ready')), await json(await at('/ready'))]).toMatchObject([
      { status: 'ready' },
      { status: 'ready' },
    ])
  })
})

describe('GraphiQL', () => {
  const page = () => at('/graphql', { headers: { accept: 'text/html,application/xhtml+xml' } })

  test('opens in a browser and asks no other host for anything', async () => {
    const response = await page()
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain('text/html')
    const html = await response.text()
    const sources = [...html.matchAll(/\b(?:src|href|action)\s*=\s*["']([^"']+)["']/g)].map(
      ([, source = '']) => source,
    )
    expect(sources.filter((source) => /^(https?:)?\/\//.test(source))).toEqual([])
    expect(html).not.toMatch(/@import|url\(\s*["']?(https?:)?\/\//)
    const own = sources.filter((source) => !source.startsWith('data:') && /\.(js|css)$/.test(source))
    for (const source of own) {
      const file = await at(new URL(source, `${server.url}/graphql`).pathname)
      expect(file.status, source).toBe(200)
      if (source.endsWith('.css'))
        expect(await file.text()).not.toMatch(/@import|url\(\s*["']?(https?:)?\/\//)
    }
    expect(own.length + (html.includes('<script>') ? 1 : 0)).toBeGreaterThan(0)
  })

  test('is not what a program gets', async () => {
    const response = await at(`/graphql?query=${encodeURIComponent('{ __typename }')}`, {
      headers: { accept: '*/*' },
    })
    expect(await json(response)).toMatchObject({ data: { __typename: 'Query' } })
  })
})
