import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { httpTransport } from '../../src/wire/transport.ts'
import type { Transport } from '../../src/wire/transport.ts'
import { graphOver } from './harness.ts'
import type { Answer, Graph, GraphOptions } from './harness.ts'

/**
 * How a hostile service answers a request. `nth` counts all requests from one; `bill` adds to the sum that it
 * says it billed.
 */
type Behaviour = (request: Asked, response: ServerResponse) => void

interface Asked {
  readonly operation: string
  readonly apiKey: string
  readonly nth: number
  /** Headers that bill so many tokens, which the service adds to its own account. */
  readonly bill: (tokens: number) => { 'x-request-usage': string }
}

/** Longer than any test: only what has to time out does. */
const never = 600_000

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/**
 * A service over real HTTP that behaves as badly as it is told to, and keeps its own account of what it
 * billed.
 */
async function hostile(behave: Behaviour, options: GraphOptions = {}) {
  const asked: string[] = []
  let billed = 0
  const bill = (tokens: number) => {
    billed += tokens
    return { 'x-request-usage': String(tokens) }
  }
  const server = createServer((request: IncomingMessage, response) => {
    const operation = (request.url ?? '').slice('/v1/'.length).split('?')[0] ?? ''
    asked.push(operation)
    const apiKey = String(request.headers['x-api-key'])
    behave({ operation, apiKey, nth: asked.length, bill }, response)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  const transport: Transport = httpTransport(`http://127.0.0.1:${port}/v1`)
  const graph = graphOver(transport, { timeoutMs: never, ...options })
  const stopListening = () =>
    new Promise((resolve) => {
      server.close(resolve)
      server.closeAllConnections()
    })
  stops.push(async () => {
    await transport.close?.()
    await stopListening()
  })
  return { graph, asked, billed: () => billed, stopListening }
}

const idOf = (nth: number) => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`
const stats = (nth: number) => `{ team(id: "${idOf(nth)}") { stats(season: 2026) { games } } }`
const named = (nth: number) => `{ team(id: "${idOf(nth)}") { name } }`
const roster = (nth: number) =>
  `{ league { team(id: "${idOf(nth)}") { roster(season: 2026) { lastName } } } }`

/** A row of about so many bytes. */
const rowOf = (bytes: number) =>
  JSON.stringify({ statistic_ranking_id: idOf(9), games: 3, deleted: 0, padding: 'x'.repeat(bytes) })

const range = (count: number) => Array.from({ length: count }, (_, nth) => nth + 1)
const codesOf = ({ errors = [] }: Answer<unknown>) => errors.map(({ extensions }) => extensions?.code)

interface Month {
  readonly tokens: number
  readonly calls: number
  readonly bytes: number
  readonly remaining: number | null
}

const monthOf = async (graph: Graph, apiKey?: string) => {
  const headers: Record<string, string> = apiKey === undefined ? {} : { 'x-api-key': apiKey }
  const { data } = await graph.query<{ usage: Month }>('{ usage { tokens calls bytes remaining } }', {
    headers,
  })
  return data.usage
}

describe('usage is booked when the headers arrive', () => {
  const truncated: Behaviour = ({ bill }, response) => {
    response.writeHead(200, { ...bill(225), 'content-length': '5000' }).write('{"name":')
    setTimeout(() => response.destroy(), 20)
  }

  test('a truncated body costs what its headers say, and is not bought again', async () => {
    const { graph, asked, billed } = await hostile(truncated)
    const answer = await graph.query(stats(1))
    expect(codesOf(answer)).toEqual(['UPSTREAM_ERROR'])
    expect(answer.extensions.usage).toMatchObject({ tokens: 225, calls: 1 })
    expect(answer.extensions.usage).not.toHaveProperty('estimated')
    expect(asked).toEqual(['team/getStats'])
    expect(await monthOf(graph)).toMatchObject({ tokens: billed(), calls: 1 })
  })

  test('truncated bodies exhaust the budget by one call at most', async () => {
    const { graph, billed } = await hostile(truncated, { budget: 100 })
    const answers = await Promise.all(range(8).map((nth) => graph.query(stats(nth))))
    expect(answers.map(codesOf)).toEqual([['UPSTREAM_ERROR'], ...range(7).map(() => ['BUDGET_EXCEEDED'])])
    expect(billed()).toBe(225)
    expect(await monthOf(graph)).toMatchObject({ tokens: 225, remaining: 0 })
  })

  test('a body that stalls is on the ledger before it times out', async () => {
    const { graph, billed } = await hostile(
      ({ bill }, response) => void response.writeHead(200, bill(40)).write('{'),
      { budget: 1_000, timeoutMs: 1_000 },
    )
    let isOver = false
    const answer = graph.query(stats(1)).finally(() => (isOver = true))
    await expect.poll(async () => (await monthOf(graph)).tokens, { interval: 5 }).toBe(40)
    expect(isOver).toBe(false)
    expect(codesOf(await answer)).toEqual(['UPSTREAM_TIMEOUT'])
    expect((await answer).extensions.usage).toMatchObject({ tokens: 40, calls: 1 })
    expect(await monthOf(graph)).toMatchObject({ tokens: billed(), remaining: 960 })
  })
})

describe('a call that ends without headers', () => {
  test('keeps its reservation booked, as estimated, where it timed out', async () => {
    const { graph, asked } = await hostile(() => {}, { budget: 1_000, timeoutMs: 200 })
    const answer = await graph.query(stats(1))
    expect(codesOf(answer)).toEqual(['UPSTREAM_TIMEOUT'])
    expect(asked).toEqual(['team/getStats'])
    const { tokens, estimated } = answer.extensions.usage
    expect(tokens).toBeGreaterThan(0)
    expect(estimated).toBe(true)
    expect(await monthOf(graph)).toMatchObject({ tokens, calls: 1, remaining: 1_000 - tokens })
  })

  test('keeps a reservation for each try that was reset', async () => {
    const { graph, asked } = await hostile(
      ({ nth, bill }, response) =>
        nth < 3 ? void response.destroy() : void response.writeHead(200, bill(5)).end(rowOf(100)),
      { budget: 1_000 },
    )
    const answer = await graph.query(stats(1))
    expect(answer.errors).toBeUndefined()
    expect(asked).toHaveLength(3)
    const { tokens, estimated, calls } = answer.extensions.usage
    expect(estimated).toBe(true)
    expect(calls).toBe(1)
    expect(tokens).toBeGreaterThanOrEqual(5 + 2)
    expect((await monthOf(graph)).tokens).toBe(tokens)
  })

  test('costs nothing where there was no connection', async () => {
    const { graph, stopListening } = await hostile(() => {}, { budget: 1_000 })
    await stopListening()
    const answer = await graph.query(stats(1))
    expect(answer.errors).toHaveLength(1)
    expect(answer.extensions.usage.tokens).toBe(0)
    expect(await monthOf(graph)).toMatchObject({ tokens: 0, remaining: 1_000 })
  })
})

describe('a connection that is never made', () => {
  test('is given up in time, and costs nothing: nothing was sent', async () => {
    const sockets: Socket[] = []
    const silent = createTcpServer((socket) => void sockets.push(socket))
    await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo // it listens on a port
    const transport = httpTransport(`https://127.0.0.1:${port}/v1`)
    const graph = graphOver(transport, { budget: 1_000, timeoutMs: 300 })
    const answer = await graph.query(stats(1))
    expect(codesOf(answer)).toEqual(['UPSTREAM_TIMEOUT'])
    expect(answer.extensions.usage).toMatchObject({ tokens: 0, calls: 1 })
    expect(await monthOf(graph)).toMatchObject({ tokens: 0, remaining: 1_000 })
    for (const socket of sockets) socket.destroy()
    await transport.close?.()
    await new Promise((resolve) => silent.close(resolve))
  })
})

describe('answers of what stands in front of the service', () => {
  const page = `<html>${'x'.repeat(200_000)}</html>`

  test.each([429, 500, 502, 503])(
    'status %d without a usage header is not billed',
    async (status) => {
      const { graph, asked } = await hostile(
        (_asked, response) => void response.writeHead(status, { 'content-type': 'text/html' }).end(page),
        { budget: 1_000 },
      )
      const answers = await Promise.all(range(8).map((nth) => graph.query(stats(nth))))
      for (const answer of answers) {
        expect(codesOf(answer)).toEqual(['UPSTREAM_UNAVAILABLE'])
        expect(answer.extensions.usage.tokens).toBe(0)
        expect(answer.extensions.usage).not.toHaveProperty('estimated')
      }
      expect(asked).toHaveLength(24)
      expect(await monthOf(graph)).toMatchObject({ tokens: 0, calls: 8, remaining: 1_000 })
    },
    30_000,
  )

  test('what they say they billed is billed, each try', async () => {
    const { graph, billed } = await hostile(
      ({ bill }, response) => void response.writeHead(503, bill(7)).end(page),
      { budget: 1_000 },
    )
    const answer = await graph.query(stats(1))
    expect(answer.extensions.usage.tokens).toBe(21)
    expect(await monthOf(graph)).toMatchObject({ tokens: billed(), remaining: 979 })
  })
})

describe('a usage header', () => {
  test.each([
    ['repeated with different numbers', ['3', '4'], undefined],
    ['repeated with the same number', ['3', '3'], 3],
    ['with a thousands separator', '12,345', 12_345],
    ['of 400 digits', '9'.repeat(400), undefined],
  ])('%s, as it comes over HTTP', async (_name, header, tokens) => {
    const { graph } = await hostile(
      (_asked, response) => void response.writeHead(200, { 'x-request-usage': header }).end(rowOf(3_000)),
    )
    const { extensions } = await graph.query(stats(1))
    expect(extensions.usage.tokens).toBe(tokens ?? 4)
    expect(extensions.usage.estimated).toBe(tokens === undefined ? true : undefined)
    expect((await monthOf(graph)).tokens).toBe(tokens ?? 4)
  })
})

describe('the price of each operation', () => {
  test.each([
    ['between two bursts', 6],
    ['in the middle of a burst', 20],
  ])('is learned anew after one call where it rises fiftyfold %s', async (_when, rise) => {
    const { graph, asked, billed } = await hostile(
      ({ nth, bill }, response) => {
        const price = nth < rise ? 1 : 50
        setTimeout(() => response.writeHead(200, bill(5 * price)).end(rowOf(5_000)), 5)
      },
      { budget: 500 },
    )
    for (const nth of range(5)) await graph.query(stats(nth))
    const answers = await Promise.all(range(60).map((nth) => graph.query(stats(100 + nth))))
    const { tokens } = await monthOf(graph)
    expect(tokens).toBe(billed())
    expect(tokens).toBeLessThanOrEqual(500)
    // The first expensive call fits the budget. The next is known to be expensive, and is sent only if it
    // fits.
    expect(asked.length - (rise - 1)).toBeLessThanOrEqual(2)
    expect(answers.filter((answer) => codesOf(answer)[0] === 'BUDGET_EXCEEDED').length).toBeGreaterThan(30)
  })

  test('overspends by one call of each operation at most, several side by side', async () => {
    let price = 1
    const { graph, asked, billed } = await hostile(
      ({ bill }, response) => {
        setTimeout(() => response.writeHead(200, bill(5 * price)).end(rowOf(5_000)), 5)
      },
      { budget: 200 },
    )
    for (const nth of range(2)) {
      await graph.query(stats(nth))
      await graph.query(roster(nth))
    }
    const before = asked.length
    price = 50
    await Promise.all(
      range(30).flatMap((nth) => [graph.query(stats(50 + nth)), graph.query(roster(50 + nth))]),
    )
    const dear = asked.slice(before)
    expect(new Set(dear).size).toBe(dear.length)
    expect((await monthOf(graph)).tokens).toBe(billed())
  })

  test('does not keep calls from going out side by side where the budget is large', async () => {
    const held: (() => void)[] = []
    const { graph } = await hostile(
      ({ bill }, response) => {
        held.push(() => response.writeHead(200, bill(5)).end(rowOf(5_000)))
      },
      { budget: 1_000_000 },
    )
    const asked = Promise.all(range(20).map((nth) => graph.query(stats(nth))))
    await expect.poll(() => held.length).toBe(20)
    for (const answer of held) answer()
    for (const answer of await asked) expect(answer.errors).toBeUndefined()
  })
})

describe('keys that clients bring', () => {
  const as = (apiKey: string) => ({ headers: { 'x-api-key': apiKey } })
  const billing =
    (tokens: number): Behaviour =>
    ({ apiKey, bill }, response) => {
      if (apiKey.startsWith('made-up')) response.writeHead(200).end('{"error":"invalid API key"}')
      else response.writeHead(200, bill(tokens)).end(rowOf(500))
    }

  test('have a budget each, which made-up keys do not burn', async () => {
    const { graph, asked } = await hostile(billing(9), { apiKey: null, budget: 10 })
    const made = await Promise.all(range(30).map((nth) => graph.query(stats(nth), as(`made-up ${nth}`))))
    for (const answer of made) {
      expect(codesOf(answer)).toEqual(['UNAUTHENTICATED'])
      expect(answer.extensions.usage.tokens).toBe(0)
    }
    expect((await graph.query(stats(1), as('a'))).errors).toBeUndefined()
    expect(codesOf(await graph.query(stats(2), as('a')))).toEqual(['BUDGET_EXCEEDED'])
    expect((await graph.query(stats(1), as('b'))).errors).toBeUndefined()
    expect(asked).toHaveLength(32)
  })

  test('see their own totals alone', async () => {
    const { graph } = await hostile(billing(9), { apiKey: null, budget: 100 })
    await graph.query(stats(1), as('a'))
    expect(await monthOf(graph, 'a')).toMatchObject({ tokens: 9, calls: 1, remaining: 91 })
    for (const other of ['b', 'made-up 1', ''])
      expect(await monthOf(graph, other)).toEqual({ tokens: 0, calls: 0, bytes: 0, remaining: 100 })
  })

  test('do not wait for the first call of another key', async () => {
    const { graph, asked, stopListening } = await hostile(
      (request, response) => {
        if (request.apiKey !== 'hangs') billing(1)(request, response)
      },
      { apiKey: null, budget: 50 },
    )
    const hanging = graph.query(stats(1), as('hangs'))
    await expect.poll(() => asked.length).toBe(1)
    expect((await graph.query(stats(1), as('b'))).errors).toBeUndefined()
    await stopListening()
    expect(codesOf(await hanging)).toEqual(['UPSTREAM_UNAVAILABLE'])
  })

  test('do not change the dry-run price of another key', async () => {
    const { graph } = await hostile(billing(400), { apiKey: null })
    const dry = async (apiKey: string) => {
      const { extensions } = await graph.query(stats(99), { ...as(apiKey), extensions: { explain: 'dry' } })
      return (extensions as unknown as { estimate: { tokens: { from: number; to: number } } }).estimate.tokens
    }
    const before = await dry('b')
    for (const nth of range(4)) await graph.query(stats(nth), as('a'))
    expect((await dry('a')).to).toBeGreaterThan(before.to)
    expect(await dry('b')).toEqual(before)
  })
})

describe('an operation that hangs', () => {
  test.each([null, 100_000, 300])(
    'does not starve others of the same key, under a budget of %j',
    async (budget) => {
      const { graph, asked, stopListening } = await hostile(
        ({ operation, bill }, response) => {
          if (operation !== 'team/getStats') response.writeHead(200, bill(1)).end('{}')
        },
        { budget },
      )
      const hanging = range(40).map((nth) => graph.query(stats(nth)))
      await expect.poll(() => asked.length).toBeGreaterThan(0)
      const answers = await Promise.all([
        graph.query(named(1)),
        graph.query(roster(1)),
        graph.query('{ organizations { name } }'),
      ])
      for (const answer of answers) expect(answer.errors).toBeUndefined()
      expect(new Set(asked)).toEqual(
        new Set(['team/getStats', 'team/read', 'team/getPlayers', 'organization/read']),
      )
      await stopListening()
      await Promise.all(hanging)
    },
  )
})
