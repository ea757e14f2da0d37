import { createClient } from 'graphql-ws'
import { WebSocket } from 'ws'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { fakedTimers, until } from '../client/living.ts'
import { Answer } from '../../src/graph/execution/answer.ts'
import { basketball, startSample, today } from '../graph/harness.ts'
import type { Sample } from '../graph/harness.ts'
import { answerOf } from '../graph/spoiled.ts'
import { startLiving } from './living.ts'
import type { Living } from './living.ts'

/**
 * The first subscription of a document is Yoga’s, which validates it; the next ones are the event streams’.
 */
let sample: Sample
let living: Living
let games: number
beforeAll(async () => {
  sample = await startSample()
  games = (await sample.rows('game/getGames', { ...basketball, start_date: today })).length
})
afterAll(() => sample.close())
afterEach(() => living.close())

const query = `subscription ($date: Date!) { scores(date: $date) { gameId homeScore odds { pre { spreadHome } } } }`

/** A response to a subscription, what came so far, and how to go away. */
async function ask(variables: object = { date: today }, headers: Record<string, string> = {}) {
  const gone = new AbortController()
  const response = await fetch(`${living.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
    body: JSON.stringify({ query, variables }),
    signal: gone.signal,
  })
  const told = { response, text: '', leave: () => gone.abort(), isOver: false }
  void (async () => {
    try {
      for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) told.text += chunk
    } catch {
      // It has left.
    }
    told.isOver = true
  })()
  return told
}

const dataIn = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)))

const active = async () => {
  const text = await (await fetch(`${living.url}/metrics`)).text()
  return Number(/^statline_subscriptions_active (\d+)/m.exec(text)?.[1])
}

test('later subscribers of a document are answered as the first was, at no further call', async () => {
  living = await startLiving(sample)
  const first = await ask()
  await until(() => dataIn(first.text).length === games)
  const calls = living.graph.calls.take()
  const second = await ask()
  await until(() => dataIn(second.text).length === games)
  const [one, other] = [dataIn(first.text), dataIn(second.text)]
  expect(other.map(({ data }) => data)).toEqual(one.map(({ data }) => data))
  expect(other.map(({ extensions }) => extensions.live)).toEqual(one.map(({ extensions }) => extensions.live))
  expect(calls).toEqual(['game/getScores 1'])
  expect(living.graph.calls.take()).toEqual([])
  first.leave()
  second.leave()
  await expect.poll(active).toBe(0)
})

test.each([
  ['of a program', {}],
  ['of a page', { origin: 'http://localhost:3000' }],
])(
  'the first and the second stream %s have the same headers, which forbid proxies to pack or hold them',
  async (_whose, sent) => {
    living = await startLiving(sample, { log: { info() {}, error() {} } })
    const headersOf = async (variables?: object) => {
      const { response, leave } = await ask(variables, { 'accept-encoding': 'br, gzip', ...sent })
      leave()
      const { date: _date, 'x-request-id': id, ...headers } = Object.fromEntries(response.headers)
      return { ...headers, hasId: id !== undefined }
    }
    const first = await headersOf()
    expect(first).toMatchObject({ 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' })
    expect(first).not.toHaveProperty('content-encoding')
    expect(await headersOf()).toEqual(first)
    // A refusal is a stream too.
    expect(await headersOf({ date: 'today' })).toEqual(first)
    expect(living.graph.calls.take().length).toBeLessThanOrEqual(1)
  },
)

test('when the server closes, it waits for none of them', async () => {
  living = await startLiving(sample)
  const streams = [await ask(), await ask(), await ask()]
  await until(() => streams.every(({ text }) => dataIn(text).length === games))
  await living.close()
  await until(() => streams.every(({ isOver }) => isOver))
  expect(streams.map(({ text }) => text.includes('event: complete'))).toEqual([false, false, false])
  living = await startLiving(sample)
})

test('a wrong variable, too many subscriptions and pages of other sites are refused as ever', async () => {
  living = await startLiving(sample, { subscriptionLimits: { perClient: 1, inTotal: 10 } })
  const first = await ask()
  await until(() => dataIn(first.text).length === games)
  const wrong = await ask({ date: 'today' })
  await until(() => wrong.isOver)
  expect(wrong.text).toContain('is not a date')
  expect(wrong.text).toContain('event: complete')
  const second = await ask()
  await until(() => second.isOver)
  expect(second.response.status).toBe(429)
  expect(dataIn(second.text)).toMatchObject([
    { errors: [{ extensions: { code: 'TOO_MANY_SUBSCRIPTIONS' } }] },
  ])
  expect(second.text).not.toContain('"http"')
  for (const [name, value] of [
    ['origin', 'https://evil.test'],
    ['sec-fetch-site', 'cross-site'],
  ] as const) {
    const foreign = await ask(undefined, { [name]: value })
    expect(foreign.response.status).toBe(403)
  }
  first.leave()
})

test('an event is printed once for all subscribers of a document', async () => {
  vi.useFakeTimers(fakedTimers)
  living = await startLiving(sample)
  const all = [await ask()]
  for (let more = 0; more < 20; more += 1) all.push(await ask())
  await until(() => all.every(({ text }) => dataIn(text).length === games))
  living.graph.calls.take()
  const printing = vi.spyOn(Answer.prototype, 'bytes')
  living.score(55)
  await living.pass(16_000)
  const news = () => all.map(({ text }) => dataIn(text).slice(games))
  await until(() => news().every((events) => events.length > 0 && events.length === news()[0]?.length))
  expect(printing).toHaveBeenCalledTimes(news()[0]?.length ?? 0)
  printing.mockRestore()
  expect(living.graph.calls.take()).toEqual(['game/getScores 1'])
  vi.useRealTimers()
  for (const { leave } of all) leave()
  await expect.poll(active).toBe(0)
})

const refused = { data: null, errors: [{ path: ['scores'], extensions: { code: 'UNAUTHENTICATED' } }] }
const stale = { data: { scores: {} }, extensions: { stale: { rows: expect.any(Number) } } }

test.each([
  ['refuses the key', 401, refused],
  ['is down', 503, stale],
])(
  'while the service %s, two streams of a document and a WebSocket tell the same, once',
  async (_how, status, news) => {
    vi.useFakeTimers(fakedTimers)
    living = await startLiving(sample)
    const streams = [await ask(), await ask()]
    const texts: { readonly data?: unknown }[] = []
    const socket = createClient({
      url: `${living.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
    })
    socket.subscribe(
      { query, variables: { date: today } },
      { next: (event) => void texts.push(event), error: () => {}, complete: () => {} },
    )
    await until(() => texts.length === games && streams.every(({ text }) => dataIn(text).length === games))
    const { ledgers } = living.graph.upstream
    const { tokens } = ledgers.totals()
    living.between(async () => answerOf({}, { status, headers: {} }))
    for (let poll = 0; poll < 4; poll += 1) await living.pass(16_000)
    const later = () => [...streams.map(({ text }) => dataIn(text)), texts].map((all) => all.slice(games))
    await until(() => later().every((events) => events.length > 0))
    for (const events of later()) expect(events).toMatchObject([news])
    expect(ledgers.totals().tokens).toBe(tokens)
    living.between((_request, send) => send())
    await living.pass(61_000)
    await until(() => later().every((events) => events.length > 1))
    const [first, ...others] = later().map((events) => events.slice(1).map(({ data }) => data))
    expect(first?.at(-1)).not.toBeNull()
    for (const other of others) expect(other).toEqual(first)
    for (const { leave } of streams) leave()
    await socket.dispose()
    vi.useRealTimers()
    await expect.poll(active).toBe(0)
  },
)
