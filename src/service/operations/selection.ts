import { sql } from 'kysely'
import type { Kysely, OrderByItemBuilder, RawBuilder, SqlBool } from 'kysely'
import { keyOf, tableNames } from '../../specification/tables.ts'
import type { StatisticClass, TableName } from '../../specification/tables.ts'
import type { Kind, Value } from '../../specification/columns.ts'
import { Refusal } from '../refusal.ts'
import { filterColumns, linedTables, specifiedColumns } from '../store/schema.ts'
import { storedTables } from '../store/tables.ts'
import { isDay } from './arguments.ts'
import type { Accepted, Arguments, Context, Values } from './operation.ts'

/**
 * A row from the database: the columns of the specification in their order, and `line` if the table has one.
 */
export type Found = Record<string, Value>

const filtersOf = new Map<TableName, Accepted>(
  tableNames.map((table) => [table, Object.fromEntries(filterColumns(table))]),
)

/** All columns of a table that can be filtered. */
export const columnsOf = (table: TableName): Accepted => filtersOf.get(table) ?? {}

export const isLined = (table: TableName): boolean => linedTables.some((lined) => lined === table)

/**
 * Maximum rows of an answer: a row of statistics has a few kilobytes, and a football division 12,000 players.
 */
export const maxRows = (table: TableName) => (table.endsWith('ranking') ? 25_000 : 50_000)

/** The matching rows, in the table's natural order. */
export async function selectRows(context: Context, table: TableName, filters: Arguments): Promise<Found[]> {
  const limit = maxRows(table)
  const rows = await matching(context, table, filters)
    .orderBy(orderOf(table), nullsFirst)
    .orderBy(keyOf(table))
    .limit(limit + 1)
    .execute()
  if (rows.length > limit)
    throw new Refusal(
      'answer_too_large',
      `More than ${limit} rows match: add arguments that narrow the answer.`,
    )
  return rows
}

/** The matching row with the lowest key. */
export async function selectFirst(
  context: Context,
  table: TableName,
  filters: Arguments,
): Promise<Found | undefined> {
  return matching(context, table, filters).orderBy(keyOf(table)).limit(1).executeTakeFirst()
}

/** The matching row of the latest day, of several that with the lowest key. */
export async function selectLatest(
  context: Context,
  table: StatisticClass,
  filters: Arguments,
): Promise<Found | undefined> {
  return matching(context, table, filters)
    .orderBy('date_of_rank', 'desc')
    .orderBy(keyOf(table))
    .limit(1)
    .executeTakeFirst()
}

/** A query for the matching rows. */
export function matching(context: Pick<Context, 'db'>, table: TableName, filters: Arguments) {
  // The table is chosen at run time. `Found` is true of every table's rows: columns and their values.
  const db = context.db as unknown as Kysely<Record<TableName, Found>>
  let query = db.selectFrom(table).select(selected(table))
  for (const condition of conditions(table, filters)) query = query.where(condition)
  return query
}

/** A stored row as it is selected. */
export const shown = (table: TableName, row: object): Found => {
  const stored = row as Found // rows of all tables are of columns and their values
  return Object.fromEntries(selected(table).map((column) => [column, stored[column] ?? null]))
}

const selectedColumns = new Map<TableName, string[]>()

function selected(table: TableName): string[] {
  let columns = selectedColumns.get(table)
  if (!columns) {
    columns = specifiedColumns(table).map(([name]) => name)
    if (isLined(table)) columns.push('line')
    selectedColumns.set(table, columns)
  }
  return columns
}

/** The conditions of a filter: all arguments, any value of each. */
export function conditions(table: TableName, filters: Arguments): RawBuilder<SqlBool>[] {
  const kinds = columnsOf(table)
  return [...filters].map(([column, values]) => oneOf(`${table}.${column}`, kinds[column] ?? 'text', values))
}

function oneOf(column: string, kind: Kind, values: Values): RawBuilder<SqlBool> {
  const days = kind === 'timestamp' ? values.filter(isDay) : []
  if (days.length === 0) return isIn(column, values)
  const others = values.filter((value) => !isDay(value))
  if (others.length === 0) return onDays(column, days)
  return sql<SqlBool>`(${onDays(column, days)} or ${isIn(column, others)})`
}

/**
 * The range of text in which the timestamps of these days are: they have one format, so the last day ends
 * just after its `T`.
 */
export function rangeOf(days: readonly string[]): [first: string, end: string] {
  const sorted = days.toSorted()
  return [sorted[0] ?? '', `${sorted.at(-1)}U`]
}

/** Within their range, which an index may have, timestamps are compared by their days. */
function onDays(column: string, days: readonly string[]): RawBuilder<SqlBool> {
  const [first, end] = rangeOf(days)
  const name = sql.ref(column)
  const range = sql<SqlBool>`(${name} >= ${first} and ${name} < ${end})`
  return days.length === 1 ? range : sql<SqlBool>`(${range} and ${isAny(sql`substr(${name}, 1, 10)`, days)})`
}

/** Whether a column has one of the values. */
export const isIn = (column: string, values: Values): RawBuilder<SqlBool> => isAny(sql.ref(column), values)

/** Pads a list to a power of two, so that lists of all lengths share a few prepared statements. */
function isAny(value: RawBuilder<unknown>, values: Values): RawBuilder<SqlBool> {
  const [first] = values
  if (values.length === 0) return sql<SqlBool>`1 = 0`
  if (values.length === 1) return sql<SqlBool>`${value} = ${first}`
  const length = 2 ** Math.ceil(Math.log2(values.length))
  const padded = [...values, ...Array.from({ length: length - values.length }, () => first)]
  return sql<SqlBool>`${value} in (${sql.join(padded)})`
}

/** Rows without a value come first: the databases have opposite defaults. */
export const nullsFirst = (order: OrderByItemBuilder) => order.asc().nullsFirst()

export const orderOf = (table: TableName): string => storedTables[table].order
