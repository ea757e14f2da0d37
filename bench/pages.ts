import { cpSync, existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { freePort } from '../test/free-port.ts'
import { createApp } from '../src/server/app.ts'
import { compressed, listen } from '../src/server/listen.ts'
import { httpTransport } from '../src/wire/transport.ts'
import { Upstream } from '../src/account/upstream.ts'
import { reportBounds } from './bounds.ts'
import { sampleNow, serveSample } from './league.ts'
import { place } from './speed/recording.ts'
import { table, tell } from './table.ts'
import { fills } from '../src/loaders/fills.ts'

const executablePath = '/usr/bin/chromium-headless-shell'
/** Lighthouse and what steers the browser are packages of the browser tests. */
const folder = resolve('test/browser/suites')
const tools = createRequire(join(folder, 'package.json'))
/** How often each page is measured. Other work only makes it slower, so the best counts. */
const turns = 3

/** What is used of Lighthouse's result. */
interface Result {
  readonly lhr: {
    readonly runtimeError?: { readonly message: string }
    /** About 1,500 for a desktop computer that does nothing else. */
    readonly environment: { readonly benchmarkIndex: number }
    readonly categories: { readonly performance: { readonly score: number | null } }
    readonly audits: Readonly<Record<string, { readonly numericValue?: number }>>
  }
}

type Lighthouse = (url: string, flags: object) => Promise<Result | undefined>

/** What is used of playwright-core. */
interface Playwright {
  readonly chromium: {
    launch(how: { executablePath: string; args: string[] }): Promise<{ close(): Promise<void> }>
  }
}

/** A phone with a processor four times slower, on a home network. */
const phone = { cpuSlowdownMultiplier: 4, rttMs: 40, throughputKbps: 10_240 }

/** A browser that Lighthouse can steer through `port`. */
async function startBrowser() {
  const port = await freePort()
  const { chromium } = tools('playwright-core') as Playwright
  const args = ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${port}`]
  const browser = await chromium.launch({ executablePath, args })
  return { port, close: () => browser.close() }
}

/** Statline and its pages, over the sample league. */
async function startPages() {
  // The compiled code looks for the pages beside itself.
  cpSync('public', fileURLToPath(new URL('../public/', import.meta.url)), { recursive: true })
  const league = await serveSample()
  const upstream = new Upstream({
    transport: httpTransport(league.url),
    fills,
    monthlyTokenBudget: null,
    timeoutMs: 10_000,
    batchSize: 500,
    concurrency: 32,
    clock: league.clock,
  })
  const app = createApp({ upstream, apiKey: league.apiKey, defaults: place })
  const server = await listen(compressed(app), '127.0.0.1', 0)
  return {
    url: server.url,
    async close() {
      await server.close()
      await league.close()
    },
  }
}

interface Answer {
  readonly data: { readonly league: { readonly games: readonly Game[] } }
}

interface Game {
  readonly gameId: string
  readonly status: string
  readonly season: number
  readonly homeTeam: { teamId: string; conferenceId: string; roster: { playerId: string }[] }
}

/** The address of each page that is measured. */
async function addresses(url: string): Promise<readonly (readonly [name: string, path: string])[]> {
  const date = new Date(sampleNow).toISOString().slice(0, 10)
  const team = 'homeTeam { teamId conferenceId roster { playerId } }'
  const query = `{ league { games(date: "${date}") { gameId status season ${team} } } }`
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const { data } = (await answer.json()) as Answer // the query's shape
  const game = data.league.games.find(({ status }) => status === 'final')
  if (!game) throw new Error('The sample day has no finished game.')
  const { gameId, season, homeTeam } = game
  return [
    ['games', `/games/${date}`],
    ['game', `/game/${gameId}`],
    ['team', `/team/${homeTeam.teamId}/${season}`],
    ['player', `/player/${homeTeam.roster[0]?.playerId}/${season}`],
    ['standings', `/conference/${homeTeam.conferenceId}/${season}`],
    ['leaders', `/leaders/teams/points/${season}`],
  ]
}

async function measure(lighthouse: Lighthouse, url: string, port: number) {
  const flags = { port, logLevel: 'error', onlyCategories: ['performance'], throttling: phone }
  const result = await lighthouse(url, flags)
  if (!result) throw new Error('Lighthouse has no result.')
  const { runtimeError, audits, categories, environment } = result.lhr
  if (runtimeError) throw new Error(runtimeError.message)
  const of = (audit: string) => audits[audit]?.numericValue ?? Number.NaN
  return {
    score: categories.performance.score ?? 0,
    paint: of('largest-contentful-paint'),
    blocked: of('total-blocking-time'),
    machine: environment.benchmarkIndex,
  }
}

/** How quick the scoreboard's pages are on a phone, by Lighthouse. */
export async function run(): Promise<boolean> {
  if (!existsSync(executablePath) || !existsSync(join(folder, 'node_modules'))) {
    console.log(`left out: it needs ${executablePath}, and npm ci in test/browser and test/browser/suites`)
    return true
  }
  const { default: lighthouse } = (await import(pathToFileURL(tools.resolve('lighthouse')).href)) as {
    default: Lighthouse
  }
  const pages = await startPages()
  const browser = await startBrowser()
  try {
    const rows = []
    for (const [name, path] of await addresses(pages.url)) {
      const measured = []
      for (let turn = 1; turn <= turns; turn += 1) {
        tell(`${name}, turn ${turn} of ${turns}`)
        measured.push(await measure(lighthouse, pages.url + path, browser.port))
      }
      const [best] = measured.toSorted((a, b) => b.score - a.score)
      if (best) rows.push({ name, ...best })
    }
    console.log(
      table(
        ['page', 'score', 'largest paint, ms', 'blocked, ms', 'machine'],
        rows.map(({ name, score, paint, blocked, machine }) => [
          name,
          score.toFixed(2),
          paint.toFixed(0),
          blocked.toFixed(0),
          machine.toFixed(0),
        ]),
      ),
    )
    return reportBounds(
      rows.map(({ name, score }) => ({
        what: `Lighthouse’s score of the page ${name}`,
        ratio: score,
        atLeast: 0.95,
      })),
    )
  } finally {
    await browser.close()
    await pages.close()
  }
}
