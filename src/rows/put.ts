import { keyOf } from '../specification/tables.ts'
import type { TableName } from '../specification/tables.ts'
import { after } from './freshness.ts'
import { suppliedBy, several } from '../specification/operation.ts'
import type { Arguments, Operation } from '../specification/operation.ts'
import { isRow } from './entry.ts'
import type { RowCache } from './row-cache.ts'
import { withKey } from './keys.ts'
import { nestedIn } from './purchase.ts'
import { putNested } from './put-nested.ts'
import { putRow } from './put-row.ts'
import type { RawRow } from '../specification/raw-row.ts'

/** Measured: a parsed row takes about twice the bytes of its JSON. */
export const bytesPerByte = 2

/**
 * Stores all rows of an answer, nested ones too. Returns the keys of the outer ones, in the service's order.
 */
export function putAnswer(
  cache: RowCache,
  operation: Operation,
  values: Arguments,
  body: RawRow,
  boughtAt: number,
  bytes: number,
): readonly string[] {
  const { yields } = operation
  if (yields === 'search' || operation.separate) return []
  const rows = rowsOf(operation, values, body)
  const rowBytes = Math.ceil((bytesPerByte * bytes) / Math.max(1, rows.length))
  const purchase = { cache, boughtAt, arguments: values, rowBytes }
  const supplies = suppliedBy(operation)
  const inner = nestedIn(purchase)
  const keys = new Set<string>()
  for (const row of rows) {
    const entry = putRow(purchase, yields, row, supplies, operation.keyedBy)
    if (!entry) continue
    keys.add(entry.key)
    if (operation.nests) putNested(purchase, inner, operation.nests, row, entry)
  }
  if (operation.byKey) noteMissing(cache, yields, several(values[keyOf(yields)] ?? []), keys, boughtAt)
  return [...keys]
}

/** Marks rows as missing that were requested and not found. */
export function noteMissing(
  cache: RowCache,
  table: TableName,
  asked: readonly (string | number)[],
  found: ReadonlySet<string>,
  boughtAt: number,
): void {
  const until = after(boughtAt, cache.fresh.freshFor.current)
  for (const key of asked) {
    const entry = found.has(String(key)) ? null : cache.rows.entry(table, String(key))
    if (entry) cache.puts?.push([cache.fresh.current, boughtAt])
    if (entry && !(cache.isRestoring && entry.boughtAt > boughtAt)) entry.putMissing(until)
  }
}

function rowsOf(operation: Operation, values: Arguments, body: RawRow): readonly RawRow[] {
  const id = keyOf(operation.yields as TableName) // a search is not kept as rows
  if (operation.answer === 'rows') return rowsIn(body, id)
  const supplies = suppliedBy(operation)
  // The specification does not show the key of every class of statistics. A row without one is identified by
  // the arguments of its call.
  const key = String(values[id] ?? Object.values(values).join(':'))
  return Object.keys(body).some((name) => supplies.has(name)) ? [withKey(body, id, key)] : []
}

/** The rows of a keyed answer, each with its id, which may be only in the key. */
function rowsIn(body: RawRow, id: string): readonly RawRow[] {
  const rows: RawRow[] = []
  for (const key of Object.keys(body)) {
    const row = body[key]
    if (isRow(row)) rows.push(withKey(row, id, key))
  }
  return rows
}
