import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LedgerFile } from '../../src/money/files/ledger-file.ts'
import { openLedger } from '../../src/money/open-ledger.ts'
import { season, startSample, today, teamsOfToday } from '../graph/harness.ts'
import type { Graph, Sample } from '../graph/harness.ts'
import { sampleNow } from '../sample.setup.ts'

let sample: Sample
let teams: string[]
let folder: string
const graphs: Graph[] = []

beforeAll(async () => {
  sample = await startSample()
  teams = await teamsOfToday(sample)
})
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'ledger-'))))
afterEach(async () => {
  for (const { upstream } of graphs.splice(0)) await upstream.ledgers.books.close()
  rmSync(folder, { recursive: true, force: true })
})
afterAll(() => sample.close())

/** A graph with its ledger in the folder, like one process after another. */
async function started(options: Parameters<Sample['graph']>[0] = {}, now = sampleNow): Promise<Graph> {
  const ledger = await openLedger(new LedgerFile(folder, now), now, () => {})
  const graph = sample.graph({ ...options, ledger, clock: () => now })
  graphs.push(graph)
  return graph
}

async function stopped(graph: Graph): Promise<void> {
  await graph.upstream.ledgers.books.close()
  graphs.splice(graphs.indexOf(graph), 1)
}

const named = (id: string | undefined) => `query Named { team(id: "${id}") { name } }`
const as = (name: string) => ({ headers: { 'graphql-client-name': name } })
const spending = (graph: Graph) => graph.upstream.ledgers.books.store.spending('2026-02-01', '2026-02-31')
const tokensOf = (rows: readonly { tokens: number }[]) => rows.reduce((sum, { tokens }) => sum + tokens, 0)

interface Month {
  readonly tokens: number
  readonly bytes: number
  readonly calls: number
  readonly remaining: number | null
}
const month = async (graph: Graph, options = {}) =>
  (await graph.query<{ usage: Month }>('{ usage { tokens bytes calls remaining } }', options)).data.usage

describe('the ledger', () => {
  test('has every token of an answer when the answer is there, by client and operations', async () => {
    const graph = await started()
    const text = `query Day { league { games(date: "${today}") { homeTeam { name stats { games } } } } }`
    const { extensions } = await graph.query(text, as('scoreboard'))
    const reader = new LedgerFile(folder, sampleNow)
    const rows = await reader.spending('2026-02-14', '2026-02-14')
    await reader.close()
    expect(tokensOf(rows)).toBe(extensions.usage.tokens)
    expect(new Set(rows.map((row) => `${row.client} ${row.operation} ${row.service}`))).toEqual(
      new Set(['scoreboard Day game/getGames', 'scoreboard Day team/getStats']),
    )
    expect(rows.every(({ key }) => key.length === 43 && !key.includes('sample'))).toBe(true)
    expect(rows.reduce((sum, { calls }) => sum + calls, 0)).toBe(graph.calls.sent.length)
  })

  test('counts a call once, whichever of its requests was billed', async () => {
    let free = 1
    const graph = await started({
      retryPauses: [1, 1],
      between: async (request, service) => {
        const answer = await service(request)
        if (free === 0) return answer
        free -= 1
        return { ...answer, status: 429, headers: {} }
      },
    })
    await graph.query(named(teams[0]))
    free = 0
    await graph.query(named(teams[1]))
    free = 2
    await graph.query(named(teams[2]))
    expect((await spending(graph)).map(({ tokens, calls }) => ({ tokens, calls }))).toEqual([
      { tokens: 3, calls: 3 },
    ])
    expect(await month(graph)).toMatchObject({ tokens: 3, calls: 3 })
  })

  test('splits one call for several clients by the rows that each needs', async () => {
    const graph = await started()
    const many = `query Many { teams(ids: ${JSON.stringify(teams.slice(1, 20))}) { name } }`
    const answers = await Promise.all([graph.query(named(teams[0]), as('app')), graph.query(many, as('web'))])
    expect(graph.calls.take()).toEqual(['team/read 20'])
    const rows = await spending(graph)
    const paid = answers.reduce((sum, { extensions }) => sum + extensions.usage.tokens, 0)
    expect(tokensOf(rows)).toBe(paid)
    const bytes = Object.fromEntries(rows.map((row) => [row.client, row.bytes]))
    expect((bytes['web'] ?? 0) / (bytes['app'] ?? 0)).toBeCloseTo(19, 1)
  })

  test('goes on after a restart: the month, its budget and those of clients', async () => {
    const budgets = { budget: 5_000, clientBudgets: new Map([['web', 2]]) }
    const first = await started(budgets)
    await first.query(named(teams[0]), as('web'))
    await first.query(`{ league { elo(season: ${season}) { elo } } }`)
    const before = await month(first)
    expect(before.tokens).toBeGreaterThan(1)
    await stopped(first)

    const second = await started(budgets)
    expect(await month(second)).toEqual(before)
    await second.query(named(teams[1]), as('web'))
    const refused = await second.query(named(teams[2]), as('web'))
    expect(refused.errors?.[0]?.extensions?.code).toBe('BUDGET_EXCEEDED')
    expect((await month(second)).tokens).toBe(before.tokens + 1)
    await stopped(second)

    const march = await started(budgets, Date.parse('2026-03-01T00:00:00Z'))
    expect(await month(march)).toEqual({ tokens: 0, bytes: 0, calls: 0, remaining: 5_000 })
  })

  test('tells each key its own month alone', async () => {
    const graph = await started({ apiKey: null })
    const key = (name: string) => ({ headers: { 'x-api-key': name } })
    await graph.query(named(teams[0]), key('sample-paid'))
    expect((await month(graph, key('sample-paid'))).tokens).toBe(1)
    expect((await month(graph, key('sample-trial'))).tokens).toBe(0)
  })

  test('keeps nothing of a dry run', async () => {
    const graph = await started()
    await graph.query(named(teams[0]), { extensions: { explain: 'dry' } })
    await graph.query(named(teams[0]), { extensions: { maxTokens: 0 } })
    expect(await spending(graph)).toEqual([])
  })

  test('books a failed call as reserved, and its retries as one call', async () => {
    let fails = 2
    const graph = await started({
      between: async (request, service) =>
        (fails -= 1) >= 0
          ? { status: 503, headers: { 'x-request-usage': '2' }, body: '', bytes: 0 }
          : service(request),
    })
    const { extensions } = await graph.query(named(teams[0]))
    const rows = await spending(graph)
    expect(rows.map(({ tokens, calls }) => [tokens, calls])).toEqual([[extensions.usage.tokens, 1]])
    expect(extensions.usage.tokens).toBe(5)
  })
})
