import { parse } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { subjectsOf } from '../../bench/bill/subjects.ts'
import { singly } from '../../bench/naive/asking.ts'
import { comparisonsIn, mostComparisons } from '../../src/server/limits.ts'
import { pages } from '../service/variants/against.ts'
import { basketball, football, startSample, tenthOfLimits, today } from './harness.ts'
import type { Sample } from './harness.ts'

let sample: Sample
beforeAll(async () => {
  sample = await startSample()
})
afterAll(() => sample.close())

test.each([
  ['basketball', basketball, today],
  ['football', football, undefined],
])('the pages of the bill benchmark use at most a tenth of each limit: %s', async (_sport, league, day) => {
  const subjects = await subjectsOf(singly(sample.transport, sample.apiKey), league, day)
  const refused: unknown[] = []
  let calls = 0
  for (const page of pages) {
    const query = page.query(subjects)
    if (query === null) continue
    if (comparisonsIn(parse(query)) > mostComparisons / 10) refused.push([page.name, 'comparisons'])
    const graph = sample.graph({ defaults: league, executionLimits: tenthOfLimits })
    const { errors } = await graph.query(query)
    if (errors) refused.push([page.name, errors])
    calls += graph.calls.take().length
  }
  expect(refused).toEqual([])
  expect(calls).toBeGreaterThan(pages.length / 2)
})
