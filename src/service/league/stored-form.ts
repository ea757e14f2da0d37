import { foldNames } from '../store/names.ts'
import type { Schema, Table } from '../store/schema.ts'
import { storedTables } from '../store/tables.ts'

type Columns = Readonly<Record<string, unknown>>

/** The names of a row in the form that search compares. */
export const foldedNames = (row: object, names: readonly string[]): string =>
  // Columns of names are text.
  foldNames(...names.map((name) => (row as Readonly<Record<string, string | null>>)[name] ?? null))

/** Facts of a table as rows of the database, made one by one as they are written. */
export function storedForm<T extends Table>(table: T, facts: readonly object[]): Iterable<Schema[T]> {
  const record = storedTables[table]
  const elsewhere: readonly string[] = 'elsewhere' in record ? record.elsewhere : []
  const names: readonly string[] | null = 'names' in record ? record.names : null
  const hasLine = 'sport' in record
  if (elsewhere.length === 0 && !names && !hasLine) return facts as Iterable<Schema[T]> // stored as they are
  const stored = (row: Columns): Columns => {
    const changed: Record<string, unknown> = { ...row }
    for (const column of elsewhere) delete changed[column]
    if (names) changed['folded'] = foldedNames(row, names)
    if (hasLine) changed['line'] = JSON.stringify(row['line'])
    return changed
  }
  // The steps above are what the type of a stored row says of its record.
  return mapped(facts as readonly Columns[], stored) as Iterable<unknown> as Iterable<Schema[T]>
}

function* mapped<A, B>(rows: readonly A[], change: (row: A) => B): Generator<B> {
  for (const row of rows) yield change(row)
}
