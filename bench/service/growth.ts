import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { insertRows } from '../../src/service/league/insert.ts'
import { nameUuids } from '../../src/service/league/name-uuid.ts'
import { openDatabase } from '../../src/service/store/database.ts'
import type { Database } from '../../src/service/store/database.ts'
import { analyze } from '../../src/service/store/planner.ts'
import type { Row } from '../../src/specification/tables.ts'
import { loadOf, percentile } from '../load.ts'
import { serveDatabase } from '../league.ts'
import { tell } from '../table.ts'

const sizes = [10_000, 100_000, 1_000_000]
const linesOfGame = 10

/** Upper bound of the odds' time with a hundred times as many rows, relative to the control (median). */
const most = 1.5

/**
 * Measures the cost of a request as the table grows: `odds/read` of one game with ten lines, among 10,000,
 * 100,000 and 1,000,000 rows. Resolves with rows to print, and whether the cost stays the same.
 *
 * @param location a PostgreSQL; by default an embedded database
 */
export async function measureGrowth(location?: string): Promise<{ rows: string[][]; isFlat: boolean }> {
  const folder = mkdtempSync(join(tmpdir(), 'statline-bench-'))
  const database = await openDatabase(location ?? folder)
  const league = await serveDatabase(database, Date.now)
  const shares: number[] = []
  const rows: string[][] = []
  try {
    for (const [nth, size] of sizes.entries()) {
      await fill(database, sizes[nth - 1] ?? 0, size)
      await analyze(database)
      const { odds, control } = await measure(league.url, league.apiKey, size / linesOfGame)
      const share = percentile(odds, 0.5) / percentile(control, 0.5)
      shares.push(share)
      rows.push([
        `odds/read of a game among ${size.toLocaleString('en')}`,
        percentile(odds, 0.5).toFixed(2),
        percentile(odds, 0.99).toFixed(2),
        share.toFixed(2),
      ])
    }
  } finally {
    await league.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { rows, isFlat: (shares.at(-1) ?? 0) <= most * (shares[0] ?? 0) }
}

const uuidOf = nameUuids('6f0f4f0e-5f0c-5d0e-9c59-3f6a7d1c2b41')
const gameId = (nth: number) => uuidOf(`game ${nth}`)

async function fill({ db }: Database, from: number, to: number): Promise<void> {
  const step = 50_000
  for (let at = from; at < to; at += step) {
    tell(`odds rows: ${at.toLocaleString('en')} of ${to.toLocaleString('en')}`)
    const until = Math.min(at + step, to)
    await db.transaction().execute((transaction) => insertRows(transaction, 'odds', lines(at, until)))
  }
}

function* lines(from: number, to: number): Generator<Row<'odds'>> {
  for (let nth = from; nth < to; nth += 1) {
    const order = nth % linesOfGame
    yield {
      odds_id: uuidOf(`line ${nth}`),
      game_id: gameId(Math.floor(nth / linesOfGame)),
      money_line_away: 130,
      money_line_home: -150,
      spread_away: 3.5,
      spread_home: -3.5,
      over: 140.5,
      under: 140.5,
      date_of_entry: new Date(Date.UTC(2026, 0, 1, order)).toISOString(),
      live: 0,
      current: order === linesOfGame - 1 ? 1 : 0,
      deleted: 0,
    }
  }
}

interface Times {
  readonly odds: readonly number[]
  /** The control: a request with a constant cost, which shows how busy the machine is. */
  readonly control: readonly number[]
}

const pace = { seconds: 0.4, connections: 1 }
const turns = 4

/** One request after another, each for a random game of the table, in turns with the control. */
async function measure(url: string, apiKey: string, games: number): Promise<Times> {
  const { origin, pathname } = new URL(url)
  const get = (path: string) => ({
    method: 'GET' as const,
    path: `${pathname}/${path}`,
    headers: { 'x-api-key': apiKey },
  })
  const asked = Array.from({ length: 500 }, (_, nth) => gameId(Math.floor((nth * games) / 500)))
  const odds = asked.map((game) => get(`odds/read?game_id=${game}`))
  const control = [get('organization/read')]
  await loadOf(origin, odds, pace)
  const times = { odds: [] as number[], control: [] as number[] }
  for (let turn = 0; turn < turns; turn += 1) {
    times.control.push(...(await loadOf(origin, control, pace)).times)
    times.odds.push(...(await loadOf(origin, odds, pace)).times)
  }
  return { odds: times.odds.toSorted(ascending), control: times.control.toSorted(ascending) }
}

const ascending = (a: number, b: number) => a - b
