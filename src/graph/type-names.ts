import type { TableName } from '../specification/tables.ts'
import type { Context } from './context.ts'
import type { Handle } from './handle.ts'

/** Returns a row's type name: a table that several sports share has several types. */
export type NameOf = (row: Handle, context: Context) => string

const names = new Map<TableName, NameOf>()

export function setTypeName(table: TableName, nameOf: NameOf): void {
  names.set(table, nameOf)
}

/** The type name of a row. */
export const typeNameOf: NameOf = (row, context) => {
  const nameOf = names.get(row.table)
  if (!nameOf) throw new Error(`The table ${row.table} has no type. Does schema.ts import its file?`)
  return nameOf(row, context)
}
