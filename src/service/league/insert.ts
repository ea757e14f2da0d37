import { sql } from 'kysely'
import type { CompiledQuery, Transaction } from 'kysely'
import type { Schema, Table } from '../store/schema.ts'
import { storedTables } from '../store/tables.ts'
import { yieldToOthers } from './yield-to-others.ts'

/** SQLite takes 32,766 values a statement, PostgreSQL 65,535. */
const valuesAStatement = 16_000
const rowsAStatement = 100

/** For a row whose key exists: keep the new one, keep the old one, or fail. */
export type Collision = 'replace' | 'keep' | 'refuse'

const collisionOf = (table: Table): Collision =>
  storedTables[table].collision === 'refuse' ? 'refuse' : 'replace'

/** Writes rows in batches and yields between them. @returns the number of rows */
export async function insertRows<T extends Table>(
  transaction: Transaction<Schema>,
  table: T,
  rows: Iterable<Schema[T]>,
  collision: Collision = collisionOf(table),
): Promise<number> {
  let written = 0
  for (const batch of batches(rows)) {
    await insertBatch(transaction, table, batch, collision)
    written += batch.length
    await yieldToOthers()
  }
  return written
}

async function insertBatch<T extends Table>(
  transaction: Transaction<Schema>,
  table: T,
  batch: readonly Schema[T][],
  collision: Collision,
): Promise<void> {
  const columns = Object.keys(batch[0] ?? {})
  const statement = statementFor(transaction, { table, columns, rows: batch.length, collision })
  const parameters: unknown[] = []
  // Every row of a table is made of the same columns.
  for (const row of batch as readonly Readonly<Record<string, unknown>>[])
    for (const column of columns) parameters.push(row[column])
  await transaction.executeQuery({ ...statement, parameters })
}

interface Shape {
  readonly table: Table
  readonly columns: readonly string[]
  readonly rows: number
  readonly collision: Collision
}

/** By dialect: the text of a statement says nothing of the values. */
const statements = new WeakMap<object, Map<string, CompiledQuery>>()

/** Compiling a statement takes longer than the database needs to run it, so each shape is compiled once. */
function statementFor(transaction: Transaction<Schema>, shape: Shape): CompiledQuery {
  const { adapter } = transaction.getExecutor()
  let known = statements.get(adapter)
  if (!known) statements.set(adapter, (known = new Map()))
  const name = `${shape.table} ${shape.rows} ${shape.collision} ${shape.columns.join(' ')}`
  let statement = known.get(name)
  if (!statement) known.set(name, (statement = compiled(transaction, shape)))
  return statement
}

function compiled(
  transaction: Transaction<Schema>,
  { table, columns, rows, collision }: Shape,
): CompiledQuery {
  const row = Object.fromEntries(columns.map((column) => [column, null]))
  // The columns are the table's; the compiler cannot see that of a generic table.
  const insert = transaction.insertInto<Table>(table).values(Array.from({ length: rows }, () => row) as never)
  if (collision === 'refuse') return insert.compile()
  return insert
    .onConflict((conflict) => {
      // Every table's key is its name and _id. The compiler knows the columns of no generic table.
      const same = conflict.column(`${table}_id` as never)
      return collision === 'keep' ? same.doNothing() : same.doUpdateSet(excluded(columns))
    })
    .compile()
}

const excluded = (columns: readonly string[]) =>
  Object.fromEntries(columns.map((column) => [column, sql.ref(`excluded.${column}`)]))

function* batches<R extends object>(rows: Iterable<R>): Generator<R[]> {
  let batch: R[] = []
  let size = rowsAStatement
  for (const row of rows) {
    if (batch.length === 0) size = batchSize(row)
    batch.push(row)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

const batchSize = (row: object) =>
  Math.min(rowsAStatement, Math.floor(valuesAStatement / Object.keys(row).length))
