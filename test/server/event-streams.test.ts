import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { until } from '../client/living.ts'
import { basketball, startSample, today } from '../graph/harness.ts'
import type { Sample } from '../graph/harness.ts'
import { startLiving } from './living.ts'
import type { Living } from './living.ts'

/** The first subscription of a document is Yoga’s, which validates it; the next ones are the event streams’. */
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
  for (const name of ['content-type', 'cache-control'])
    expect(second.response.headers.get(name)).toBe(first.response.headers.get(name))
  first.leave()
  second.leave()
  await expect.poll(active).toBe(0)
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
