import { sql } from 'kysely'
import type { Database } from './database.ts'

/**
 * Lets the database look at how its rows are spread. Not knowing that a team has few rows and a division
 * many, it may go through a season's rows to find one team's.
 */
export async function analyze({ db, dialect }: Database): Promise<void> {
  // A sample of each index is enough; without the limit it reads everything.
  if (dialect === 'sqlite') await sql`pragma analysis_limit = 1000`.execute(db)
  await sql`analyze`.execute(db)
}
