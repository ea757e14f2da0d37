import type { SqliteStatement } from 'kysely'
import type LibsqlDatabase from 'libsql'

/** An open file. */
export type Sqlite = InstanceType<typeof LibsqlDatabase>

const MAX_STATEMENTS = 500

/**
 * A database whose statements are prepared once.
 * @param patience milliseconds to wait, blocking everything else, while another process is writing
 * @param file named in errors: a process has several databases open
 */
export function withStatements(database: Sqlite, patience: number, file: string) {
  const statements = new Map<string, SqliteStatement>()
  const begins = new Map([
    ['begin', beginning(database, 0, patience)],
    ['begin immediate', beginning(database, patience, patience)],
  ])
  const prepare = (text: string): SqliteStatement => {
    checkOpen(database)
    const begin = begins.get(text)
    if (begin) return begin
    // A full disk ends a transaction by itself; a failing rollback would hide the reason.
    if (text === 'rollback' && !database.inTransaction) return prepare('select 1')
    const known = statements.get(text)
    if (known) return known
    // libsql's statements follow better-sqlite3, as the dialect expects; its types lack `reader`.
    const prepared = database.prepare(text) as unknown as SqliteStatement
    const statement = naming(
      database,
      file,
      writesNothing.test(text) ? prepared : writing(database, prepared),
    )
    if (statements.size >= MAX_STATEMENTS) statements.clear()
    statements.set(text, statement)
    return statement
  }
  return { prepare: (text: string) => named(file, () => prepare(text)), close: () => database.close() }
}

/** Runs work, and adds a property `file` to a database error. */
function named<R>(file: string, work: () => R): R {
  try {
    return work()
  } catch (error) {
    throw error instanceof Error ? Object.assign(error, { file }) : error
  }
}

const naming = (database: Sqlite, file: string, statement: SqliteStatement): SqliteStatement => {
  const run = <R>(work: () => R) =>
    named(file, () => {
      checkOpen(database)
      return work()
    })
  return {
    reader: statement.reader,
    run: (parameters) => run(() => statement.run(parameters)),
    all: (parameters) => run(() => statement.all(parameters)),
    iterate: (parameters) => statement.iterate(parameters),
  }
}

/** Throws if the database was closed. libsql itself would end the process. */
function checkOpen(database: Sqlite): void {
  if (!database.open) throw new Error('The database is closed.')
}

const writesNothing = /^\s*(select|with|explain|pragma|commit|rollback)\b/i

/** Every transaction writes, and begins by taking the lock, for which it waits up to the given time. */
const beginning = (database: Sqlite, wait: number, patience: number): SqliteStatement => ({
  reader: false,
  run: () => {
    database.exec(`pragma busy_timeout = ${wait}`)
    try {
      database.exec('begin immediate')
    } finally {
      database.exec(`pragma busy_timeout = ${patience}`)
    }
    return { changes: 0, lastInsertRowid: 0 }
  },
  all: () => [],
  iterate: () => [].values(),
})

/**
 * Runs a statement that writes. If another process is writing, a prepared statement stops in the middle:
 * until it is run again, its connection sees no newer rows, or even keeps the lock. So the lock is taken
 * first, with an unprepared statement.
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
