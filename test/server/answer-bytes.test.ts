import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { defaultExecutionLimits } from '../../src/graph/execution/budget.ts'
import { createApp } from '../../src/server/app.ts'
import { basketball, season, startSample, today } from '../graph/harness.ts'
import type { Answer, Sample } from '../graph/harness.ts'
import { startLiving } from './living.ts'
import { onPorts } from './ports.ts'

let sample: Sample
const listening = onPorts()

beforeAll(async () => {
  sample = await startSample()
})
afterAll(() => sample.close())

const most = 1_024
const executionLimits = { ...defaultExecutionLimits, MAX_ANSWER_BYTES: most }

/** The same server by `app.fetch`, which is Yoga alone, and over a port, with the direct path. */
async function serve(limits = executionLimits) {
  const { upstream, calls } = sample.graph()
  const app = createApp({ upstream, apiKey: 'sample-paid', defaults: basketball, executionLimits: limits })
  const url = `${await listening(app)}/graphql`
  const body = (query: string, extensions = {}): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, extensions }),
  })
  const read = async (response: Response) => (await response.json()) as Answer<unknown>
  return {
    calls,
    post: async (query: string, extensions = {}) => read(await fetch(url, body(query, extensions))),
    yoga: async (query: string, extensions = {}, headers = {}) => {
      const init = body(query, extensions)
      return read(await app.fetch(url, { ...init, headers: { ...init.headers, ...headers } }))
    },
    get: async (query: string) => read(await fetch(`${url}?query=${encodeURIComponent(query)}`)),
  }
}

type Served = Awaited<ReturnType<typeof serve>>

const tooLong = (bytes = most) => ({
  message: expect.stringContaining('MAX_ANSWER_BYTES'),
  extensions: { code: 'QUERY_TOO_EXPENSIVE', limit: 'MAX_ANSWER_BYTES', most: bytes },
})

const teams = `{ league { teams(season: ${season}) { teamId } } }`
const dry = { explain: 'dry' }

describe('an answer of more than MAX_ANSWER_BYTES is one error, and its bill is kept', () => {
  test.each<[string, (served: Served) => Promise<Answer<unknown>>]>([
    [
      'on the direct path',
      async ({ post }) => {
        await post(teams, dry) // validates it
        return post(teams)
      },
    ],
    ['in Yoga', ({ yoga }) => yoga(teams)],
    ['by GET', ({ get }) => get(teams)],
    ['with its plan', ({ post }) => post(teams, { explain: true })],
    ['with a limit of tokens', ({ post }) => post(teams, { maxTokens: 1_000 })],
    ['with a federated trace', ({ yoga }) => yoga(teams, {}, { 'apollo-federation-include-trace': 'ftv1' })],
  ])('%s', async (_door, ask) => {
    const served = await serve()
    const { data, errors, extensions } = await ask(served)
    expect({ data, errors }).toEqual({ data: null, errors: [tooLong()] })
    expect(extensions.usage.calls).toBe(1)
    expect(served.calls.take()).toEqual(['elo/read 1'])
  })

  test('of kept rows, on the direct path', async () => {
    const { post, calls } = await serve()
    await post(teams)
    expect(calls.take()).toEqual(['elo/read 1'])
    for (const _time of [1, 2]) {
      const { data, errors, extensions } = await post(teams)
      expect({ data, errors }).toEqual({ data: null, errors: [tooLong()] })
      expect(extensions.usage).toMatchObject({ tokens: 0, bytes: 0, calls: 0 })
    }
    expect(calls.take()).toEqual([])
  })

  test('of the schema', async () => {
    const { post, calls } = await serve()
    for (const _door of ['Yoga', 'direct path'])
      expect((await post('{ __schema { types { name description } } }')).errors).toEqual([tooLong()])
    expect(calls.take()).toEqual([])
  })
})

test('long names for a field of all teams are refused on each path, by the default limit', async () => {
  const { post, yoga, calls } = await serve(defaultExecutionLimits)
  const names = Array.from({ length: 450 }, (_, nth) => `${'a'.repeat(900)}${nth}: teamId`)
  const text = teams.replace('teamId', names.join(' '))
  const trace = { 'apollo-federation-include-trace': 'ftv1' }
  const answers = [await post(text), await post(text), await yoga(text, {}, trace)]
  for (const { data, errors } of answers)
    expect({ data, errors }).toEqual({ data: null, errors: [tooLong(16_777_216)] })
  expect(calls.take()).toEqual(['elo/read 1'])
})

test('an answer of exactly so many bytes is sent', async () => {
  const ask = async (bytes: number) => {
    const { post } = await serve({ ...executionLimits, MAX_ANSWER_BYTES: bytes })
    await post(teams, dry)
    return post(teams)
  }
  const { length } = JSON.stringify(await ask(1_000_000))
  expect((await ask(length)).errors).toBeUndefined()
  expect((await ask(length - 1)).errors).toEqual([tooLong(length - 1)])
})

test('of a subscription each event is one error, over event streams and WebSockets', async () => {
  const living = await startLiving(sample, { executionLimits })
  const query = `subscription { scores(date: "${today}") { ${'a'.repeat(900)}: gameId ${'b'.repeat(900)}: gameId } }`
  const games = (await sample.rows('game/getGames', { ...basketball, start_date: today })).length
  const refused = Array.from({ length: games }, () => ({ data: null, errors: [tooLong()] }))
  // The first stream of a document is Yoga’s.
  const first = await living.subscribe(query)
  const second = await living.subscribe(query)
  const client = createClient({
    url: `${living.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
  })
  const heard: unknown[] = []
  client.subscribe(
    { query },
    { next: (event) => void heard.push(event), error: () => {}, complete: () => {} },
  )
  for (const events of [first.events, second.events, heard]) {
    await expect.poll(() => events.length).toBe(games)
    expect(events).toEqual(refused.map((event) => expect.objectContaining(event)))
  }
  expect(living.graph.calls.take()).toEqual(['game/getScores 1'])
  first.leave()
  second.leave()
  await client.dispose()
  await living.close()
})
