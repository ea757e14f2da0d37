import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { httpTransport } from '../../src/wire/transport.ts'
import type { Json } from '../service/client.ts'
import { graphOver } from './harness.ts'

const mebibyte = 1_048_576
const text = '{ organizations { name } divisions { name } }'
const good = JSON.stringify({ 1: { division_id: '1', name: 'One', inactive: 0, deleted: 0 } })
const usage = { 'x-request-usage': '7' }
/** Longer than any test, so that nothing fails because of a timeout. */
const never = 600_000
/** Takes milliseconds, but seconds on a busy machine. */
/** Made before the tests start, because it takes seconds on a busy machine. */
const bomb = gzipSync(Buffer.alloc(300 * mebibyte))

interface Seen {
  readonly data: Json
  readonly codes: readonly unknown[]
  readonly usage: unknown
  /** Calls for organizations, which are the ones answered badly. */
  readonly sent: number
  /** Growth of the resident memory while the answer was received, in MiB. */
  readonly grown: number
}

/** Queries organizations, which get this answer, and divisions, which get a good one. */
async function over(
  answer: (response: ServerResponse) => void,
  { largest = mebibyte, timeoutMs = never } = {},
): Promise<Seen> {
  let [sent, closed] = [0, 0]
  const server = createServer((request, response) => {
    if (!request.url?.includes('organization')) return void response.writeHead(200, usage).end(good)
    sent += 1
    response.once('close', () => (closed += 1))
    answer(response)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  const transport = httpTransport(`http://127.0.0.1:${port}/v1`, { largest })
  const graph = graphOver(transport, { timeoutMs })
  const before = process.memoryUsage.rss()
  const { data, errors = [], extensions } = await graph.query<Json>(text)
  const grown = (process.memoryUsage.rss() - before) / mebibyte
  await expect.poll(() => closed).toBe(sent) // no connection is left open
  expect(graph.upstream.ledgers.totals()).toMatchObject({ tokens: extensions.usage.tokens })
  await transport.close?.()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  const codes = errors.map(({ path, extensions: { code } = {} }) => [path?.join('.'), code])
  return { data, codes, usage: extensions.usage.tokens, sent, grown }
}

/** Writes chunks until the connection is closed. */
function endlessly(response: ServerResponse, chunk: Buffer): void {
  const write = () => {
    if (response.destroyed) return
    if (response.write(chunk)) setImmediate(write)
    else response.once('drain', write)
  }
  write()
}

const failed = (code: string) => ({
  data: { organizations: null, divisions: [{ name: 'One' }] },
  codes: [['organizations', code]],
  usage: 14,
  sent: 1,
})

const deep = (open: string, close: string) => open.repeat(100_000) + '1' + close.repeat(100_000)

test.each<[what: string, answer: (response: ServerResponse) => void]>([
  [
    'a gzip bomb',
    (response) => void response.writeHead(200, { ...usage, 'content-encoding': 'gzip' }).end(bomb),
  ],
  ['an endless body', (response) => endlessly(response.writeHead(200, usage), Buffer.alloc(65_536, ' '))],
  [
    'an endless sequence of empty gzip members',
    (response) => {
      const members = Buffer.concat(Array.from({ length: 1_000 }, () => gzipSync('')))
      endlessly(response.writeHead(200, { ...usage, 'content-encoding': 'gzip' }), members)
    },
  ],
  [
    'a body that announces more than is allowed',
    (response) => void response.writeHead(200, { ...usage, 'content-length': 1e12 }).write('{'),
  ],
  [
    'a body that is cut off',
    (response) => {
      response.writeHead(200, usage).write('{"1":{"organization_id":')
      setTimeout(() => response.destroy(), 50)
    },
  ],
  [
    'a column 100,000 objects deep',
    (response) => {
      const row = `{"organization_id":"1","name":"One","extra":${deep('{"a":', '}')}}`
      response.writeHead(200, usage).end(`{"1":${row}}`)
    },
  ],
  // Read as a whole, its patterns would take minutes.
  [
    'an error of a megabyte of words that say much',
    (response) => void response.writeHead(200, usage).end(`{"error":"${'token '.repeat(160_000)}"}`),
  ],
  ['100,000 lists', (response) => void response.writeHead(200, usage).end(`{"1":${deep('[', ']')}}`)],
])('%s is one failed call, billed, not repeated, and closed', async (_what, answer) => {
  const seen = await over(answer)
  expect(seen).toMatchObject(failed('UPSTREAM_ERROR'))
  expect(seen.grown).toBeLessThan(250)
})

test('a body that drips is given up in time, and billed', async () => {
  const drips = (response: ServerResponse) => {
    response.writeHead(200, usage)
    const drip = setInterval(() => response.write(' '), 20)
    response.once('close', () => clearInterval(drip))
  }
  expect(await over(drips, { timeoutMs: 1_000 })).toMatchObject(failed('UPSTREAM_TIMEOUT'))
})

test('headers of a mebibyte are no answer, and not asked for again', async () => {
  const seen = await over((response) => {
    response.writeHead(200, { ...usage, 'x-padding': 'x'.repeat(mebibyte) }).end(good)
  })
  expect(seen).toMatchObject({ codes: [['organizations', 'UPSTREAM_ERROR']], sent: 1 })
})

test.each<[what: string, headers: Record<string, string>, body: string | Buffer]>([
  ['begins with the mark of UTF-8', {}, `\ufeff${good}`],
  ['is packed as x-gzip, the old name of gzip', { 'content-encoding': 'x-gzip' }, gzipSync(good)],
])('an answer that %s is read', async (_what, headers, body) => {
  const seen = await over((response) => void response.writeHead(200, { ...usage, ...headers }).end(body))
  expect(seen.codes).toEqual([])
})

test('an answer just below the limit is answered', async () => {
  const padding = ' '.repeat(mebibyte - good.length)
  const seen = await over((response) => void response.writeHead(200, usage).end(good + padding))
  expect(seen.codes).toEqual([])
})

test('bodies that are received at once are bounded together, and what they held is free again', async () => {
  const open = new Set<ServerResponse>()
  const server = createServer((_request, response) => {
    open.add(response.writeHead(200, usage))
    response.once('close', () => open.delete(response))
    response.write(Buffer.alloc(900_000, ' '))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  const transport = httpTransport(`http://127.0.0.1:${port}/v1`, { largest: mebibyte })
  const graph = graphOver(transport, { timeoutMs: never })
  const idOf = (nth: number) => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`
  const ask = (nth: number) => graph.query(`{ team(id: "${idOf(nth)}") { stats(season: 2026) { games } } }`)
  /** Requests more bodies than fit at once, and ends those that do. */
  const codesOf = async (first: number, count: number, fitting: number) => {
    const asked = Array.from({ length: count }, (_, nth) => ask(first + nth))
    await expect.poll(() => graph.calls.sent.filter(({ ended }) => ended === 0).length).toBe(fitting)
    await expect.poll(() => open.size).toBe(fitting)
    for (const response of open) response.end(good)
    const answers = await Promise.all(asked)
    return answers.flatMap(({ errors = [] }) => errors.map(({ extensions }) => extensions?.code))
  }
  expect(await codesOf(0, 12, 4)).toEqual(Array.from({ length: 8 }, () => 'UPSTREAM_ERROR'))
  expect(await codesOf(12, 4, 4)).toEqual([])
  await transport.close?.()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})
