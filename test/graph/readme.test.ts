import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PlanEntry } from '../../src/account/plan-entry.ts'
import { startSample } from './harness.ts'
import type { Answer, Sample } from './harness.ts'

interface Day {
  readonly league: { readonly games: readonly unknown[] }
}

const readme = readFileSync(resolve(import.meta.dirname, '../../README.md'), 'utf8')
const inReadme = (pattern: RegExp) => pattern.exec(readme)?.[1] ?? ''

let sample: Sample

beforeAll(async () => {
  sample = await startSample()
})
afterAll(() => sample.close())

const told = ({ operation, arguments: names, ids, field }: PlanEntry) => ({ operation, names, ids, field })

test('the README’s first query is answered and billed as it says', async () => {
  const request = inReadme(/<<JSON\n([\s\S]*?)\nJSON\n/)
  const printed = inReadme(/```jsonc\n([\s\S]*?)```/).replaceAll(/^ *\/\/ .*$/gm, '')
  const { query, extensions: asked } = JSON.parse(request) as { query: string; extensions: { explain: true } }
  const { data, extensions } = JSON.parse(printed) as Answer<Day> // what the README prints is an answer
  const graph = sample.graph()
  const answer = await graph.query<Day>(query, { extensions: asked })
  expect(answer.data.league.games.slice(0, 1)).toEqual(data.league.games)
  expect(graph.calls.take()).toHaveLength(extensions.usage.calls)
  expect(answer.extensions.plan?.slice(0, 2).map(told)).toEqual(extensions.plan?.map(told))
})
