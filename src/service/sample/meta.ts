import type { Kysely, Transaction } from 'kysely'
import type { Schema } from '../store/schema.ts'
import type { Day } from './calendar.ts'

const KEY = 'sample'

/** The anchor day of the sample league that the database holds; null where it holds none, or one whose creation was cut short. */
export async function readAnchor(db: Kysely<Schema>): Promise<Day | null> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', KEY).executeTakeFirst()
  return row ? Number(row.value) : null
}

export async function forgetAnchor(db: Kysely<Schema>): Promise<void> {
  await db.deleteFrom('meta').where('key', '=', KEY).execute()
}

export async function writeAnchor(db: Kysely<Schema>, anchor: Day): Promise<void> {
  await db
    .insertInto('meta')
    .values({ key: KEY, value: String(anchor) })
    .execute()
}

/**
 * Holds the sample league for the rest of the transaction: another process that wants to move it waits.
 * @returns whether it is still the league of that anchor day
 */
export async function claimLeague(transaction: Transaction<Schema>, anchor: Day): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('meta')
    .set({ value: String(anchor) })
    .where('key', '=', KEY)
    .where('value', '=', String(anchor))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
