import type { Kysely, Transaction } from 'kysely'
import type { Schema } from '../store/schema.ts'
import type { Day } from './calendar.ts'

const KEY = 'sample'

/**
 * Names what the sample league stores. Stored leagues of another generation are created again: they have other rows,
 * or null in columns that were added since. `test/service/sample/generation.test.ts` says when it must change, and
 * to what.
 */
export const GENERATION = '3'

const valueOf = (anchor: Day) => `${GENERATION}/${anchor}`

/**
 * The anchor day of the sample league that the database holds; null if it holds none, one whose creation
 * was cut short, or one of an earlier generation.
 */
export async function readAnchor(db: Kysely<Schema>): Promise<Day | null> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', KEY).executeTakeFirst()
  const anchor = Number(row?.value.split('/')[1])
  return row?.value === valueOf(anchor) ? anchor : null
}

export async function forgetAnchor(db: Kysely<Schema>): Promise<void> {
  await db.deleteFrom('meta').where('key', '=', KEY).execute()
}

export async function writeAnchor(db: Kysely<Schema>, anchor: Day): Promise<void> {
  await db
    .insertInto('meta')
    .values({ key: KEY, value: valueOf(anchor) })
    .execute()
}

/**
 * Holds the sample league for the rest of the transaction: another process that wants to move it waits.
 * @returns whether it is still the league of that anchor day
 */
export async function claimLeague(transaction: Transaction<Schema>, anchor: Day): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('meta')
    .set({ value: valueOf(anchor) })
    .where('key', '=', KEY)
    .where('value', '=', valueOf(anchor))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
