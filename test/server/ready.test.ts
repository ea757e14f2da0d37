import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { LedgerFile } from '../../src/money/files/ledger-file.ts'
import { MemoryLedger } from '../../src/money/ledger-memory.ts'
import { openLedger, openShared } from '../../src/money/open-ledger.ts'
import type { SharedLedger, Sharing } from '../../src/money/shared-ledger.ts'
import { createApp } from '../../src/server/app.ts'
import type { Readiness } from '../../src/server/readiness-checks.ts'
import { upstreamChecks } from '../../src/server/upstream-checks.ts'
import { ConnectionLostError } from '../../src/errors/errors.ts'
import { basketball, startSample } from '../graph/harness.ts'
import type { Between, Graph, GraphOptions, Sample } from '../graph/harness.ts'
import type { Incoming } from '../../src/wire/transport.ts'
import { sampleNow } from '../sample.setup.ts'

let sample: Sample
let folder: string
let now = sampleNow
/** What the service does in place of answering. */
let spoil: (() => never) | Partial<Pick<Incoming, 'status' | 'body'>> | null = null
const graphs: Graph[] = []

beforeAll(async () => {
  sample = await startSample()
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ready-'))
  now = sampleNow
  spoil = null
})
afterEach(async () => {
  vi.restoreAllMocks()
  for (const { upstream } of graphs.splice(0)) await upstream.ledgers.books.close()
  rmSync(folder, { recursive: true, force: true })
})
afterAll(() => sample.close())

interface Asked {
  readonly graph: Graph
  ready(): Promise<Readiness & { code: number }>
  /** The value of a part's gauge. */
  gauge(part: string): Promise<string | undefined>
}

async function started(
  options: GraphOptions & { between?: Between } = {},
  apiKey: string | null = 'sample-paid',
): Promise<Asked> {
  const ledger = await openLedger(new LedgerFile(folder, now), now, () => {})
  const graph = sample.graph({
    ledger,
    apiKey,
    clock: () => now,
    between: async (request, service) => {
      if (typeof spoil === 'function') spoil()
      const answer = await service(request)
      return spoil ? { ...answer, ...spoil } : answer
    },
    ...options,
  })
  graphs.push(graph)
  const { upstream } = graph
  const app = createApp({
    upstream,
    apiKey,
    defaults: basketball,
    checks: upstreamChecks(upstream, apiKey),
  })
  return {
    graph,
    async ready() {
      const response = await app.fetch('http://statline.test/ready')
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
      return { code: response.status, ...((await response.json()) as Readiness) } // as it is written
    },
    async gauge(part) {
      const text = await (await app.fetch('http://statline.test/metrics')).text()
      return new RegExp(`^statline_degraded\\{part="${part}"\\} (\\d)$`, 'm').exec(text)?.[1]
    },
  }
}

const ok = { status: 'ok' }
const team = (nth: number) =>
  `{ team(id: "00000000-0000-4000-8000-${String(nth).padStart(12, '0')}") { name } }`

test('names every part, and that nothing is wrong', async () => {
  const { ready, gauge } = await started()
  expect(await ready()).toEqual({
    code: 200,
    status: 'ready',
    parts: { service: ok, key: ok, ledger: ok, budget: ok },
  })
  expect(await gauge('service')).toBe('0')
})

test.each([
  [
    'a lost connection',
    () => {
      throw new ConnectionLostError('lost')
    },
    'It cannot be reached',
  ],
  ['an error’s status', { status: 500 }, 'It answers with status 500'],
  ['a redirect', { status: 302, body: '' }, 'It redirects to another address: see UPSTREAM_URL'],
  ['a page for people', { body: '<h1>Down for maintenance</h1>' }, 'Its answers are not as specified'],
  ['an error with status 200', { body: '{"error":"database broken"}' }, 'It answers with errors'],
  ['an announced outage', { body: '{"error":"try again later"}' }, 'It says that it is not available'],
])(
  'tells of %s since the first, until the service answers, or nobody has asked for long',
  async (_what, fault, told) => {
    const { graph, ready, gauge } = await started()
    spoil = fault
    await graph.query(team(1))
    now += 60_000
    await graph.query(team(2))
    expect(await ready()).toMatchObject({
      code: 200,
      status: 'degraded',
      parts: {
        service: { status: 'degraded', reason: `${told} (since ${new Date(sampleNow).toISOString()}).` },
      },
    })
    expect(await gauge('service')).toBe('1')
    now += 6 * 60_000
    expect((await ready()).status).toBe('degraded')
    now += 5 * 60_000
    expect((await ready()).status).toBe('ready')
    await graph.query(team(3))
    expect((await ready()).status).toBe('degraded')
    spoil = null
    await graph.query(team(4))
    expect((await ready()).parts['service']).toEqual(ok)
  },
)

test('tells of a failure after which the time for another try was too short', async () => {
  const { graph, ready } = await started({ timeoutMs: 1_000, retryPauses: [10_000] })
  spoil = { status: 503 }
  const { errors } = await graph.query(team(1))
  expect(errors?.[0]?.extensions?.['code']).toBe('UPSTREAM_TIMEOUT')
  expect((await ready()).parts['service']).toMatchObject({
    reason: expect.stringMatching(/^It answers with status 503 \(since /),
  })
})

test.each([
  ['an argument', '{"error":"invalid value of the argument team_id"}'],
  ['a row that does not exist', '{"error":"not found"}'],
])('an error about %s shows that the service works', async (_what, body) => {
  const { graph, ready } = await started()
  spoil = { status: 500 }
  await graph.query(team(1))
  expect((await ready()).status).toBe('degraded')
  spoil = { body }
  await graph.query(team(2))
  expect((await ready()).parts['service']).toEqual(ok)
})

test('tells that the service refuses the key of this server, not one that a client brings', async () => {
  const refused = await started({}, 'nobody')
  await refused.graph.query(team(1))
  expect((await refused.ready()).parts).toMatchObject({
    service: ok,
    key: { status: 'degraded', reason: 'The service refuses UPSTREAM_API_KEY.' },
  })
  const brought = await started({}, null)
  await brought.graph.query(team(1), { headers: { 'x-api-key': 'nobody' } })
  expect(await brought.ready()).toMatchObject({ status: 'ready' })
  expect((await brought.ready()).parts['key']).toBeUndefined()
})

test('tells that the key’s limit at the service is reached', async () => {
  const body = JSON.stringify({ error: 'Token limit exceeded' })
  let isReached = true
  const { graph, ready } = await started({
    between: async (request, service) =>
      isReached
        ? { status: 200, headers: { 'x-request-usage': '0' }, body, bytes: body.length }
        : service(request),
  })
  await graph.query(team(1))
  expect((await ready()).parts['key']).toMatchObject({ reason: 'Its token limit at the service is reached.' })
  isReached = false
  await graph.query(team(2))
  expect((await ready()).parts['key']).toEqual(ok)
})

test('tells that a budget is spent, until its month is over', async () => {
  const { graph, ready } = await started({ budget: 1 })
  await graph.query('{ organizations { name } }')
  expect((await ready()).parts['budget']).toMatchObject({ reason: 'This month’s token budget is spent.' })
  now = Date.parse('2026-03-01T00:00:00Z')
  expect((await ready()).parts['budget']).toEqual(ok)
})

test('tells that what is left of a budget is too little, and that budgets of clients are spent', async () => {
  const { graph, ready } = await started({ budget: 2 })
  await graph.query('{ league { games(date: "2026-02-14") { homeTeam { name } } } }')
  expect((await ready()).parts['budget']).toMatchObject({
    reason: 'What is left of this month’s token budget does not allow all calls.',
  })
  const other = await started({
    clientBudgets: new Map([
      ['web', 0],
      ['app', 9],
    ]),
  })
  expect((await other.ready()).parts['budget']).toMatchObject({
    reason: 'Budgets of clients are spent: 1.',
  })
})

const games = '{ league { games(date: "2026-02-14") { homeTeam { name } } } }'

test('tells that what is left of a client’s budget is too little, as of the month’s', async () => {
  const { graph, ready, gauge } = await started({ clientBudgets: new Map([['late', 3]]) })
  const late = { headers: { 'graphql-client-name': 'late' } }
  expect((await graph.query('{ organizations { name } }', late)).errors).toBeUndefined()
  expect((await ready()).parts['budget']).toEqual(ok)
  const { errors } = await graph.query(games, late)
  expect(errors?.[0]?.extensions?.['code']).toBe('BUDGET_EXCEEDED')
  expect(graph.upstream.ledgers.remainingOfClient('late')).toBe(2)
  expect((await ready()).parts['budget']).toEqual({
    status: 'degraded',
    reason: 'What is left of clients’ budgets does not allow all calls.',
  })
  expect(await gauge('budget')).toBe('1')
  now += 20 * 60_000
  expect((await ready()).parts['budget']).toEqual(ok)
})

test.each([
  ['fails', 'service', {}, { status: 500 }, team],
  ['is refused by a budget', 'budget', { budget: 2 }, null, () => games],
] as const)(
  'a query that %s every six minutes is told all the time, so that an alert fires',
  async (_what, part, options, fault, query) => {
    const { graph, gauge } = await started(options)
    spoil = fault
    const told: unknown[] = []
    for (let minute = 0; minute < 18; minute += 0.5) {
      if (minute % 6 === 0) await graph.query(query(minute))
      told.push(await gauge(part))
      now += 30_000
    }
    expect(told).toEqual(told.map(() => '1'))
  },
)

test('a client’s refusal does not hide that what is left of the month’s budget is too little', async () => {
  const { graph, ready } = await started({ budget: 2, clientBudgets: new Map([['late', 0]]) })
  await graph.query(games)
  await graph.query(games, { headers: { 'graphql-client-name': 'late' } })
  expect((await ready()).parts['budget']).toMatchObject({
    reason: 'What is left of this month’s token budget does not allow all calls.',
  })
})

/** A shared ledger that has not been reached yet. */
class UnreachedLedger extends MemoryLedger implements SharedLedger {
  reach = () => {}

  share(sharing: Sharing): void {
    this.reach = () => sharing.onTogether()
    sharing.onAlone(Number.POSITIVE_INFINITY)
  }

  async refresh(): Promise<void> {}

  async recalled(): Promise<void> {}
}

test.each([
  ['the month’s', { budget: 1_000 }],
  ['a client’s', { clientBudgets: new Map([['*', 1_000]]) }],
])('tells that a shared ledger was never reached, not that %s budget is too small', async (_what, budget) => {
  const reason =
    'Redis, which has the shared ledger, has not been reached since the start, so no call can be granted. /ready tells why.'
  const shared = new UnreachedLedger()
  const { graph, ready } = await started({ ...budget, ledger: openShared(shared, () => {}) })
  expect((await ready()).parts['budget']).toEqual({ status: 'degraded', reason })
  const { errors } = await graph.query('{ organizations { name } }')
  expect(errors).toMatchObject([{ message: reason, extensions: { code: 'BUDGET_EXCEEDED' } }])
  shared.reach()
  expect((await ready()).parts['budget']).toEqual(ok)
  expect((await graph.query('{ organizations { name } }')).errors).toBeUndefined()
})

test('a shared ledger that was never reached takes nothing from those without a budget', async () => {
  const { graph, ready } = await started({ ledger: openShared(new UnreachedLedger(), () => {}) })
  expect((await ready()).parts['budget']).toEqual(ok)
  expect((await graph.query('{ organizations { name } }')).errors).toBeUndefined()
})

test('tells that the ledger cannot be written, until it can, and where there is none', async () => {
  const { graph, ready } = await started()
  const { store } = graph.upstream.ledgers.books
  const write = vi.spyOn(store, 'write').mockImplementation(() => {
    throw new Error(`no space left on ${folder}`)
  })
  await graph.query('{ organizations { name } }')
  const { code, parts } = await ready()
  expect([code, parts['ledger']]).toEqual([
    200,
    { status: 'degraded', reason: 'It cannot be written. Spending waits in memory until it can.' },
  ])
  write.mockRestore()
  await graph.upstream.ledgers.books.close()
  expect((await ready()).parts['ledger']).toEqual(ok)

  const memory = sample.graph()
  expect(upstreamChecks(memory.upstream, 'sample-paid').readiness.parts['ledger']).toMatchObject({
    status: 'degraded',
    reason: expect.stringContaining('in memory alone'),
  })
  expect(upstreamChecks(memory.upstream, 'sample-paid', true).readiness.parts['ledger']).toBeUndefined()
})

test('tells why the sums of a shared ledger are incomplete', async () => {
  const { graph, ready } = await started()
  const { store } = graph.upstream.ledgers.books
  const why = { trouble: 'Bills are not sent yet.' as string | null }
  Object.defineProperty(store, 'trouble', { get: () => why.trouble })
  const { code, parts } = await ready()
  expect([code, parts['ledger']]).toEqual([200, { status: 'degraded', reason: 'Bills are not sent yet.' }])
  why.trouble = null
  expect((await ready()).parts['ledger']).toEqual(ok)
})
