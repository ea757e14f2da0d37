import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleNow } from '../sample.setup.ts'
import { basketball, season, startSample, today } from './harness.ts'
import type { Sample } from './harness.ts'
import { answerOf, operationOf } from './spoiled.ts'
import { nameOf } from '../../src/specification/operation.ts'

let sample: Sample

beforeAll(async () => {
  sample = await startSample()
})
afterAll(() => sample.close())

const columns = `{ league { games(date: "${today}") { homeScore network } } }`

/** Buys a day's columns, and again when its list and some of its games have expired. */
async function twice(apiKey: string) {
  let now = sampleNow
  const graph = sample.graph({ apiKey, clock: () => now })
  const first = await graph.query(columns)
  expect(graph.calls.take()).toEqual(['game/getGames 1'])
  now += 400_000
  return { graph, first, again: await graph.query(columns) }
}

test('a plan that allows games by id reads those that have expired', async () => {
  const { graph, first, again } = await twice('sample-paid')
  expect(again.data).toEqual(first.data)
  expect(graph.calls.take()).toEqual(['game/getScores 1', expect.stringMatching(/^game\/read \d/)])
})

test('a plan that allows no games by id gets them by their day, and no error', async () => {
  const { graph, first, again } = await twice('sample-trial')
  expect(again.errors).toBeUndefined()
  expect(again.data).toEqual(first.data)
  expect(graph.calls.take()).toEqual([
    'game/getGames 1',
    'game/getScores 1',
    expect.stringMatching(/^game\/read \d/),
  ])
})

test('a plan that allows no games by id gets those of an expired season one by one', async () => {
  const [game] = await sample.rows('game/getGames', { ...basketball, start_date: today })
  let now = sampleNow
  const graph = sample.graph({ apiKey: 'sample-trial', clock: () => now })
  const text = `{ league { team(id: "${String(game?.['home_team_id'])}") {
    nextGame(season: ${season}) { gameId network startDate }
  } } }`
  const first = await graph.query(text)
  expect(first.errors).toBeUndefined()
  // What a key has bought stays in memory from its second request on.
  expect(await graph.query(text)).toEqual(expect.objectContaining({ data: first.data }))
  graph.calls.take()
  now += 86_400_000
  const again = await graph.query(text)
  expect(again.errors).toBeUndefined()
  expect(again.data).toEqual(
    (await sample.graph({ apiKey: 'sample-trial', clock: () => now }).query(text)).data,
  )
  const calls = new Set(graph.calls.take())
  expect(calls).toEqual(new Set(['game/read 1', 'game/getScores 1', 'game/get 1']))
})

test('a plan that allows no bulk reads gets the ratings of all opponents one by one', async () => {
  const text = `{ league { games(date: "${today}") { homeTeam { scheduleStrength(season: ${season}) { played remaining } } } } }`
  const paid = sample.graph()
  const expected = await paid.query(text)
  // One call for the whole league saves a round trip.
  expect(paid.calls.take()).toContain('elo/read 1')
  const graph = sample.graph({
    between: async (request, service) =>
      nameOf(request.operation) === 'elo/read' ? answerOf({ error: 'Access denied' }) : service(request),
  })
  const first = await graph.query(text)
  expect(first.errors).toBeUndefined()
  expect(first.data).toEqual(expected.data)
  const calls = graph.calls.take()
  expect(calls.filter((one) => one.startsWith('elo/read'))).toEqual(['elo/read 1'])
  expect(calls.filter((one) => one === 'elo/get 1').length).toBeGreaterThan(20)
})

test('a plan that does not allow the list of conferences is asked for it once, and its rows are marked', async () => {
  const graph = sample.graph({
    apiKey: 'sample-trial',
    async between(request, service) {
      const answer = await service(request)
      const { 'x-data-quality': _hidden, ...headers } = answer.headers
      return { ...answer, headers }
    },
  })
  const conferences = '{ league { conferences { name } } }'
  for (const calls of [['conference/read 1'], []]) {
    const { errors } = await graph.query(conferences)
    expect(errors?.map(({ extensions }) => extensions?.code)).toEqual(['ACCESS_DENIED'])
    expect(graph.calls.take()).toEqual(calls)
  }
  const { extensions } = await graph.query(`{ league { games(date: "${today}") { homeScore } } }`)
  expect(extensions).toMatchObject({ dataQuality: 'MAY_BE_RANDOMIZED' })
})

test('scores that came before odds were refused are not bought again', async () => {
  const [game] = await sample.rows('game/getGames', { ...basketball, start_date: today })
  let refuse = () => {}
  const waiting = new Promise<void>((resolve) => (refuse = resolve))
  const graph = sample.graph({
    apiKey: 'sample-trial',
    async between(request, service) {
      const answer = await service(request)
      if (operationOf(request) === 'odds/read') await waiting
      // What follows from the scores is read before the refusal comes.
      if (operationOf(request) === 'game/getScores') setTimeout(refuse, 50)
      return answer
    },
  })
  await graph.query(`{ league { games(date: "${today}") { network } } }`)
  graph.calls.take()
  const { data, errors } = await graph.query(`{ game(id: "${String(game?.['game_id'])}") {
    prediction { homePercentage } odds { pre { gameId } history { gameId } }
  } }`)
  expect(errors?.map(({ path }) => path)).toEqual([['game', 'odds', 'history']])
  expect(data).toMatchObject({ game: { odds: { pre: { gameId: game?.['game_id'] } } } })
  expect(graph.calls.take().toSorted()).toEqual(['game/getScores 1', 'odds/read 1'])
})
