import type { Transaction } from 'kysely'
import { forgetNameParts, insertNameParts } from '../store/name-parts.ts'
import { allTables, namedTables } from '../store/schema.ts'
import type { NamedTable, Schema } from '../store/schema.ts'
import { storedTables } from '../store/tables.ts'
import type { FactName, Facts } from './facts.ts'
import { insertRows } from './insert.ts'
import { foldedNames, storedForm } from './stored-form.ts'

const rowsOf = (facts: Facts, name: FactName): readonly object[] => [facts[name]].flat()

/** Writes all facts. @returns how many rows of each table */
export async function writeFacts(
  transaction: Transaction<Schema>,
  facts: Facts,
  onTable: (written: number, tables: number) => void,
): Promise<Record<string, number>> {
  const tables = allTables.flatMap((table) => {
    const { facts: name } = storedTables[table]
    return name === null ? [] : [{ table, rows: storedForm(table, rowsOf(facts, name)) }]
  })
  const written: Record<string, number> = {}
  const named = namedTables.map((kind) => [kind, namesOf(facts, kind)] as const)
  for (const [kind, list] of named) await forgetNameParts(transaction, kind, list)
  for (const [index, { table, rows }] of tables.entries()) {
    written[table] = await insertRows(transaction, table, rows)
    onTable(index + 1, tables.length)
  }
  for (const [kind, list] of named) await insertNameParts(transaction, kind, list)
  return written
}

/** The names of a table's rows, as search compares them. */
function namesOf(facts: Facts, kind: NamedTable): { readonly id: string; readonly folded: string }[] {
  const { facts: name, names } = storedTables[kind]
  return (rowsOf(facts, name) as readonly Readonly<Record<string, unknown>>[]).map((row) => ({
    id: String(row[`${kind}_id`] ?? ''), // every table has its key in the column of this name
    folded: foldedNames(row, names),
  }))
}
