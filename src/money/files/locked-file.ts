import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import LibsqlDatabase from 'libsql'
import { isBusy } from './sqlite.ts'

/** Closing it ends the lock. */
export type LockedFile = InstanceType<typeof LibsqlDatabase>

/**
 * Locks a file, which is created if it is not there. The lock ends with its process, also by a SIGKILL. Null if
 * the file cannot be created or locked.
 */
export function lockFile(file: string): LockedFile | 'taken' | null {
  let database: LockedFile | null = null
  try {
    mkdirSync(dirname(file), { recursive: true })
    database = new LibsqlDatabase(file, { timeout: 0 })
    database.exec('begin exclusive')
    return database
  } catch (error) {
    database?.close()
    return isBusy(error) ? 'taken' : null
  }
}
