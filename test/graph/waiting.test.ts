import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { graphOver, season, startSample } from './harness.ts'
import type { Answer, Sample } from './harness.ts'
import { TimeoutError } from '../../src/upstream/errors.ts'
import { httpTransport } from '../../src/upstream/transport.ts'
import type { Incoming, Outgoing } from '../../src/upstream/transport.ts'

let sample: Sample
beforeAll(async () => {
  sample = await startSample()
})
afterAll(() => sample.close())

const madeUp = (nth: number) => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`
const statistics = (nth: number) => `{ team(id: "${madeUp(nth)}") { stats(season: ${season}) { games } } }`
const queries = (count: number) => Array.from({ length: count }, (_, nth) => statistics(nth))
const codesOf = (answers: readonly Answer<unknown>[]) =>
  new Set(answers.map(({ errors }) => errors?.[0]?.extensions?.code))
const callsOf = (answers: readonly Answer<unknown>[]) =>
  answers.reduce((sum, { extensions }) => sum + extensions.usage.calls, 0)

const silence = ({ signal }: Outgoing) =>
  new Promise<Incoming>((_, reject) =>
    signal.addEventListener('abort', () => reject(new TimeoutError('late'))),
  )

describe('more calls than may be under way at once', () => {
  test('are all answered where the service is slow, though the last waits longer than one answer may take', async () => {
    const graph = sample.graph({
      concurrency: 4,
      timeoutMs: 1_000,
      between: async (request, service) => {
        await new Promise((resolve) => setTimeout(resolve, 150))
        return service(request)
      },
    })
    const answers = await Promise.all(queries(24).map((text) => graph.query(text)))
    expect(codesOf(answers)).toEqual(new Set([undefined]))
    expect(graph.calls.take()).toHaveLength(24)
    expect(callsOf(answers)).toBe(24)
  })

  test('fail together where the service is silent, and those that never went out are not billed', async () => {
    const graph = sample.graph({ concurrency: 4, timeoutMs: 200, budget: 1_000, between: silence })
    const began = performance.now()
    const answers = await Promise.all(queries(60).map((text) => graph.query(text)))
    // One after another they would take twenty times as long as one call may.
    expect(performance.now() - began).toBeLessThan(3_500)
    expect(codesOf(answers)).toEqual(new Set(['UPSTREAM_TIMEOUT']))
    const sent = graph.calls.take().length
    expect(sent).toBeLessThanOrEqual(8)
    expect(callsOf(answers)).toBe(sent)
    // What was sent may have been billed, so its reservations stay booked.
    const { tokens, calls } = graph.upstream.ledgers.totals()
    expect(calls).toBe(sent)
    expect(answers.reduce((sum, { extensions }) => sum + extensions.usage.tokens, 0)).toBe(tokens)
    expect(tokens).toBeGreaterThanOrEqual(sent)
    expect(graph.upstream.worldOf('sample-paid').ledger.bears(1_000 - tokens)).toBe(true)
  })

  test('go out again as soon as the service is back', async () => {
    let isSilent = true
    const graph = sample.graph({
      concurrency: 4,
      timeoutMs: 1_000,
      between: (request, service) => (isSilent ? silence(request) : service(request)),
    })
    await Promise.all(queries(20).map((text) => graph.query(text)))
    isSilent = false
    graph.calls.take()
    const answers = await Promise.all(queries(20).map((text) => graph.query(text)))
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
  const graph = graphOver(transport, { apiKey: null, timeoutMs: 1_500 })
  const hanging = queries(60).map((text) => graph.query(text, { headers: { 'x-api-key': 'hangs' } }))
  await expect.poll(() => graph.calls.sent.length).toBe(24)
  const answer = await graph.query(statistics(0), { headers: { 'x-api-key': 'quick' } })
  expect(answer.errors).toBeUndefined()
  expect(answer.extensions.usage).toMatchObject({ calls: 1, tokens: 1 })
  expect(graph.calls.sent).toHaveLength(25)
  expect(codesOf(await Promise.all(hanging))).toEqual(new Set(['UPSTREAM_TIMEOUT']))
  await transport.close?.()
  service.closeAllConnections()
  service.close()
})
