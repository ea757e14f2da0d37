import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSample } from '../graph/harness.ts'
import type { Sample } from '../graph/harness.ts'
import { sampleNow } from '../sample.setup.ts'
import { walk } from './walk.ts'
import type { Walks } from './walk.ts'

/**
 * The files and functions of ours that one request runs through. They only go down, unless a commit says here what
 * it raises them for.
 *
 * The last raise: one function cold, for seasons under way. Before it one file and one function warm, in which
 * documents are found. Before it one file and five functions
 * cold, three warm: what an execution waits for has a file of its own; one function cold, which begins one slice for
 * all that arrives in a turn; five, which count what validation would compare; one, for the day of the league where a
 * query names none; and 33 functions cold and 18 warm, in two files, for executions that give way after 10 ms, and
 * queries that are refused before they are executed; and 8 functions cold and one warm, in two files, for compressing
 * answers, which a dependency did before.
 */
const bounds = {
  cold: { files: 171, functions: 1023 },
  warm: { files: 102, functions: 427 },
  kept: { files: 34, functions: 92 },
}

const isAbove = 'Above a bound: `npm run walk`, here and on main, shows in which files.'
const isBelow = 'Below a bound: lower it to what was received.'

describe('one request', () => {
  let sample: Sample
  let walks: Walks
  beforeAll(async () => {
    sample = await startSample()
    walks = await walk({ url: sample.url, apiKey: 'sample-paid', moment: sampleNow })
  })
  afterAll(() => sample.close())

  test.each(['cold', 'warm', 'kept'] as const)('runs through no more of our code than before: %s', (name) => {
    const counts = [...walks[name].functions.values()]
    const functions = counts.reduce((sum, count) => sum + count, 0)
    const bound = bounds[name]
    const isMore = counts.length > bound.files || functions > bound.functions
    expect({ files: counts.length, functions }, isMore ? isAbove : isBelow).toEqual(bound)
  })

  test('is answered alike three times, and paid and booked once', async () => {
    const { cold, warm, kept } = walks
    const { games } = cold.answer.data.league
    expect(games).toHaveLength(14)
    expect(games[0]).toEqual({
      homeScore: 81,
      homeTeam: { name: 'Calder Bay', stats: { points: { value: 75.765, rank: 19 } } },
      odds: { pre: { spreadHome: -13.5 } },
    })
    expect([warm.answer.data, kept.answer.data]).toEqual([cold.answer.data, cold.answer.data])

    expect(cold.calls).toEqual(['game/getGames', 'game/getScores', ...Array(14).fill('team/getStats')])
    expect(cold.answer.extensions.usage).toEqual({ tokens: 104, bytes: 93_528, calls: 16, cacheHits: 0 })
    for (const again of [warm, kept]) {
      expect(again.calls).toEqual([])
      expect(again.answer.extensions.usage).toEqual({ tokens: 0, bytes: 0, calls: 0, cacheHits: 3 })
    }
    expect([cold.booked, warm.booked, kept.booked]).toEqual([104, 104, 104])
    expect(await sample.billed('sample-paid')).toBe(104)
  })
})
