import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { httpTransport } from '../../src/wire/transport.ts'
import { upstreamChecks } from '../../src/server/upstream-checks.ts'
import { sampleNow } from '../sample.setup.ts'
import { graphOver } from '../graph/harness.ts'
import { ports } from './ports.ts'

const body = JSON.stringify({ 1: { organization_id: '1', name: 'One', inactive: 0, deleted: 0 } })
const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
const length = `content-length: ${body.length}`

const { closing, listening } = ports()
const text = '{ organizations { name } }'

/** A graph over a service that answers every request with these bytes. */
async function over(answer: string, clock = () => sampleNow) {
  let requests = 0
  const server = createServer((socket) => {
    socket.on('data', () => {
      requests += 1
      socket.end(answer)
    })
  })
  const transport = httpTransport(`http://127.0.0.1:${await listening(server)}/v1`)
  closing.push(() => transport.close?.())
  return { graph: graphOver(transport, { clock }), requests: () => requests }
}

const head = (...lines: string[]) => `${['HTTP/1.1 200 OK', ...lines].join('\r\n')}\r\n\r\n`

test.each([
  ['two different lengths', head(length, 'content-length: 3') + body],
  ['the same length twice', head(length, length) + body],
  ['a length and chunks', head(length, 'transfer-encoding: chunked') + chunked],
  ['chunks and a length', head('transfer-encoding: chunked', length) + chunked],
  ['a length that is no number', head('content-length: many') + body],
  ['a negative length', head('content-length: -1') + body],
  ['a folded header', head('x-note: one', ' two', length) + body],
  ['lines that end in LF alone', (head('x-note: one', length) + body).replaceAll('\r\n', '\n')],
  ['one line that ends in LF alone', head('x-note: one\nx-other: two', length) + body],
  ['one line that ends in CR alone', head('x-note: one\rx-other: two', length) + body],
  ['a space before a colon', head('x-note : one', length) + body],
  ['a header without a name', head(': one', length) + body],
  ['a header without a colon', head('x-note', length) + body],
  ['a zero byte in a header', head('x-note: a\0b', length) + body],
  ['a status of two digits', head(length).replace('200', '20') + body],
  ['a status of letters', head(length).replace('200', 'abc') + body],
  ['another version of HTTP', head(length).replace('HTTP/1.1', 'HTTP/3.7') + body],
  ['another protocol', '220 mail.test ESMTP\r\n'],
  ['a change of protocol', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n'],
  ['a frame of HTTP/2', '\0\0\x12\x04\0\0\0\0\0\0\x03\0\0\0\x80\0\x04\0\x01\0\0\0\x05\0\xff\xff\xff'],
])('an answer with %s is an error, bought once', async (_what, answer) => {
  const { graph, requests } = await over(answer)
  const { errors, extensions } = await graph.query(text)
  const codes = errors?.map(({ message, extensions: { code } = {} }) => [code, message])
  expect([codes, requests(), extensions.usage]).toEqual([
    [['UPSTREAM_ERROR', 'The statistics service sent an answer that is not valid HTTP.']],
    1,
    { tokens: 1, bytes: 0, calls: 1, cacheHits: 0, estimated: true },
  ])
  expect(upstreamChecks(graph.upstream, 'sample-paid').readiness.parts['service']).toEqual({
    status: 'degraded',
    reason: 'It cannot be reached: its answer is not valid HTTP (since 2026-02-14T20:00:00.000Z).',
  })
})

test.each([
  ['status', 'HTTP/1.'],
  ['headers', 'HTTP/1.1 200 OK\r\ncontent-le'],
])('an answer that is cut off in its %s is an error, bought once', async (_what, answer) => {
  const { graph, requests } = await over(answer)
  const { errors, extensions } = await graph.query(text)
  const codes = errors?.map(({ message, extensions: { code } = {} }) => [code, message])
  expect([codes, requests(), extensions.usage.tokens]).toEqual([
    [['UPSTREAM_ERROR', 'The statistics service sent an answer that is cut off.']],
    1,
    1,
  ])
})

test.each([
  ['nothing', ''],
  ['an interim answer alone', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
])('a connection that is closed after %s is a reset, and the call is tried again', async (_what, answer) => {
  const { graph, requests } = await over(answer)
  const { errors, extensions } = await graph.query(text)
  const codes = errors?.map(({ extensions: { code } = {} }) => code)
  expect([codes, requests(), extensions.usage.tokens]).toEqual([['UPSTREAM_UNAVAILABLE'], 3, 3])
})

test('a service whose answers are not valid HTTP is asked for no more after four calls', async () => {
  let now = sampleNow
  const { graph, requests } = await over('220 mail.test ESMTP\r\n', () => now)
  for (let nth = 0; nth < 4; nth += 1) {
    now += 2_000
    await graph.query(text)
  }
  const { errors, extensions } = await graph.query('{ divisions { name } }')
  expect(errors?.[0]?.extensions?.code).toBe('UPSTREAM_UNAVAILABLE')
  expect(extensions.usage).toMatchObject({ tokens: 0, calls: 0 })
  expect(requests()).toBe(4)
})
