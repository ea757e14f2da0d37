import type { Value } from '../specification/columns.ts'
import type { Freshness } from './freshness.ts'
import type { RawRow } from '../specification/raw-row.ts'

/** A row as one answer brought it. */
export interface RowVersion {
  readonly row: RawRow
  /** The columns that the operation supplies. If the row lacks one, its value is null. */
  readonly supplies: ReadonlySet<string>
  readonly boughtAt: number
  readonly freshness: Freshness
  readonly order: number
  readonly bytes: number
}

/** What an operation says of a row. */
export interface SlotPut {
  readonly value: unknown
  readonly freshness: Freshness
  readonly boughtAt: number
  /** The table whose keys the value is. */
  readonly lists?: string | undefined
  /** The bytes of a value that is neither keys nor small. */
  readonly bytes?: number | undefined
}

/** The same, as it is stored. */
export interface SlotValue extends SlotPut {
  readonly order: number
  readonly bytes: number
}

/** How some of the row's columns are printed, as long as no version of the row changes. */
export interface Printed {
  /** Identifies the columns, and their names in the response. */
  readonly id: number
  /** The text; null if it was printed once, and is stored the next time. */
  text: string | null
}

/** Computed on each read, because a game's state may become known later. */
export const untilOf = ({ freshness, boughtAt }: RowVersion | SlotValue): number => freshness.until(boughtAt)

/** Columns that never change, so their values do not expire. */
const lasting = new Set([
  'organization_id',
  'division_id',
  'season',
  'game_id',
  'team_id',
  'player_id',
  'home_team_id',
  'away_team_id',
  // They tell the sport of a boxscore.
  'football_boxscore_id',
  'basketball_boxscore_id',
  'basketball_player_boxscore_id',
])

/** The same with a time that is not after `moment`, because the clock was ahead. */
export const notAfter = <P extends RowVersion | SlotValue>(one: P, moment: number): P =>
  one.boughtAt > moment ? { ...one, boughtAt: moment } : one

/** The fresh versions of several rows: how many they are, and when the first of them expires. */
export interface FreshVersions {
  count: number
  until: number
}

/** Counts a version if it is fresh. */
export function addVersion(fresh: FreshVersions, version: RowVersion, now: number): void {
  const until = untilOf(version)
  if (until <= now) return
  fresh.count += 1
  if (until < fresh.until) fresh.until = until
}

/** A column's value in one version; undefined if it has none or has expired. */
export function valueIn(version: RowVersion, name: string, now: number): Value | undefined {
  const { row, supplies } = version
  if (untilOf(version) <= now && !lasting.has(name)) return undefined
  const value = row[name]
  // Rows come from JSON.parse, so no value is undefined. The graph's conversions check their types.
  if (value !== undefined && Object.hasOwn(row, name)) return value as Value
  return supplies.has(name) ? null : undefined
}

/** Whether a row and what its operation supplies have every column of an older version. */
export function covers(row: RawRow, supplies: ReadonlySet<string>, older: RowVersion): boolean {
  if (supplies !== older.supplies)
    for (const column of older.supplies) if (!supplies.has(column)) return false
  for (const column in older.row) if (!supplies.has(column) && !Object.hasOwn(row, column)) return false
  return true
}
