import { existsSync } from 'node:fs'
import { join } from 'node:path'
import LibsqlDatabase from 'libsql'
import { LEDGER_FILE } from './ledger-file.ts'
import type { Spending } from './ledger-store.ts'

/** There is no ledger to read. The message is one line. */
export class NoLedgerError extends Error {
  override readonly name = 'NoLedgerError'
}

/**
 * Reads the spending of some days from a ledger file, inclusive. Changes nothing, so a server may be writing
 * it. Throws NoLedgerError.
 */
export function readLedger(folder: string, from: string, to: string): readonly Spending[] {
  const file = join(folder, LEDGER_FILE)
  if (!existsSync(file)) throw new NoLedgerError(`There is no ledger at ${file}. DATA_DIR names its folder.`)
  let database: InstanceType<typeof LibsqlDatabase> | undefined
  try {
    database = new LibsqlDatabase(file, { timeout: 2_000 })
    // A file of an earlier version has no hours.
    const hour = database.prepare(`select 1 from pragma_table_info('spending') where name = 'hour'`).get()
    const columns = `day, ${hour ? 'hour' : `'' as hour`}, key, client, operation, service, tokens, estimated, bytes, calls`
    const select = database.prepare(
      `select ${columns} from spending where day >= ? and day <= ? and tokens <> 0`,
    )
    return select.all(from, to) as Spending[] // the columns above
  } catch (error) {
    throw new NoLedgerError(`${file} cannot be read as a ledger: ${(error as Error).message}.`) // of the database
  } finally {
    database?.close()
  }
}
