import type { Insertable, Transaction } from 'kysely'
import type { Schema } from '../store/schema.ts'

export type Table = keyof Schema

/** SQLite takes 32,766 values a statement, PostgreSQL 65,535. */
const valuesAStatement = 16_000
const rowsAStatement = 500

/** Rows that may already be there under the same key, since several leagues may name them. */
const keys = {
  organization: 'organization_id',
  division: 'division_id',
  team: 'team_id',
  player: 'player_id',
  coach: 'coach_id',
  cbb_transfer_player_season: 'cbb_transfer_player_season_id',
} as const

/** Writes rows a few hundred at a time; a row that is there already takes the new values. @returns how many */
export async function insertRows<T extends Table>(
  transaction: Transaction<Schema>,
  table: T,
  rows: Iterable<Schema[T]>,
  onBatch: (written: number) => void = () => {},
): Promise<number> {
  let written = 0
  for (const batch of batches(rows)) {
    await insertBatch(transaction, table, batch)
    written += batch.length
    onBatch(written)
  }
  return written
}

async function insertBatch<T extends Table>(
  transaction: Transaction<Schema>,
  table: T,
  batch: readonly Schema[T][],
): Promise<void> {
  // The store's rows are plain columns, so a row is what may be inserted; the compiler cannot see that of a generic table.
  const values = batch as unknown as readonly Insertable<Schema[T]>[]
  const insert = transaction.insertInto<Table>(table).values(values as never)
  const key = Object.entries(keys).find(([name]) => name === table)?.[1]
  if (!key) return void (await insert.execute())
  const columns = Object.keys(batch[0] ?? {})
  await insert
    .onConflict((conflict) =>
      conflict
        .column(key as never) // The key of this very table.
        .doUpdateSet((excluded) =>
          Object.fromEntries(columns.map((column) => [column, excluded.ref(`excluded.${column}` as never)])),
        ),
    )
    .execute()
}

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
