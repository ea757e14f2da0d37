import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { basketball, season, startSample, today } from '../../graph/harness.ts'
import type { Sample } from '../../graph/harness.ts'
import { commaLists } from '../../service/variants/comma-lists.ts'
import { compressedBills } from '../../service/variants/compressed-bills.ts'
import { emptyIs404 } from '../../service/variants/empty-is-404.ts'
import { ignoredFilters } from '../../service/variants/ignored-filters.ts'
import { listenAs } from '../../service/variants/listening.ts'
import type { Listening, Received } from '../../service/variants/listening.ts'
import { program } from '../../started.ts'
import { noArrays } from '../../service/variants/no-arrays.ts'
import { noPost } from '../../service/variants/no-post.ts'
import { refusedFilters } from '../../service/variants/refused-filters.ts'
import { trialPlan } from '../../service/variants/trial-plan.ts'

const root = resolve(import.meta.dirname, '../../..')
const apiKey = 'c9b1f3e2-a-key-of-a-user'

let sample: Sample
let folder: string
let service: Listening | undefined
const started: ChildProcess[] = []

beforeAll(async () => {
  sample = await startSample()
})
afterAll(() => sample.close())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'variants-'))
})
afterEach(async () => {
  for (const child of started.splice(0)) await end(child)
  await service?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** What a user's shell has: nothing of this test's. */
const environment = (url: string) => ({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  UPSTREAM_URL: url,
  UPSTREAM_API_KEY: apiKey,
  DATA_DIR: folder,
  PORT: '0',
  LOG_LEVEL: 'info',
  DRAIN_SECONDS: '0',
  DEFAULT_ORGANIZATION_ID: basketball.organization_id,
  DEFAULT_DIVISION_ID: basketball.division_id,
})

/** A command in the checkout, started as `npx statline` starts it; what it wrote to its standard output. */
async function statline(url: string, ...args: string[]): Promise<string> {
  const words = [join(root, 'bin/statline.js'), ...args]
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: root, env: environment(url) })
  return stdout
}

const sum = (received: readonly Received[]) => received.reduce((all, { tokens }) => all + tokens, 0)

describe('statline doctor', () => {
  it.each([commaLists, trialPlan, emptyIs404, refusedFilters, compressedBills, noPost])(
    'tells a service with $name apart, and books what that costs',
    async (variant) => {
      service = await listenAs(variant, sample)
      const table = await statline(service.url, 'doctor')
      const ofTable = service.take()
      expect(table).toMatch(/^ +question +assumed +found +tokens +consequence$/m)
      for (const name of variant.differs) expect(table).toMatch(new RegExp(`^≠ +${name} `, 'm'))
      expect(table).toContain(`${ofTable.length} calls, ${sum(ofTable)} tokens.`)
      expect(table).toContain(join(folder, 'capabilities.json'))

      const json = await statline(service.url, 'doctor', '--json')
      const ofJson = service.take()
      const report = JSON.parse(json) as {
        tokens: number
        questions: { question: string; found: string; assumed: string }[]
      }
      const differs = report.questions.filter(({ found, assumed }) => found !== null && found !== assumed)
      expect(differs.map(({ question }) => question).toSorted()).toEqual(variant.differs.toSorted())
      expect(report.tokens).toBe(sum(ofJson))
      for (const received of [ofTable, ofJson]) {
        expect(sum(received)).toBeLessThanOrEqual(25)
        expect(new Set(received.map((one) => one.apiKey))).toEqual(new Set([apiKey]))
      }
      for (const text of [table, json, readFileSync(join(folder, 'capabilities.json'), 'utf8')]) {
        expect(text).not.toContain(apiKey)
        expect(text).not.toContain(new URL(service.url).host)
      }
      const bill = JSON.parse(await statline(service.url, 'bill', '--by', 'client', '--json')) as object[]
      expect(bill).toMatchObject([{ client: 'statline doctor', tokens: sum(ofTable) + sum(ofJson) }])
    },
  )
})

interface Graph {
  readonly child: ChildProcess
  readonly output: () => string
  ask(query: string): Promise<{ readonly data: unknown; readonly errors?: readonly object[] }>
}

/** Statline as `npm start` starts it, once it answers. */
async function start(url: string): Promise<Graph> {
  const [file = '', ...args] = program
  const child = spawn(file, args, { cwd: root, env: environment(url) })
  started.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  const address = () => /The graph listens on (\S+)/.exec(output)?.[1]
  await expect.poll(() => address() ?? (child.exitCode === null ? null : output)).toMatch(/^http/)
  return {
    child,
    output: () => output,
    async ask(query) {
      const response = await fetch(address() ?? '', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      })
      return (await response.json()) as Awaited<ReturnType<Graph['ask']>>
    },
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
}

const learned = 'The service works otherwise than assumed.'

describe('a start, a second time over the same folder', () => {
  let queries: readonly [string, string]
  beforeAll(async () => {
    const yesterday = '2026-02-13'
    const pages = [yesterday, today].map(async (day) => {
      const [game] = await sample.rows('game/getGames', { ...basketball, start_date: day })
      return `{ league {
        games(date: "${day}") { homeTeam { elo(season: ${season}) { elo } } odds { history { dateOfEntry over } } boxscores { points } }
        team(id: "${String(game?.['home_team_id'])}") { name games(season: ${season}) { startDate homeScore } } } }`
    })
    const [first = '', second = ''] = await Promise.all(pages)
    queries = [first, second]
  })

  it.each([noArrays, commaLists, refusedFilters, ignoredFilters, trialPlan])(
    'learns nothing anew of a service with $name, and makes no call that it knows to be refused',
    async (variant) => {
      const { url, take } = (service = await listenAs(variant, sample))
      const first = await start(url)
      await first.ask(queries[0])
      const refusals = take().filter(({ isRefused }) => isRefused).length
      if (variant !== trialPlan) expect(first.output()).toContain(learned)
      await end(first.child)

      const second = await start(url)
      const { data, errors } = await second.ask(queries[1])
      const received = take()
      expect(received.length).toBeGreaterThan(0)
      expect(received.filter(({ isRefused }) => isRefused)).toEqual([])
      expect(second.output()).not.toContain(learned)
      // What is ignored or joined is not refused.
      if (variant !== commaLists && variant !== ignoredFilters) expect(refusals).toBeGreaterThan(0)
      if (variant.isWhole === false) return
      expect(errors).toBeUndefined()
      expect(data).toEqual((await sample.graph().query(queries[1])).data)

      // And what was bought before is not bought again.
      expect((await second.ask(queries[0])).errors).toBeUndefined()
      expect(take()).toEqual([])
    },
  )
})
