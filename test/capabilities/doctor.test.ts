import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { capabilitiesFile, keptCapabilities, parsed } from '../../src/capabilities/file.ts'
import { questions } from '../../src/capabilities/questions.ts'
import { doctor } from '../../src/commands/doctor.ts'
import { UsageError } from '../../src/commands/usage-error.ts'
import { LEDGER_FILE } from '../../src/money/files/ledger-database.ts'
import { LedgerFile } from '../../src/money/files/ledger-file.ts'
import { Ledgers } from '../../src/money/ledgers.ts'
import { openLedger } from '../../src/money/open-ledger.ts'
import { readLedger } from '../../src/money/files/read-ledger.ts'
import { sampleNow } from '../sample.setup.ts'
import { basketball, startSample, today } from '../graph/harness.ts'
import type { Sample } from '../graph/harness.ts'

let sample: Sample
const folder = mkdtempSync(join(tmpdir(), 'doctor-'))
const file = capabilitiesFile(folder)
let timeoutMs = 10_000
let budget: number | null = null

beforeAll(async () => {
  sample = await startSample()
})
afterAll(async () => {
  await sample.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A report of `--json`. */
interface Report {
  readonly tokens: number
  readonly isEstimated: boolean
  readonly calls: number
  readonly trouble: string | null
  readonly league: object | null
  readonly drift: readonly object[]
  readonly questions: readonly {
    readonly question: string
    readonly assumed: string
    readonly found: string | null
    readonly reason?: string
    readonly tokens: number
  }[]
}

const clock = () => sampleNow

/** The ledgers of the graph, with what their file has of the month. */
async function ledgers(): Promise<Ledgers> {
  const ledger = await openLedger(new LedgerFile(folder, sampleNow), sampleNow, (error) =>
    expect(error).toBeNull(),
  )
  return new Ledgers(budget, clock, ledger)
}

const run = (
  args: readonly string[],
  url: string | null = sample.url,
  apiKey: string | null = sample.apiKey,
) => doctor(args, { url, apiKey, timeoutMs, file, about: {}, ledgers }, clock)

async function report(args: readonly string[] = [], url?: string, apiKey?: string): Promise<Report> {
  const { text } = await run([...args, '--json'], url, apiKey)
  expect(text).not.toContain(apiKey ?? sample.apiKey)
  expect(text).not.toContain(new URL(url ?? sample.url).host)
  return JSON.parse(text) as Report
}

const differences = ({ questions: asked }: Report) =>
  asked.filter(({ found, assumed }) => found !== null && found !== assumed).map(({ question }) => question)

test('a service as specified is as assumed, for at most 25 tokens, and every question that has a probe is asked', async () => {
  const told = await report()
  expect(told).toMatchObject({ trouble: null, league: basketball, drift: [], isEstimated: false })
  expect(differences(told)).toEqual([])
  expect(told.tokens).toBeLessThanOrEqual(25)
  expect(told.questions.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(told.tokens)
  const unasked = told.questions.filter(({ found }) => found === null).map(({ question }) => question)
  expect(unasked).toEqual(questions.filter(({ probes }) => probes.length === 0).map(({ name }) => name))
  expect(Object.keys(parsed(file)?.findings ?? {})).toHaveLength(questions.length - unasked.length)
  expect(readFileSync(file, 'utf8')).not.toContain(sample.apiKey)
})

test('a trial key’s plan is found', async () => {
  const told = await report([], sample.url, 'sample-trial')
  expect(differences(told)).toEqual(['plan', 'ranking/download'])
  expect(told.tokens).toBeLessThanOrEqual(25)
})

test('with few tokens the cheapest questions are asked, and the others are skipped by name', async () => {
  const told = await report(['--tokens', '5'])
  expect(told.tokens).toBeLessThanOrEqual(5)
  expect(told.questions.find(({ question }) => question === 'key')?.found).toBe('accepted')
  expect(told.questions.find(({ question }) => question === 'date_of_rank')).toMatchObject({
    found: null,
    reason: expect.stringMatching(/^Skipped: it may cost \d tokens, and \d (is|are) left\.$/) as unknown,
  })
})

test('an address without its version is named, and nothing is saved', async () => {
  rmSync(file, { force: true })
  const { trouble } = await run([], sample.url.replace(/\/v1$/, ''))
  expect(trouble).toMatch(/UPSTREAM_URL must include its version, such as \/v1/)
  expect(parsed(file)).toBeNull()
})

test('the table has a line for each question, what it cost and what follows', async () => {
  const { text } = await run([], sample.url, 'sample-trial')
  expect(text).toMatch(/^ +question +assumed +found +tokens +consequence$/m)
  expect(text).toMatch(/^≠ +plan +bulk reads +no bulk reads +0 +The key is a trial’s/m)
  expect(text).toContain(`DEFAULT_ORGANIZATION_ID=${basketball.organization_id}`)
  expect(text).toMatch(/^\d+ calls, \d+ tokens\.$/m)
})

test('without an address, a key or a sane limit the usage is told', async () => {
  await expect(run([], null)).rejects.toThrow(UsageError)
  await expect(run([], sample.url, null)).rejects.toThrow('UPSTREAM_API_KEY')
  await expect(run(['--tokens', 'all'])).rejects.toThrow('--tokens must be a whole number')
  await expect(run(['--token', '1'])).rejects.toThrow('statline doctor')
  await expect(run(['--tokens', '1', '--tokens', '2'])).rejects.toThrow('--tokens is given twice.')
})

test('the questions are listed without a service, each with its findings', async () => {
  const { text } = await run(['--questions'], null, null)
  const lines = text.split('\n').slice(2)
  expect(lines).toHaveLength(questions.length)
  questions.forEach(({ name, assumed }, nth) => {
    expect(lines[nth]).toContain(`| ${name} |`)
    expect(lines[nth]).toContain(`**${assumed}** (assumed)`)
  })
})

/** Tokens by client in the ledger's file. */
function spent(): Record<string, number> {
  const clients: Record<string, number> = {}
  for (const { client, tokens } of readLedger(folder, today, today))
    clients[client] = (clients[client] ?? 0) + tokens
  return clients
}

describe('what the doctor spends', () => {
  beforeEach(() => rmSync(join(folder, LEDGER_FILE), { force: true }))
  afterEach(() => (budget = null))

  test('is in the bill under its own name, by operation of the service, as the service billed it', async () => {
    const before = await sample.billed('sample-trial')
    const { tokens } = await report([], sample.url, 'sample-trial')
    expect(tokens).toBeGreaterThan(0)
    expect((await sample.billed('sample-trial')) - before).toBe(tokens)
    expect(spent()).toEqual({ 'statline doctor': tokens })
    const rows = readLedger(folder, today, today)
    expect(rows.map(({ service }) => service)).toContain('organization/read')
    expect(rows.every(({ operation, estimated }) => operation === 'doctor' && estimated === 0)).toBe(true)
  })

  test('counts in the month’s budget: what that does not bear is left out by name', async () => {
    budget = 12
    const first = await report()
    expect(first.trouble).toBeNull()
    expect(first.tokens).toBeLessThanOrEqual(12)
    const skipped = first.questions.flatMap(({ reason }) => (/budget/.test(reason ?? '') ? [reason] : []))
    expect(skipped[0]).toMatch(/^Skipped: it may cost \d tokens, and this month’s budget has fewer left\.$/)
    const second = await report()
    expect(first.tokens + second.tokens).toBeLessThanOrEqual(12)
    expect(spent()).toEqual({ 'statline doctor': first.tokens + second.tokens })
    // The graph begins with it.
    const graph = await ledgers()
    const { remaining } = graph.of(graph.nameOf(sample.apiKey))
    await graph.books.close()
    expect(remaining).toBe(12 - first.tokens - second.tokens)
  })

  test('is booked as estimated where no answer comes, and not at all where nothing was sent', async () => {
    timeoutMs = 300
    const silent = await report([], await hostile(() => {}))
    expect(silent.isEstimated).toBe(true)
    expect(spent()).toEqual({ 'statline doctor': silent.tokens })
    server?.closeAllConnections()
    server?.close()
    expect((await report([], 'http://127.0.0.1:9/v1')).tokens).toBe(0)
    expect(spent()).toEqual({ 'statline doctor': silent.tokens })
  })
})

test('what the file has of the service already stays, where nothing newer was found', async () => {
  rmSync(file, { force: true })
  await report()
  const whole = Object.keys(parsed(file)?.findings ?? {})
  await report(['--tokens', '1'])
  expect(Object.keys(parsed(file)?.findings ?? {})).toEqual(whole)
})

test('a graph that runs takes on what the doctor finds, and what it learns itself keeps that', async () => {
  rmSync(file, { force: true })
  const running = keptCapabilities(file, sample.url, clock, () => {})
  const { text } = await run([], sample.url, 'sample-trial')
  expect(text).toContain('no bulk reads')
  running.note('POST', 'refused')
  expect(running.finding('plan')).toBe('no bulk reads')
  expect(parsed(file)?.findings).toMatchObject({
    plan: { found: 'no bulk reads' },
    POST: { found: 'refused' },
  })
})

test('a key that the service does not know ends the examination at the first call', async () => {
  const told = await report([], sample.url, 'no-such-key')
  expect(told).toMatchObject({
    tokens: 0,
    calls: 1,
    trouble: expect.stringContaining('UPSTREAM_API_KEY') as unknown,
  })
})

let server: Server | undefined
afterEach(() => {
  timeoutMs = 10_000
  server?.closeAllConnections()
  server?.close()
  server = undefined
})

async function hostile(answer: (response: ServerResponse) => void): Promise<string> {
  const listening = createServer((_request, response) => answer(response))
  server = listening
  await new Promise<void>((resolve) => void listening.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}/v1` // it listens on a port
}

const game = JSON.stringify({ game_id: 'a', home_team_id: 'b', away_team_id: 'c', season: 2026 })

const hostilities: Readonly<Record<string, readonly [(response: ServerResponse) => void, RegExp]>> = {
  'is cut off': [
    (response) => {
      response.writeHead(200, { 'x-request-usage': '3', 'content-length': '500' })
      response.write(game)
      setTimeout(() => response.destroy(), 20)
    },
    /cut off/,
  ],
  'is a page': [(response) => response.end('<html>Sign in to the network</html>'), /not JSON/],
  'never comes': [() => {}, /in time/],
  'is an outage': [(response) => response.writeHead(503).end('{}'), /not available: .*503/],
  'is billed beyond all bounds': [
    (response) => response.writeHead(200, { 'x-request-usage': '4000' }).end(game),
    /billed 4000 tokens for one request/,
  ],
}

test('a key that the service repeats is neither printed nor saved', async () => {
  const apiKey = 'a-key-that-is-repeated'
  const ids = { organization_id: 'o', division_id: `of ${apiKey}`, game_id: 'a', home_team_id: 'b' }
  const row = { ...ids, away_team_id: 'c', season: 2026, [`of_${apiKey}`]: 1 }
  const answer = (response: ServerResponse) =>
    response.writeHead(200, { 'x-request-usage': '1' }).end(JSON.stringify({ a: row }))
  const told = await report([], await hostile(answer), apiKey)
  expect(told.league).toEqual({ organization_id: 'o', division_id: 'of [key]' })
  expect(JSON.stringify(told.drift)).toContain('.of_[key]')
  expect(readFileSync(file, 'utf8')).toContain('.of_[key]')
  expect(readFileSync(file, 'utf8')).not.toContain(apiKey)
})

test.each(Object.entries(hostilities))(
  'where the answer %s, the examination ends with one clear line',
  async (name, [answer, trouble]) => {
    rmSync(file, { force: true })
    if (name === 'never comes') timeoutMs = 300
    const told = await report([], await hostile(answer))
    expect(told.trouble).toMatch(trouble)
    expect(told.calls).toBe(1)
    expect(parsed(file)).toBeNull()
  },
)

test('a port where nothing listens is one clear line', async () => {
  const url = await hostile(() => {})
  server?.close()
  expect((await report([], url)).trouble).toBe(
    'The statistics service cannot be reached: nothing listens at its port. ' +
      'Check the host and the port in UPSTREAM_URL, and whether the service runs.',
  )
  const { text } = await run([], url) // no table of questions that were not asked
  expect(text).toMatch(/^1 call, \d+ tokens[^\n]*\.$/)
})

test('a usage header that is no number is told, and tokens are estimated from bytes', async () => {
  const url = await hostile((response) => response.writeHead(200, { 'x-request-usage': 'a lot' }).end(game))
  const told = await report([], url)
  expect(told).toMatchObject({ trouble: null, isEstimated: true })
  expect(told.tokens).toBeLessThanOrEqual(25)
  expect(told.questions.find(({ question }) => question === 'usage header')?.found).toBe('illegible')
})
