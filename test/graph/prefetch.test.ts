import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { basketball, season, startSample, today } from './harness.ts'
import type { Sample } from './harness.ts'
import { roundTrips } from './recorder.ts'
import { answerOf, operationOf } from './spoiled.ts'

let sample: Sample
let ids: string[]

beforeAll(async () => {
  sample = await startSample()
  const games = await sample.rows('game/getGames', { ...basketball, start_date: today })
  ids = games.filter((game) => game['status'] === 'final').map((game) => String(game['game_id']))
})
afterAll(() => sample.close())

/** The calls of a query with an empty cache, and how often it waits. */
async function bill(query: string) {
  const graph = sample.graph()
  const { errors } = await graph.query(query)
  expect(errors).toBeUndefined()
  return { calls: graph.calls.take(), trips: roundTrips(graph.calls.sent) }
}

test.each([
  ['odds { history { over } }', 'odds/read 1'],
  ['odds { pre { over } live { over } }', 'odds/read 1'],
  ['odds { pre { over } history { over } }', 'odds/read 1'],
  ['boxscores { points }', 'boxscore/readBoxscore 1'],
  ['playerBoxscores { points }', 'player_boxscore/read 1'],
])('a game’s score and its %s go out side by side', async (link, call) => {
  const { calls, trips } = await bill(`{ game(id: "${ids[0]}") { homeScore ${link} } }`)
  expect(calls).toEqual([call, 'game/read 1'].toSorted())
  expect(trips).toBe(1)
})

test('a few games’ scores and current odds go out side by side, and nothing is asked twice', async () => {
  const few = ids.slice(0, 5)
  const { calls, trips } = await bill(
    `{ games(ids: ${JSON.stringify(few)}) { homeScore odds { pre { over } } } }`,
  )
  expect(calls).toEqual([`game/read ${few.length}`, `odds/read ${few.length}`])
  expect(trips).toBe(1)
})

test('current odds beside a prediction wait for the day’s scores, which bring both', async () => {
  const { calls } = await bill(
    `{ game(id: "${ids[0]}") { homeScore prediction { homePercentage } odds { pre { over } } } }`,
  )
  expect(calls).toEqual(['game/getScores 1', 'game/read 1'])
})

test('boxscores wait for a row that is asked whether it has any', async () => {
  const { calls, trips } = await bill(
    `{ game(id: "${ids[0]}") { hasBoxscore boxscores { points } playerBoxscores { points } } }`,
  )
  expect(calls).toEqual(['boxscore/readBoxscore 1', 'game/read 1', 'player_boxscore/read 1'])
  expect(trips).toBe(2)
})

test('a row that comes while it is being asked for once more is not read again', async () => {
  const [id] = ids
  const answered: (() => void)[] = []
  const graph = sample.graph({
    between: async (request, service) => {
      const answer = await service(request)
      if (operationOf(request) === 'organization/read') {
        // Arrives just after the boxscore of one side, whose own organization is then needed.
        await new Promise<void>((resolve) => void answered.push(resolve))
        for (let turn = 0; turn < 60; turn += 1) await Promise.resolve()
      }
      if (operationOf(request) === 'boxscore/readBoxscore') for (const resolve of answered) resolve()
      return answer
    },
  })
  const { data, errors } = await graph.query<{ game: { boxscore: { organization: object } } }>(
    `{ game(id: "${id}") { boxscore(side: HOME) { organization { name } } } league { organization { name } } }`,
  )
  expect(errors).toBeUndefined()
  expect(data).toMatchObject({ league: data.game.boxscore })
  expect(graph.calls.take()).toEqual(['boxscore/readBoxscore 1', 'game/read 1', 'organization/read 1'])
})

test('what was asked ahead of a row that turns out not to be there is on the bill', async () => {
  const graph = sample.graph({
    between: async (request, service) => {
      if (operationOf(request) === 'team/getStats') await wait(50)
      return service(request)
    },
  })
  const { data, extensions } = await graph.query(
    `{ team(id: "00000000-0000-4000-8000-000000000000") { name stats(season: ${season}) { games } } }`,
  )
  expect(data).toEqual({ team: null })
  const bytes = graph.calls.sent.reduce((sum, call) => sum + call.bytes, 0)
  expect(extensions.usage).toMatchObject({ calls: 2, bytes })
  expect(graph.calls.take()).toEqual(['team/getStats 1', 'team/read 1'])
})

test('of a call in several parts, one of which fails, every part is on the bill, and what the others brought is served', async () => {
  const [first, ...others] = ids
  const graph = sample.graph({
    batchSize: 2,
    between: async (request, service) => {
      if (JSON.stringify(request.arguments).includes(String(first))) return answerOf({ error: 'No.' })
      await wait(30)
      return service(request)
    },
  })
  const { errors, extensions } = await graph.query(
    `{ games(ids: ${JSON.stringify([first, ...others])}) { odds { history { over } } } }`,
  )
  expect(errors).toHaveLength(2)
  expect(extensions).not.toHaveProperty('stale')
  const bytes = graph.calls.sent.reduce((sum, call) => sum + call.bytes, 0)
  expect(extensions.usage).toMatchObject({ calls: Math.ceil(ids.length / 2), bytes })
})

test('a row that a request’s own call will bring is no hit of that request', async () => {
  const [id] = ids
  // The first call for a team is under way until the boxscores have led to another.
  let goOn = () => {}
  const another = new Promise<void>((resolve) => (goOn = resolve))
  let reads = 0
  const graph = sample.graph({
    between: async (request, service) => {
      if (operationOf(request) !== 'team/read') return service(request)
      reads += 1
      if (reads > 1) goOn()
      await another
      return service(request)
    },
  })
  const [game] = await sample.rows('game/read', { game_id: id })
  const home = String(game?.['home_team_id'])
  const { data, extensions } = await graph.query<{ team: object; game: { boxscores: object[] } }>(
    `{ team(id: "${home}") { name } game(id: "${id}") { boxscores { team { name } } } }`,
    { extensions: { explain: true } },
  )
  expect(data.game.boxscores).toContainEqual({ team: data.team })
  expect(extensions.plan?.map(({ source }) => source)).toEqual(['UPSTREAM', 'UPSTREAM', 'UPSTREAM'])
  expect(graph.calls.take()).toEqual(['boxscore/readBoxscore 1', 'team/read 1', 'team/read 1'])
})

test('of many rows under many names only so many links are loaded before it is known that there are rows', async () => {
  const id = (nth: number) => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`
  const unknown = Array.from({ length: 400 }, (_, nth) => id(nth))
  const links = Array.from({ length: 60 }, (_, nth) => `a${nth}: playerBoxscores { points }`).join(' ')
  const graph = sample.graph()
  const { data } = await graph.query(`{ games(ids: ${JSON.stringify(unknown)}) { homeScore ${links} } }`)
  expect(data).toEqual({ games: unknown.map(() => null) })
  expect(graph.calls.take()).toEqual(['game/read 400', 'player_boxscore/read 167'])
})
