import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Usage } from '../../src/account/plan-entry.ts'
import { fakedTimers, until } from '../client/living.ts'
import { basketball, startSample, today } from '../graph/harness.ts'
import type { Sample } from '../graph/harness.ts'
import { scores, startLiving } from './living.ts'
import type { Living, Subscriber } from './living.ts'

interface Line extends Partial<Usage> {
  readonly id: string
  readonly status: number
  readonly ms: number
  readonly operation?: string
  readonly events?: number
}

let sample: Sample
let living: Living
let lines: Line[]
let games: number

beforeAll(async () => {
  sample = await startSample()
  games = (await sample.rows('game/getGames', { ...basketball, start_date: today })).length
})
afterAll(() => sample.close())
beforeEach(async () => {
  vi.useFakeTimers(fakedTimers)
  lines = []
  const log = { info: (line: object) => void lines.push(line as Line), error: () => {} }
  living = await startLiving(sample, { log })
})
afterEach(async () => {
  vi.useRealTimers()
  await living.close()
})

/** A metric’s value, summed over its labels. */
async function metric(name: string, label = ''): Promise<number> {
  const text = await (await fetch(`${living.url}/metrics`)).text()
  const values = text.split('\n').filter((line) => line.startsWith(name) && line.includes(label))
  return values.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

const spent = () => living.graph.upstream.ledgers.totals()

const told = ({ events }: Subscriber, figure: 'tokens' | 'bytes' | 'calls') =>
  events.reduce((sum, { extensions }) => sum + extensions.usage[figure], 0)

/**
 * The cost of each poll: the day's scores. They are smaller than the line movements of three games, as long
 * as no answer has shown that these are few.
 */
const look = ['game/getScores 1']

/** Delays all answers of the service until the returned function is called. */
function held(): () => void {
  const waiting: (() => void)[] = []
  living.between(async (_request, send) => {
    await new Promise<void>((resolve) => waiting.push(resolve))
    return send()
  })
  return () => waiting.forEach((answer) => answer())
}

async function expectMetricsToBeTheLedger(): Promise<void> {
  const { tokens, bytes, calls } = spent()
  expect(await metric('statline_upstream_tokens_total')).toBe(tokens)
  expect(await metric('statline_upstream_bytes_total')).toBe(bytes)
  expect(await metric('statline_upstream_calls_total', 'UPSTREAM')).toBe(calls)
  expect(await metric('statline_upstream_call_duration_seconds_count')).toBe(calls)
}

describe('what a subscription makes the service bill', () => {
  test('is in the metrics at once: with events, without one, and after the client has left', async () => {
    const subscriber = await living.subscribe()
    await until(() => subscriber.events.length === games)
    expect(living.graph.calls.take()).toEqual(['game/getScores 1'])
    await expectMetricsToBeTheLedger()

    await living.pass(16_000) // nothing has changed
    await until(() => spent().calls === 2)
    expect(living.graph.calls.take()).toEqual(look)
    expect(subscriber.events).toHaveLength(games)
    await expectMetricsToBeTheLedger()

    const answer = held()
    await living.pass(16_000)
    await until(() => living.graph.calls.sent.length === 3)
    subscriber.leave()
    answer()
    await until(() => spent().calls === 3)
    await expectMetricsToBeTheLedger()
    await until(() => lines.length === 1)
    expect(lines[0]).toMatchObject({ tokens: spent().tokens, bytes: spent().bytes, calls: 3 })
  })

  test('is reported with the next event or in the log: their sums are the ledger', async () => {
    const subscriber = await living.subscribe()
    await until(() => subscriber.events.length === games)
    await living.pass(16_000)
    await until(() => spent().calls === 2)
    living.score(30)
    await living.pass(16_000)
    await until(() => subscriber.events.length > games)
    expect(living.graph.calls.take()).toEqual(['game/getScores 1', ...look, ...look])
    expect(subscriber.events[games]?.extensions.usage.calls).toBe(2) // this look’s, and those of one without an event
    expect(told(subscriber, 'calls')).toBe(spent().calls)
    expect(told(subscriber, 'tokens')).toBe(spent().tokens)

    await living.pass(16_000)
    await until(() => spent().calls === 4)
    subscriber.leave()
    await until(() => lines.length === 1)
    const { tokens, bytes, calls } = spent()
    expect(lines[0]).toMatchObject({ tokens, bytes, calls, events: subscriber.events.length })
    expect(told(subscriber, 'calls')).toBe(3)
  })

  test('is charged to the request that sends the call, and shared by the others: bills and lines add up to the ledger', async () => {
    const subscribers = await Promise.all(Array.from({ length: 4 }, () => living.subscribe()))
    await until(() => subscribers.every(({ events }) => events.length === games))
    await living.pass(16_000)
    await until(() => spent().calls === 2)
    for (const subscriber of subscribers) subscriber.leave()
    await until(() => lines.length === 4)
    expect(living.graph.calls.take()).toEqual(['game/getScores 1', ...look])
    for (const figure of ['tokens', 'bytes', 'calls'] as const)
      expect(lines.reduce((sum, line) => sum + (line[figure] ?? 0), 0)).toBe(spent()[figure])
    await expectMetricsToBeTheLedger()
    expect(await metric('statline_upstream_calls_total', 'SHARED')).toBeGreaterThan(0)
    const needs = lines.reduce((sum, line) => sum + (line.calls ?? 0) + (line.cacheHits ?? 0), 0)
    expect(await metric('statline_upstream_calls_total')).toBe(needs)
  })

  test('costs the fewest bytes: rows and lines by id once answers have shown that games have few movements', async () => {
    for (const { game_id } of await sample.rows('game/getGames', {
      ...basketball,
      start_date: '2026-02-15',
    })) {
      const { errors } = await living.graph.query(`{ game(id: "${game_id}") { odds { history { over } } } }`)
      expect(errors).toBeUndefined()
    }
    const subscriber = await living.subscribe()
    await until(() => subscriber.events.length === games)
    living.graph.calls.take()
    const before = spent()
    await living.pass(16_000)
    await until(() => spent().calls === before.calls + 2)
    expect(living.graph.calls.take()).toEqual(['game/read 3', 'odds/read 3'])
    const scoresOfDay = JSON.stringify(
      await sample.row('game/getScores', { ...basketball, start_date: today }),
    )
    expect(spent().bytes - before.bytes).toBeLessThan(scoresOfDay.length / 2)
    subscriber.leave()
  })

  test('includes what the fields of its events cost', async () => {
    const subscriber = await living.subscribe(scores.replace('gameId', 'gameId homeTeam { name }'))
    await until(() => subscriber.events.length === games)
    expect(told(subscriber, 'tokens')).toBe(spent().tokens)
    expect(spent().calls).toBe(living.graph.calls.take().length)
    await expectMetricsToBeTheLedger()
    subscriber.leave()
  })

  test('is reported with the error if the first poll fails', async () => {
    living.between(async () => ({
      status: 200,
      headers: { 'x-request-usage': '3' },
      body: '<html>',
      bytes: 6,
    }))
    const subscriber = await living.subscribe()
    await until(() => subscriber.isComplete())
    expect(subscriber.events).toHaveLength(1)
    expect(subscriber.events[0]?.errors?.[0]?.extensions.code).toBe('UPSTREAM_ERROR')
    expect(subscriber.events[0]?.extensions.usage).toMatchObject({ tokens: 3, calls: 1 })
    await until(() => lines.length === 1)
    expect(await metric('statline_subscriptions_total', 'error')).toBe(1)
  })
})

describe('a subscription', () => {
  test('is counted while it is under way, and once when it is over; it is no query', async () => {
    const [one, other] = [await living.subscribe(), await living.subscribe()]
    await until(() => other.events.length === games)
    expect(await metric('statline_subscriptions_active')).toBe(2)
    one.leave()
    await until(() => lines.length === 1)
    expect(await metric('statline_subscriptions_active')).toBe(1)
    other.leave()
    await until(() => lines.length === 2)
    expect(await metric('statline_subscriptions_active')).toBe(0)
    expect(await metric('statline_subscriptions_total', 'ok')).toBe(2)
    expect(await metric('statline_subscription_events_total', 'ok')).toBe(2 * games)
    expect(await metric('statline_queries_total')).toBe(0)
    expect(await metric('statline_query_duration_seconds_count')).toBe(0)
  })

  test('is one line of the log, at its end: its id, how long it took, its events and its bill', async () => {
    const subscriber = await living.subscribe(scores, { 'x-request-id': 'live-1' })
    expect(subscriber.requestId).toBe('live-1')
    await until(() => subscriber.events.length === games)
    expect(lines).toEqual([])
    subscriber.leave()
    await until(() => lines.length === 1)
    const { tokens, bytes } = spent()
    expect(lines).toEqual([
      {
        id: 'live-1',
        method: 'POST',
        path: '/graphql',
        status: 200,
        ms: expect.any(Number),
        operation: 'Live',
        outcome: 'ok',
        client: 'unknown',
        key: expect.stringMatching(/^[\w-]{8}$/),
        attempts: 1,
        events: games,
        tokens,
        tokensByOperation: { 'game/getScores': tokens },
        bytes,
        calls: 1,
        cacheHits: 0,
      },
    ])
  })

  test('that fails is logged with its outcome and codes, whoever answers it', async () => {
    living.between(async (_request, send) => ({ ...(await send()), status: 401 }))
    for (const nth of [0, 1]) {
      await living.subscribe()
      await until(() => lines.length === nth + 1)
    }
    const failed = { operation: 'Live', outcome: 'failed', codes: ['UNAUTHENTICATED'] }
    expect(lines).toMatchObject([failed, failed])
  })

  test('to a game that is not there has an error with the path of its field, whoever answers it', async () => {
    const query = 'subscription { gone: game(id: "00000000-0000-4000-8000-000000000000") { gameId } }'
    for (const calls of [['game/read 1'], []]) {
      const subscriber = await living.subscribe(query)
      await until(() => subscriber.isComplete())
      expect(subscriber.events).toMatchObject([
        { errors: [{ path: ['gone'], locations: [{ line: 1 }], extensions: { code: 'BAD_USER_INPUT' } }] },
      ])
      expect(living.graph.calls.take()).toEqual(calls)
    }
  })

  test.each([
    'gameId homeTeam @include(if: $x) { name }',
    'gameId homeScore @skip(if: $x)',
    'gameId ... @include(if: $x) { homeScore }',
  ])('with null as a condition is refused and costs nothing, whoever answers it: %s', async (fields) => {
    const text = `subscription ($x: Boolean = true) { scores(date: "${today}") { ${fields} } }`
    for (let time = 0; time < 2; time += 1) {
      const subscriber = await living.subscribe(text, {}, { x: null })
      await until(() => subscriber.isOver())
      expect(subscriber.isComplete()).toBe(true)
      const errors = subscriber.events.flatMap((event) => event.errors ?? [])
      expect(errors.map(({ extensions }) => extensions.code)).toEqual(['BAD_USER_INPUT'])
      expect(subscriber.events.map(({ data }) => data ?? null)).toEqual([null])
      expect(living.graph.calls.take()).toEqual([])
    }
    // Without the variable its default holds.
    const subscriber = await living.subscribe(text)
    await until(() => subscriber.events.length === games)
    subscriber.leave()
  })

  test('whose client cannot read events is refused, looks at nothing and is not under way', async () => {
    const response = await living.query(scores, { accept: 'application/json' })
    expect(response.status).toBe(406)
    expect(living.graph.calls.take()).toEqual([])
    expect(await metric('statline_subscriptions_active')).toBe(0)
    expect(lines).toMatchObject([{ status: 406, calls: 0 }])
  })

  test('is cut without a word when the server closes, which waits for nothing else', async () => {
    const subscriber = await living.subscribe()
    await until(() => subscriber.events.length === games)
    vi.useRealTimers()
    await living.close()
    await until(() => subscriber.isOver())
    expect(subscriber.isComplete()).toBe(false)
    expect(lines).toMatchObject([{ operation: 'Live', events: games, calls: 1 }])
  })
})

test('a client that goes away before its answer is logged, with what it has made the service bill', async () => {
  const answer = held()
  const gone = new AbortController()
  const query = encodeURIComponent('query Gone { organizations { name } }')
  const asked = fetch(`${living.url}/graphql?query=${query}`, {
    headers: { accept: 'application/json' },
    signal: gone.signal,
  })
  await until(() => living.graph.calls.sent.length === 1)
  gone.abort()
  await expect(asked).rejects.toThrow()
  answer()
  await until(() => spent().calls === 1)
  await expectMetricsToBeTheLedger()
  await until(() => lines.length === 1)
  expect(lines[0]).toMatchObject({ operation: 'Gone', tokens: spent().tokens, calls: 1 })
})
