import { Kysely, sql } from 'kysely'
import { MEMORY, postgresDialect, sqliteDialect } from './connection.ts'
import type { Dialect } from './connection.ts'
import { withFileLock } from './filelock.ts'
import { isMigrated, migrate } from './migrations.ts'
import type { Part } from './migrations.ts'
import type { AccountSchema } from './accounts.ts'
import type { Schema } from './schema.ts'

export interface Database {
  readonly dialect: Dialect
  /** Where an embedded database is kept; null for one in memory, and for PostgreSQL. */
  readonly folder: string | null
  /** The league's rows, to be written. */
  readonly db: Kysely<Schema>
  /** The same rows for those who only read: embedded, a connection of its own, which waits for no transaction under way. */
  readonly reader: Kysely<Schema>
  /** Keys and what they have used. Embedded it is a file of its own: a charge never waits behind an import. */
  readonly accounts: Kysely<AccountSchema>
  close(): Promise<void>
}

/** The database cannot be opened. The message is one line for whoever starts the service. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError'
}

/**
 * Opens a database in its newest form and creates what is missing.
 *
 * @param location a folder for an embedded database, `:memory:`, or a `postgres://` address
 * @param accountsFolder where an embedded database keeps its keys, if not beside its rows
 */
export async function openDatabase(location: string, accountsFolder = location): Promise<Database> {
  return isPostgres(location) ? openPostgres(location) : openEmbedded(location, accountsFolder)
}

export const isPostgres = (location: string): boolean => /^postgres(ql)?:\/\//.test(location)

async function openPostgres(url: string): Promise<Database> {
  const db = new Kysely<Schema & AccountSchema>({ dialect: postgresDialect(url) })
  await closeOnError('The PostgreSQL of DATABASE_URL', [db], async () => {
    await migrate(db, 'postgres', 'league')
    await migrate(db, 'postgres', 'accounts')
  })
  // Both parts live in the one database; each side sees its own tables.
  const [rows, accounts] = [db as unknown as Kysely<Schema>, db as unknown as Kysely<AccountSchema>]
  return { dialect: 'postgres', folder: null, db: rows, reader: rows, accounts, close: () => db.destroy() }
}

async function openEmbedded(folder: string, accountsFolder: string): Promise<Database> {
  const db = new Kysely<Schema>({ dialect: sqliteDialect(folder, 'league.sqlite') })
  const reader =
    folder === MEMORY ? db : new Kysely<Schema>({ dialect: sqliteDialect(folder, 'league.sqlite') })
  const accounts = new Kysely<AccountSchema>({ dialect: sqliteDialect(accountsFolder, 'keys.sqlite') })
  await closeOnError(
    `The embedded database in ${folder}`,
    [db, accounts],
    migrateFiles,
    ' DATA_DIR names its place.',
  )
  async function migrateFiles() {
    await migrateFile(db, 'league', folder)
    await migrateFile(accounts, 'accounts', accountsFolder)
  }
  return {
    dialect: 'sqlite',
    folder: folder === MEMORY ? null : folder,
    db,
    reader,
    accounts,
    close: async () => {
      await db.destroy()
      if (reader !== db) await reader.destroy()
      await accounts.destroy()
    },
  }
}

/** Writes nothing where nothing is missing: another process may be taking in a season. */
async function migrateFile<S>(db: Kysely<S>, part: Part, folder: string): Promise<void> {
  if (folder === MEMORY) return migrate(db, 'sqlite', part)
  if (await isMigrated(db, 'sqlite', part)) return
  await withFileLock(folder, async () => {
    // Kysely runs SQLite's migrations bare. In one transaction a kill leaves nothing half made.
    await sql`begin immediate`.execute(db)
    await migrate(db, 'sqlite', part)
    await sql`commit`.execute(db)
  })
}

async function closeOnError(
  name: string,
  handles: readonly { destroy(): Promise<void> }[],
  work: () => Promise<void>,
  advice = '',
): Promise<void> {
  try {
    await work()
  } catch (error) {
    await Promise.allSettled(handles.map((handle) => handle.destroy()))
    throw new DatabaseUnavailableError(`${name} cannot be opened: ${reasonOf(error)}.${advice}`, {
      cause: error,
    })
  }
}

/** One line; several addresses that were tried come as one error without words of its own. */
function reasonOf(error: unknown): string {
  const [first] = error instanceof AggregateError ? error.errors : [error]
  return first instanceof Error ? (first.message.split('\n')[0] ?? first.name) : String(first)
}
