import { PostgresDialect, SqliteDialect } from 'kysely'
import type { SqliteStatement } from 'kysely'
import LibsqlDatabase from 'libsql'
import { Pool, types } from 'pg'

export type Dialect = 'sqlite' | 'postgres'

const INT8 = 20
const MAX_STATEMENTS = 500

/** Waiting for another process's write holds up everything else in this one. */
const BUSY_MS = 2_000

/** An embedded file, or `:memory:`. Statements are prepared once: parsing is most of a small query's cost. */
export function sqliteDialect(file: string): SqliteDialect {
  return new SqliteDialect({ database: async () => withStatements(openFile(file)) })
}

/** Whether an embedded database could not be written because another process is writing it. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')

function openFile(file: string) {
  const database = new LibsqlDatabase(file, { timeout: BUSY_MS })
  database.exec('pragma journal_mode = wal')
  database.exec('pragma synchronous = normal')
  database.exec('pragma cache_size = -65536')
  database.exec('pragma temp_store = memory')
  return database
}

function withStatements(database: ReturnType<typeof openFile>) {
  const statements = new Map<string, SqliteStatement>()
  const prepare = (text: string): SqliteStatement => {
    const known = statements.get(text)
    if (known) return known
    // libsql follows better-sqlite3, whose statements are what the dialect asks for; its types leave out `reader`.
    const statement = database.prepare(text) as unknown as SqliteStatement
    if (statements.size >= MAX_STATEMENTS) statements.clear()
    statements.set(text, statement)
    return statement
  }
  return { prepare, close: () => database.close() }
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
