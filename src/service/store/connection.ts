import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { SqliteDialect, SqliteDriver } from 'kysely'
import type { DatabaseConnection, SqliteDialectConfig } from 'kysely'
import LibsqlDatabase from 'libsql'
import { openWhole } from '../../sqlite-file.ts'
import { withStatements } from './statements.ts'
import type { Sqlite } from './statements.ts'

export type Dialect = 'sqlite' | 'postgres'

/** The location of an in-memory database. */
export const MEMORY = ':memory:'

/** Milliseconds to wait for another process's write. */
export const BUSY_MS = 2_000
const AGAIN_MS = 20

/**
 * Kysely's connection to an open file. Statements are prepared once: parsing is most of a small query's cost.
 */
export function sqliteDialect(database: Sqlite, file: string, busyMs = BUSY_MS): SqliteDialect {
  const config = { database: async () => withStatements(database, busyMs, file) }
  const dialect = new SqliteDialect(config)
  dialect.createDriver = () => new PatientDriver(config, busyMs)
  return dialect
}

/** Begins a transaction once no other process writes. This process continues meanwhile. */
class PatientDriver extends SqliteDriver {
  readonly #busyMs: number

  constructor(config: SqliteDialectConfig, busyMs: number) {
    super(config)
    this.#busyMs = busyMs
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const late = Date.now() + this.#busyMs
    for (;;) {
      try {
        return await super.beginTransaction(connection)
      } catch (error) {
        if (!isBusy(error) || Date.now() > late) throw error
      }
      await pause(AGAIN_MS)
    }
  }
}

const hasCode = (error: unknown, start: string): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith(start)

/** Whether an embedded database is locked by another process's write. */
export const isBusy = (error: unknown): boolean => hasCode(error, 'SQLITE_BUSY')

/** Error codes of PostgreSQL and the network while the server is away, starts, stops or is too slow. */
const away = ['ECONN', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', '57P0', '57014', '08']

/** The client's own errors for a lost connection have no code. */
const lost = /^(Connection terminated|Client has encountered a connection error)/

/** Nor have its errors for a server that does not answer. */
const silent =
  /^(Query read timeout|timeout expired|timeout exceeded|Connection terminated due to connection timeout)/

/** Whether a database did not answer in time. */
export const isSilent = (error: unknown): boolean => error instanceof Error && silent.test(error.message)

/** Whether a database was unavailable for a while: locked by another process, or its server is away. */
export const isPassing = (error: unknown): boolean =>
  isBusy(error) ||
  away.some((code) => hasCode(error, code)) ||
  isSilent(error) ||
  (error instanceof Error && lost.test(error.message))

/** Whether the embedded database failed: its disk is full, it is read-only, or it is damaged. */
export const isOfDatabase = (error: unknown): error is Error => hasCode(error, 'SQLITE_')

/** Whether the file of an embedded database is damaged. */
export const isDamaged = (error: unknown): boolean =>
  hasCode(error, 'SQLITE_CORRUPT') || hasCode(error, 'SQLITE_NOTADB')

/** The file of the failed embedded database, if known. */
export const fileOf = (error: Error): string | undefined =>
  'file' in error && typeof error.file === 'string' ? error.file : undefined

/** Opens a file, and waits for no other process. */
export const openSqlite = (file: string): Sqlite =>
  coded(file, () => new LibsqlDatabase(file, { timeout: 0 }))

/** libsql's own errors for a file that it cannot open have no code. */
function coded(file: string, open: () => Sqlite): Sqlite {
  try {
    return open()
  } catch (cause) {
    if (isOfDatabase(cause)) throw cause
    throw Object.assign(new Error(`unable to open ${file}`, { cause }), { code: 'SQLITE_CANTOPEN' })
  }
}

/** A file in a folder, which is created if missing, or `:memory:`. */
export function openFile(folder: string, name: string, busyMs = BUSY_MS): Sqlite {
  if (folder !== MEMORY) mkdirSync(folder, { recursive: true })
  const database =
    folder === MEMORY
      ? openSqlite(MEMORY)
      : coded(join(folder, name), () => openWhole(join(folder, name), busyMs))
  database.exec('pragma journal_mode = wal')
  database.exec('pragma synchronous = normal')
  database.exec('pragma cache_size = -65536')
  database.exec('pragma temp_store = memory')
  return database
}
