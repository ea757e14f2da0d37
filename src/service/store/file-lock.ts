import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isBusy, isDamaged, openSqlite } from './connection.ts'
import type { Sqlite } from './statements.ts'
import { DatabaseUnavailableError } from './unavailable.ts'

const AGAIN_MS = 50

/** Runs work under an exclusive lock between processes. The lock ends with its process. */
export async function withFileLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const file = join(folder, 'lock.sqlite')
  const lock = openSqlite(file)
  try {
    while (!isTaken(lock, file)) await pause(AGAIN_MS)
    return await work()
  } finally {
    lock.close()
  }
}

function isTaken(lock: Sqlite, file: string): boolean {
  try {
    lock.exec('begin exclusive')
    return true
  } catch (error) {
    if (isBusy(error)) return false
    if (!isDamaged(error)) throw error
    const message = `The file ${file} is damaged. It has no data: delete this one file, and start again.`
    throw new DatabaseUnavailableError(message, { cause: error })
  }
}
