import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'graphql'
import { Answer } from '../../../src/graph/execution/answer.ts'
import { ExecutionBudget } from '../../../src/graph/execution/budget.ts'
import { schema } from '../../../src/schema.ts'
import { Entry } from '../../../src/rows/entry.ts'
import { answerAny } from '../../../src/server/execution.ts'
import { ClientRequest } from '../../../src/account/client-request.ts'
import { sampleNow } from '../../sample.setup.ts'
import { basketball, startSample } from '../harness.ts'
import type { Graph, Sample } from '../harness.ts'

let sample: Sample

beforeAll(async () => {
  sample = await startSample()
})
afterAll(() => sample.close())

const team = '00000000-0000-4000-8000-000000000001'

/** A service that knows one team, by a name of the moment. */
function graphOf(name: () => string | null, clock = () => sampleNow) {
  return sample.graph({
    clock,
    between: async () => {
      const body = JSON.stringify({ [team]: { team_id: team, name: name(), char6: 'ABC' } })
      return { status: 200, headers: { 'x-request-usage': '1' }, body, bytes: body.length }
    },
  })
}

/** The bytes of an answer. */
async function printed({ upstream }: Graph, document: ReturnType<typeof parse>): Promise<string> {
  const client = new ClientRequest(upstream.accountOf(sample.apiKey))
  const answer = await answerAny({
    schema,
    document,
    contextValue: { clientRequest: client, defaults: basketball, budget: new ExecutionBudget() },
  })
  if (!(answer instanceof Answer)) throw new Error('The document was not compiled.')
  return (await answer.bytes()).toString()
}

const named = parse(`{ team(id: "${team}") { name char6 } }`)
const aliased = parse(`{ team(id: "${team}") { called: name short: char6 } }`)

test('a row is printed alike again and again, in each document as that wants it', async () => {
  const graph = graphOf(() => 'São “Paulo”\n😀')
  const name = JSON.stringify('São “Paulo”\n😀')
  for (let nth = 0; nth < 4; nth += 1)
    expect(await printed(graph, named)).toBe(`{"team":{"name":${name},"char6":"ABC"}}`)
  for (let nth = 0; nth < 4; nth += 1) {
    expect(await printed(graph, aliased)).toBe(`{"team":{"called":${name},"short":"ABC"}}`)
    expect(await printed(graph, named)).toBe(`{"team":{"name":${name},"char6":"ABC"}}`)
  }
  expect(graph.calls.take()).toEqual(['team/read 1'])
})

test('a row that was bought again is printed anew', async () => {
  let [name, now]: [string | null, number] = ['First', sampleNow]
  const graph = graphOf(
    () => name,
    () => now,
  )
  for (let nth = 0; nth < 4; nth += 1)
    expect(await printed(graph, named)).toBe('{"team":{"name":"First","char6":"ABC"}}')
  name = null
  now += 25 * 3_600_000
  for (let nth = 0; nth < 4; nth += 1)
    expect(await printed(graph, named)).toBe('{"team":{"name":null,"char6":"ABC"}}')
  expect(graph.calls.take()).toEqual(['team/read 1', 'team/read 1'])
})

test('what is stored of a printed row counts as memory', async () => {
  const graph = graphOf(() => 'x'.repeat(10_000))
  const entry = () => graph.upstream.accountOf(sample.apiKey).rows.entry('team', team)
  await printed(graph, named)
  const { size } = entry()
  await printed(graph, named)
  expect(entry().size).toBe(size)
  await printed(graph, named)
  expect(entry().size).toBeGreaterThan(size + 10_000)
  await printed(graph, aliased)
  expect(entry().size).toBe(size)
})

test('equal columns share what was printed, wherever they stand', async () => {
  const graph = graphOf(() => 'x'.repeat(10_000))
  const size = () => graph.upstream.accountOf(sample.apiKey).rows.entry('team', team).size
  const twice = parse(`{ one: team(id: "${team}") { name char6 } other: team(id: "${team}") { name char6 } }`)
  for (let nth = 0; nth < 3; nth += 1) await printed(graph, twice)
  const stored = size()
  expect(stored).toBeGreaterThan(20_000)
  const row = await printed(graph, named)
  expect(size()).toBe(stored)
  const { team: object } = JSON.parse(row) as { team: object }
  expect(JSON.parse(await printed(graph, twice))).toEqual({ one: object, other: object })
  expect(graph.calls.take()).toEqual(['team/read 1'])
})

const day = (columns: string) => parse(`{ league { games(date: "2026-02-12") { ${columns} } } }`)

test('a row whose columns two calls have brought is printed from both', async () => {
  const graph = sample.graph()
  await printed(graph, day('homeScore status'))
  const first = await printed(graph, day('homeTeamId homeScore season'))
  const calls = graph.calls.take()
  expect(calls).toHaveLength(2)
  const { rows } = graph.upstream.accountOf(sample.apiKey)
  const size = () => [...rows.kept()].reduce((sum, entry) => sum + entry.size, 0)
  const before = size()
  for (let nth = 0; nth < 4; nth += 1)
    expect(await printed(graph, day('homeTeamId homeScore season'))).toBe(first)
  expect(size()).toBeGreaterThan(before)
  expect(graph.calls.take()).toEqual([])
})

describe('what is printed of a row', () => {
  const lasting = (ms: number) => ({ until: (boughtAt: number) => boughtAt + ms })
  const supplies = (row: object) => new Set(Object.keys(row))
  const scores = { home_score: 1 }
  const columns = { season: 2026 }

  /** A row of two versions, printed at 30. The older one expires at 1,010. */
  function printedRow() {
    const entry = new Entry('a')
    entry.put(columns, supplies(columns), lasting(1_000), 10, 0)
    entry.put(scores, supplies(scores), lasting(5_000), 20, 0)
    entry.notePrinted(1)
    const note = entry.printed(1, 30)
    if (!note) throw new Error('It was not noted.')
    return { entry, note }
  }

  test('is not used once one of its versions has expired', () => {
    const { entry, note } = printedRow()
    entry.storePrinted(note, 'text')
    expect(entry.printed(1, 1_009)?.text).toBe('text')
    expect(entry.printed(1, 1_010)).toBeUndefined()
  })

  test.each<[string, (entry: Entry) => void]>([
    ['a newer version came', (entry) => entry.put(scores, supplies(scores), lasting(5_000), 40, 0)],
    [
      'an older version came',
      (entry) => entry.putOlder({ week: 3 }, new Set(['week']), lasting(5_000), 5, 0),
    ],
    ['the clock was set back', (entry) => entry.setBack(15, 15)],
  ])('is dropped when %s, and not stored after that', (_what, change) => {
    const { entry, note } = printedRow()
    change(entry)
    const { size } = entry
    entry.notePrinted(1)
    entry.storePrinted(note, 'text')
    expect(entry.printed(1, 14)?.text).toBeNull()
    expect(entry.size).toBe(size)
  })
})
