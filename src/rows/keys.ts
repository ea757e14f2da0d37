import type { Columns } from '../specification/columns.ts'
import { keyOf, tableNames, tables } from '../specification/tables.ts'
import type { TableName } from '../specification/tables.ts'
import type { RawRow } from '../specification/raw-row.ts'

const byTable = <V>(valueOf: (table: TableName) => V) =>
  Object.fromEntries(tableNames.map((table) => [table, valueOf(table)])) as Readonly<Record<TableName, V>> // of all tables

/** The key column of each table. */
export const ids = byTable(keyOf)

const keyColumns = byTable((table): readonly string[] => {
  const columns: Columns = tables[table]
  return Object.keys(columns).filter((name) => columns[name]?.kind === 'key')
})

/** Converts a row's keys to text, as specified. */
export function withTextKeys(table: TableName, row: RawRow): RawRow {
  let copy: Record<string, unknown> | null = null
  for (const name of keyColumns[table]) {
    if (typeof row[name] !== 'number') continue
    copy ??= { ...row }
    copy[name] = String(row[name])
  }
  return copy ?? row
}

/** An id as a string. */
export const idIn = (value: unknown): string | null =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null

/** A row with its id. It may lack the column, because it came under the id as key. */
export const withKey = (row: RawRow, id: string, key: string): RawRow =>
  row[id] == null ? { ...row, [id]: key } : row
