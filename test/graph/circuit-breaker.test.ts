import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../src/server/app.ts'
import { upstreamChecks } from '../../src/server/upstream-checks.ts'
import { ConnectionLostError, TimeoutError, UnavailableError } from '../../src/errors/errors.ts'
import type { Incoming, Outgoing } from '../../src/wire/transport.ts'
import { sampleNow } from '../sample.setup.ts'
import { basketball, season, startSample, teamsOfToday, today } from './harness.ts'
import type { Answer, GraphOptions, Sample } from './harness.ts'
import { answerOf, operationOf } from './spoiled.ts'

let sample: Sample
let teams: string[]
beforeAll(async () => {
  sample = await startSample()
  teams = await teamsOfToday(sample)
})
afterAll(() => sample.close())

type Fault = (request: Outgoing) => Promise<Incoming> | Incoming

const reset: Fault = () => Promise.reject(new ConnectionLostError('lost'))
const late: Fault = () => Promise.reject(new TimeoutError('late'))

const games = `{ league { games(date: "${today}") { homeScore homeTeam { name } } } }`
const named = (nth: number) => `{ team(id: "${teams[nth]}") { name } }`
const codeOf = ({ errors }: Answer<unknown>) => errors?.[0]?.extensions?.code

/** A graph whose service can be spoiled, and whose clock is moved. */
function spoilable(options: GraphOptions = {}) {
  const state = { now: sampleNow, fault: null as Fault | null }
  const graph = sample.graph({
    clock: () => state.now,
    between: async (request, service) => (state.fault ? state.fault(request) : service(request)),
    ...options,
  })
  const app = createApp({
    upstream: graph.upstream,
    apiKey: 'sample-paid',
    defaults: basketball,
    checks: upstreamChecks(graph.upstream, 'sample-paid'),
  })
  const read = async (path: string) => (await app.fetch(`http://statline.test${path}`)).text()
  const remaining = () => graph.upstream.accountOf('sample-paid').ledger.remaining
  return { ...graph, state, read, remaining }
}

/** Four calls in vain within six seconds, after which no others are sent. */
async function opened(graph: ReturnType<typeof spoilable>, fault: Fault): Promise<void> {
  graph.state.fault = fault
  for (let nth = 0; nth < 4; nth += 1) {
    if (nth > 0) graph.state.now += 2_000
    await graph.query(named(nth))
  }
  graph.calls.take()
}

describe('a service that answers nothing', () => {
  test.each([
    ['resets connections', reset, 3],
    ['is silent', late, 1],
  ])('and %s is tried as always by four calls, and by no fifth', async (_what, fault, tries) => {
    const graph = spoilable({ budget: 500 })
    graph.state.fault = fault
    for (let nth = 0; nth < 4; nth += 1) {
      graph.state.now += 4_000
      await graph.query(named(nth))
      expect(graph.calls.take()).toHaveLength(tries)
    }
    const left = graph.remaining()
    const answer = await graph.query(named(4))
    expect(codeOf(answer)).toBe('UPSTREAM_UNAVAILABLE')
    expect(answer.extensions.usage).toMatchObject({ tokens: 0, calls: 0 })
    expect(graph.calls.take()).toEqual([])
    expect(graph.remaining()).toBe(left)
  })

  test('leaves most of a budget to a page that is polled all the time', async () => {
    const graph = spoilable({ budget: 500, freshFor: { live: 2_000, current: 2_000, reference: 2_000 } })
    await graph.query('{ organizations { name } }') // of a key that came once nothing is kept as rows
    const first = await graph.query(games)
    graph.state.fault = reset
    const [before, sent] = [Number(graph.remaining()), graph.calls.sent.length]
    for (let nth = 0; nth < 60; nth += 1) {
      graph.state.now += 2_000
      const { data, errors, extensions } = await graph.query(games)
      expect([errors, data]).toEqual([undefined, first.data])
      expect(extensions).toMatchObject({ stale: { rows: expect.any(Number) } })
    }
    // In two minutes six seconds of two calls with three tries, and a probe every 15 seconds at last.
    expect(graph.calls.sent.length - sent).toBeLessThanOrEqual(4 * 6 + 12)
    expect(before - Number(graph.remaining())).toBeLessThan(400)
  })

  test('is known to answer again a second after a short outage, by one call that is needed anyway', async () => {
    const graph = spoilable()
    await opened(graph, reset)
    graph.state.fault = null
    graph.state.now += 999
    expect(codeOf(await graph.query(named(4)))).toBe('UPSTREAM_UNAVAILABLE')
    expect(graph.calls.take()).toEqual([])
    graph.state.now += 1
    expect(codeOf(await graph.query(named(5)))).toBeUndefined()
    expect(codeOf(await graph.query(named(6)))).toBeUndefined()
    expect(graph.calls.take()).toEqual(['team/read 1', 'team/read 1'])
  })

  test('gets one try of one call after growing pauses, of 15 seconds at most', async () => {
    const graph = spoilable({ budget: 500 })
    await opened(graph, reset)
    const probedAt: number[] = []
    for (let second = 1; second <= 50; second += 1) {
      graph.state.now += 1_000
      await Promise.all([graph.query(named(4)), graph.query(`{ league { elo(season: ${season}) { elo } } }`)])
      const probes = graph.calls.take()
      expect(probes.length).toBeLessThanOrEqual(1)
      if (probes.length > 0) probedAt.push(second)
    }
    expect(probedAt).toEqual([1, 2, 4, 8, 16, 31, 46])
    graph.state.fault = null
    graph.state.now += 15_000
    expect(codeOf(await graph.query(named(4)))).toBeUndefined()
    expect(graph.calls.take()).toEqual(['team/read 1'])
  })

  test('does not keep one client waiting for a second probe after the first', async () => {
    const graph = spoilable({ freshFor: { live: 1_000, current: 1_000, reference: 1_000 } })
    await opened(graph, late)
    graph.state.now += 10_000
    graph.state.fault = () => {
      graph.state.now += 10_000
      return Promise.reject(new TimeoutError('late'))
    }
    await graph.query(named(4))
    await graph.query(named(5))
    expect(graph.calls.take()).toEqual(['team/read 1'])
  })

  test('is not waited for by a probe that a spent budget refuses', async () => {
    const graph = spoilable({ clientBudgets: new Map([['spent', 0]]) })
    await opened(graph, reset)
    graph.state.fault = null
    graph.state.now += 1_000
    const refused = await graph.query(named(4), { headers: { 'graphql-client-name': 'spent' } })
    expect(codeOf(refused)).toBe('BUDGET_EXCEEDED')
    expect(codeOf(await graph.query(named(4)))).toBeUndefined()
    expect(graph.calls.take()).toEqual(['team/read 1'])
  })

  test('is told of at /ready and by a metric', async () => {
    const graph = spoilable()
    const metric = async () => /^statline_upstream_paused (\d)$/m.exec(await graph.read('/metrics'))?.[1]
    expect(await metric()).toBe('0')
    await opened(graph, reset)
    expect(JSON.parse(await graph.read('/ready'))).toMatchObject({
      status: 'degraded',
      parts: {
        service: {
          status: 'degraded',
          reason:
            'It cannot be reached (since 2026-02-14T20:00:00.000Z). Only one call every few seconds is sent, until one is answered.',
        },
      },
    })
    expect(await metric()).toBe('1')
    graph.state.fault = null
    graph.state.now += 1_000
    await graph.query(named(4))
    expect(JSON.parse(await graph.read('/ready'))).toMatchObject({ parts: { service: { status: 'ok' } } })
    expect(await metric()).toBe('0')
  })
})

describe('all calls go on', () => {
  const unconnected: Fault = () => Promise.reject(new UnavailableError('no connection'))
  const broken: Fault = () => answerOf({}, { status: 503, headers: {} })
  const limited: Fault = () => answerOf({}, { status: 429, headers: {} })
  const denied: Fault = () => answerOf({ error: 'Access denied.' })
  const away: Fault = () => answerOf({ error: 'Service unavailable.' })

  test.each([
    ['cannot be connected to', unconnected, 3],
    ['answers with status 503', broken, 3],
    ['limits the rate', limited, 3],
    ['refuses the plan', denied, 1],
    ['says with status 200 that it is not available', away, 1],
  ])('where the service %s', async (_what, fault, tries) => {
    const graph = spoilable()
    graph.state.fault = fault
    const graphql = (nth: number) => `{ team(id: "${teams[nth]}") { stats(season: ${season}) { games } } }`
    for (let nth = 0; nth < 6; nth += 1) {
      graph.state.now += 4_000
      await graph.query(graphql(nth))
    }
    expect(graph.calls.take()).toHaveLength(6 * tries)
  })

  test('for five seconds, however many are lost', async () => {
    const graph = spoilable()
    graph.state.fault = reset
    for (let nth = 0; nth < 12; nth += 1) await graph.query(named(nth % 8))
    expect(graph.calls.take()).toHaveLength(12 * 3)
    graph.state.fault = null
    expect(codeOf(await graph.query(named(8)))).toBeUndefined()
  })

  test('where one operation is silent, and another answers meanwhile', async () => {
    const graph = spoilable()
    const hung: (() => void)[] = []
    graph.state.fault = (request) =>
      operationOf(request) === 'team/getStats'
        ? new Promise((_, reject) => hung.push(() => reject(new TimeoutError('late'))))
        : sample.transport(request)
    const statistics = [0, 1, 2, 3, 4].map((nth) =>
      graph.query(`{ team(id: "${teams[nth]}") { stats(season: ${season}) { games } } }`),
    )
    expect(codeOf(await graph.query(named(5)))).toBeUndefined()
    for (const end of hung) end()
    expect((await Promise.all(statistics)).map(codeOf)).toEqual(statistics.map(() => 'UPSTREAM_TIMEOUT'))
    expect(codeOf(await graph.query(named(6)))).toBeUndefined()
    expect(graph.calls.take().filter((call) => call === 'team/read 1')).toHaveLength(2)
  })
})
