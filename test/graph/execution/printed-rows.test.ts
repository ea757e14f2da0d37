import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'graphql'
import { Answer } from '../../../src/graph/execution/answer.ts'
import { schema } from '../../../src/schema.ts'
import { answerAny } from '../../../src/server/execution.ts'
import { Request } from '../../../src/upstream/request.ts'
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
  const client = new Request(upstream.accountOf(sample.apiKey))
  const answer = await answerAny({ schema, document, contextValue: { client, defaults: basketball } })
  if (!(answer instanceof Answer)) throw new Error('The document was not compiled.')
  return answer.bytes().toString()
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
