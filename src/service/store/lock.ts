import { sql } from 'kysely'
import type { Database } from './database.ts'
import { withFileLock } from './filelock.ts'

/** Any number that no other program on the server is likely to have chosen. */
const LOCK = 7_281_964

/** Lets one process at a time prepare a database. */
export async function exclusively<T>(database: Database, work: () => Promise<T>): Promise<T> {
  if (database.dialect === 'sqlite')
    return database.folder === null ? work() : withFileLock(database.folder, work)
  return database.db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${sql.lit(LOCK)})`.execute(connection)
    try {
      return await work()
    } finally {
      await sql`select pg_advisory_unlock(${sql.lit(LOCK)})`.execute(connection)
    }
  })
}
