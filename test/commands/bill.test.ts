import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import LibsqlDatabase from 'libsql'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { bill } from '../../src/commands/bill.ts'
import { LedgerFile } from '../../src/money/files/ledger-file.ts'
import type { Spending } from '../../src/money/ledger-store.ts'
import { NoLedgerError, readLedger } from '../../src/money/files/read-ledger.ts'
import { openLedger } from '../../src/money/open-ledger.ts'
import { createApp } from '../../src/server/app.ts'
import type { App } from '../../src/server/app.ts'
import { basketball, season, startSample, today } from '../graph/harness.ts'
import type { Graph, Sample } from '../graph/harness.ts'
import { heldFile } from '../money/files/other-program.ts'
import { sampleNow } from '../sample.setup.ts'

let sample: Sample
let graph: Graph
let app: App
let now = sampleNow
const folder = mkdtempSync(join(tmpdir(), 'bill-'))

interface LogLine {
  readonly client: string
  readonly key: string
  readonly operation: string
  readonly outcome: string
  readonly codes?: readonly string[]
  readonly tokens: number
  readonly attempts: number
  readonly tokensByOperation: Readonly<Record<string, number>>
}
let lines: LogLine[] = []
const log = { info: (line: object) => void lines.push(line as LogLine), error: () => {} } // as it is logged

beforeAll(async () => {
  sample = await startSample()
  const ledger = await openLedger(new LedgerFile(folder, now), now, () => {})
  graph = sample.graph({
    ledger,
    clock: () => now,
    freshFor: { live: 1_000, current: 1_000, reference: 1_000 },
  })
  app = createApp({ upstream: graph.upstream, apiKey: 'sample-paid', defaults: basketball, log })
})
afterAll(async () => {
  await graph.upstream.close()
  await sample.close()
  rmSync(folder, { recursive: true, force: true })
})

async function ask(client: string, query: string): Promise<number> {
  const response = await app.fetch('http://statline.test/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'graphql-client-name': client },
    body: JSON.stringify({ query }),
  })
  const { extensions } = (await response.json()) as { extensions: { usage: { tokens: number } } }
  return extensions.usage.tokens
}

const scores = `query Scores { league { games(date: "${today}") { status homeScore } } }`
const standings = `query Standings { league { elo(season: ${season}) { elo } } }`
/** What a release changes: the page asks for statistics of every team too. */
const widened = `query Scores { league { games(date: "${today}") { status homeScore homeTeam { stats { points { rank } } } } } }`

/** An hour of both clients, a page a minute each; the tokens that it cost. */
async function hour(ofApp: string): Promise<number> {
  let tokens = 0
  for (let minute = 0; minute < 6; minute += 1) {
    tokens += await ask('web', minute % 2 === 0 ? scores : standings)
    now += 5 * 60_000
    tokens += await ask('app', ofApp)
    now += 5 * 60_000
  }
  return tokens
}

const run = (...args: string[]) =>
  bill(args, { read: async (from, to) => readLedger(folder, from, to), drift: () => [] }, now)
const json = async (by: string, ...args: string[]) =>
  JSON.parse(await run('--by', by, '--json', ...args)) as Record<string, unknown>[]
const tokensIn = (rows: readonly Record<string, unknown>[]) =>
  rows.reduce((sum, row) => sum + Number(row['tokens']), 0)

async function metric(): Promise<Map<string, number>> {
  const text = await (await app.fetch('http://statline.test/metrics')).text()
  const found = [...text.matchAll(/^statline_client_tokens_total\{(.*)\} (\d+)$/gm)]
  return new Map(found.map(([, labels = '', value]) => [labels, Number(value)]))
}

/** Tokens by client, GraphQL operation and operation of the service, from lines of the log. */
function byCause(logged: readonly LogLine[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { client, operation, tokensByOperation } of logged)
    for (const [service, tokens] of Object.entries(tokensByOperation)) {
      const cause = `client="${client}",graphql_operation="${operation}",operation="${service}"`
      sums.set(cause, (sums.get(cause) ?? 0) + tokens)
    }
  return sums
}

/** What has grown most from one to the other. */
function growth(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>) {
  const grown = [...after].map(([cause, tokens]) => ({ cause, tokens: tokens - (before.get(cause) ?? 0) }))
  return grown.toSorted((a, b) => b.tokens - a.tokens)[0]
}

test('an hour in which the bill doubles is explained by the log, by the metrics and by the bill alone', async () => {
  const usual = await hour(scores)
  const [logBefore, metricsBefore, billBefore] = [
    lines,
    await metric(),
    await json('client,operation,service'),
  ]
  lines = []
  const doubled = await hour(widened)
  expect(doubled).toBeGreaterThan(2 * usual)

  const cause = 'client="app",graphql_operation="Scores",operation="team/getStats"'
  expect(growth(byCause(logBefore), byCause(lines))?.cause).toBe(cause)

  const metricsAfter = await metric()
  const inHour = new Map(
    [...metricsAfter].map(([name, tokens]) => [name, tokens - (metricsBefore.get(name) ?? 0)]),
  )
  expect(growth(metricsBefore, inHour)?.cause).toBe(cause)
  expect([...metricsAfter.values()].reduce((sum, tokens) => sum + tokens, 0)).toBe(usual + doubled)

  const billAfter = await json('client,operation,service')
  expect(tokensIn(billBefore)).toBe(usual)
  expect(tokensIn(billAfter)).toBe(usual + doubled)
  expect(billAfter[0]).toMatchObject({ client: 'app', operation: 'Scores', service: 'team/getStats' })

  // The same from the bill alone: the hour with the high cost, and what has grown in it.
  const hours = await json('hour', '--day', '2026-02-14')
  expect(hours.map(({ hour, tokens }) => [hour, tokens])).toEqual([
    ['2026-02-14T20', usual],
    ['2026-02-14T21', doubled],
  ])
  const [first] = await json('client,operation,service', '--hour', '2026-02-14T21', '--compare')
  expect(first).toMatchObject({ client: 'app', operation: 'Scores', service: 'team/getStats', before: 0 })
  const compared = (await run('--hour', '2026-02-14T21', '--compare')).split('\n')
  expect(compared[0]).toBe('Tokens of 2026-02-14T21 (UTC), compared with 2026-02-14T20')
  expect(compared[2]).toMatch(/^client +operation +tokens +share +before +change +calls +calls before$/)
  expect(compared[3]).toMatch(/^app +Scores .* \+\d+ /)
  expect(compared.at(-1)).toMatch(new RegExp(`^total +${doubled} +100 % +${usual} +\\+${doubled - usual} `))

  // The ledger is what the service has billed, to the token.
  expect(await sample.billed('sample-paid')).toBe(usual + doubled)

  const line = lines.find(({ client }) => client === 'app')
  expect(line).toMatchObject({ outcome: 'ok', operation: 'Scores', attempts: expect.any(Number) })
  expect(line?.attempts).toBeGreaterThan(1)
  expect(line?.key).toMatch(/^[\w-]{8}$/)
  expect(JSON.stringify(lines)).not.toContain('sample-paid')
})

test('a line of the log has the codes of what failed', async () => {
  lines = []
  await ask('app', 'query Wrong { team(id: "nonsense") { name } league { organization { organizationId } } }')
  await ask('app', 'query Invalid { nothing }')
  expect(lines.map(({ outcome, codes }) => [outcome, codes])).toEqual([
    ['partial', ['BAD_USER_INPUT']],
    ['failed', ['GRAPHQL_VALIDATION_FAILED']],
  ])
})

test('the bill is a table with bars, CSV or JSON, and every grouping has the same sum', async () => {
  const total = tokensIn(await json('client'))
  for (const by of ['client', 'operation', 'day', 'service', 'key', 'client,operation,day,hour,service'])
    expect(tokensIn(await json(by))).toBe(total)
  const table = (await run('--by', 'client')).split('\n')
  expect(table[0]).toBe('Tokens of 2026-02 (UTC)')
  expect(table[2]).toMatch(/^client +tokens +share +calls$/)
  expect(table[3]).toMatch(/^app .* █{30}$/)
  expect(table.at(-1)).toMatch(new RegExp(`^total +${total} +100 %`))
  const csv = (await run('--by', 'client,service', '--csv')).split('\n')
  expect(csv[0]).toBe('client,service,tokens,estimated,calls,bytes')
  expect(csv.slice(1).reduce((sum, row) => sum + Number(row.split(',')[2]), 0)).toBe(total)
})

test.each([
  [['--by', 'colour'], /can be grouped by client, operation, day, hour, service, key/],
  [['--month', 'May'], /--month 2026-02/],
  [['--loud'], /--loud/],
  [['--csv', '--json'], /--csv or --json/],
  [['--month', '2026-02', '--day', '2026-02-14'], /one of --month, --day and --hour/],
  [['--day', '2026-02'], /--day 2026-02-14/],
  [['--month', '2026-02-14'], /--month 2026-02/],
  [['--month', '2026-13'], /--month 2026-02/],
  [['--day', '2026-02-31'], /--day 2026-02-14/],
  [['--hour', '2026-02-14T24'], /^An hour is named like this: --hour 2026-02-14T20/],
  [['--month', '2026-01', '--month', '2026-02'], /^--month is given twice\.\nstatline bill/],
  [['--month', '0000-01', '--compare'], /^There is nothing before 0000-01 to compare it with\.\nstatline/],
  [['--day', '0000-01-01', '--compare'], /nothing before 0000-01-01/],
  [['--hour', '0000-01-01T00', '--compare'], /nothing before 0000-01-01T00/],
  [['--drift', '--by', 'client'], /--drift is not about tokens, so it has no --by\.\nstatline bill/],
  [['--drift', '--compare'], /it has no --compare/],
  [['--drift', '--day', '2026-02-14'], /it has no --day/],
])('the bill refuses %j and tells how it is used', async (args, message) => {
  await expect(run(...args)).rejects.toThrow(message)
})

test('a group that is named twice is one', async () => {
  expect(await run('--by', 'client,client', '--csv')).toBe(await run('--by', 'client', '--csv'))
})

test('groups may be named by one --by or by several', async () => {
  expect(await run('--by', 'client', '--by', 'day', '--csv')).toBe(await run('--by', 'client,day', '--csv'))
})

test('a month without a bill has a total of nothing, no lines and an empty list', async () => {
  expect((await run('--month', '2020-01')).split('\n').slice(2)).toEqual([
    'client  operation  tokens  share  calls',
    'total                   0    0 %      0',
  ])
  expect((await run('--month', '2020-01', '--csv')).split('\n')).toHaveLength(1)
  expect(JSON.parse(await run('--month', '2020-01', '--json'))).toEqual([])
})

/** The bill of these clients, of a token each. */
const billOf = (clients: readonly string[], ...args: string[]) => {
  const sums = { tokens: 1, estimated: 0, bytes: 1, calls: 1 }
  const row = { operation: 'Q', service: 'team/read', day: '2026-02-14', hour: '12', key: 'k', ...sums }
  const rows = clients.map((client): Spending => ({ client, ...row }))
  return bill(args, { read: async () => rows, drift: () => [] }, sampleNow)
}

test('a bill may have more lines than a function may have arguments', async () => {
  expect(() => Math.max(...Array(150_000).keys())).toThrow(RangeError)
  const clients = Array.from({ length: 150_000 }, (_, nth) => `client ${nth}`)
  expect((await billOf(clients)).split('\n').at(-1)).toMatch(/^total +150000 /)
})

test('names are values in CSV, whatever a spreadsheet would make of them', async () => {
  const csv = await billOf(['=1+1', '@x', '-1', 'a,"b"', 'a\rb', '\t=1'], '--by', 'client', '--csv')
  expect(csv.split('\n').slice(1)).toEqual([
    `'=1+1,1,0,1,1`,
    `'@x,1,0,1,1`,
    '-1,1,0,1,1',
    '"a,""b""",1,0,1,1',
    '"a\rb",1,0,1,1',
    `'\t=1,1,0,1,1`,
  ])
})

test.each([
  ['is not a database', (file: string) => writeFileSync(file, 'not a database')],
  ['is empty', (file: string) => writeFileSync(file, '')],
  ['is a folder', (file: string) => void mkdirSync(file)],
  [
    'belongs to another program',
    (file: string) => {
      const database = new LibsqlDatabase(file)
      database.exec('create table spending (day text, amount real)')
      database.close()
    },
  ],
])('where the ledger %s, the bill says so in one line', (_what, write) => {
  const inner = mkdtempSync(join(folder, 'foreign-'))
  write(join(inner, 'ledger.sqlite'))
  const read = () => readLedger(inner, '2026-02-01', '2026-02-31')
  expect(read).toThrow(NoLedgerError)
  expect(read).toThrow(/^\S+ledger\.sqlite cannot be read as a ledger: [^\n]+$/)
})

test('where another program holds the ledger for itself, the bill says what helps, in one line', async () => {
  const [own, inner] = [mkdtempSync(join(folder, 'own-')), mkdtempSync(join(folder, 'held-'))]
  await new LedgerFile(own, Date.now()).close()
  // This process still holds its own file, until the garbage collector has closed it.
  copyFileSync(join(own, 'ledger.sqlite'), join(inner, 'ledger.sqlite'))
  const spent = `insert into spending values ('2026-02-14', '12', 'k', 'web', 'Q', 'team/read', 6, 0, 1, 1)`
  const release = await heldFile(join(inner, 'ledger.sqlite'), spent)
  onTestFinished(release)
  const waits = { busyMs: 100, shortWaitMs: 5 }
  const read = () => readLedger(inner, '2026-02-01', '2026-02-31', () => {}, waits)
  expect(read).toThrow(NoLedgerError)
  expect(read).toThrow(/^\S+ledger\.sqlite is locked by another program\. Close it there, then ask again\.$/)
  await release()
  expect(readLedger(inner, '2026-02-01', '2026-02-31')).toMatchObject([{ tokens: 6 }])
})

test('without a ledger the bill says where it looked', () => {
  expect(() => readLedger(join(folder, 'nothing'), '2026-02-01', '2026-02-31')).toThrow(
    /^There is no ledger at .*ledger\.sqlite\./,
  )
})
