import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isBusy, openSqlite } from './connection.ts'
import type { Sqlite } from './statements.ts'

const AGAIN_MS = 50

/** Runs work under an exclusive lock between processes. The lock ends with its process. */
export async function withFileLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const lock = openSqlite(join(folder, 'lock.sqlite'))
  try {
    while (!isTaken(lock)) await pause(AGAIN_MS)
    return await work()
  } finally {
    lock.close()
  }
}

function isTaken(lock: Sqlite): boolean {
  try {
    lock.exec('begin exclusive')
    return true
  } catch (error) {
    if (isBusy(error)) return false
    throw error
  }
}
