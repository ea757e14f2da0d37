import { sql } from 'kysely'
import type { CreateTableBuilder, Kysely } from 'kysely'
import type { Dialect } from '../connection.ts'

/** A table in a migration: its columns in SQL, and its key columns. */
export interface Definition {
  /** `name type, name type, …` */
  readonly columns: string
  readonly key: readonly string[]
}

/** The column types on both databases. */
const types = new Set(['text', 'integer', 'bigint', 'double precision'])

export async function createTable(
  db: Kysely<unknown>,
  dialect: Dialect,
  name: string,
  { columns, key }: Definition,
): Promise<void> {
  let table: CreateTableBuilder<string, string> = db.schema.createTable(name)
  for (const [column, type] of parsed(columns))
    table = table.addColumn(column, typeFor(dialect, type), (built) =>
      key.includes(column) ? built.notNull() : built,
    )
  await table.addPrimaryKeyConstraint(`${name}_pkey`, [...key]).execute()
}

/** Adds columns to a table; existing rows have null there. */
export async function addColumns(
  db: Kysely<unknown>,
  dialect: Dialect,
  table: string,
  columns: string,
): Promise<void> {
  for (const [column, type] of parsed(columns))
    await db.schema.alterTable(table).addColumn(column, typeFor(dialect, type)).execute()
}

/**
 * @param columns the columns of each index, `name, name, …`; the index of the nth is called
 * `<table>_index_<n>`
 */
export async function createIndexes(
  db: Kysely<unknown>,
  table: string,
  columns: readonly string[],
): Promise<void> {
  for (const [nth, list] of columns.entries())
    await db.schema
      .createIndex(`${table}_index_${nth + 1}`)
      .on(table)
      .columns(list.split(', '))
      .execute()
}

function parsed(columns: string): [name: string, type: string][] {
  return columns.split(',').map((column) => {
    const [name = '', ...type] = column.trim().split(/\s+/)
    if (!types.has(type.join(' '))) throw new TypeError(`No type of a column: ${column.trim()}`)
    return [name, type.join(' ')]
  })
}

// Text is compared by code point on both: PostgreSQL would use its host's locale.
const typeFor = (dialect: Dialect, type: string) =>
  dialect === 'postgres' && type === 'text' ? sql`text collate "C"` : sql.raw(type)
