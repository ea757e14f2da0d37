import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { Dialect } from './connection.ts'

interface Column {
  readonly table: string
  readonly name: string
}

const columnsIn = {
  sqlite: sql<Column>`select t.name as "table", c.name from sqlite_master as t, pragma_table_info(t.name) as c
    where t.type = 'table'`,
  postgres: sql<Column>`select table_name as "table", column_name as name from information_schema.columns
    where table_schema = current_schema()`,
}

/**
 * Throws if a database that has all migrations lacks a table or a column of this version. It may have more: an
 * earlier version opens the database of a later one.
 *
 * @param tables the columns of each table
 */
export async function checkTables<S>(
  db: Kysely<S>,
  dialect: Dialect,
  tables: Readonly<Record<string, object>>,
): Promise<void> {
  const { rows } = await columnsIn[dialect].execute(db)
  const stored = new Map<string, Set<string>>()
  for (const { table, name } of rows) stored.set(table, (stored.get(table) ?? new Set()).add(name))
  const missing = Object.entries(tables).flatMap(([table, columns]) => {
    const known = stored.get(table)
    if (!known) return [`the table ${table}`]
    const names = Object.keys(columns).filter((name) => !known.has(name))
    return names.map((name) => `the column ${name} of the table ${table}`)
  })
  if (missing.length > 0)
    throw new Error(`no migration of src/service/store/migrations.ts makes ${missing.join(', ')}`)
}
