import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../src/server/app.ts'
import { createSampleLeague } from '../src/service/sample/create.ts'
import { sampleBasketball } from '../src/service/sample/ids.ts'
import { liveLeague } from '../src/service/sample/live.ts'
import { openDatabase } from '../src/service/store/database.ts'
import type { Database } from '../src/service/store/database.ts'
import { analyze } from '../src/service/store/planner.ts'
import { httpTransport } from '../src/upstream/transport.ts'
import type { Transport } from '../src/upstream/transport.ts'
import { Upstream } from '../src/upstream/world.ts'
import type { Asked } from './bill/recipe.ts'
import { kinds } from './day/kinds.ts'
import type { Draw, Kind, Site } from './day/kinds.ts'
import { Minimum } from './day/minimum.ts'
import { numbersFrom, zipf } from './day/random.ts'
import { siteOf } from './day/site.ts'
import { serveDatabase } from './league.ts'
import { singly } from './naive/asking.ts'
import { table, tell } from './table.ts'

/** What the day may cost, as a multiple of the least that it can. */
const most = 1.05

/** A day of games from the morning on: those of the day before are over, those of the day begin and end. */
const begins = Date.parse('2026-02-14T10:00:00.000Z')
const dayLength = 86_400_000
/** The service moves its league on as often as this. */
const beat = 5_000

interface Line {
  readonly name: string
  queries: number
  ours: number
  least: number
}

/**
 * Measures one day of a site: queries of thirty kinds over the embedded service. Kinds and subjects follow Zipf's law.
 * Games advance with a stepped clock. Resolves with whether the tokens are at most 1.05 of the minimum.
 */
export async function run(
  _data: string,
  queries = Number(process.env['DAY_QUERIES'] ?? 10_000),
): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'statline-bench-'))
  const database = await openDatabase(folder)
  try {
    return judge(await spend(database, queries))
  } finally {
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What each kind of query costs through Statline and at least. */
async function spend(database: Database, queries: number): Promise<readonly Line[]> {
  let now = begins
  const clock = () => now
  await createSampleLeague(database, clock)
  await analyze(database)
  const league = liveLeague(database, clock, { every: 0 })
  // Closing the league closes the database, which is closed here.
  const served = await serveDatabase(keptOpen(database), clock)
  const place = {
    organization_id: sampleBasketball.organizationId,
    division_id: sampleBasketball.divisionId,
  }
  const direct = httpTransport(served.url)
  let moved = now
  // Nobody sees the league but through a call.
  const transport: Transport = async (request) => {
    if (now - moved >= beat) {
      moved = now
      await league.advance()
    }
    return direct(request)
  }
  const site = await siteOf(database, singly(transport, served.apiKey), place, begins)
  const minimum = new Minimum(site.schedule, pricedBy(transport, served.apiKey))
  const ask = statline(transport, served.apiKey, clock, site)
  const random = numbersFrom(2026)
  const draw: Draw = (list) => zipf(list, random)
  const all = kinds()
  const lines = new Map<Kind, Line>(
    all.map((kind) => [kind, { name: kind.name, queries: 0, ours: 0, least: 0 }]),
  )
  for (let nth = 0; nth < queries; nth += 1) {
    now += Math.round((-Math.log(1 - random()) * dayLength) / queries)
    const kind = draw(all)
    const line = lines.get(kind)
    if (!line) continue
    const { query, need } = kind.visit(site, draw)
    line.queries += 1
    line.ours += await ask(query)
    line.least += await minimum.ask(need, now)
    if (nth % 1_000 === 999) tell(`${nth + 1} queries, ${new Date(now).toISOString()}`)
  }
  await league.stop()
  await direct.close?.()
  await served.close()
  return [...lines.values()]
}

const keptOpen = (database: Database): Database => ({ ...database, close: async () => {} })

/** Asks Statline; answers with the tokens that the service has billed for it. */
function statline(transport: Transport, apiKey: string, clock: () => number, site: Site) {
  let billed = 0
  const counting: Transport = async (request) => {
    const answer = await transport(request)
    billed += Number(answer.headers['x-request-usage'])
    return answer
  }
  const settings = { monthlyTokenBudget: null, timeoutMs: 60_000, batchSize: 500, concurrency: 32, clock }
  const upstream = new Upstream({ transport: counting, ...settings })
  const app = createApp({ upstream, apiKey, defaults: site.league })
  return async (query: string): Promise<number> => {
    const before = billed
    const response = await app.fetch('http://statline.bench/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    const { errors } = (await response.json()) as { readonly errors?: unknown } // GraphQL over HTTP
    if (errors) throw new Error(`${query}: ${JSON.stringify(errors)}`)
    return billed - before
  }
}

/** What the service bills for a call, by calling it. */
function pricedBy(transport: Transport, apiKey: string) {
  return async (asked: Asked): Promise<number> => {
    let tokens = 0
    const { once } = singly(async (request) => {
      const answer = await transport(request)
      tokens = Number(answer.headers['x-request-usage'])
      return answer
    }, apiKey)
    await once(...asked)
    return tokens
  }
}

function judge(lines: readonly Line[]): boolean {
  const sum = (of: (line: Line) => number) => lines.reduce((total, line) => total + of(line), 0)
  const total = {
    name: 'the day',
    queries: sum(({ queries }) => queries),
    ours: sum(({ ours }) => ours),
    least: sum(({ least }) => least),
  }
  const cells = ({ name, queries, ours, least }: Line) => [
    name,
    String(queries),
    String(ours),
    String(least),
    least === 0 ? '' : (ours / least).toFixed(3),
  ]
  console.log(table(['query', 'asked', 'tokens', 'least', '÷'], [...lines, total].map(cells)))
  const ratio = total.ours / total.least
  console.log(`\n${total.queries} queries: ${ratio.toFixed(4)} of the least (at most ${most})`)
  return ratio <= most
}
