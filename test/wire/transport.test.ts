import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Json } from '../service/client.ts'
import { httpTransport } from '../../src/wire/transport.ts'
import { badService } from '../graph/bad-service.ts'
import { graphOver } from '../graph/harness.ts'

const text = '{ organizations { name } }'
const rows = JSON.stringify({ 1: { organization_id: '1', name: 'One', inactive: 0, deleted: 0 } })

/** A graph's answer and bill over a service that answers like this. */
async function over(answer: (response: ServerResponse, nth: number) => void) {
  const bad = await badService(answer)
  const { data, errors, extensions } = await bad.graph.query<Json>(text)
  const { data: after } = await bad.graph.query<Json>('{ usage { tokens bytes calls } }')
  await bad.stop()
  const codes = errors?.map((error) => error.extensions?.code)
  return {
    data: data['organizations'],
    errors,
    codes,
    usage: extensions.usage,
    month: after['usage'],
    sent: bad.calls(),
  }
}

describe.concurrent('between the service and the graph', () => {
  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('an answer that was packed by %s is unpacked, and billed as it is', async (encoding, pack) => {
    const { data, codes, usage } = await over((response) => {
      response.writeHead(200, { 'content-encoding': encoding, 'x-request-usage': '1' }).end(pack(rows))
    })
    expect(codes).toBeUndefined()
    expect(data).toEqual([{ name: 'One' }])
    expect(usage).toEqual({ tokens: 1, bytes: rows.length, calls: 1, cacheHits: 0 })
  })

  test('an answer that cannot be unpacked is no answer', async () => {
    const { data, codes, sent } = await over((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(rows).subarray(0, 20))
    })
    expect([data, codes, sent]).toEqual([null, ['UPSTREAM_ERROR'], 1])
  })

  test.each([301, 302, 304, 307])('status %d is no answer, and nobody is followed', async (status) => {
    const { data, codes, sent } = await over((response) => {
      response.writeHead(status, { location: 'http://127.0.0.1:9/' }).end(status === 304 ? undefined : '{}')
    })
    expect([data, codes, sent]).toEqual([null, ['UPSTREAM_ERROR'], 1])
  })

  test('an error that says that the service is unavailable is one that may pass, and billed as it says', async () => {
    const { codes, usage, sent } = await over((response) => {
      const error = {
        code: 'unavailable',
        message: 'The data is not available at the moment. Try again later.',
      }
      response.setHeader('x-request-usage', '0').end(JSON.stringify({ error }))
    })
    expect([codes, usage.tokens, sent]).toEqual([['UPSTREAM_UNAVAILABLE'], 0, 1])
  })

  test.each([
    ['in seconds', { 'retry-after': '1' }],
    ['as a date', { 'retry-after': 'Sat, 14 Feb 2026 19:58:31 GMT', date: 'Sat, 14 Feb 2026 19:58:30 GMT' }],
  ])('a service that says %s when to come back is not asked before', async (_form, headers) => {
    const times: number[] = []
    const { data, codes, sent } = await over((response) => {
      times.push(performance.now())
      if (times.length === 1) response.writeHead(503, headers).end()
      else response.end(rows)
    })
    expect([data, codes, sent]).toEqual([[{ name: 'One' }], undefined, 2])
    // The test waits for it: it is the shortest pause that a header can name, and longer than those between usual tries.
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(1_000 - 10)
  })

  test.each([
    ['3600', 'in 3600 seconds', 3_600],
    ['58', 'in 58 seconds', 58],
    ['Sat, 14 Feb 2026 20:58:30 GMT', 'in 3600 seconds', 3_600],
  ])(
    '`retry-after: %s` is beyond the time of the call, so it fails at once',
    async (told, words, retryAfter) => {
      const { errors, sent, usage } = await over((response) => {
        response.writeHead(429, { 'retry-after': told, date: 'Sat, 14 Feb 2026 19:58:30 GMT' }).end()
      })
      expect(errors).toEqual([
        expect.objectContaining({
          message: `The statistics service is not available. It asks to be called again ${words}.`,
          extensions: { code: 'UPSTREAM_UNAVAILABLE', retryAfter },
        }),
      ])
      expect([sent, usage]).toEqual([1, { tokens: 0, bytes: 0, calls: 1, cacheHits: 0 }])
    },
  )

  test('a call that failed is among the month’s as it is among the request’s', async () => {
    const { codes, usage, month } = await over((response) => void response.destroy())
    expect(codes).toEqual(['UPSTREAM_UNAVAILABLE'])
    // Each of the three tries was sent and may have been billed, so its reservation stays.
    expect(usage).toEqual({ tokens: 3, bytes: 0, calls: 1, cacheHits: 0, estimated: true })
    expect(month).toEqual({ tokens: 3, bytes: 0, calls: 1 })
  })
})

test.each(['', '/', '/v1', '/v1/'])(
  'a call of many ids goes to the base address, though it be %j',
  async (base) => {
    const asked: unknown[] = []
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`)
      response.end('{}')
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo // it listens on a port
    const transport = httpTransport(`http://127.0.0.1:${port}${base}`)
    const ids = Array.from(
      { length: 100 },
      (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    )
    const text = 'query ($ids: [ID!]!) { teams(ids: $ids) { name } }'
    const { errors } = await graphOver(transport).query(text, { variables: { ids } })
    await transport.close?.()
    server.close()
    expect([errors, asked]).toEqual([undefined, [`POST ${base.replace(/\/$/, '') || '/'}`]])
  },
)
