import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../../src/server/app.ts'
import { upstreamChecks } from '../../src/server/upstream-checks.ts'
import { basketball, startSample } from '../graph/harness.ts'
import type { Graph, Sample } from '../graph/harness.ts'

const docs = join(import.meta.dirname, '../../docs')

let sample: Sample
let graph: Graph
let metrics: () => Promise<string>

beforeAll(async () => {
  sample = await startSample()
  graph = sample.graph({ budget: 1_000 })
  const { upstream } = graph
  const checks = upstreamChecks(upstream, 'sample-paid')
  const app = createApp({ upstream, apiKey: 'sample-paid', defaults: basketball, checks })
  await app.fetch('http://statline.test/graphql?query=query+Page{organizations{name}}', {
    headers: { 'apollo-require-preflight': '1', 'graphql-client-name': 'web' },
  })
  metrics = async () => (await app.fetch('http://statline.test/metrics')).text()
})
afterAll(() => sample.close())

/** Every `expr` of a dashboard. */
function expressionsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'expr' ? [String(inner)] : expressionsIn(inner),
  )
}

/** Names of metrics in an expression, those of a histogram's parts without their end. */
const metricsIn = (expression: string) =>
  [...expression.matchAll(/statline_\w+/g)].map(([name]) => name.replace(/_bucket$/, ''))

/** Names of labels that an expression selects or sums by. */
const labelsIn = (expression: string) => [
  ...[...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(/,\s*/)),
  ...[...expression.matchAll(/(\w+)=~?"/g)].map(([, name = '']) => name),
]

const dashboard = expressionsIn(JSON.parse(readFileSync(join(docs, 'grafana-dashboard.json'), 'utf8')))
const operations = readFileSync(join(docs, 'operations.md'), 'utf8')
const alerts = [...operations.matchAll(/expr: (.*)/g)].map(([, expression = '']) => expression)

test.each([
  ['dashboard', dashboard],
  ['list of alerts', alerts],
])('every metric and label of the %s is there', async (_what, expressions) => {
  expect(expressions.length).toBeGreaterThan(2)
  const text = await metrics()
  for (const expression of expressions) {
    for (const name of metricsIn(expression)) expect(text, expression).toContain(`# TYPE ${name} `)
    for (const label of labelsIn(expression)) expect(text, expression).toMatch(new RegExp(`[{,]${label}="`))
  }
})

test('a series of tokens that begins within the hour counts in full, which increase() alone leaves out', () => {
  const increases = dashboard.flatMap((expression) =>
    [...expression.matchAll(/increase\((\w+)\[1h\]\)/g)].map(([, name = '']) => ({ expression, name })),
  )
  expect(increases.map(({ name }) => name).toSorted()).toEqual([
    'statline_client_tokens_total',
    'statline_upstream_tokens_total',
  ])
  for (const { expression, name } of increases)
    expect(expression).toContain(`(${name} unless ${name} offset 1h) or increase(${name}[1h])`)
})

test('what was spent in an hour comes from the ledger, because the counters of a process end with it', () => {
  const rule = operations.split('- record: statline:tokens:1h')[1]?.split('- alert')[0] ?? ''
  expect(new Set(metricsIn(rule))).toEqual(new Set(['statline_month_tokens']))
})

test('metrics named in the pages are there', async () => {
  const text = await metrics()
  for (const page of ['operations.md', 'how-to.md', 'billing.md'])
    for (const name of metricsIn(readFileSync(join(docs, page), 'utf8')))
      expect(text).toContain(`# TYPE ${name} `)
})

test('10,000 names of clients and operations have 200 pairs of labels, and what is left is counted as other', async () => {
  const { books } = graph.upstream.ledgers
  for (let nth = 0; nth < 10_000; nth += 1) {
    const user = { client: `client ${nth}`, operation: `Query${nth}`, rows: 1 }
    const booking = books.open('key', 1, { service: 'team/read', users: [user], calls: 1 })
    booking.settle({ tokens: 1, bytes: 10, estimated: false })
  }
  const lines = (await metrics())
    .split('\n')
    .filter((line) => line.startsWith('statline_client_tokens_total{'))
  expect(lines.length).toBeLessThanOrEqual(202)
  const tokens = (line: string | undefined) => Number(line?.split(' ').at(-1))
  expect(tokens(lines.find((line) => line.includes('client="other"')))).toBeGreaterThan(9_790)
  expect(lines.reduce((sum, line) => sum + tokens(line), 0)).toBe(10_001)
})

test('a client with a budget has a label of its own after any number of made-up names, and no other client has it', async () => {
  const clientBudgets = new Map([
    ['scoreboard', 1_000],
    ['other', 1_000],
    ['*', 1_000],
  ])
  const { upstream } = sample.graph({ clientBudgets })
  const app = createApp({ upstream, apiKey: 'sample-paid', defaults: basketball })
  const spend = (client: string, operation: string, tokens: number) => {
    const purpose = { service: 'team/read', users: [{ client, operation, rows: 1 }] as const, calls: 1 }
    upstream.ledgers.books.open('key', tokens, purpose).settle({ tokens, bytes: 10, estimated: false })
  }
  for (let nth = 0; nth < 230; nth += 1) spend(`client ${nth}`, 'Page', 1)
  spend('scoreboard', 'Scores', 40)
  spend('scoreboard', 'Standings', 2)
  spend('other', 'Page', 7)
  const text = await (await app.fetch('http://statline.test/metrics')).text()
  const found = [
    ...text.matchAll(
      /^statline_client_tokens_total\{client="([^"]*)",graphql_operation="([^"]*)",.*\} (\d+)$/gm,
    ),
  ]
  expect(
    found.map(([, client, operation, tokens]) => [client, operation, Number(tokens)]).slice(200),
  ).toEqual([
    ['*', 'other', 30],
    ['scoreboard', 'other', 42],
    ['other', 'other', 7],
  ])
})
