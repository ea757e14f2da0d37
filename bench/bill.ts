import { existsSync, readFileSync } from 'node:fs'
import { sampleBasketball, sampleFootball } from '../src/service/sample/ids.ts'
import { httpTransport } from '../src/wire/transport.ts'
import type { Transport } from '../src/wire/transport.ts'
import { naive, statline } from './bill/layers.ts'
import type { Answer } from './bill/layers.ts'
import { matchup } from './bill/pages/matchup.ts'
import { playerPages } from './bill/pages/player.ts'
import { scoreboard } from './bill/pages/scoreboard.ts'
import { searching } from './bill/pages/search.ts'
import { standings } from './bill/pages/standings.ts'
import { teamPages } from './bill/pages/team.ts'
import { cheapestOf } from './bill/recipe.ts'
import type { Bill } from './bill/recipe.ts'
import { subjectsOf } from './bill/subjects.ts'
import type { LeagueIds } from './bill/subjects.ts'
import { keysIn, rowsIn } from './json.ts'
import { serveSample, serveSeason } from './league.ts'
import type { League } from './league.ts'
import { singly } from './naive/asking.ts'
import { naiveSchema } from './naive/schema.ts'
import { table, tell } from './table.ts'

const pages = [...scoreboard, ...matchup, ...teamPages, ...playerPages, ...standings, ...searching]

/** Upper bounds of a whole league's bytes and of one query's, as multiples of the cheapest. */
const most = { together: 1.02, alone: 1.1 }

interface Line {
  readonly league: string
  readonly name: string
  readonly cheapest: Bill
  readonly ours: Bill
  readonly batched: Bill
  readonly single: Bill
}

/**
 * Compares the cold bill of about sixty page queries with the cheapest calls that the specification allows,
 * with a layer that has a resolver for each field and a DataLoader for each class, and with one without
 * loaders: bytes, calls and round trips. Resolves with whether all bounds hold.
 *
 * @param data the folder of the real seasons, which are skipped if it does not exist
 */
export async function run(data: string): Promise<boolean> {
  const lines: Line[] = []
  await during(serveSample(), async (sample) => {
    const day = new Date(sample.clock()).toISOString().slice(0, 10)
    lines.push(...(await measure('sample basketball', sample, idsOf(sampleBasketball), day)))
    lines.push(...(await measure('sample football', sample, idsOf(sampleFootball))))
  })
  for (const source of existsSync(data) ? (['ncaa-mbb-2026', 'cfb-2025'] as const) : [])
    await during(serveSeason(source, data), async (season) => {
      lines.push(...(await measure(source, season, await leagueIn(season))))
    })
  return judge(lines)
}

async function during(serving: Promise<League>, work: (league: League) => Promise<void>): Promise<void> {
  const league = await serving
  await work(league).finally(() => league.close())
}

const idsOf = ({ organizationId, divisionId }: typeof sampleBasketball): LeagueIds => ({
  organization_id: organizationId,
  division_id: divisionId,
})

/** The only league of an imported season. */
async function leagueIn({ url, apiKey }: League): Promise<LeagueIds> {
  const transport = httpTransport(url)
  const { once } = singly(transport, apiKey)
  const [organization_id = ''] = keysIn(rowsIn(await once('organization/read', {})), 'organization_id')
  const [division_id = ''] = keysIn(rowsIn(await once('division/read', {})), 'division_id')
  await transport.close?.()
  return { organization_id, division_id }
}

async function measure(title: string, served: League, league: LeagueIds, day?: string): Promise<Line[]> {
  const transport = httpTransport(served.url)
  try {
    return await measureOver(transport, title, served, league, day)
  } finally {
    await transport.close?.()
  }
}

async function measureOver(
  transport: Transport,
  title: string,
  served: League,
  league: LeagueIds,
  day?: string,
): Promise<Line[]> {
  const subjects = await subjectsOf(singly(transport, served.apiKey), league, day)
  tell(`${title}: season ${subjects.season}, ${subjects.day}`)
  const around = { transport, apiKey: served.apiKey, clock: served.clock, league, season: subjects.season }
  const schema = naiveSchema(readFileSync('schema/schema.graphql', 'utf8'))
  const layers: Layers = {
    ours: statline(around),
    batched: naive(schema, true, around),
    single: naive(schema, false, around),
  }
  const lines: Line[] = []
  for (const page of pages) {
    const query = page.query(subjects)
    if (query === null) continue
    const cheapest = await cheapestOf(page.cheapest, subjects, transport, served.apiKey)
    lines.push({ league: title, name: page.name, cheapest, ...(await answerAll(query, layers, page.name)) })
  }
  print(title, lines)
  return lines
}

interface Layers {
  readonly ours: Answer
  readonly batched: Answer
  readonly single: Answer
}

/** An answer without the order of its lists: a layer cannot sort by columns that it did not buy. */
function content(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(content).toSorted().join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, one]) => `${name}:${content(one)}`)
    .join()}}`
}

/** The first difference of two texts. */
function apart(one: string, other: string): string {
  const from = Math.max(0, [...one].findIndex((letter, nth) => letter !== other[nth]) - 60)
  return `${one.slice(from, from + 160)} and ${other.slice(from, from + 160)}`
}

/** Queries all three layers, whose answers have to agree. */
async function answerAll(query: string, { ours, batched, single }: Layers, name: string) {
  const [own, loaded, unloaded] = [await ours(query), await batched(query), await single(query)]
  for (const other of [loaded, unloaded])
    if (content(own.data) !== content(other.data))
      throw new Error(
        `${name}: the layers answer differently: ${apart(content(own.data), content(other.data))}`,
      )
  return { ours: own.bill, batched: loaded.bill, single: unloaded.bill }
}

const head = [
  'query, cold',
  'cheapest, bytes',
  'ours ÷',
  'calls',
  'of',
  'trips',
  'of',
  'loaders ÷',
  'calls',
  'trips',
  'single ÷',
  'calls',
  'trips',
]

function print(title: string, lines: readonly Line[]): void {
  const rows = [...lines, { league: title, name: 'all of them', ...sumOf(lines) }].map(cells)
  console.log(`\n${title}\n${table(head, rows)}`)
}

const cells = ({ name, cheapest, ours, batched, single }: Line): string[] => [
  name,
  String(cheapest.bytes),
  ratio(ours, cheapest).toFixed(3),
  String(ours.calls),
  String(cheapest.calls),
  String(ours.rounds),
  String(cheapest.rounds),
  ...[batched, single].flatMap((bill) => [
    ratio(bill, cheapest).toFixed(2),
    String(bill.calls),
    String(bill.rounds),
  ]),
]

const ratio = (bill: Bill, cheapest: Bill) => bill.bytes / cheapest.bytes

const add = (a: Bill, b: Bill): Bill => ({
  bytes: a.bytes + b.bytes,
  calls: a.calls + b.calls,
  rounds: a.rounds + b.rounds,
})
const nothing: Bill = { bytes: 0, calls: 0, rounds: 0 }

const sumOf = (lines: readonly Line[]) => ({
  cheapest: lines.map(({ cheapest }) => cheapest).reduce(add, nothing),
  ours: lines.map(({ ours }) => ours).reduce(add, nothing),
  batched: lines.map(({ batched }) => batched).reduce(add, nothing),
  single: lines.map(({ single }) => single).reduce(add, nothing),
})

function judge(lines: readonly Line[]): boolean {
  const { cheapest, ours, batched, single } = sumOf(lines)
  const dear = lines.filter((line) => ratio(line.ours, line.cheapest) > most.alone)
  const late = lines.filter((line) => line.ours.rounds > line.cheapest.rounds)
  const total = ratio(ours, cheapest)
  console.log(
    `\n${lines.length} queries: ${total.toFixed(4)} of the cheapest bytes (at most ${most.together}), ` +
      `${dear.length} above ${most.alone}, ${late.length} with an extra round trip; ` +
      `with loaders ${ratio(batched, cheapest).toFixed(2)}, without ${ratio(single, cheapest).toFixed(2)}`,
  )
  for (const line of new Set([...dear, ...late]))
    console.log(`  misses, ${line.league}: ${cells(line).join('  ')}`)
  return total <= most.together && dear.length === 0 && late.length === 0
}
