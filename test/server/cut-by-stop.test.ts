import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createApp } from '../../src/server/app.ts'
import type { App } from '../../src/server/app.ts'
import { compressed, listen, patient } from '../../src/server/listen.ts'
import type { Listening } from '../../src/server/listen.ts'
import { httpTransport } from '../../src/wire/transport.ts'
import { basketball, graphOver, today } from '../graph/harness.ts'
import type { Graph, GraphOptions } from '../graph/harness.ts'
import { patience } from '../patience.ts'

let service: Server
let graph: Graph
let app: App
let server: Listening
/** Milliseconds that a stop waits for what is running. */
let graceMs: number
let lines: Record<string, unknown>[]
/** Answers to `team/read` and `game/getScores`, which wait until a test ends them. */
let held: ServerResponse[]

const log = { info: (line: object) => void ('id' in line && lines.push({ ...line })), error: () => {} }

const organizations = '{"1":{"organization_id":"1","name":"Slow","inactive":0,"deleted":0}}'

async function serve(options: GraphOptions = {}, ms = 100): Promise<void> {
  graceMs = ms
  const { port } = service.address() as AddressInfo // on TCP
  graph = graphOver(httpTransport(`http://127.0.0.1:${port}/v1`), { timeoutMs: 60_000, ...options })
  app = createApp({ upstream: graph.upstream, apiKey: 'sample-paid', defaults: basketball, log })
  server = await listen(compressed(app), '127.0.0.1', 0, { ...patient, graceMs })
}

beforeEach(async () => {
  lines = []
  held = []
  service = createServer((request, response) => {
    if (request.url?.includes('/organization/'))
      response.writeHead(200, { 'x-request-usage': '3' }).end(organizations)
    else held.push(response)
  })
  await new Promise<void>((listening) => void service.listen(0, '127.0.0.1', listening))
})

afterEach(async () => {
  await stop()
  await graph.upstream.close()
  service.closeAllConnections()
  await new Promise((closed) => service.close(closed))
})

/** As the program stops. */
async function stop(): Promise<void> {
  const grace = wait(graceMs, undefined, { ref: false })
  await server.close()
  await app.stop(grace)
}

const team = '00000000-0000-4000-8000-000000000001'
const query = `query Team($is: Boolean!) {
  organizations @include(if: $is) { name }
  team(id: "${team}") @include(if: $is) { name }
}`
const subscription = `subscription Live { scores(date: "${today}") { gameId } }`
const sender = { 'x-request-id': 'page-7', 'graphql-client-name': 'web' }

async function send(
  text: string,
  headers: Record<string, string> = {},
  variables = { is: true },
  signal: AbortSignal | null = null,
): Promise<void> {
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...sender, ...headers },
    body: JSON.stringify({ query: text, variables }),
    signal,
  })
  await response.text()
}

async function get(): Promise<void> {
  const address = `${server.url}/graphql?query=${encodeURIComponent(query)}&variables={"is":true}`
  await (await fetch(address, { headers: sender })).text()
}

async function sendOverSocket(text: string): Promise<void> {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
    headers: sender,
  })
  await once(socket, 'open')
  socket.send('{"type":"connection_init"}')
  await once(socket, 'message')
  const variables = { is: true }
  socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: text, variables } }))
  await once(socket, 'close')
}

/** A query whose document is known, which takes the direct path. */
async function sendKnown(): Promise<void> {
  await send(query, {}, { is: false })
  lines.length = 0
  await send(query)
}

/** A query whose client goes away. */
async function sendAndLeave(): Promise<void> {
  const gone = new AbortController()
  const sent = send(query, {}, { is: true }, gone.signal)
  await isHeld()
  gone.abort()
  await sent
}

const events = { accept: 'text/event-stream' }

/** Resolves when a check holds. Only what hangs takes so long. */
const soon = (check: () => unknown) => vi.waitFor(check, { timeout: patience })

const isHeld = () => soon(() => expect(held).toHaveLength(1))

/** Sends a request, and stops the server when the service lets it wait. */
async function cutOff(ask: () => Promise<unknown>, meanwhile: () => unknown = () => {}): Promise<void> {
  const asked = ask().catch(() => {}) // the connection is cut
  await isHeld()
  await meanwhile()
  await stop()
  await asked
}

const cut = {
  id: 'page-7',
  path: '/graphql',
  ms: expect.any(Number),
  outcome: 'cut',
  codes: ['SERVER_STOPPED'],
  client: 'web',
  key: expect.stringMatching(/^[\w-]{8}$/),
}

const metrics = async () => (await fetch(`${server.url}/metrics`)).text()

const spent = () => graph.upstream.ledgers.totals().tokens

describe('a request that is cut off by a stop is logged once, with all that it has spent:', () => {
  test.each([
    ['a query', 'POST', 503, () => send(query)],
    ['a query whose document is known', 'POST', 503, sendKnown],
    ['a query by GET', 'GET', 503, get],
    ['a query as an event stream', 'POST', 503, () => send(query, events)],
    ['a query over a WebSocket', 'GET', 101, () => sendOverSocket(query)],
    ['a query whose client is gone', 'POST', 503, sendAndLeave],
  ])('%s', async (_what, method, status, ask) => {
    await serve()
    await cutOff(ask)
    const estimate = spent() - 3
    expect(estimate).toBeGreaterThan(0)
    expect(lines).toEqual([
      {
        ...cut,
        method,
        status,
        operation: 'Team',
        events: undefined,
        tokens: 3 + estimate,
        bytes: organizations.length,
        calls: 2,
        cacheHits: 0,
        estimated: true,
        tokensByOperation: { 'organization/read': 3, 'team/read': estimate },
        attempts: 2,
      },
    ])
    expect(graph.calls.take()).toEqual(['organization/read 1', 'team/read 1'])
  })

  test.each([
    ['a subscription', 'POST', 200, () => send(subscription, events)],
    ['a subscription over a WebSocket', 'GET', 101, () => sendOverSocket(subscription)],
  ])('%s', async (_what, method, status, ask) => {
    await serve()
    await cutOff(ask)
    expect(spent()).toBeGreaterThan(0)
    expect(lines).toMatchObject([
      {
        ...cut,
        method,
        status,
        operation: 'Live',
        events: 0,
        tokens: spent(),
        attempts: 1,
        tokensByOperation: { 'game/getScores': spent() },
      },
    ])
    expect(graph.calls.take()).toEqual(['game/getScores 1'])
  })

  test('two subscriptions to one poll, of which one pays', async () => {
    await serve()
    const ids = ['page-7', 'page-8']
    const both = () => Promise.all(ids.map((id) => send(subscription, { ...events, 'x-request-id': id })))
    await cutOff(both, () =>
      soon(async () => expect(await metrics()).toMatch(/^statline_subscriptions_active 2$/m)),
    )
    expect(lines.map(({ id }) => id).toSorted()).toEqual(ids)
    expect(lines).toMatchObject([{ outcome: 'cut' }, { outcome: 'cut' }])
    expect(lines.map(({ tokens }) => Number(tokens)).toSorted()).toEqual([0, spent()])
    expect(graph.calls.take()).toEqual(['game/getScores 1'])
  })
})

test('a bill whose headers have arrived before the stop is in the line as the service told it', async () => {
  await serve()
  await cutOff(
    () => send(query),
    async () => {
      held[0]?.writeHead(200, { 'x-request-usage': '7' }).write('{')
      await soon(() => expect(spent()).toBe(10))
    },
  )
  const tokensByOperation = { 'organization/read': 3, 'team/read': 7 }
  expect(lines).toMatchObject([{ ...cut, tokens: 10, tokensByOperation, attempts: 2 }])
  expect(lines[0]).not.toHaveProperty('estimated')
  expect(graph.calls.take()).toEqual(['organization/read 1', 'team/read 1'])
})

test('a call that waits for its turn when the server stops is neither sent nor billed', async () => {
  await serve({ concurrency: 1 })
  await cutOff(
    () => send(subscription, events),
    async () => {
      void send('query Next { organizations { name } }', { 'x-request-id': 'next' }).catch(() => {})
      await soon(() => expect(graph.upstream.findAccount('sample-paid')?.inFlight.size).toBe(2))
    },
  )
  expect(lines).toMatchObject([
    { id: 'page-7', outcome: 'cut', tokens: spent() },
    { id: 'next', outcome: 'cut', operation: 'Next', tokens: 0 },
  ])
  expect(held).toHaveLength(1)
})

test('a call that is to be tried again when the server stops is not tried again', async () => {
  await serve({ retryPauses: [600_000] })
  await cutOff(
    () => send(query),
    async () => {
      held[0]?.writeHead(503).end()
      await soon(() => expect(graph.calls.sent.every(({ ended }) => ended > 0)).toBe(true))
    },
  )
  expect(lines).toMatchObject([
    { ...cut, tokens: 3, tokensByOperation: { 'organization/read': 3, 'team/read': 0 } },
  ])
  expect([held.length, spent()]).toEqual([1, 3])
})

test('a request that is answered while the server waits for it is logged as answered', async () => {
  await serve({}, 10_000)
  const answered = send(query)
  await isHeld()
  const stopped = stop()
  held[0]?.writeHead(200, { 'x-request-usage': '2' }).end('{}')
  await Promise.all([answered, stopped])
  expect(lines).toMatchObject([{ id: 'page-7', status: 200, outcome: 'ok', tokens: 5 }])
  expect(graph.calls.take()).toEqual(['organization/read 1', 'team/read 1'])
})
