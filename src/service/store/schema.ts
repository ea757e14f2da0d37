import { tables } from '../../specification/tables.ts'
import type { Row, TableName } from '../../specification/tables.ts'
import type { Kind } from '../../specification/columns.ts'
import type { OwnTables } from './own-tables.ts'
import { sqlTypes } from './sql-types.ts'
import type { SqlType } from './sql-types.ts'
import { storedTables } from './tables.ts'
import type { Clearing, Collision } from './tables.ts'

type Records = typeof storedTables

export type Table = keyof Records

/** The tables whose record has this part. */
type TableWith<Part> = { [T in Table]: Records[T] extends Part ? T : never }[Table]

/** Tables whose sport part is one JSON object of numbers in the column `line`. */
export type LinedTable = Extract<TableWith<{ readonly sport: object }>, TableName>

/** The searchable tables. `folded` is the result of `foldNames` for a row's names. */
export type NamedTable = Extract<TableWith<{ readonly names: object }>, TableName>

/** The tables of the specification whose rows are computed from facts. */
export type ComputedTable = Extract<TableWith<{ readonly facts: null }>, TableName>

export type ClearedTable<C extends Clearing> = TableWith<{ readonly cleared: C }>
export type CollidingTable<C extends Collision> = TableWith<{ readonly collision: C }>

export const allTables = Object.keys(storedTables) as readonly Table[] // Object.keys loses the names; they are exactly these

/** The tables whose record meets a condition. `T` are those whose type does. */
const tablesWhere = <T extends Table>(isWanted: (record: Records[Table]) => boolean) =>
  allTables.filter((table): table is T => isWanted(storedTables[table]))

export const linedTables = tablesWhere<LinedTable>((record) => 'sport' in record)
export const namedTables = tablesWhere<NamedTable>((record) => 'names' in record)
export const computedTables = tablesWhere<ComputedTable>(
  (record) => record.facts === null && !('columns' in record),
)
export const tablesCleared = <C extends Clearing>(cleared: C) =>
  tablesWhere<ClearedTable<C>>((record) => record.cleared === cleared)
export const tablesColliding = <C extends Collision>(collision: C) =>
  tablesWhere<CollidingTable<C>>((record) => record.collision === collision)

type ElsewhereIn<T extends TableName> = Records[T] extends { readonly elsewhere: readonly (infer C)[] }
  ? C
  : never
type HiddenIn<T extends TableName> = Records[T] extends { readonly hidden: readonly (infer C)[] } ? C : never

type Line = { line: string }
type Folded = { folded: string }

/** A row in the database. */
export type StoredRow<T extends TableName> = Omit<Row<T>, ElsewhereIn<T> & string> & {
  [C in HiddenIn<T> & string]: string | null
} & (T extends LinedTable ? Line : unknown) &
  (T extends NamedTable ? Folded : unknown)

export type Schema = { [T in TableName]: StoredRow<T> } & OwnTables

/** The columns of the specification in a table, with their kinds. */
export function specifiedColumns(table: TableName): [name: string, kind: Kind][] {
  const record = storedTables[table]
  const elsewhere: readonly string[] = 'elsewhere' in record ? record.elsewhere : []
  return Object.entries(tables[table])
    .filter(([name]) => !elsewhere.includes(name))
    .map(([name, column]) => [name, column.kind])
}

/** The columns by which a table can be filtered: all visible ones, and some hidden ones. */
export function filterColumns(table: TableName): [name: string, kind: Kind][] {
  const record = storedTables[table]
  const hidden: readonly string[] = 'hidden' in record ? record.hidden : []
  return [...specifiedColumns(table), ...hidden.map((name): [string, Kind] => [name, 'key'])]
}

/** The columns of each table in the database, with their types. */
export const leagueColumns = (): Readonly<Record<string, Readonly<Record<string, SqlType>>>> =>
  Object.fromEntries(allTables.map((table) => [table, columnsOf(table)]))

/** The columns of a table in the database, with their types. */
export function columnsOf(table: Table): Readonly<Record<string, SqlType>> {
  const record = storedTables[table]
  if ('columns' in record) return record.columns
  const columns = filterColumns(table as TableName).map(([name, kind]) => [name, sqlTypes[kind]] as const) // the others have `columns`
  return {
    ...Object.fromEntries(columns),
    ...('sport' in record && { line: 'text' as const }),
    ...('names' in record && { folded: 'text' as const }),
  }
}
