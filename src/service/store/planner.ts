import { sql } from 'kysely'
import type { Database } from './database.ts'

/**
 * Updates the database's statistics about its rows. Without them it may scan a whole season to find one
 * team's rows, because it does not know that a team has few rows and a division many.
 */
export async function analyze({ db, dialect }: Database): Promise<void> {
  // A sample of each index is enough; without the limit it reads everything.
  if (dialect === 'sqlite') await sql`pragma analysis_limit = 1000`.execute(db)
  await sql`analyze`.execute(db)
}
