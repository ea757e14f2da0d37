import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createApp } from '../../src/server/app.ts'
import type { ServerOptions } from '../../src/server/app.ts'
import { compressed, listen } from '../../src/server/listen.ts'
import type { Listening } from '../../src/server/listen.ts'
import { until } from '../client/living.ts'
import { basketball, startSample } from '../graph/harness.ts'
import type { Recorder } from '../graph/recorder.ts'

const sample = await startSample()
afterAll(() => sample.close())

let server: Listening
let port: number
let billed: Recorder
let lines: Record<string, unknown>[]
const log = { info: (line: object) => void lines.push({ ...line }), error: () => {} }

async function serve(options: ServerOptions = {}): Promise<void> {
  const { upstream, calls } = sample.graph()
  billed = calls
  const isOurHost = (host: string) => host.startsWith('127.0.0.1')
  const app = createApp({ upstream, apiKey: 'sample-paid', defaults: basketball, log, isOurHost, ...options })
  server = await listen(compressed(app), '127.0.0.1', 0)
  port = Number(new URL(server.url).port)
}

beforeEach(() => void (lines = []))
afterEach(() => server.close())

const sender = { 'graphql-client-name': 'oldpage', 'x-request-id': 'page-7' }

/** The line of a request that is refused before its query is read. */
const line = (method: string, status: number, code: string, path = '/graphql') => ({
  id: 'page-7',
  method,
  path,
  status,
  ms: expect.any(Number),
  operation: undefined,
  events: undefined,
  outcome: 'failed',
  codes: [code],
  client: 'oldpage',
  key: expect.stringMatching(/^[\w-]{8}$/),
  tokens: 0,
  bytes: 0,
  calls: 0,
  cacheHits: 0,
  tokensByOperation: {},
  attempts: 0,
})

/** Sends raw bytes, and returns the status line of the answer. */
async function send(text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.end(text)
  const [data] = (await once(socket, 'data')) as [Buffer]
  return data.toString().split('\r\n', 1)[0] ?? ''
}

const head = (headers: Record<string, string>, method = 'POST') =>
  [
    `${method} /graphql HTTP/1.1`,
    ...Object.entries({ ...sender, ...headers }).map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n')

test.each([
  ['from a page of another site', { host: '127.0.0.1', origin: 'https://evil.test' }, 403, 'FORBIDDEN'],
  ['for a host that is not ours', { host: 'rebound.test' }, 403, 'FORBIDDEN'],
  ['of a type that is not read', { 'content-type': 'text/csv' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['for a type that is not written', { accept: 'image/png' }, 406, 'NOT_ACCEPTABLE'],
])('a query %s is logged with its sender, outcome and code', async (_what, headers, status, code) => {
  await serve()
  const all = { host: '127.0.0.1', 'content-type': 'application/json', 'content-length': '2', ...headers }
  expect(await send(`${head(all as Record<string, string>)}{}`)).toContain(String(status))
  await until(() => lines.length > 0)
  expect(lines).toEqual([line('POST', status, code)])
})

const nothingSpent = { usage: { tokens: 0, bytes: 0, calls: 0, cacheHits: 0 } }

test.each([
  ['from a page of another site', { origin: 'https://evil.test' }, '{}', 403, 'FORBIDDEN', 'CORS_ORIGINS'],
  ['for a host that is not ours', { host: 'rebound.test' }, '{}', 403, 'FORBIDDEN', 'ALLOWED_HOSTS'],
  [
    'of a type that is not read',
    { 'content-type': 'text/csv' },
    '{}',
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    'application/json',
  ],
  ['without a query', {}, '{}', 400, 'BAD_REQUEST', 'query string'],
  ['with null for a query', {}, '{"query":null}', 400, 'BAD_REQUEST', 'query string'],
  ['with a number for a query', {}, '{"query":5}', 400, 'BAD_REQUEST', 'query'],
  [
    'in a form without a query',
    { 'content-type': 'application/x-www-form-urlencoded' },
    'name=x',
    400,
    'BAD_REQUEST',
    '',
  ],
])('a request %s is answered by GraphQL, with a code', async (_what, headers, body, status, code, says) => {
  await serve()
  const answered = await new Promise<{ status?: number; type?: string; text: string }>((resolve, reject) => {
    const all = { 'content-type': 'application/json', accept: 'application/json', ...headers }
    const sent = request(
      { port, host: '127.0.0.1', path: '/graphql', method: 'POST', headers: all },
      (got) => {
        let text = ''
        got.on('data', (part) => (text += part))
        got.on('end', () => resolve({ status: got.statusCode, type: got.headers['content-type'], text }))
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
  expect(answered).toMatchObject({ status, type: 'application/json; charset=utf-8' })
  expect(JSON.parse(answered.text)).toEqual({
    errors: [{ message: expect.stringContaining(says), extensions: { code } }],
    extensions: nothingSpent,
  })
  expect(billed.take()).toEqual([])
})

async function handshake(path: string, headers: Record<string, string>): Promise<unknown> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, 'graphql-transport-ws', {
    headers: { ...sender, ...headers },
  })
  socket.on('error', () => {})
  const [, { statusCode, headers: answered }] = await once(socket, 'unexpected-response')
  return [statusCode, answered['x-request-id']]
}

test.each([
  ['of a page of another site', '/graphql', { origin: 'https://evil.test' }, 403, 'FORBIDDEN'],
  ['for another path', '/metrics?all', {}, 404, 'NOT_FOUND'],
  ['that is one too many', '/graphql', {}, 429, 'TOO_MANY_REQUESTS'],
])('a WebSocket %s is logged, under the id that it is told', async (_what, path, headers, status, code) => {
  await serve({ subscriptionLimits: { perClient: 0, inTotal: 5 } })
  expect(await handshake(path, headers as Record<string, string>)).toEqual([status, 'page-7'])
  expect(lines).toEqual([line('GET', status, code, path.replace(/\?.*/, ''))])
})

test.each([
  ['sends what is no message', 'graphql-transport-ws', 'nonsense', 4400, 'BAD_REQUEST'],
  [
    'subscribes before it is let in',
    'graphql-transport-ws',
    '{"id":"1","type":"subscribe","payload":{"query":"{ __typename }"}}',
    4401,
    'UNAUTHORIZED',
  ],
  ['speaks another protocol', [], null, 4406, 'SUBPROTOCOL_NOT_ACCEPTABLE'],
])('a WebSocket that %s is logged when it is closed', async (_what, protocol, message, close, code) => {
  await serve()
  const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, protocol, { headers: sender })
  socket.on('open', () => message !== null && socket.send(message))
  expect((await once(socket, 'close'))[0]).toBe(close)
  await until(() => lines.length > 0)
  expect(lines).toEqual([line('GET', 101, code)])
})

test('a WebSocket that its client or the server closes without a fault has no line', async () => {
  await serve()
  const sockets = [1, 2].map(() => new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws'))
  for (const socket of sockets) if (socket.readyState !== WebSocket.OPEN) await once(socket, 'open')
  sockets[0]?.close(4400)
  await server.close()
  expect(lines).toEqual([])
  await serve()
})

test.each([
  [
    'of a known length',
    499,
    'CLIENT_CLOSED_REQUEST',
    { 'content-type': 'application/json', 'content-length': '50' },
    '{"query":',
  ],
  [
    'of a subscription',
    499,
    'CLIENT_CLOSED_REQUEST',
    { accept: 'text/event-stream', 'content-type': 'application/json', 'content-length': '50' },
    '{',
  ],
  [
    'in chunks',
    400,
    'BAD_REQUEST',
    { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
    '5\r\n{"que\r\n',
  ],
])('a request whose body %s is cut is logged once', async (_what, status, code, headers, body) => {
  await serve()
  const socket = connect(port, '127.0.0.1')
  const given = { host: '127.0.0.1', ...headers } as Record<string, string>
  await new Promise<void>((resolve) => socket.write(`${head(given)}${body}`, () => resolve()))
  await wait(50)
  socket.destroy()
  await until(() => lines.length > 0)
  await wait(50)
  expect(lines).toEqual([line('POST', status, code)])
})

test('a request that is answered before its body has come is logged once', async () => {
  await serve()
  const headers = { host: 'rebound.test', 'content-type': 'application/json', 'content-length': '50' }
  expect(await send(`${head(headers)}{`)).toContain('403')
  await until(() => lines.length > 0)
  await wait(50)
  expect(lines).toEqual([line('POST', 403, 'FORBIDDEN')])
})
