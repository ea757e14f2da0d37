import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import LibsqlDatabase from 'libsql'
import { LEDGER_FILE } from './ledger-database.ts'
import type { Database } from './ledger-database.ts'
import type { Spending } from './ledger-store.ts'

/** There is no ledger to read. The message is one line. */
export class NoLedgerError extends Error {
  override readonly name = 'NoLedgerError'
}

/** Milliseconds to wait while another process writes. */
const busyMs = 2_000

/**
 * Reads the spending of some days from a folder's ledger, inclusive. Changes nothing, so a server may be
 * writing it. Throws NoLedgerError.
 */
export function readLedger(folder: string, from: string, to: string): readonly Spending[] {
  const file = join(folder, LEDGER_FILE)
  if (!existsSync(file)) throw new NoLedgerError(`There is no ledger at ${file}. DATA_DIR names its folder.`)
  try {
    return reading(file, (database) => {
      const select = `${selectFrom(database, 'spending')} where day >= ? and day <= ?`
      return database.prepare(select).all(from, to) as Spending[] // the columns selected
    })
  } catch (error) {
    throw new NoLedgerError(`${file} cannot be read as a ledger: ${(error as Error).message}.`) // of the database
  }
}

/** A ledger that can be read, but not be written. */
export interface ReadLedger {
  /** The secret by which keys are named. */
  readonly secret: string
  /** What was spent, with open reservations as estimated. */
  readonly spending: readonly Spending[]
}

/** Reads a ledger that could not be opened for writing because of `fault`, which is thrown if it cannot be read. */
export function ledgerToRead(file: string, fault: unknown): ReadLedger {
  if (!existsSync(file)) throw fault
  try {
    return reading(file, (database) => {
      const { value } = database.prepare(`select value from meta where name = 'secret'`).get() as {
        readonly value: string
      } // a ledger has one; otherwise this throws
      const all = `${selectFrom(database, 'spending')} union all ${selectFrom(database, 'opened')}`
      return { secret: value, spending: database.prepare(all).all() as Spending[] } // the columns selected
    })
  } catch {
    throw fault
  }
}

/**
 * Opens a file to read it. On a full disk, or in a folder without rights, SQLite cannot create the files that
 * it needs beside it. Then the file is read as it is, without the changes in its log.
 */
function reading<T>(file: string, read: (database: Database) => T): T {
  try {
    return readingAt(file, read)
  } catch {
    return readingAt(`${pathToFileURL(file).href}?immutable=1`, read)
  }
}

function readingAt<T>(name: string, read: (database: Database) => T): T {
  const database = new LibsqlDatabase(name, { timeout: busyMs })
  try {
    return read(database)
  } finally {
    database.close()
  }
}

/** Selects all columns of a table. In a file of an earlier version, it has no hours. */
function selectFrom(database: Database, table: 'spending' | 'opened'): string {
  const hour = database.prepare(`select 1 from pragma_table_info('${table}') where name = 'hour'`).get()
  const columns = `day, ${hour ? 'hour' : `'' as hour`}, key, client, operation, service, tokens, estimated, bytes, calls`
  return `select ${columns} from ${table}`
}
