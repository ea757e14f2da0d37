import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { buildSchema } from 'graphql'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/server/app.ts'
import { CheckedDocuments } from '../../src/server/checked-documents.ts'
import { unprocessable } from '../../src/server/operation-name.ts'
import { schema } from '../../src/schema.ts'
import { heapInUse } from '../heap.ts'
import { startServer } from '../server.ts'
import type { Server } from '../server.ts'

let server: Server
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
beforeEach(() => {
  server.forget()
  server.calls.take()
})

interface Answer {
  readonly data?: unknown
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[]
  readonly extensions: { readonly usage: unknown }
}

const nothing = { tokens: 0, bytes: 0, calls: 0, cacheHits: 0 }
const json = { 'content-type': 'application/json' }

/** Sends a request, and expects a refusal that costs nothing and reveals no internals. */
async function refused(path: string, options: RequestInit, status: number): Promise<Answer['errors']> {
  const response = await fetch(server.url + path, options)
  expect(response.status).toBe(status)
  const text = await response.text()
  expect(text).not.toMatch(/\bat \S+ \(|node_modules|\.[jt]s:|sample-paid|127\.0\.0\.1/)
  expect(server.calls.take()).toEqual([])
  const { data, errors, extensions } = JSON.parse(text) as Answer
  expect(data ?? null).toBeNull()
  expect(extensions.usage).toEqual(nothing)
  return errors
}

const get = (parameters: Record<string, string>) => `/graphql?${new URLSearchParams(parameters).toString()}`
const asked = { accept: 'application/graphql-response+json' }
const post = (body: unknown) => ({
  method: 'POST',
  headers: { ...json, ...asked },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

describe('is the sender’s fault, and costs nothing:', () => {
  test.each([
    ['variables that are not JSON', { variables: '{' }],
    ['variables that are no object', { variables: '[1]' }],
    ['extensions that are not JSON', { extensions: 'x' }],
  ])('%s, by GET and in a form', async (_what, parameters) => {
    const query = { query: '{ organizations { name } }', ...parameters }
    const byGet = await refused(get(query), { headers: asked }, 400)
    expect(byGet).toMatchObject([{ extensions: { code: 'BAD_REQUEST' } }])
    const form = { method: 'POST', body: new URLSearchParams(query), headers: asked }
    expect(await refused('/graphql', form, 400)).toEqual(byGet)
  })

  test.each([
    ['a body cut off', '{"query": "{ organ'],
    ['a list', []],
    ['a batch', [{ query: '{ organizations { name } }' }, { query: '{ organizations { name } }' }]],
    ['null', 'null'],
    ['a number', '5'],
    ['a query that is no text', { query: 5 }],
    ['variables that are text', { query: '{ organizations { name } }', variables: '{}' }],
    ['a document’s id that is no text', { documentId: { a: 1 } }],
    ['a hash that is no text', { extensions: { persistedQuery: { version: 1, sha256Hash: 5 } } }],
  ])('%s', async (_what, body) => {
    expect(await refused('/graphql', post(body), 400)).toMatchObject([
      { extensions: { code: 'BAD_REQUEST' } },
    ])
  })

  const some = Array.from({ length: 400 }, (_, nth) => nth)
  test.each([
    ['fields', `{ organizations { ${'name '.repeat(400)} } }`],
    ['objects', `{ ${'organizations { name } '.repeat(400)} }`],
    ['fields of merged objects', `{ ${`organizations { ${'name '.repeat(20)} } `.repeat(20)} }`],
    ['inline fragments', `{ organizations { ${'... { name } '.repeat(400)} } }`],
    [
      'fragments',
      `{ organizations { ${some.map((nth) => `...F${nth}`).join(' ')} } } ${some.map((nth) => `fragment F${nth} on Organization { name }`).join(' ')}`,
    ],
    ['unused fragments', `{ __typename } fragment F on Organization { ${'name '.repeat(400)} }`],
  ])('a document of which validation would compare too many fields: %s', async (_what, query) => {
    expect(await refused('/graphql', post({ query }), 400)).toMatchObject([
      {
        message: 'The document has too many fields of the same name in one place.',
        extensions: { code: 'GRAPHQL_PARSE_FAILED' },
      },
    ])
  })

  const times = (text: string) => text.repeat(201)
  test.each([
    ['fields', `{${times('a{')}b${times('}')}}`],
    ['lists', `{team(id:${times('[')}${times(']')}){name}}`],
    ['objects', `{team(id:${times('{a:')}1${times('}')}){name}}`],
    ['fragments', `{${times('...{')}__typename${times('}')}}`],
  ])('a document whose %s are nested deeper than a stack may hold', async (_what, query) => {
    const errors = await refused('/graphql', post({ query }), 400)
    expect(errors).toMatchObject([
      { message: expect.stringContaining('200 deep'), extensions: { code: 'GRAPHQL_PARSE_FAILED' } },
    ])
  })

  test('a document that is too long, and one that is deeper than any page', async () => {
    const long = `{ ${'organizations { name } '.repeat(3_000)} }`
    expect(await refused('/graphql', post({ query: long }), 400)).toMatchObject([
      { extensions: { code: 'GRAPHQL_PARSE_FAILED' } },
    ])
    const deep = `{ league { games(date: "2026-02-14") { ${'homeTeam { games { '.repeat(12)} gameId ${'} }'.repeat(12)} } } }`
    expect(await refused('/graphql', post({ query: deep }), 422)).toMatchObject([
      { message: expect.stringContaining('20 levels'), extensions: { code: 'BAD_USER_INPUT' } },
    ])
  })

  test.each([
    'query LONG { organizations { name } }',
    '{ organizations { LONG: name } }',
    'query ($LONG: Int) { a }',
  ])('a name of more than 1000 characters: %s', async (text) => {
    const query = text.replace('LONG', 'n'.repeat(1_001))
    expect(await refused('/graphql', post({ query }), 400)).toMatchObject([
      { message: expect.stringContaining('1000 characters'), extensions: { code: 'GRAPHQL_PARSE_FAILED' } },
    ])
  })

  test('a body larger than a mebibyte, whether it says so or not', async () => {
    const body = JSON.stringify({
      query: '{ organizations { name } }',
      variables: { a: 'x'.repeat(1_100_000) },
    })
    const code = [{ extensions: { code: 'REQUEST_ENTITY_TOO_LARGE' } }]
    expect(await refused('/graphql', post(body), 413)).toMatchObject(code)
    const stream = new Blob([body]).stream()
    const unsaid: RequestInit & { duplex: 'half' } = { ...post(''), body: stream, duplex: 'half' }
    expect(await refused('/graphql', unsaid, 413)).toMatchObject(code)
  })

  test.each(['mutation { a }', 'subscription { a }', 'query A { a } query B { a }'])(
    '%s by GET',
    async (query) => {
      const response = await fetch(server.url + get({ query }), { headers: asked })
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect(response.status).toBeLessThan(500)
      expect(server.calls.take()).toEqual([])
    },
  )

  test.each([
    [415, 'text/plain', '*/*'],
    [415, 'multipart/form-data; boundary=x', '*/*'],
    [406, 'application/json', 'image/png'],
    [406, 'application/json', 'text/html'],
  ])('%i to %s for who accepts %s', async (status, type, accept) => {
    const headers = { 'content-type': type, accept }
    const body = JSON.stringify({ query: '{ organizations { name } }' })
    expect((await fetch(`${server.url}/graphql`, { method: 'POST', headers, body })).status).toBe(status)
    expect(server.calls.take()).toEqual([])
  })

  test.each(['PUT', 'DELETE', 'PATCH'])('%s', async (method) => {
    const errors = await refused('/graphql', { method, headers: asked }, 405)
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST' } }])
  })
})

test('a field asked for under six hundred names is one call for each thing that is asked for', async () => {
  const fields = Array.from(
    { length: 600 },
    (_, n) => `a${n}: league { games(date: "2026-02-1${n % 5}") { gameId } }`,
  )
  const response = await fetch(`${server.url}/graphql`, post({ query: `{ ${fields.join(' ')} }` }))
  const { errors } = (await response.json()) as Answer
  expect(errors).toBeUndefined()
  expect(server.calls.take()).toHaveLength(5)
})

/** What is answered to bytes as they are, beside what was printed. */
async function answeredTo(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
  socket.end(bytes)
  await new Promise((resolve) => socket.once('close', resolve))
  return text
}

test.each(['a b', '%zz', 'x:999999', '[::'])(
  'a host %j that is none is a bad request, and no stack',
  async (host) => {
    const text = await answeredTo(`GET /graphql HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(text).not.toMatch(/\bat |Error/)
  },
)

test('what goes wrong inside is answered without a word of it', async () => {
  const schema = buildSchema('scalar Large type Query { large: Large }')
  const app = createApp({ schema })
  const large = schema.getQueryType()?.getFields()['large']
  if (large) large.resolve = () => 1n // which JSON has no word for
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  const answer = await app.fetch('http://statline.test/graphql', post({ query: '{ large }' }))
  expect(await answer.json()).toEqual({
    errors: [{ message: 'Unexpected error.', extensions: { code: 'INTERNAL_SERVER_ERROR' } }],
  })
  expect(printed).toHaveBeenCalledTimes(1)
  printed.mockRestore()
})

test('documents that never come again do not fill the memory', async () => {
  const app = createApp({ schema: buildSchema('type Query { a(x: Int): Query b: Int }') })
  const ask = async (n: number) => {
    const fields = Array.from({ length: 900 }, (_, at) => `a${at}: a(x: ${n}) { b }`)
    const query = `{ ${fields.join(' ')} }`
    const extensions = {
      persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(query).digest('hex') },
    }
    const answer = await app.fetch('http://statline.test/graphql', post({ query, extensions }))
    expect(await answer.text()).toContain('a899')
  }
  // Each takes four megabytes when it is parsed: 25 fill the room for them.
  for (let n = 0; n < 30; n += 1) await ask(n)
  const before = heapInUse()
  for (let n = 30; n < 45; n += 1) await ask(n)
  expect((heapInUse() - before) / 1e6).toBeLessThan(15)
})

test('names of operations that a document lacks do not fill the memory', async () => {
  const query = '{ organizations { name } }'
  const ask = (body: object) => fetch(`${server.url}/graphql`, post(body))
  for (let times = 0; times < 2; times += 1) expect((await ask({ query })).status).toBe(200)
  server.calls.take()
  const before = heapInUse()
  for (let nth = 0; nth < 40; nth += 1) {
    const answer = await ask({ query, operationName: `n${nth}_${'x'.repeat(500_000)}` })
    expect(answer.status).toBe(422)
    await answer.text()
  }
  expect((heapInUse() - before) / 1e6).toBeLessThan(10)
  expect(server.calls.take()).toEqual([])
})

test('checked documents are counted by their tokens, so that dense ones do not take more room', () => {
  const most = 10_000_000
  const documents = new CheckedDocuments(schema, most)
  const text = `{${Array.from({ length: 2_000 }, (_, nth) => `a${nth}:__typename`).join(' ')}}`
  expect(documents.valid(text)).toBe(documents.parse(text))
  expect(documents.bytes).toBeGreaterThan(6_000 * 366)
  for (let nth = 0; nth < 6; nth += 1) documents.parse(`${text} # ${nth}`)
  expect(documents.bytes).toBeGreaterThan(most / 2)
  expect(documents.bytes).toBeLessThanOrEqual(most)
})

test('the errors of a document are found once and counted with it, and it is never answered', () => {
  const documents = new CheckedDocuments(schema, 10_000_000)
  const document = documents.parse('{ nothing }')
  expect(documents.valid('{ nothing }')).toBeUndefined()
  expect(documents.errorsOf(document)).toBe(documents.errorsOf(documents.parse('{ nothing }')))
  expect(documents.errorsOf(document).map(({ extensions }) => extensions['http'])).toEqual([unprocessable])
  const before = documents.bytes
  expect(before).toBeGreaterThan(4_000)
  expect(documents.valid('{ no document')).toBeUndefined()
  expect(() => documents.parse('{ no document')).toThrow('Syntax Error')
  expect(documents.bytes - before).toBeGreaterThan(4_000)
})

test('half a request delays no other, and a closing server does not wait for it', async () => {
  const other = await startServer()
  const socket = connect(Number(new URL(other.url).port), '127.0.0.1')
  const gone = new Promise((resolve) => socket.once('close', resolve))
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.write('POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-')
  const answer = await fetch(`${other.url}/graphql?query={__typename}`, { headers: asked })
  expect(await answer.json()).toMatchObject({ data: { __typename: 'Query' } })
  await Promise.all([other.close(), gone])
})
