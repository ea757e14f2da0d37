import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { BUSY_MS, isDamaged, isSilent, MEMORY, openFile, sqliteDialect } from './connection.ts'
import type { Dialect } from './connection.ts'
import { withFileLock } from './file-lock.ts'
import { isMigrated, migrate, migrationsOf } from './migrations.ts'
import type { Migrations, Part } from './migrations.ts'
import type { Direct } from './direct.ts'
import { defaultWaits, dialectOf, requestPool, workPool } from './postgres.ts'
import type { Waits } from './postgres.ts'
import { accountTables } from './accounts.ts'
import type { AccountSchema } from './accounts.ts'
import { checkTables } from './check-tables.ts'
import { leagueColumns } from './schema.ts'
import type { Schema } from './schema.ts'
import { senderOf } from './send.ts'
import type { Sqlite } from './statements.ts'
import { DatabaseUnavailableError } from './unavailable.ts'

export interface Database {
  readonly dialect: Dialect
  /** The folder of an embedded database; null in memory and for PostgreSQL. */
  readonly folder: string | null
  /** The connection that writes the league's rows. */
  readonly db: Kysely<Schema>
  /**
   * The connection that reads them. Embedded, it is a separate one that does not wait for running
   * transactions.
   */
  readonly reader: Kysely<Schema>
  /** Keys and their usage. Embedded, a separate file: a charge never waits for an import. */
  readonly accounts: Kysely<AccountSchema>
  readonly direct: Direct
  close(): Promise<void>
}

const LEAGUE_FILE = 'league.sqlite'
const KEYS_FILE = 'keys.sqlite'

export interface OpenOptions {
  /** Time limits for PostgreSQL. */
  readonly waits?: Waits
  /** Milliseconds to wait for another process's write to an embedded database. */
  readonly busyMs?: number
  /** The version of the tables; by default the newest. */
  readonly migrations?: (dialect: Dialect) => Migrations
}

/**
 * Opens a database in its newest form and creates what is missing.
 *
 * @param location a folder for an embedded database, `:memory:`, or a `postgres://` address
 * @param accountsFolder where an embedded database keeps its keys, if not beside its rows
 */
export async function openDatabase(
  location: string,
  accountsFolder = location,
  { waits = defaultWaits, busyMs = BUSY_MS, migrations = migrationsOf }: OpenOptions = {},
): Promise<Database> {
  return isPostgres(location)
    ? openPostgres(location, waits, migrations('postgres'))
    : openEmbedded(location, accountsFolder, migrations('sqlite'), busyMs)
}

export const isPostgres = (location: string): boolean => /^postgres(ql)?:\/\//.test(location)

async function openPostgres(url: string, waits: Waits, migrations: Migrations): Promise<Database> {
  // Both parts are in one database; each side sees its own tables.
  const db = new Kysely<Schema & AccountSchema>({ dialect: dialectOf(workPool(url, waits)) })
  const requests = new Kysely<Schema & AccountSchema>({ dialect: dialectOf(requestPool(url, waits)) })
  const sender = senderOf(url, waits)
  const handles = [db, requests]
  await closeOnError('The PostgreSQL of DATABASE_URL', handles, async () => {
    for (const part of ['league', 'accounts'] as const)
      if (!(await isMigrated(requests, part, migrations))) await migrate(db, part, migrations)
    await checkTables(requests, 'postgres', { ...leagueColumns(), ...accountTables })
  })
  return {
    dialect: 'postgres',
    folder: null,
    // The migrations above have made exactly these tables.
    db: db as unknown as Kysely<Schema>,
    reader: requests as unknown as Kysely<Schema>,
    accounts: requests as unknown as Kysely<AccountSchema>,
    direct: { dialect: 'postgres', send: sender.send },
    close: async () => {
      sender.close()
      for (const handle of handles) await handle.destroy()
    },
  }
}

async function openEmbedded(
  folder: string,
  accountsFolder: string,
  migrations: Migrations,
  busyMs: number,
): Promise<Database> {
  const opened: { destroy(): Promise<void> }[] = []
  const open = <S>(place: string, name: string) => {
    const file = openFile(place, name, busyMs)
    const db = new Kysely<S>({ dialect: sqliteDialect(file, join(place, name), busyMs) })
    opened.push({ destroy: () => closeFile(db, file) })
    return { db, file }
  }
  const advice = ' DATA_DIR names its place.'
  const league = await closeOnError(
    `The embedded database ${join(folder, LEAGUE_FILE)}`,
    opened,
    async () => {
      const writer = open<Schema>(folder, LEAGUE_FILE)
      await migrateFile(writer.db, folder, 'league', migrations)
      await checkTables(writer.db, 'sqlite', leagueColumns())
      return { writer, reader: folder === MEMORY ? writer : open<Schema>(folder, LEAGUE_FILE) }
    },
    advice,
  )
  const keys = await closeOnError(
    `The file of keys ${join(accountsFolder, KEYS_FILE)}`,
    opened,
    async () => {
      const accounts = open<AccountSchema>(accountsFolder, KEYS_FILE)
      await migrateFile(accounts.db, accountsFolder, 'accounts', migrations)
      await checkTables(accounts.db, 'sqlite', accountTables)
      return accounts
    },
    advice,
  )
  return {
    dialect: 'sqlite',
    folder: folder === MEMORY ? null : folder,
    db: league.writer.db,
    reader: league.reader.db,
    accounts: keys.db,
    direct: { dialect: 'sqlite', league: league.reader.file, accounts: keys.file },
    close: async () => {
      for (const handle of opened) await handle.destroy()
    },
  }
}

/** Kysely closes the connections that it has used. */
async function closeFile<S>(db: Kysely<S>, file: Sqlite): Promise<void> {
  await db.destroy()
  if (file.open) file.close()
}

/** Writes nothing if nothing is missing, because another process may be importing a season. */
async function migrateFile<S>(
  db: Kysely<S>,
  folder: string,
  part: Part,
  migrations: Migrations,
): Promise<void> {
  if (folder === MEMORY) return migrate(db, part, migrations)
  if (await isMigrated(db, part, migrations)) return
  await withFileLock(folder, async () => {
    // Kysely runs SQLite's migrations without a transaction. In one transaction, a kill leaves nothing half
    // done.
    await sql`begin immediate`.execute(db)
    await migrate(db, part, migrations)
    await sql`commit`.execute(db)
  })
}

async function closeOnError<T>(
  name: string,
  handles: readonly { destroy(): Promise<void> }[],
  work: () => Promise<T>,
  advice = '',
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await Promise.allSettled(handles.map((handle) => handle.destroy()))
    if (error instanceof DatabaseUnavailableError) throw error
    const message = `${name} cannot be opened: ${reasonOf(error)}.${advice}${remedyOf(error)}`
    throw new DatabaseUnavailableError(message, { cause: error })
  }
}

/** What to do with a damaged file. */
export const remedyOf = (error: unknown): string =>
  isDamaged(error) ? ' Restore a copy of it, or delete it and its log (-wal) to begin anew.' : ''

/** An error in one line. Several tried addresses come as one error without a message of its own. */
export function reasonOf(error: unknown): string {
  if (isSilent(error)) return 'it does not answer'
  const [first] = error instanceof AggregateError ? error.errors : [error]
  return first instanceof Error ? (first.message.split('\n')[0] ?? first.name) : String(first)
}
