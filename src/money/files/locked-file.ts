import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import LibsqlDatabase from 'libsql'
import { isBusy, isDamaged } from './sqlite.ts'

/** Closing it ends the lock. */
export type LockedFile = InstanceType<typeof LibsqlDatabase>

/**
 * Locks a file, which is created if it is not there. The lock ends with its process, also by a SIGKILL. Null if
 * the file cannot be created or locked; `damaged` if it has something else than SQLite would write.
 */
export function lockFile(file: string): LockedFile | 'taken' | 'damaged' | null {
  let database: LockedFile | null = null
  try {
    mkdirSync(dirname(file), { recursive: true })
    database = new LibsqlDatabase(file, { timeout: 0 })
    database.exec('begin exclusive')
    return database
  } catch (error) {
    database?.close()
    if (isBusy(error)) return 'taken'
    return isDamaged(error) ? 'damaged' : null
  }
}
