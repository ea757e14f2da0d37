import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { graphOver, season } from './harness.ts'
import type { Answer } from './harness.ts'
import { answerOf } from './spoiled.ts'
import { TimeoutError } from '../../src/errors/errors.ts'
import { httpTransport } from '../../src/wire/transport.ts'
import type { Incoming, Outgoing } from '../../src/wire/transport.ts'

const madeUp = (nth: number) => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`
const statistics = (nth: number) => `{ team(id: "${madeUp(nth)}") { stats(season: ${season}) { games } } }`
const queries = (count: number) => Array.from({ length: count }, (_, nth) => statistics(nth))
const codesOf = (answers: readonly Answer<unknown>[]) =>
  new Set(answers.map(({ errors }) => errors?.[0]?.extensions?.code))
const callsOf = (answers: readonly Answer<unknown>[]) =>
  answers.reduce((sum, { extensions }) => sum + extensions.usage.calls, 0)

const silence = ({ deadline }: Outgoing) =>
  new Promise<Incoming>((_, reject) => deadline.onOver(() => reject(new TimeoutError('late'))))

/** Moves the clock of the service's answers and of timeouts, independent of the machine. */
async function passing<T>(step: number, several: readonly Promise<T>[]): Promise<T[]> {
  const done = new AbortController()
  const all = Promise.all(several).finally(() => done.abort())
  while (!done.signal.aborted) {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(step)
  }
  return all
}

describe('more calls than may be under way at once', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  const answering = async () => {
    await new Promise((resolve) => setTimeout(resolve, 150))
    return answerOf({})
  }

  test('are all answered where the service is slow, as long as the last comes in the time of one', async () => {
    const graph = graphOver(answering, { concurrency: 4, timeoutMs: 1_500 })
    const answers = await passing(
      150,
      queries(24).map((text) => graph.query(text)),
    )
    expect(codesOf(answers)).toEqual(new Set([undefined]))
    expect(graph.calls.take()).toHaveLength(24)
    expect(callsOf(answers)).toBe(24)
  })

  test('fail in the time of one where they wait too long, and none is sent that has no time for an answer', async () => {
    const answering160 = async () => {
      await new Promise((resolve) => setTimeout(resolve, 160))
      return answerOf({})
    }
    const graph = graphOver(answering160, { concurrency: 4, timeoutMs: 1_000 })
    const asked = queries(24).map((text) => graph.query(text))
    await expect.poll(() => graph.upstream.findAccount('sample-paid')?.inFlight.size).toBe(24)
    const answers = await passing(160, asked)
    // Three at once: those of the seventh round would be sent after 960 ms.
    expect(graph.calls.take()).toHaveLength(18)
    const codes = answers.map(({ errors }) => errors?.[0]?.extensions?.code)
    expect(codes.filter((code) => code === undefined)).toHaveLength(18)
    expect(codes.filter((code) => code === 'UPSTREAM_TIMEOUT')).toHaveLength(6)
    const { tokens, calls } = graph.upstream.ledgers.totals()
    expect([tokens, calls]).toEqual([18, 18])
    expect(answers.reduce((sum, { extensions }) => sum + extensions.usage.tokens, 0)).toBe(18)
  })

  test('give another request that needs one of them its own time', async () => {
    const held: (() => void)[] = []
    const graph = graphOver(
      () => new Promise<Incoming>((resolve) => held.push(() => resolve(answerOf({})))),
      { concurrency: 1, timeoutMs: 1_000 },
    )
    const inFlight = (count: number) =>
      expect.poll(() => graph.upstream.findAccount('sample-paid')?.inFlight.size).toBe(count)
    const early = queries(3).map((text) => graph.query(text))
    await inFlight(3)
    await vi.advanceTimersByTimeAsync(800)
    const late = graph.query(`{
      first: team(id: "${madeUp(2)}") { stats(season: ${season}) { games } }
      second: team(id: "${madeUp(3)}") { stats(season: ${season}) { games } }
    }`)
    await inFlight(4)
    // This service answers the first call nevertheless.
    await vi.advanceTimersByTimeAsync(400)
    await inFlight(3)
    for (let nth = 0; nth < 3; nth += 1) {
      await expect.poll(() => held.length).toBe(1)
      held.shift()?.()
    }
    const answers = await Promise.all([...early, late])
    expect(answers.map(({ errors }) => errors?.[0]?.extensions?.code)).toEqual([
      undefined,
      'UPSTREAM_TIMEOUT',
      undefined,
      undefined,
    ])
    expect(graph.calls.take()).toHaveLength(3)
    expect(answers.map(({ extensions: { usage } }) => [usage.calls, usage.cacheHits])).toEqual([
      [1, 0],
      [0, 0],
      [1, 0],
      [1, 1],
    ])
  })

  test('fail together where the service is silent, and those that never went out are not billed', async () => {
    const graph = graphOver(silence, { concurrency: 4, timeoutMs: 200, budget: 1_000 })
    const answers = await passing(
      200,
      queries(60).map((text) => graph.query(text)),
    )
    expect(codesOf(answers)).toEqual(new Set(['UPSTREAM_TIMEOUT']))
    // One after another, all sixty would go out.
    const sent = graph.calls.take().length
    expect(sent).toBeLessThanOrEqual(8)
    expect(callsOf(answers)).toBe(sent)
    // What was sent may have been billed, so its reservations stay booked.
    const { tokens, calls } = graph.upstream.ledgers.totals()
    expect(calls).toBe(sent)
    expect(answers.reduce((sum, { extensions }) => sum + extensions.usage.tokens, 0)).toBe(tokens)
    expect(tokens).toBeGreaterThanOrEqual(sent)
    expect(graph.upstream.accountOf('sample-paid').ledger.covers(1_000 - tokens)).toBe(true)
  })

  test('go out again as soon as the service is back', async () => {
    let isSilent = true
    const graph = graphOver((request) => (isSilent ? silence(request) : answering()), {
      concurrency: 4,
      timeoutMs: 1_000,
    })
    await passing(
      1_000,
      queries(20).map((text) => graph.query(text)),
    )
    isSilent = false
    graph.calls.take()
    const answers = await passing(
      150,
      queries(20).map((text) => graph.query(text)),
    )
    expect(codesOf(answers)).toEqual(new Set([undefined]))
    expect(graph.calls.take()).toHaveLength(20)
  })
})

test('a key whose calls hang does not keep another’s from going out', async () => {
  const service = createServer((request, response) => {
    if (request.headers['x-api-key'] === 'quick') response.setHeader('x-request-usage', '1').end('{}')
  })
  await new Promise<void>((resolve) => void service.listen(0, '127.0.0.1', resolve))
  const { port } = service.address() as AddressInfo // it listens on a port
  const transport = httpTransport(`http://127.0.0.1:${port}/v1`)
  // Nothing times out: queries that do not wait are answered, however slow the machine is.
  const graph = graphOver(transport, { apiKey: null, timeoutMs: 60_000 })
  const hanging = queries(60).map((text) => graph.query(text, { headers: { 'x-api-key': 'hangs' } }))
  await expect.poll(() => graph.calls.sent.length).toBe(24)
  const answer = await graph.query(statistics(0), { headers: { 'x-api-key': 'quick' } })
  expect(answer.errors).toBeUndefined()
  expect(answer.extensions.usage).toMatchObject({ calls: 1, tokens: 1 })
  expect(graph.calls.sent).toHaveLength(25)
  service.close()
  service.closeAllConnections()
  await transport.close?.()
  expect(codesOf(await Promise.all(hanging))).toEqual(new Set(['UPSTREAM_UNAVAILABLE']))
})
