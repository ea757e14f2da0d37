import { request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { decompress } from 'fzstd'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../src/server/app.ts'
import { codings } from '../../src/server/packed.ts'
import { compressed, listen } from '../../src/server/listen.ts'
import type { Listening } from '../../src/server/listen.ts'
import { basketball, startSample } from '../graph/harness.ts'
import type { Graph, Sample } from '../graph/harness.ts'

let sample: Sample
let graph: Graph
let server: Listening
beforeAll(async () => {
  sample = await startSample()
  graph = sample.graph()
  const app = createApp({ upstream: graph.upstream, apiKey: 'sample-paid', defaults: basketball })
  server = await listen(compressed(app), '127.0.0.1', 0)
})
afterAll(async () => {
  await server.close()
  await sample.close()
})

interface Received {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

const unpackers = new Map<string, (bytes: Buffer) => Uint8Array>([
  ['zstd', (bytes) => decompress(bytes)],
  ['br', (bytes) => brotliDecompressSync(bytes)],
  ['gzip', (bytes) => gunzipSync(bytes)],
])

/** Unpacked by what its headers say. */
function ask(path: string, headers: Record<string, string>, body?: string | Buffer): Promise<Received> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST'
    request(`${server.url}${path}`, { method, headers }, (response) => {
      const chunks: Buffer[] = []
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .once('end', () => {
          const whole = Buffer.concat(chunks)
          const coding = response.headers['content-encoding']
          const unpacked = unpackers.get(String(coding))?.(whole) ?? whole
          resolve({
            status: response.statusCode,
            headers: response.headers,
            text: Buffer.from(unpacked).toString(),
          })
        })
    })
      .once('error', reject)
      .end(body)
  })
}

let days = 0
/** A query of its own, of more than a kilobyte. */
const query = () =>
  `{ league { games(date: "2026-02-12") { g${(days += 1)}: gameId homeScore homeTeam { id name } awayTeam { id name } } } }`

/** Node.js has Zstandard since 22.15. */
const orZstd = (coding: string | undefined) => (codings.includes('zstd') ? 'zstd' : coding)

/** `Accept-Encoding`, and the coding that an answer has. */
const cases: readonly (readonly [accepted: string | null, coding: string | undefined])[] = [
  [null, undefined],
  ['', undefined],
  ['identity', undefined],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['br', 'br'],
  ['Br', 'br'],
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate, br, zstd', orZstd('br')],
  ['gzip, br, zstd;q=0.5', 'br'],
  ['br;q=0.5, gzip', 'gzip'],
  ['br, gzip;q=0.5', 'br'],
  ['gzip;q=0.5, identity', undefined],
  ['*', orZstd('br')],
  ['*, br;q=0', orZstd('gzip')],
  ['*, br;q=0, zstd;q=0', 'gzip'],
  ['gzip;q=0', undefined],
  ['gzip;q=0;a=b', undefined],
  ['gzip; q=0.000', undefined],
  ['*;q=0', undefined],
  ['notgzip', undefined],
  ['x-gzip', undefined],
  ['gzipped, brotli', undefined],
  ['deflate', undefined],
  ['zstd', orZstd(undefined)],
]

describe('one coding for each `Accept-Encoding`', () => {
  test.each(cases)('%j, whichever part of the server answers', async (accepted, coding) => {
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(accepted !== null && { 'accept-encoding': accepted }),
    }
    const text = query()
    const body = JSON.stringify({ query: text })
    const address = `/graphql?${new URLSearchParams({ query: text })}`
    const plain = await ask(
      '/graphql',
      { 'content-type': 'application/json', accept: 'application/json' },
      body,
    )
    graph.calls.take()
    // From rows, which keeps it; from bytes, twice; by Yoga; and a page.
    const answers = [
      await ask('/graphql', headers, body),
      await ask('/graphql', headers, body),
      await ask('/graphql', headers, body),
      await ask(address, headers),
      await ask('/', { ...headers, accept: 'text/html' }),
    ]
    expect(answers.map((answer) => answer.headers['content-encoding'])).toEqual(answers.map(() => coding))
    for (const { headers: sent } of answers) expect(sent.vary).toContain('Accept-Encoding')
    const { data } = JSON.parse(plain.text) as { data: unknown }
    for (const answer of answers.slice(0, -1)) expect(JSON.parse(answer.text)).toMatchObject({ data })
    expect(answers.at(-1)?.text).toContain('<!doctype html>')
    expect(graph.calls.take()).toEqual([])
  })

  test('an answer of less than a kilobyte is sent as it is', async () => {
    const headers = { 'content-type': 'application/json', 'accept-encoding': 'br, gzip' }
    for (const accept of ['application/json', '*/*'])
      for (let times = 0; times < 3; times += 1) {
        const { headers: sent, text } = await ask(
          '/graphql',
          { ...headers, accept },
          '{"query":"{ __typename }"}',
        )
        expect([sent['content-encoding'], JSON.parse(text)]).toMatchObject([
          undefined,
          { data: { __typename: 'Query' } },
        ])
      }
    expect(graph.calls.take()).toEqual([])
  })

  test('a HEAD request is answered without a body, as its GET would be', async () => {
    const response = await fetch(`${server.url}/`, { method: 'HEAD', headers: { accept: 'text/html' } })
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect(response.headers.get('vary')).toContain('Accept-Encoding')
  })
})

test.each(['gzip', 'br', 'x-other'])(
  'a body that is packed by %s is refused with 415, before anything is spent',
  async (coding) => {
    const body = gzipSync(JSON.stringify({ query: query() }))
    for (const accept of ['application/json', 'text/event-stream', '*/*']) {
      const headers = { 'content-type': 'application/json', 'content-encoding': coding, accept }
      const { status, headers: sent, text } = await ask('/graphql', headers, body)
      expect([status, sent['accept-encoding']]).toEqual([415, 'identity'])
      expect(text).toContain('UNSUPPORTED_MEDIA_TYPE')
    }
    expect(graph.calls.take()).toEqual([])
  },
)
