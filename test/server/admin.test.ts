import { get } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../../src/server/app.ts'
import { ReadinessChecks } from '../../src/server/readiness-checks.ts'
import type { Trouble } from '../../src/server/readiness-checks.ts'
import { hostCheck } from '../../src/server/hosts.ts'
import { compressed, listen } from '../../src/server/listen.ts'
import type { Listening } from '../../src/server/listen.ts'
import { basketball, startSample } from '../graph/harness.ts'
import type { Graph, Sample } from '../graph/harness.ts'

let sample: Sample
let graph: Graph
let server: Listening
let admin: Listening
let trouble: Trouble | null = null

beforeAll(async () => {
  sample = await startSample()
  graph = sample.graph()
  const app = createApp({
    upstream: graph.upstream,
    apiKey: 'sample-paid',
    defaults: basketball,
    checks: new ReadinessChecks({ disk: () => trouble }),
    isOurHost: hostCheck(null, '127.0.0.1'),
    hasAdmin: true,
  })
  server = await listen(compressed(app), '127.0.0.1', 0)
  admin = await listen(app.admin, '127.0.0.1', 0)
  for (const client of ['web', 'app'])
    await graph.query(`query Page { organizations(active: ${client === 'web'}) { name } }`, {
      headers: { 'graphql-client-name': client },
    })
})
afterAll(async () => {
  await server.close()
  await admin.close()
  await sample.close()
})

const at = (path: string, init: RequestInit = {}) => fetch(admin.url + path, init)

test('metrics are at the port of operators alone', async () => {
  const metrics = await at('/metrics')
  expect(metrics.headers.get('content-type')).toContain('text/plain; version=')
  expect(await metrics.text()).toContain('statline_client_tokens_total{client="web"')
  expect((await fetch(`${server.url}/metrics`)).status).toBe(404)
  expect((await fetch(`${server.url}/usage`)).status).toBe(404)
  expect((await at('/graphql?query={__typename}')).status).toBe(404)
})

test('usage of every client is the bill of the month, as JSON and CSV', async () => {
  const lines = (await (await at('/usage?by=client')).json()) as { client: string; tokens: number }[]
  expect(lines.map(({ client, tokens }) => [client, tokens]).toSorted()).toEqual([
    ['app', 1],
    ['web', 1],
  ])
  const all = await (await at('/usage')).json()
  expect(all).toEqual(expect.arrayContaining([expect.objectContaining({ client: 'web', operation: 'Page' })]))
  const csv = await at('/usage?by=service&format=csv')
  expect(csv.headers.get('content-type')).toContain('text/csv')
  expect(await csv.text()).toMatch(/^service,tokens,estimated,calls,bytes\norganization\/read,2,0,2,\d+\n$/)
  expect(await (await at('/usage?month=2020-01')).json()).toEqual([])
  const both = await (await at('/usage?by=client&by=day')).json()
  expect(both).toEqual(await (await at('/usage?by=client,day')).json())
})

test.each([
  [
    '/usage?by=colour',
    'A bill can be grouped by client, operation, day, hour, service, key, not by "colour".\n',
  ],
  ['/usage?month=0000-01&compare', 'There is nothing before 0000-01 to compare it with.\n'],
  ['/usage?month=May', 'A bill is of a month, a day or an hour: 2026-02, 2026-02-14 or 2026-02-14T20.\n'],
  ['/usage?compare=no', 'compare has no value, such as "no".\n'],
  ['/usage?mont=2026-02', '/usage has the parameters month, day, hour, by, compare, format, not "mont".\n'],
  ['/usage?month=2026-02&day=2026-02-14', 'A bill has one of month, day and hour.\n'],
  ['/usage?format=xml', 'A bill has the format csv or json, not "xml".\n'],
])('%s is refused with the reason', async (path, reason) => {
  const response = await at(path)
  expect([response.status, await response.text()]).toEqual([400, reason])
})

test('probes answer here too', async () => {
  expect((await at('/health')).status).toBe(200)
  expect((await at('/ready')).status).toBe(200)
  trouble = { reason: 'It is full.', isFatal: true }
  const response = await at('/ready')
  expect([response.status, await response.json()]).toEqual([
    503,
    { status: 'unready', parts: { disk: { status: 'failed', reason: 'It is full.' } } },
  ])
})

test('nothing else is served, by no other method, and under no other name', async () => {
  expect((await at('/metrics', { method: 'POST', body: 'x' })).status).toBe(405)
  expect(await (await at('/metrics', { method: 'HEAD' })).text()).toBe('')
  expect((await at('/nothing')).status).toBe(404)
  const status = (path: string, host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      get(admin.url, { path, headers: { host } }, (response) => {
        response.resume()
        resolve(response.statusCode)
      }).once('error', reject)
    })
  expect(await status('/metrics', 'evil.example')).toBe(403)
  expect(await status('/usage', 'evil.example')).toBe(403)
  expect(await status('/ready', 'evil.example')).toBe(503)
  expect(await status('//', 'localhost')).toBe(400)
})
