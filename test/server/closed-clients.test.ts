import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createApp } from '../../src/server/app.ts'
import { compressed, listen } from '../../src/server/listen.ts'
import type { Listener, Listening } from '../../src/server/listen.ts'
import type { Sockets } from '../../src/server/sockets.ts'
import { basketball, startSample, today } from '../graph/harness.ts'
import type { Graph, Sample } from '../graph/harness.ts'
import { operationOf } from '../graph/spoiled.ts'
import { patience } from '../patience.ts'

const query = `{ league { games(date: "${today}") { homeScore homeTeam { name roster { firstName } } } } }`

interface Written {
  readonly status: number
  readonly outcome: string
  readonly codes: readonly string[]
  readonly tokens: number
}

let sample: Sample
let graph: Graph
let server: Listening
let lines: Written[]
/** The connections and answers of which the server knows that they have ended. */
let ended: number
/** Lets the service answer the first call. */
let answerFirst: () => void
let first: Promise<void>

beforeAll(async () => {
  sample = await startSample()
})
afterAll(() => sample.close())
beforeEach(async () => {
  lines = []
  ended = 0
  first = new Promise((resolve) => (answerFirst = resolve))
  graph = sample.graph({
    async between(request, service) {
      const answer = await service(request)
      if (operationOf(request) === 'game/getGames') await first
      return answer
    },
  })
  const log = { info: (line: object) => void lines.push(line as Written), error: () => {} } // as it is written
  const app = createApp({ upstream: graph.upstream, apiKey: 'sample-paid', defaults: basketball, log })
  server = await listen(counting(compressed(app)), '127.0.0.1', 0)
})
afterEach(() => server.close())

/** Counts what ends in `ended`. */
function counting(listener: Listener): Listener {
  const noteEnd = () => (ended += 1)
  const { sockets } = listener
  return Object.assign(
    (...[request, response]: Parameters<RequestListener>) => {
      response.once('close', noteEnd)
      return listener(request, response)
    },
    {
      sockets: sockets && {
        ...sockets,
        upgrade(...[request, socket, head]: Parameters<Sockets['upgrade']>) {
          socket.once('close', noteEnd)
          sockets.upgrade(request, socket, head)
        },
      },
    },
  )
}

const sent = (count: number) => vi.waitFor(() => expect(graph.calls.sent.length).toBe(count), patience)
const rosters = () => graph.calls.sent.filter(({ operation }) => operation === 'team/getPlayers').length
const written = (count: number) => vi.waitFor(() => expect(lines).toHaveLength(count), patience)
/** Resolves when the server knows that one client is gone. */
const noticed = () => vi.waitFor(() => expect(ended).toBe(1), patience)

const asked = (signal: AbortSignal | null, text = query, headers = {}) =>
  fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query: text }),
    signal,
  })

describe('a query whose client is gone', () => {
  test.each([
    ['over the direct path', {}],
    ['over Yoga', { accept: 'multipart/mixed, application/json' }],
  ])('%s makes no further calls, but is charged for what was sent', async (_what, headers) => {
    const gone = new AbortController()
    const answer = asked(gone.signal, query, headers).catch(() => null)
    await sent(1)
    gone.abort()
    await answer
    await noticed()
    answerFirst()
    await written(1)
    expect(graph.calls.take()).toEqual(['game/getGames 1'])
    const { tokens } = graph.upstream.ledgers.totals()
    expect(tokens).toBeGreaterThan(0)
    expect(lines).toMatchObject([
      { status: 499, outcome: 'closed', codes: ['CLIENT_CLOSED_REQUEST'], tokens },
    ])
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    expect(metrics).toContain('statline_queries_total{outcome="closed"} 1')
    expect(metrics).not.toContain('statline_queries_total{outcome="error"}')
    const next = await graph.query(`{ league { games(date: "${today}") { homeScore homeTeam { name } } } }`)
    expect([next.errors, next.extensions.usage.tokens]).toEqual([undefined, 0])
    expect(graph.calls.take()).toEqual([])
  })

  test('over a WebSocket makes no further calls', async () => {
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
    await once(socket, 'open')
    socket.send(JSON.stringify({ type: 'connection_init' }))
    await once(socket, 'message')
    socket.send(JSON.stringify({ type: 'subscribe', id: '1', payload: { query } }))
    await sent(1)
    socket.terminate()
    await noticed()
    answerFirst()
    await written(1)
    expect(graph.calls.take()).toEqual(['game/getGames 1'])
  })

  test('goes on for another client that shares it', async () => {
    const gone = new AbortController()
    const left = asked(gone.signal).catch(() => null)
    const stays = asked(null)
    await sent(1)
    gone.abort()
    await left
    await noticed()
    answerFirst()
    const { data, errors } = (await (await stays).json()) as { data: object; errors?: unknown }
    expect([errors, data]).toEqual([undefined, (await graph.query(query)).data])
    expect(rosters()).toBeGreaterThan(1)
    await written(2)
    expect(lines.map(({ outcome }) => outcome).toSorted()).toEqual(['closed', 'ok'])
  })
})

test('queries one after the other on one connection are answered in full', async () => {
  answerFirst()
  for (let nth = 0; nth < 3; nth += 1) {
    const { errors } = (await (await asked(null)).json()) as { errors?: unknown }
    expect(errors).toBeUndefined()
  }
  expect(rosters()).toBeGreaterThan(1)
  await written(3)
  expect(lines.map(({ status, outcome }) => [status, outcome])).toEqual([0, 1, 2].map(() => [200, 'ok']))
})
