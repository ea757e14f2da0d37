import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createApp } from '../../src/server/app.ts'
import { basketball, season, startSample, today } from './harness.ts'
import type { Graph, Sample } from './harness.ts'
import { sampleNow } from '../sample.setup.ts'

let sample: Sample
let graph: Graph
let now = sampleNow
let isDown = false

beforeAll(async () => {
  sample = await startSample()
})
beforeEach(() => {
  now = sampleNow
  isDown = false
  graph = sample.graph({
    clock: () => now,
    between: async (request, service) =>
      isDown ? { status: 503, headers: {}, body: '', bytes: 0 } : service(request),
  })
})
afterAll(() => sample.close())

interface Stale {
  readonly stale?: { readonly rows: number; readonly seconds: number }
}
const accepting = (maxAge: unknown) => ({ extensions: { maxAge } })
const scores = `{ league { games(date: "${today}") { status homeScore odds { pre { dateOfEntry } } } } }`
const elo = `{ league { elo(season: ${season}) { elo team { name } } } }`
const staleOf = ({ extensions }: { extensions: object }) => (extensions as Stale).stale

test('a request accepts expired rows up to an age, marked, and not a second longer', async () => {
  const first = await graph.query(scores)
  graph.calls.take()
  now += 600_000
  const older = await graph.query(scores, accepting(601))
  expect([graph.calls.take(), older.data, older.extensions.usage.tokens]).toEqual([[], first.data, 0])
  expect(staleOf(older)).toMatchObject({ seconds: 600 })
  expect(staleOf(older)?.rows).toBeGreaterThan(1)
  await graph.query(scores, accepting(600))
  expect(graph.calls.take()).toEqual(['game/getScores 1'])
})

test('it is their age that counts, whatever their class', async () => {
  await graph.query(elo)
  graph.calls.take()
  now += 601_000 // twice the five minutes of current rows, and a second
  await graph.query(elo, accepting(600))
  expect(graph.calls.take()).toEqual(['elo/read 1'])
})

test('fresh rows are served whatever their age, and nothing is marked', async () => {
  await graph.query(elo)
  graph.calls.take()
  now += 60_000
  const answer = await graph.query(elo, accepting(0))
  expect([graph.calls.take(), staleOf(answer)]).toEqual([[], undefined])
})

test('only what is too old is bought, and only what is not is marked', async () => {
  await graph.query(elo)
  now += 400_000
  await graph.query(scores)
  now += 400_000
  graph.calls.take()
  const both = `{ league { elo(season: ${season}) { elo } games(date: "${today}") { status homeScore } } }`
  const answer = await graph.query(both, accepting(600))
  expect(graph.calls.take()).toEqual(['elo/read 1'])
  expect(staleOf(answer)).toMatchObject({ seconds: 400 })
})

test.each([
  ['network', 400],
  // The scores bring it too.
  ['homeScore', undefined],
])('an accepted column is marked beside others of its row that are bought: %s', async (column, seconds) => {
  const games = (columns: string) => `{ league { games(date: "${today}") { gameId ${columns} } } }`
  await graph.query(scores)
  now += 400_000
  await graph.query(games('network'))
  now += 400_000
  graph.calls.take()
  const answer = await graph.query(games(`${column} odds { pre { over } }`), accepting(600))
  expect(graph.calls.take()).toEqual(['game/getScores 1'])
  expect(staleOf(answer)?.seconds).toBe(seconds)
})

test('both sides of a game that were bought one by one are accepted together', async () => {
  const games = await sample.rows('game/read', { ...basketball, season })
  const id = games.find(({ status, boxscore }) => status === 'final' && boxscore === 1)?.['game_id']
  const boxscores = (fields: string) => `{ game(id: "${String(id)}") { ${fields} } }`
  await graph.query(boxscores('boxscore(side: HOME) { points }'))
  await graph.query(boxscores('boxscore(side: AWAY) { points }'))
  now += 86_400_000 + 60_000
  graph.calls.take()
  const both = await graph.query<{ game: { boxscores: unknown[] } }>(
    boxscores('boxscores { points }'),
    accepting(90_000),
  )
  expect([both.errors, both.data.game.boxscores.length]).toEqual([undefined, 2])
  expect([graph.calls.take(), both.extensions.usage.tokens]).toEqual([[], 0])
  expect(staleOf(both)).toMatchObject({ seconds: 86_460 })
})

test('the next request is served fresh rows, and other clients meanwhile', async () => {
  await graph.query(scores)
  now += 400_000
  graph.calls.take()
  const [lenient, strict] = await Promise.all([graph.query(scores, accepting(600)), graph.query(scores)])
  expect(graph.calls.take()).toEqual(['game/getScores 1'])
  expect([staleOf(lenient)?.seconds, staleOf(strict)]).toEqual([400, undefined])
})

test('an estimate and a limit count what is accepted as paid for', async () => {
  await graph.query(scores)
  now += 400_000
  graph.calls.take()
  const dry = (await graph.query(scores, { extensions: { maxAge: 600, explain: 'dry' } })) as unknown as {
    extensions: { estimate: unknown }
  }
  expect(dry.extensions.estimate).toMatchObject({ tokens: { from: 0, to: 0 } })
  const answer = await graph.query(scores, { extensions: { maxAge: 600, maxTokens: 0 } })
  expect([graph.calls.take(), answer.errors]).toEqual([[], undefined])
})

test('an answer with older rows must not be stored', async () => {
  const app = createApp({ upstream: graph.upstream, apiKey: 'sample-paid', defaults: basketball })
  const ask = (extensions: object) =>
    app.fetch('http://statline.test/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: scores, extensions }),
    })
  expect((await ask({})).headers.get('cache-control')).toContain('max-age')
  now += 400_000
  expect((await ask({ maxAge: 600 })).headers.get('cache-control')).toBe('no-store')
})

test('while the service fails, older rows than that are served as to any request', async () => {
  await graph.query(scores)
  now += 3_600_000
  isDown = true
  const answer = await graph.query(scores, accepting(60))
  expect([answer.errors, staleOf(answer)?.seconds]).toEqual([undefined, 3600])
})

test.each([['ten'], [-1], [true]])('a maxAge of %j is refused before anything is spent', async (maxAge) => {
  const { errors } = await graph.query(scores, accepting(maxAge))
  expect(errors).toMatchObject([
    { message: 'extensions.maxAge must be a number of seconds.', extensions: { code: 'BAD_USER_INPUT' } },
  ])
  expect(graph.calls.take()).toEqual([])
})
