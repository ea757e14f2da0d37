import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSample } from './harness.ts'
import type { Sample } from './harness.ts'

let sample: Sample
beforeAll(async () => {
  sample = await startSample()
})
afterAll(() => sample.close())

const date = '2026-02-14'

test('a day’s scores, clock, status, prediction and current odds cost one getScores', async () => {
  const graph = sample.graph()
  const { data, errors } = await graph.query<{ league: { games: unknown[] } }>(`{
    league { games(date: "${date}") {
      homeScore awayScore clock status prediction { homePercentage } odds { pre { spreadHome } live { over } }
    } }
  }`)
  expect(errors).toBeUndefined()
  expect(data.league.games.length).toBeGreaterThan(5)
  expect(graph.calls.take()).toEqual(['game/getScores 1'])
})
