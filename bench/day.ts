import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSampleLeague } from '../src/service/sample/create.ts'
import { sampleBasketball } from '../src/service/sample/ids.ts'
import { liveLeague } from '../src/service/sample/live.ts'
import { openDatabase } from '../src/service/store/database.ts'
import type { Database } from '../src/service/store/database.ts'
import { analyze } from '../src/service/store/planner.ts'
import { httpTransport } from '../src/wire/transport.ts'
import type { Transport } from '../src/wire/transport.ts'
import type { Asked } from './bill/recipe.ts'
import { oneInstance, restarting, threeInstances } from './day/instances.ts'
import { kinds } from './day/kinds.ts'
import type { Draw, Kind } from './day/kinds.ts'
import { Minimum } from './day/minimum.ts'
import { numbersFrom, zipf } from './day/random.ts'
import { siteOf } from './day/site.ts'
import { serveDatabase } from './league.ts'
import { singly } from './naive/asking.ts'
import { table, tell } from './table.ts'

/** What the day may cost, as a multiple of the least that it can. */
const most = 1.05
/** What it may cost other instances, as a multiple of what it costs one that never stops. */
const mostOfOthers = 1.05

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
 * Measures one day of a site: queries of thirty kinds over the embedded service. Kinds and subjects follow
 * Zipf's law. Games advance with a stepped clock. The same queries are asked of one instance, of one that is
 * restarted every hour, and of three that share a Redis. Resolves with whether the tokens are at most 1.05 of
 * the minimum, and of those of the one instance.
 */
export async function run(
  _data: string,
  queries = Number(process.env['DAY_QUERIES'] ?? 10_000),
): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'statline-bench-'))
  const database = await openDatabase(folder)
  try {
    const { lines, others } = await spend(database, queries)
    return [judge(lines), judgeOthers(lines, others)].every(Boolean)
  } finally {
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Spent {
  readonly lines: readonly Line[]
  /** Tokens of the day by instances. */
  readonly others: ReadonlyMap<string, number>
}

/** What each kind of query costs through Statline and at least. */
async function spend(database: Database, queries: number): Promise<Spent> {
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
  const ground = { transport, apiKey: served.apiKey, clock, site }
  const one = oneInstance(ground)
  const others = [restarting(ground), await threeInstances(ground)].filter((some) => some !== null)
  const tokens = new Map(others.map(({ name }) => [name, 0]))
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
    line.ours += await one.ask(query)
    for (const other of others)
      tokens.set(other.name, (tokens.get(other.name) ?? 0) + (await other.ask(query)))
    line.least += await minimum.ask(need, now)
    if (nth % 1_000 === 999) tell(`${nth + 1} queries, ${new Date(now).toISOString()}`)
  }
  for (const other of others) await other.close()
  await league.stop()
  await direct.close?.()
  await served.close()
  return { lines: [...lines.values()], others: tokens }
}

const keptOpen = (database: Database): Database => ({ ...database, close: async () => {} })

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

function judgeOthers(lines: readonly Line[], others: ReadonlyMap<string, number>): boolean {
  const one = lines.reduce((total, { ours }) => total + ours, 0)
  const ratios = [...others].map(([name, tokens]) => ({ name, tokens, ratio: tokens / one }))
  const cells = ratios.map(({ name, tokens, ratio }) => [name, String(tokens), ratio.toFixed(4)])
  console.log(table(['instances', 'tokens', '÷ one instance'], [['one instance', String(one), ''], ...cells]))
  return ratios.every(({ ratio }) => ratio <= mostOfOthers)
}
