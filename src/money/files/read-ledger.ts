import { existsSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import LibsqlDatabase from 'libsql'
import { checkWhole } from '../../sqlite-file.ts'
import { LEDGER_FILE } from './ledger-database.ts'
import type { Database } from './ledger-database.ts'
import type { Spending } from '../ledger-store.ts'
import { isBusy, usualWaits } from './sqlite.ts'

/** There is no ledger to read. The message is one line. */
export class NoLedgerError extends Error {
  override readonly name = 'NoLedgerError'
}

/**
 * Reads the spending of some days from a folder's ledger, inclusive. Changes nothing, so a server may be
 * writing it. `warn` is called if the newest bills cannot be read. Throws NoLedgerError.
 */
export const readLedger = (
  folder: string,
  from: string,
  to: string,
  warn: (text: string) => void = () => {},
  waits = usualWaits,
): readonly Spending[] => {
  const file = join(folder, LEDGER_FILE)
  const query = (database: Database) => {
    const select = `${selectFrom(database, 'spending')} where day >= ? and day <= ?`
    return database.prepare(select).all(from, to) as Spending[] // the columns selected
  }
  return read(file, 'NEWEST', query, waits, () => warnOfLog(`${file}-wal`, warn))
}

/** SQLite does not say whether the bills in its log are in the file, too. An empty log has none. */
function warnOfLog(log: string, warn: (text: string) => void): void {
  const { size } = statSync(log, { throwIfNoEntry: false }) ?? { size: 0 }
  if (size > 0)
    warn(
      `The newest bills may be missing: ${log} cannot be read, because nothing can be written beside it. ` +
        `Copy ${LEDGER_FILE} and ${basename(log)} to a folder that can be written, and name that in DATA_DIR.`,
    )
}

/** Reads the secret by which keys are named. Throws NoLedgerError. */
export const readSecret = (file: string): string =>
  read(file, 'ANY', (database) => {
    const row = database.prepare(`select value from meta where name = 'secret'`).get()
    return (row as { readonly value: string }).value // a ledger has one; otherwise this throws
  })

/**
 * Reads the spending of some days from a ledger that cannot be written, inclusive, with open reservations as
 * estimated. Throws NoLedgerError.
 */
export const readAsFarAsKnown = (file: string, from: string, to: string): readonly Spending[] =>
  read(file, 'ANY', (database) => {
    const all = `${selectFrom(database, 'spending')} union all ${selectFrom(database, 'opened')}`
    const select = `select * from (${all}) where day >= ? and day <= ?`
    return database.prepare(select).all(from, to) as Spending[] // the columns selected
  })

/**
 * Opens a file to read it. On a full disk, or in a folder without rights, SQLite cannot create the files that
 * it needs beside it. Then the file is read as it is, without the changes in its log. So is a file that another
 * process holds, if any state will do. `onOlder` is called before the file is read so.
 */
function read<T>(
  file: string,
  state: 'NEWEST' | 'ANY',
  query: (database: Database) => T,
  waits = usualWaits,
  onOlder: () => void = () => {},
): T {
  if (!existsSync(file)) throw new NoLedgerError(`There is no ledger at ${file}. DATA_DIR names its folder.`)
  try {
    // SQLite would delete the log of an empty file.
    checkWhole(file)
  } catch (error) {
    throw unreadable(file, error)
  }
  try {
    return readAt(file, state === 'ANY' ? waits.shortWaitMs : waits.busyMs, query)
  } catch (error) {
    if (isBusy(error) && state === 'NEWEST')
      throw new NoLedgerError(`${file} is locked by another program. Close it there, then ask again.`)
  }
  onOlder()
  try {
    return readAt(`${pathToFileURL(file).href}?immutable=1`, 0, query)
  } catch (error) {
    throw unreadable(file, error)
  }
}

const unreadable = (file: string, error: unknown) =>
  new NoLedgerError(`${file} cannot be read as a ledger: ${(error as Error).message}.`) // of the file or the database

function readAt<T>(name: string, waitMs: number, query: (database: Database) => T): T {
  const database = new LibsqlDatabase(name, { timeout: waitMs })
  try {
    return query(database)
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
