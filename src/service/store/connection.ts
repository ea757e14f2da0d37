import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { PostgresDialect, SqliteDialect } from 'kysely'
import type { SqliteStatement } from 'kysely'
import LibsqlDatabase from 'libsql'
import { Pool, types } from 'pg'

export type Dialect = 'sqlite' | 'postgres'

const INT8 = 20
const MAX_STATEMENTS = 500

/** The location of an embedded database that is kept nowhere. */
export const MEMORY = ':memory:'

/** Waiting for another process's write holds up everything else in this one. */
const BUSY_MS = 2_000

/** A file in a folder, which is created where it is missing, or `:memory:`. Statements are prepared once: parsing is most of a small query's cost. */
export function sqliteDialect(folder: string, name: string): SqliteDialect {
  return new SqliteDialect({ database: async () => withStatements(openFile(folder, name)) })
}

const hasCode = (error: unknown, start: string): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith(start)

/** Whether an embedded database could not be written because another process is writing it. */
export const isBusy = (error: unknown): boolean => hasCode(error, 'SQLITE_BUSY')

/** Whether it is the embedded database that failed: its disk is full, it may not be written, or it is damaged. */
export const isOfDatabase = (error: unknown): error is Error => hasCode(error, 'SQLITE_')

/** Opens a file, waiting so many milliseconds for other processes. What libsql itself says of one that cannot be opened has no code. */
export function openSqlite(file: string, timeout = 0): InstanceType<typeof LibsqlDatabase> {
  try {
    return new LibsqlDatabase(file, { timeout })
  } catch (cause) {
    throw Object.assign(new Error(`unable to open ${file}`, { cause }), { code: 'SQLITE_CANTOPEN' })
  }
}

function openFile(folder: string, name: string) {
  if (folder !== MEMORY) mkdirSync(folder, { recursive: true })
  const database = openSqlite(folder === MEMORY ? MEMORY : join(folder, name), BUSY_MS)
  database.exec('pragma journal_mode = wal')
  database.exec('pragma synchronous = normal')
  database.exec('pragma cache_size = -65536')
  database.exec('pragma temp_store = memory')
  return database
}

type Sqlite = ReturnType<typeof openSqlite>

function withStatements(database: Sqlite) {
  const statements = new Map<string, SqliteStatement>()
  const begin = beginning(database)
  const prepare = (text: string): SqliteStatement => {
    if (text.startsWith('begin')) return begin
    // A full disk ends a transaction by itself, and that there is none to roll back would hide the reason.
    if (text === 'rollback' && !database.inTransaction) return prepare('select 1')
    const known = statements.get(text)
    if (known) return known
    // libsql follows better-sqlite3, whose statements are what the dialect asks for; its types leave out `reader`.
    const prepared = database.prepare(text) as unknown as SqliteStatement
    const statement = writesNothing.test(text) ? prepared : writing(database, prepared)
    if (statements.size >= MAX_STATEMENTS) statements.clear()
    statements.set(text, statement)
    return statement
  }
  return { prepare, close: () => database.close() }
}

const writesNothing = /^\s*(select|with|explain|pragma|commit|rollback)\b/i

/** Every transaction is to write, and takes the lock at once. */
const beginning = (database: Sqlite): SqliteStatement => ({
  reader: false,
  run: () => {
    database.exec('begin immediate')
    return { changes: 0, lastInsertRowid: 0 }
  },
  all: () => [],
  iterate: () => [].values(),
})

/**
 * A statement that writes. Where another process is writing, a prepared one stops in its middle: it is not over before it is run
 * again, and its connection sees no newer rows, or keeps the lock itself. So the lock is taken first, by what is not kept.
 */
function writing(database: Sqlite, prepared: SqliteStatement): SqliteStatement {
  const locked =
    <R>(run: (parameters: readonly unknown[]) => R) =>
    (parameters: readonly unknown[]): R => {
      if (database.inTransaction) return run(parameters)
      database.exec('begin immediate')
      try {
        const result = run(parameters)
        database.exec('commit')
        return result
      } catch (error) {
        if (database.inTransaction) database.exec('rollback')
        throw error
      }
    }
  return {
    reader: prepared.reader,
    run: locked((parameters) => prepared.run(parameters)),
    all: locked((parameters) => prepared.all(parameters)),
    iterate: (parameters) => prepared.iterate(parameters),
  }
}

// Integers of eight bytes come as numbers: none here passes 2^53.
const getTypeParser: typeof types.getTypeParser = (oid, format) =>
  oid === INT8 ? Number : types.getTypeParser(oid, format)

/** A pool of connections to the PostgreSQL at `url`. */
export function postgresDialect(url: string): PostgresDialect {
  const pool = new Pool({ connectionString: url, max: 10, types: { getTypeParser } })
  // An idle connection that the server drops is replaced at the next query; without a listener it ends the process.
  pool.on('error', () => {})
  return new PostgresDialect({ pool })
}
