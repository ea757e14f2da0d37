import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DryWork } from '../../src/account/dry-work.ts'
import { Estimates } from '../../src/account/estimates.ts'
import { operations } from '../../src/specification/operations.ts'
import { startSample } from '../graph/harness.ts'
import type { Sample } from '../graph/harness.ts'

let sample: Sample
beforeAll(async () => {
  sample = await startSample()
})
afterAll(() => sample.close())

interface Span {
  readonly from: number
  readonly to: number
}

/** A dry run's estimate, and how many calls of each operation its usual cost is made of. */
async function dry(text: string, { maxCalls = 1_000, variables = {}, learned = new Estimates() } = {}) {
  const graph = sample.graph({ learned, queryLimits: { maxTokens: null, maxCalls } })
  const { errors, extensions } = await graph.query(text, { variables, extensions: { explain: 'dry' } })
  expect(errors).toBeUndefined()
  expect(graph.calls.take()).toEqual([])
  const { estimate } = extensions as unknown as { readonly estimate: Record<'tokens' | 'calls', Span> }
  const calls: Record<string, number> = {}
  for (const { operation } of extensions.plan ?? []) calls[operation] = (calls[operation] ?? 0) + 1
  return { estimate, calls, tokens: extensions.plan?.reduce((sum, { tokens }) => sum + tokens, 0) ?? 0 }
}

const idsOf = (count: number) =>
  Array.from({ length: count }, (_, nth) => `00000000-0000-4000-a000-${String(nth).padStart(12, '0')}`)

const statsOf = 'query Stats($ids: [ID!]!) { teams(ids: $ids) { stats(season: 2026) { games } } }'
const logs = '{ league { teams { roster { college gameLog(season: 2026) { points } } } } }'

describe('the work of a dry run', () => {
  test('is not that of a league for each made-up row', async () => {
    const exactly = { least: 200, usual: 200, most: 200, safe: 200, figures: 3 }
    const learned = Estimates.from({ rowsPerId: { 'cbb_transfer_player_season season': exactly } })
    const text = '{ league { transfers(season: 2026) { committedTeam { conference { name } } } } }'
    const { estimate } = await dry(text, { learned })
    // Of 200 transfers, ten leagues at most are made up.
    expect(estimate.calls.to).toBeLessThan(50)
  })

  test('ends with the calls that a request may make, and counts one too many', async () => {
    const variables = { ids: idsOf(1_100) }
    for (const [maxCalls, made] of [
      [1_050, 1_051],
      [100, 1_001],
    ] as const) {
      const { estimate, calls } = await dry(statsOf, { variables, maxCalls })
      expect(estimate.calls).toEqual({ from: made, to: null })
      expect(calls).toEqual({ 'team/getStats': made })
      expect(estimate.tokens).toEqual({ from: expect.any(Number), to: null })
    }
  })

  test('ends after so many rows, and tells the least alone', async () => {
    const { estimate, calls, tokens } = await dry(logs)
    expect(calls['team/getPlayers']).toBeGreaterThan(50)
    // Fewer than the thousands of players of a division.
    expect(calls['player/getGameLogs']).toBeLessThan(1_000)
    expect(tokens).toBeGreaterThan(100)
    expect(estimate.calls).toEqual({ from: expect.any(Number), to: null })
    expect(estimate.calls.from).toBeLessThan(10)
    expect(estimate.tokens.to).toBeNull()
  })

  test('that ended early tells no more than the real bill', async () => {
    const text = '{ league { teams { roster { college } } } }'
    const { estimate } = await dry(text)
    const { usage } = (await sample.graph().query(text)).extensions
    for (const figure of ['calls', 'tokens'] as const) {
      expect(estimate[figure].to).toBeNull()
      expect(usage[figure]).toBeGreaterThanOrEqual(estimate[figure].from)
    }
  })

  test('takes several turns of the event loop, and still plans together what follows from them', async () => {
    const text = 'query Colleges($ids: [ID!]!) { teams(ids: $ids) { roster(season: 2026) { college } } }'
    const { calls } = await dry(text, { variables: { ids: idsOf(100) } })
    expect(calls['team/getPlayers']).toBe(100)
    // 18 players each, 500 a call.
    expect(calls['player/read']).toBe(4)
  })

  test.each([
    [operations.readTeams, { team_id: idsOf(500) }, 1],
    // Three more rows are nested in each.
    [operations.getScores, { start_date: '2026-02-14' }, 12],
  ])('lets others run between its calls: %#', async (operation, values, most) => {
    const exactly = { least: 8, usual: 8, most: 8, safe: 8, figures: 3 }
    const estimates = Estimates.from({ rowsPerId: { 'game start_date': exactly } })
    const work = new DryWork('usual', { calls: 1_000, rows: 1_000_000 })
    const turns: number[] = []
    let nth = 0
    const all = Array.from({ length: 50 }, async () => {
      expect(await work.begin(operation, values, estimates)).toBe(true)
      turns[nth] = (turns[nth] ?? 0) + 1
    })
    for (; nth < 60; nth += 1) await nextTurn()
    await Promise.all(all)
    // Before the first turn some begin at once.
    expect(Math.max(...turns.map((count) => count ?? 0))).toBeLessThanOrEqual(2 * most)
    expect(turns.reduce((sum, count) => sum + (count ?? 0), 0)).toBe(50)
  })

  test('wakes each waiting call once, in their order', async () => {
    const work = new DryWork('usual', { calls: 1_000, rows: 1_000_000 })
    const begun: number[] = []
    const values = { team_id: idsOf(500) }
    const all = Array.from({ length: 20 }, async (_, nth) => {
      await work.begin(operations.readTeams, values, new Estimates())
      begun.push(nth)
    })
    await Promise.all(all)
    expect(begun).toEqual(Array.from({ length: 20 }, (_, nth) => nth))
  })
})

test('a query that needs more calls than it may make is refused after as many made-up ones', async () => {
  const graph = sample.graph({ queryLimits: { maxTokens: 1_000_000, maxCalls: 1_000 } })
  const { errors } = await graph.query(statsOf, { variables: { ids: idsOf(1_100) } })
  expect(errors).toMatchObject([
    { extensions: { code: 'QUERY_TOO_EXPENSIVE', estimate: { calls: { from: 1_001, to: null } } } },
  ])
  expect(graph.calls.take()).toEqual([])
})
