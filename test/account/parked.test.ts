import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSample } from '../graph/harness.ts'
import type { Sample } from '../graph/harness.ts'
import { Capacity } from '../../src/rows/capacity.ts'
import { ParkedAnswers } from '../../src/account/parked.ts'
import { sampleNow } from '../sample.setup.ts'

let sample: Sample

beforeAll(async () => {
  sample = await startSample()
})
afterAll(() => sample.close())

const day = `{ league { games(date: "2026-02-12") { homeScore homeTeam { name char6 } odds { pre { over } } prediction { homeScore } } } }`
const headers = { 'x-api-key': 'sample-paid' }
const dayCalls = ['game/getGames 1', 'game/getScores 1']

test('what a key bought that came once is kept as bytes, and rows again when it comes again', async () => {
  const capacity = new Capacity()
  const graph = sample.graph({ apiKey: null, capacity })
  const first = await graph.query(day, { headers })
  expect(graph.calls.take().toSorted()).toEqual(dayCalls)
  expect(capacity.size).toBeLessThan(5_000)
  const again = await graph.query(day, { headers })
  expect(again.data).toEqual(first.data)
  expect(again.errors).toBeUndefined()
  expect(graph.calls.take()).toEqual([])
  expect(capacity.size).toBeGreaterThan(20_000)
  expect((await graph.query(day, { headers })).data).toEqual(first.data)
  expect(graph.calls.take()).toEqual([])
})

test('what has aged meanwhile is bought again, and nothing else', async () => {
  let now = sampleNow
  const graph = sample.graph({ apiKey: null, clock: () => now })
  const days =
    '{ league { today: games(date: "2026-02-14") { homeScore } over: games(date: "2026-02-12") { homeScore } } }'
  await graph.query(days, { headers })
  graph.calls.take()
  now += 301_000
  await graph.query(days, { headers })
  expect(graph.calls.take()).toEqual(['game/getScores 1'])
})

test('the oldest make room for others, and are paid for again', async () => {
  const graph = sample.graph({
    apiKey: null,
    mostParked: 8_000,
    between: (request, service) => service({ ...request, apiKey: sample.apiKey }),
  })
  const [team] = await sample.rows('team/read')
  const ask = (nth: number) =>
    graph.query(`{ team(id: "${String(team?.['team_id'])}") { name } }`, {
      headers: { 'x-api-key': `key-${nth}` },
    })
  const first = await ask(0)
  for (let nth = 1; nth < 10; nth += 1) await ask(nth)
  expect(graph.calls.take()).toEqual(Array(10).fill('team/read 1'))
  expect(await ask(9)).toMatchObject({ data: first.data })
  expect(graph.calls.take()).toEqual([])
  expect(await ask(0)).toMatchObject({ data: first.data })
  expect(graph.calls.take()).toEqual(['team/read 1'])
})

test('what is too much to be kept as bytes stays as rows', async () => {
  const capacity = new Capacity()
  const graph = sample.graph({ apiKey: null, capacity, mostParked: 2_000 })
  await graph.query(day, { headers })
  graph.calls.take()
  expect(capacity.size).toBeGreaterThan(20_000)
  expect(graph.upstream.findAccount('sample-paid')?.bought).toBeNull()
  await graph.query(day, { headers })
  expect(graph.calls.take()).toEqual([])
})

test('keys that bought next to nothing take room too', () => {
  const parked = new ParkedAnswers(100_000)
  const empty = {
    kind: 'answer',
    operation: 'readTeams',
    arguments: {},
    boughtAt: 1,
    bill: { tokens: 1, bytes: 2, estimated: false },
    isRandomized: false,
    text: '{}',
  } as const
  for (let nth = 0; nth < 1_000; nth += 1) expect(parked.park(`key-${nth}`, [empty])).toBe(true)
  const left = Array.from({ length: 1_000 }, (_, nth) => parked.take(`key-${nth}`))
  expect(left.at(-1)?.bought).toEqual([empty])
  expect(left.filter((one) => one !== undefined).length).toBeLessThan(200)
})

test('keys that asked for hundreds of ids take room for the ids', () => {
  const parked = new ParkedAnswers(100_000)
  const asked = {
    kind: 'answer',
    operation: 'readTeams',
    arguments: { team_id: Array.from({ length: 200 }, (_, nth) => `an id of a team ${nth}`) },
    boughtAt: 1,
    bill: { tokens: 1, bytes: 2, estimated: false },
    isRandomized: false,
    text: '{}',
  } as const
  for (let nth = 0; nth < 100; nth += 1) expect(parked.park(`key-${nth}`, [asked])).toBe(true)
  const left = Array.from({ length: 100 }, (_, nth) => parked.take(`key-${nth}`))
  expect(left.at(-1)?.bought).toEqual([asked])
  expect(left.filter((one) => one !== undefined).length).toBeLessThan(15)
})

test('the length of a key counts', async () => {
  const capacity = new Capacity()
  const graph = sample.graph({ apiKey: null, capacity })
  const ask = (key: string) => graph.query('{ organizations { name } }', { headers: { 'x-api-key': key } })
  expect((await ask('wrong')).errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
  const before = capacity.size
  await ask(`wrong${'x'.repeat(10_000)}`)
  expect(capacity.size - before).toBeGreaterThan(14_000)
})
