import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { Database } from './database.ts'
import { withFileLock } from './file-lock.ts'
import type { Schema } from './schema.ts'

/** An arbitrary number that no other program on the server should use. */
const LOCK = 7_281_964

const AGAIN_MS = 50

/** Lets one process at a time prepare a database. */
export async function exclusively<T>(database: Database, work: () => Promise<T>): Promise<T> {
  if (database.dialect === 'sqlite')
    return database.folder === null ? work() : withFileLock(database.folder, work)
  return database.db.connection().execute(async (connection) => {
    while (!(await isTaken(connection))) await pause(AGAIN_MS)
    try {
      return await work()
    } finally {
      await sql`select pg_advisory_unlock(${sql.lit(LOCK)})`.execute(connection)
    }
  })
}

/** Polling keeps each statement short: a waiting statement looks like a frozen server. */
async function isTaken(connection: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{
    taken: boolean
  }>`select pg_try_advisory_lock(${sql.lit(LOCK)}) as taken`.execute(connection)
  return rows[0]?.taken === true
}
