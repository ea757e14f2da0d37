import type { TableName } from '../../src/specification/tables.ts'
import { keyOf } from '../../src/specification/tables.ts'
import type { Json } from '../json.ts'
import type { Asking } from './asking.ts'

/** The league and season in which an object was reached. */
export interface Place {
  readonly organization_id: string
  readonly division_id: string
  readonly season?: number
}

/**
 * An object of a layer without a plan: a row, which may lack columns, or the key of a row that is not loaded
 * yet.
 */
export interface Thing {
  readonly table: TableName
  readonly key: string
  readonly row: Json
  readonly place: Place
}

export interface Layer {
  readonly asking: Asking
  readonly place: Place
}

export function thing(table: TableName, row: Json, place: Place): Thing {
  const season = typeof row['season'] === 'number' ? { season: row['season'] } : {}
  return { table, key: String(row[keyOf(table)]), row, place: { ...place, ...season } }
}

export const things = (table: TableName, rows: readonly Json[], place: Place): Thing[] =>
  rows.filter((row) => row['deleted'] !== 1).map((row) => thing(table, row, place))

/** A row by its key. */
export async function find(
  table: TableName,
  key: string,
  place: Place,
  { asking }: Layer,
): Promise<Thing | null> {
  const row = await rowOf(table, key, asking)
  return row ? thing(table, row, place) : null
}

async function rowOf(table: TableName, key: string, asking: Asking): Promise<Json | undefined> {
  if (table === 'organization' || table === 'division') {
    const all = await asking.once(`${table}/read`, {})
    return all[key] as Json | undefined // keyed by id: a row
  }
  const [row] = await asking.by(`${table}/read`, keyOf(table), key)
  return row
}

/** A column of the known row, else of the row read by its key. */
export function column({ table, key, row }: Thing, name: string, { asking }: Layer): unknown {
  const value = row[name]
  if (value !== undefined || table.endsWith('statistic_ranking')) return value ?? null
  return rowOf(table, key, asking).then((read) => read?.[name] ?? null)
}
