import { formOf, idsOf, several } from '../specification/operation.ts'
import type { Arguments, Operation } from '../specification/operation.ts'
import { keyOf, tables } from '../specification/tables.ts'
import type { TableName } from '../specification/tables.ts'
import type { Estimates } from './estimates.ts'

/** Whether a row is known to exist. */
type IsThere = (table: TableName, id: string) => boolean

/**
 * The rows that a call brings at least. Rows read by their keys count if they are known to exist. A list has
 * none until an answer has shown how many such lists have, and none for an id that is not known to exist.
 */
export function leastRows(
  operation: Operation,
  values: Arguments,
  estimates: Estimates,
  isThere: IsThere,
): number {
  const ids = leastIds(operation, values, isThere)
  if (operation.yields !== 'search' && values[keyOf(operation.yields)] !== undefined) return ids
  if (!estimates.isKnown(operation, values)) return 0
  return Math.floor(estimates.rowsPerId(operation, formOf(values), 'least') * ids)
}

/** How many of a call's ids are known to exist; all if it has none. */
function leastIds(operation: Operation, values: Arguments, isThere: IsThere): number {
  let least = idsOf(operation, values)
  for (const [name, value] of Object.entries(values)) {
    const table = tableOf(name)
    if (!table) continue
    const ids = several(value)
    const there = ids.filter((id) => isThere(table, String(id))).length
    if (there < ids.length) least = Math.min(least, there)
  }
  return least
}

/** The table of the rows that an argument names; undefined if it names none, or a league. */
function tableOf(name: string): TableName | undefined {
  const table = name.replace(/^(home|away)_/, '').replace(/_id$/, '')
  return table !== name && isTable(table) && !leagueTables.has(table) ? table : undefined
}

const leagueTables: ReadonlySet<string> = new Set(['organization', 'division'])
const isTable = (name: string): name is TableName => Object.hasOwn(tables, name)
