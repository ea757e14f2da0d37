import { createClient as createEventClient } from 'graphql-sse'
import { createClient } from 'graphql-ws'
import type { Client, ClientOptions } from 'graphql-ws'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { fakedTimers, until } from '../client/living.ts'
import { Answer } from '../../src/graph/execution/answer.ts'
import { createApp } from '../../src/server/app.ts'
import { compressed, listen, open } from '../../src/server/listen.ts'
import { UnavailableError } from '../../src/errors/errors.ts'
import { basketball, startSample, today } from '../graph/harness.ts'
import type { Sample } from '../graph/harness.ts'
import { scores, startLiving } from './living.ts'
import type { Living } from './living.ts'

let sample: Sample
let living: Living
let games: number
const clients: { dispose(): unknown }[] = []
const lines: Record<string, unknown>[] = []

beforeAll(async () => {
  sample = await startSample()
  games = (await sample.rows('game/getGames', { ...basketball, start_date: today })).length
})
afterAll(() => sample.close())
beforeEach(() => void vi.useFakeTimers(fakedTimers))
afterEach(async () => {
  vi.useRealTimers()
  for (const client of clients.splice(0)) void client.dispose()
  lines.length = 0
  await living.close()
})

const log = { info: (line: object) => void lines.push({ ...line }), error: () => {} }

interface Told {
  readonly data?: Readonly<Record<string, unknown>> | null
  readonly errors?: readonly { readonly extensions?: Readonly<Record<string, unknown>> }[]
  readonly extensions?: { readonly usage?: { readonly calls: number; readonly tokens: number } }
}

/** A client of graphql-ws, and the codes with which its connections were closed. */
function webSocketClient(options: Partial<ClientOptions> = {}): { client: Client; closed: number[] } {
  const closed: number[] = []
  const client = createClient({
    url: `${living.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    on: { closed: (event) => void closed.push((event as CloseEvent).code) },
    ...options,
  })
  clients.push(client)
  return { client, closed }
}

/** What a subscription brings; `over` is how it ended. */
function listening(client: Pick<Client, 'subscribe'>, query = scores) {
  const events: Told[] = []
  const ended: unknown[] = []
  const leave = client.subscribe(
    { query },
    {
      next: (event) => void events.push(event as Told), // both clients bring results
      error: (error) => void ended.push(error),
      complete: () => void ended.push('complete'),
    },
  )
  return { events, ended, leave }
}

const callsOf = (extensions: Told['extensions']): number => extensions?.usage?.calls ?? 0

const spent = () => living.graph.upstream.ledgers.totals()

describe('over WebSocket', () => {
  test('graphql-ws’s own client hears of the day and of what changes, with its bill', async () => {
    living = await startLiving(sample, { log })
    const { client } = webSocketClient()
    const one = listening(client)
    await until(() => one.events.length === games)
    living.score(41)
    await living.pass(16_000)
    await until(() => one.events.length > games)
    expect(one.events.at(-1)?.data).toMatchObject({ scores: { homeScore: 41 } })
    const calls = one.events.reduce((sum, { extensions }) => sum + (extensions?.usage?.calls ?? 0), 0)
    expect(calls).toBe(spent().calls)
    one.leave()
    await until(() => lines.length === 1)
    expect(lines[0]).toMatchObject({ path: '/graphql', status: 101, operation: 'Live', calls, outcome: 'ok' })
  })

  test('shares the polls with subscribers over server-sent events', async () => {
    living = await startLiving(sample)
    const { client } = webSocketClient()
    const sse = createEventClient({ url: `${living.url}/graphql`, retryAttempts: 0 })
    clients.push(sse)
    const both = [listening(client), listening(sse as never)] // both clients are asked alike
    await until(() => both.every(({ events }) => events.length === games))
    expect(living.graph.calls.take()).toEqual(['game/getScores 1'])
    living.score(42)
    await living.pass(16_000)
    await until(() => both.every(({ events }) => events.length > games))
    expect(living.graph.calls.take()).toEqual(['game/getScores 1'])
    for (const { leave } of both) leave()
  })

  test('an event is printed once for all subscribers, and each receives a bill of its own', async () => {
    living = await startLiving(sample)
    const all = Array.from({ length: 20 }, () => listening(webSocketClient().client))
    await until(() => all.every(({ events }) => events.length === games))
    living.graph.calls.take()
    const printing = vi.spyOn(Answer.prototype, 'bytes')
    living.score(55)
    await living.pass(16_000)
    const news = () => all.map(({ events }) => events.slice(games))
    await until(() => news().every((events) => events.length > 0 && events.length === news()[0]?.length))
    const [first = []] = news()
    expect(printing).toHaveBeenCalledTimes(first.length)
    printing.mockRestore()
    for (const events of news()) expect(events.map(({ data }) => data)).toEqual(first.map(({ data }) => data))
    const bills = news().map((events) => events.reduce((sum, { extensions }) => sum + callsOf(extensions), 0))
    expect(bills.filter((calls) => calls > 0)).toEqual([1])
    expect(living.graph.calls.take()).toEqual(['game/getScores 1'])
  })

  test('an event that fails has its errors, and the subscription ends', async () => {
    living = await startLiving(sample)
    living.between(() => Promise.reject(new UnavailableError('The statistics service cannot be reached.')))
    const { client } = webSocketClient()
    const one = listening(client)
    await until(() => one.ended.length === 1)
    expect(one.events).toMatchObject([
      { data: null, errors: [{ extensions: { code: 'UPSTREAM_UNAVAILABLE' } }] },
    ])
    expect(one.ended).toEqual(['complete'])
  })

  test('a subscriber that leaves is sent nothing more; another over its connection is', async () => {
    living = await startLiving(sample)
    const { client } = webSocketClient()
    const [leaving, staying] = [listening(client), listening(client)]
    await until(() => [leaving, staying].every(({ events }) => events.length === games))
    leaving.leave()
    await until(() => leaving.ended.length === 1)
    living.score(56)
    await living.pass(16_000)
    await until(() => staying.events.length > games)
    expect(leaving.events).toHaveLength(games)
    expect(staying.ended).toEqual([])
  })

  test('answers queries, and refuses faulty ones with their codes', async () => {
    living = await startLiving(sample)
    const { client } = webSocketClient()
    const good = listening(client, `{ league { games(date: "${today}") { gameId } } }`)
    await until(() => good.ended.length === 1)
    expect(good.events).toMatchObject([{ data: { league: {} }, extensions: { usage: { calls: 1 } } }])
    const bad = listening(client, '{ nothing }')
    await until(() => bad.ended.length === 1)
    expect(bad.ended[0]).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }])
  })

  test.each([
    [
      'a query with a day that does not exist',
      '{ league { games(date: "2026-02-30") { gameId } } }',
      '"2026-02-30" is not a date: there is no such day.',
    ],
    [
      'a query with a number for a day',
      '{ league { games(date: 5) { gameId } } }',
      '5 is not a date of the form YYYY-MM-DD.',
    ],
    [
      'a subscription with a day that does not exist',
      'subscription { scores(date: "2026-02-30") { gameId } }',
      '"2026-02-30" is not a date: there is no such day.',
    ],
  ])(
    '%s is refused as over HTTP and server-sent events, and costs nothing',
    async (_what, query, message) => {
      living = await startLiving(sample)
      const error = vi.spyOn(console, 'error').mockImplementation(() => {})
      const expected = {
        message,
        locations: [{ line: 1, column: query.indexOf('date:') + 'date: '.length + 1 }],
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
      }
      const one = listening(webSocketClient().client, query)
      await until(() => one.ended.length === 1)
      expect(one.ended).toEqual([[expected]])
      expect(await (await living.query(query)).json()).toMatchObject({ errors: [expected] })
      const { events } = await living.subscribe(query)
      await until(() => events.length === 1)
      expect(events[0]?.errors).toEqual([expected])
      expect(error).not.toHaveBeenCalled()
      error.mockRestore()
      expect(living.graph.calls.take()).toEqual([])
    },
  )

  test('variables that are nested too deep are an error of their query; the others on the connection go on', async () => {
    living = await startLiving(sample)
    const { client, closed } = webSocketClient()
    const subscriber = listening(client)
    await until(() => subscriber.events.length === games)
    living.graph.calls.take()
    const deep: unknown = JSON.parse(`${'['.repeat(1_000)}${']'.repeat(1_000)}`)
    for (const query of ['{ __typename }', 'query ($deep: [ID!]) { teams(ids: $deep) { name } }']) {
      const refused = await new Promise((resolve) => {
        client.subscribe({ query, variables: { deep } }, { next: resolve, error: resolve, complete() {} })
      })
      expect(refused).toMatchObject([
        {
          message: 'The JSON of a request may be nested 64 levels deep.',
          extensions: { code: 'BAD_REQUEST' },
        },
      ])
    }
    expect(living.graph.calls.take()).toEqual([])
    living.score(77)
    await living.pass(16_000)
    await until(() => subscriber.events.length > games)
    expect(living.graph.calls.take()).toEqual(['game/getScores 1'])
    expect([closed, subscriber.ended]).toEqual([[], []])
  })

  test('a browser’s client brings its key as a connection parameter', async () => {
    living = await startLiving(sample, { apiKey: null })
    const { client } = webSocketClient({ connectionParams: { 'X-API-KEY': 'sample-paid' } })
    const one = listening(client)
    await until(() => one.events.length === games)
    expect(new Set(living.graph.calls.sent.map(({ apiKey }) => apiKey))).toEqual(new Set(['sample-paid']))
    const { client: keyless } = webSocketClient()
    const other = listening(keyless)
    await until(() => other.events.length + other.ended.length > 0)
    expect(other.events[0]?.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
  })

  test('connection parameters that are longer than the headers of a request are refused', async () => {
    living = await startLiving(sample, { apiKey: null })
    const connectionParams = { 'X-API-KEY': 'sample-paid', other: 'x'.repeat(16_384) }
    const { client, closed } = webSocketClient({ connectionParams, retryAttempts: 0 })
    const one = listening(client)
    await until(() => one.ended.length > 0)
    expect(closed).toEqual([4403])
    expect(living.graph.calls.take()).toEqual([])
  })

  test('a server that closes says so with code 1012, without complete; clients reconnect', async () => {
    living = await startLiving(sample)
    // It waits before it connects again. Here it waits for ever, because there is no server any more.
    const retryWait = vi.fn(() => new Promise<void>(() => {}))
    const { client, closed } = webSocketClient({ retryAttempts: 1, retryWait })
    const one = listening(client)
    await until(() => one.events.length === games)
    vi.useRealTimers()
    await living.close()
    await until(() => closed.length > 0)
    expect(closed[0]).toBe(1012)
    await until(() => retryWait.mock.calls.length > 0)
    expect(one.ended).not.toContain('complete')
  })

  test('one client may have so many subscriptions', async () => {
    living = await startLiving(sample, { subscriptionLimits: { perClient: 2, inTotal: 10 } })
    const { client } = webSocketClient()
    const some = [listening(client), listening(client)]
    await until(() => some.every(({ events }) => events.length === games))
    const third = listening(client)
    await until(() => third.events.length + third.ended.length > 0)
    expect(third.events[0]?.errors?.map(({ extensions }) => extensions)).toEqual([
      { code: 'TOO_MANY_SUBSCRIPTIONS' },
    ])
    some[0]?.leave()
    some[1]?.leave()
    await until(() => living.graph.calls.sent.length > 0)
  })
})

describe('an upgrade is refused', () => {
  const handshake = (
    path: string,
    headers: Record<string, string>,
    { url }: { readonly url: string } = living,
  ) =>
    new Promise<number>((resolve, reject) => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, 'graphql-transport-ws', { headers })
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
      socket.on('open', () => (socket.terminate(), resolve(101)))
      socket.on('error', reject)
    })

  test.each([
    ['from a page of another site', '/graphql', { origin: 'https://evil.test' }, 403],
    ['from another site without an origin', '/graphql', { 'sec-fetch-site': 'cross-site' }, 403],
    ['for a host that is not ours', '/graphql', { host: 'rebound.test' }, 403],
    ['for another path', '/metrics', {}, 404],
    ['not from a page of this machine', '/graphql', { origin: 'http://localhost:5173' }, 101],
    ['not from a program', '/graphql', {}, 101],
  ])('%s', async (_what, path, headers, status) => {
    vi.useRealTimers()
    living = await startLiving(sample, { isOurHost: (host) => host.startsWith('127.0.0.1') })
    expect(await handshake(path, headers as Record<string, string>)).toBe(status)
  })

  test('when there are as many as are allowed', async () => {
    vi.useRealTimers()
    living = await startLiving(sample, { subscriptionLimits: { perClient: 1, inTotal: 5 } })
    const { client } = webSocketClient()
    const one = listening(client)
    await until(() => one.events.length === games)
    expect(await handshake('/graphql', {})).toBe(429)
  })

  test('while the process starts, so that a proxy asks another instance', async () => {
    vi.useRealTimers()
    living = await startLiving(sample)
    const starting = await open('127.0.0.1', 0, 'PORT')
    expect(await handshake('/graphql', {}, starting)).toBe(503)
    await starting.close()
  })

  test('once the server closes', async () => {
    vi.useRealTimers()
    living = await startLiving(sample)
    const { upstream } = living.graph
    const app = createApp({ upstream, apiKey: 'sample-paid', defaults: basketball })
    const server = await listen(compressed(app), '127.0.0.1', 0)
    app.sockets?.close()
    expect(await handshake('/graphql', {}, server)).toBe(503)
    await server.close()
    await app.dispose()
  })
})
