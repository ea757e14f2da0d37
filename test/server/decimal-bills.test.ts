import { afterAll, expect, test } from 'vitest'
import { bill } from '../../src/commands/bill.ts'
import type { Spending } from '../../src/money/ledger-store.ts'
import { createApp } from '../../src/server/app.ts'
import { basketball, startSample } from '../graph/harness.ts'
import { sampleNow } from '../sample.setup.ts'

const sample = await startSample()
afterAll(() => sample.close())

const prices = ['12.1', '12.2', '0.1', '0.2']

/** A service whose calls cost these decimals, one after the other. */
function graphOf(budget: number | null = null) {
  const left = [...prices]
  return sample.graph({
    budget,
    async between(request, service) {
      const answer = await service(request)
      return { ...answer, headers: { ...answer.headers, 'x-request-usage': left.shift() ?? '1' } }
    },
  })
}

const twoCalls =
  'query Two { a: organizations(active: true) { name } b: organizations(active: false) { name } }'

test('decimal prices are summed without noise in the answer, the month, the log, the metrics and the usage', async () => {
  expect(12.1 + 12.2).not.toBe(24.3)
  const graph = graphOf(1_000)
  const lines: Record<string, unknown>[] = []
  const log = { info: (line: object) => void lines.push({ ...line }), error: () => {} }
  const app = createApp({ upstream: graph.upstream, apiKey: 'sample-paid', defaults: basketball, log })
  const ask = async (query: string) => {
    const response = await app.fetch('http://statline.test/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'graphql-client-name': 'web' },
      body: JSON.stringify({ query }),
    })
    return response.json()
  }
  expect(await ask(twoCalls)).toMatchObject({
    extensions: { usage: { tokens: 24.3, calls: 2, remaining: 975.7 } },
  })
  expect(await ask('{ usage { tokens remaining } }')).toMatchObject({
    data: { usage: { tokens: 24.3, remaining: 975.7 } },
  })
  expect(lines[0]).toMatchObject({ tokens: 24.3, tokensByOperation: { 'organization/read': 24.3 } })
  const metrics = await (await app.fetch('http://statline.test/metrics')).text()
  expect(metrics).toContain('statline_month_tokens 24.3\n')
  expect(metrics).toContain('statline_upstream_tokens_total{operation="organization/read"} 24.3\n')
  expect(metrics).toMatch(/statline_client_tokens_total\{client="web",.*\} 24\.3\n/)
  expect(await (await app.fetch('http://statline.test/metrics')).text()).toContain(
    'statline_month_tokens 24.3\n',
  )
})

const row = { client: 'web', operation: 'Q', day: '2026-02-14', hour: '12', key: 'k', bytes: 1, calls: 1 }
const rows: Spending[] = prices.map((price, nth) => ({
  ...row,
  service: `team/${nth}`,
  tokens: Number(price),
  estimated: Number(price),
}))
const run = (...args: string[]) =>
  bill(['--day', '2026-02-14', ...args], { read: async () => rows, drift: () => [] }, sampleNow)

test('a bill of decimal prices has no noise in the table, CSV or JSON', async () => {
  const all = 24.6
  expect(await run('--by', 'client', '--csv')).toBe(
    `client,tokens,estimated,calls,bytes\nweb,${all},${all},4,4`,
  )
  expect(JSON.parse(await run('--by', 'client', '--json'))).toEqual([
    { client: 'web', tokens: all, estimated: all, calls: 4, bytes: 4 },
  ])
  expect((await run('--by', 'service')).split('\n').at(-1)).toMatch(/^total +24\.6 +24\.6 +100 % +4$/)
  expect(await run('--by', 'client', '--compare')).toMatch(/\nweb +24\.6 +24\.6 +100 % +0 +\+24\.6 /)
})

test('a whole bill stays as it is, however large', async () => {
  const tokens = Number.MAX_SAFE_INTEGER
  const read = async () => [{ ...row, service: 'team/read', tokens, estimated: 0 }]
  const csv = await bill(['--by', 'client', '--csv'], { read, drift: () => [] }, sampleNow)
  expect(csv.split('\n')[1]).toBe(`web,${tokens},0,1,1`)
})
