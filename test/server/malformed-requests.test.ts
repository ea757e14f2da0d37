import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../src/server/app.ts'
import { hostCheck } from '../../src/server/hosts.ts'
import { compressed, listen, starting } from '../../src/server/listen.ts'
import type { Listening } from '../../src/server/listen.ts'
import { basketball, startSample } from '../graph/harness.ts'
import type { Graph, Sample } from '../graph/harness.ts'

let sample: Sample
let graph: Graph
const listening: Listening[] = []
const urls = new Map<string, string>()

beforeAll(async () => {
  sample = await startSample()
  graph = sample.graph()
  const isOurHost = hostCheck(null, '127.0.0.1')
  const app = createApp({ upstream: graph.upstream, apiKey: 'sample-paid', defaults: basketball, isOurHost })
  for (const [name, listener] of Object.entries({ graph: compressed(app), admin: app.admin, starting })) {
    const server = await listen(listener, '127.0.0.1', 0)
    listening.push(server)
    urls.set(name, server.url)
  }
  urls.set('service', sample.url)
})
afterAll(async () => {
  for (const server of listening) await server.close()
  await sample.close()
})

/** All that a port sends back to these bytes, until it closes the connection or both sides rest. */
function answerOf(port: string, bytes: string): Promise<string> {
  const { hostname, port: number } = new URL(urls.get(port) ?? '')
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(Number(number), hostname)
    socket.on('error', () => {}).on('close', () => resolve(text))
    socket.on('data', (data) => (text += data.toString('latin1')))
    // The end of what is sent ends the connection too, once it is answered.
    socket.end(bytes)
  })
}

const body = '{"query":"{ __typename }"}'
const typed = 'content-type: application/json\r\n'
const posted = (target: string, headers = '', text = body) =>
  `POST ${target} HTTP/1.1\r\nhost: localhost:4000\r\nconnection: close\r\n${typed}${headers}content-length: ${text.length}\r\n\r\n${text}`
const got = (target: string, headers = 'host: localhost:4000\r\n', method = 'GET') =>
  `${method} ${target} HTTP/1.1\r\n${headers}connection: close\r\n\r\n`

const targets = [
  'http://localhost/graphql',
  'http://localhost',
  'https://localhost/ready?x=1',
  'HTTP://LOCALHOST/graphql',
  'http://[::1/graphql',
  'http://',
  'http:///graphql',
  'ftp://localhost/graphql',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'localhost:80',
  '*',
  '//',
  '//graphql',
  '///',
  '/%',
  '/%00',
  '/%ff%fe',
  '/..%2f..%2fetc/passwd',
  '/../../package.json',
  '/src/main.ts',
  '/\\..\\..',
  '/graphql?query=%',
  '/graphql?query=%7B__typename%7D&variables=%',
  '/graphql?%',
  '/graphql/',
  '/graphql#x',
  '/usage?day=%',
  '/usage?month=x&month=y',
  '/v1/%/%',
  '/v1/team/read?%',
  `/${'a'.repeat(8_000)}`,
]
const headers = [
  'host: \r\n',
  'host: a b\r\n',
  'host: [\r\n',
  'host: localhost:99999\r\n',
  'host: localhost\r\nhost: other\r\n',
  '',
  'host: localhost\r\naccept: \x01\r\n',
  'host: localhost\r\naccept: ;;;,,,\r\n',
  'host: localhost\r\norigin: x\r\n',
  'host: localhost\r\norigin: http://[\r\n',
  'host: localhost\r\nexpect: x\r\n',
  'host: localhost\r\ntransfer-encoding: x\r\n',
  'host: localhost\r\ncontent-length: x\r\n',
  'host: localhost\r\nx: \xff\xfe\r\n',
  'host: localhost\r\nif-none-match: \xff\r\n',
  'host: localhost\r\nrange: bytes=x\r\n',
  'host: localhost\r\ntraceparent: 00-x\r\n',
  'host: localhost\r\nx-api-key: \xff\r\n',
  'host: localhost\r\ngraphql-client-name: \xff\r\n',
  'host: localhost\r\nupgrade: websocket\r\nconnection: upgrade\r\n',
  'host: localhost\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-key: x\r\nsec-websocket-version: 99\r\n',
  'host: localhost\r\nupgrade: h2c\r\nconnection: upgrade\r\n',
]
const posts = [
  'content-encoding: gzip\r\n',
  'content-encoding: x\r\n',
  'apollo-federation-include-trace: ftv1\r\n',
  'accept: text/event-stream\r\n',
  'accept: multipart/mixed\r\n',
  'accept: text/html\r\n',
]
const texts = ['{', '', '[', '"', '\xff', 'null', '[]', '{"query":null}', '{"query":{}}', '\x00']

const requests = [
  ...['GET', 'POST', 'OPTIONS', 'HEAD', 'PUT', 'DELETE', 'TRACE', 'PROPFIND', 'CONNECT'].flatMap((method) =>
    targets.map((target) => got(target, undefined, method)),
  ),
  ...targets.map((target) => posted(target)),
  ...headers.flatMap((one) => ['/graphql', '/ready', '/v1/team/read'].map((target) => got(target, one))),
  ...posts.map((one) => posted('/graphql', one)),
  ...texts.map((text) => posted('/graphql', '', text)),
  'GET\r\n\r\n',
  'x',
  'GET / HTTP/9.9\r\n\r\n',
  'GET  / HTTP/1.1\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01',
]

describe.each(['graph', 'admin', 'starting', 'service'])('the port of %s', (port) => {
  test('answers no malformed request with a stack, a path or an internal error', async () => {
    const told: string[] = []
    for (const request of requests) {
      const answer = await answerOf(port, request)
      const isInternal = /\n\s+at |file:|node:|node_modules|\/src\/|\/dist\/|\.[jt]s:\d/.test(answer)
      const isFailed = /^HTTP\/1.1 500|INTERNAL_SERVER_ERROR|internal_error/.test(answer)
      if (isInternal || isFailed) told.push(`${request.slice(0, 200)} → ${answer.slice(0, 200)}`)
    }
    expect(told).toEqual([])
    expect(graph.calls.take()).toEqual([])
  })
})

const statusOf = (answer: string) => Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1])

test('a target with the whole address is the same request as its path, for the host in it', async () => {
  const plain = await answerOf('graph', posted('/graphql'))
  expect(plain).toContain('{"data":{"__typename":"Query"}')
  for (const target of ['http://localhost/graphql', 'HTTP://127.0.0.1/graphql'])
    expect(await answerOf('graph', posted(target))).toContain('{"data":{"__typename":"Query"}')
  expect(statusOf(await answerOf('graph', got('http://localhost/ready')))).toBe(200)
  expect(statusOf(await answerOf('admin', got('http://localhost/metrics')))).toBe(200)
  // The header may not hide the host that is asked for.
  for (const port of ['graph', 'admin'])
    expect(statusOf(await answerOf(port, got('http://evil.example/metrics')))).toBe(403)
})

test('OPTIONS * is answered without a body, and every other target without a path with 400', async () => {
  for (const port of ['graph', 'admin']) {
    expect(statusOf(await answerOf(port, got('*', undefined, 'OPTIONS')))).toBe(204)
    for (const [target, method] of [
      ['*', 'GET'],
      ['*', 'POST'],
      ['ftp://localhost/graphql', 'GET'],
      ['http:///graphql', 'GET'],
    ] as const)
      expect([target, statusOf(await answerOf(port, got(target, undefined, method)))]).toEqual([target, 400])
  }
})

/** Bodies, cut off or not, that are no request. */
const bodies = ['{"query":"{ __type', '{', 'query', 'null', '[]', '3', '{}', '{"query":{}}', '{"query":[]}']

test.each([
  'text/event-stream',
  'multipart/mixed',
  'application/json',
  'application/graphql-response+json',
  '*/*',
])('a body that is no request is answered with 400 before a stream begins, also to %s', async (accept) => {
  for (const text of bodies) {
    const answer = await answerOf('graph', posted('/graphql', `accept: ${accept}\r\n`, text))
    expect([text, statusOf(answer), answer]).toEqual([text, 400, expect.stringContaining('"BAD_REQUEST"')])
  }
  // The protocol wants faults of a document as events of a stream that was accepted.
  const document = await answerOf(
    'graph',
    posted('/graphql', `accept: ${accept}\r\n`, '{"query":"{ nothing }"}'),
  )
  expect(document).toContain('GRAPHQL_VALIDATION_FAILED')
  expect(statusOf(document)).toBe(/graphql-response|multipart/.test(accept) ? 422 : 200)
  expect(graph.calls.take()).toEqual([])
})
