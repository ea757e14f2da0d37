import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { lockFile } from '../money/files/locked-file.ts'

/** Locked by the process that uses the folder. The lock ends with its process, also by a SIGKILL. */
export const LOCK_FILE = 'running.lock'

/** Milliseconds between two looks whether the other process has ended. */
const lookEvery = 2_000

const shared = (folder: string, hasRedis: boolean) =>
  `Another process uses DATA_DIR (${folder}). If it is ending, this is over soon. If both go on, ${
    hasRedis
      ? 'every bill is counted once in the ledger, but after Redis was away, each process may count its own spending twice in its budgets, until it is restarted. Give each its own DATA_DIR.'
      : 'every bill is counted once in the ledger, but each process learns only every second what the other spends, so they may overspend a budget together, and each buys rows that the other has. Give each its own DATA_DIR, and all of them the same REDIS_URL.'
  }`

const damaged = (file: string) =>
  `The file ${file} is damaged, so another process that uses DATA_DIR is not noticed. It has no data: delete this one file, and start again.`

/**
 * Warns if another process uses the same folder, with what follows from it, which depends on whether the
 * processes share a Redis. Returns a function that releases the folder.
 */
export function holdDataDir(
  folder: string,
  hasRedis: boolean,
  warn: (message: string) => void,
  lookEveryMs = lookEvery,
): () => void {
  const file = join(folder, LOCK_FILE)
  // If the folder cannot be written, that is reported by those who write there.
  let lock = lockFile(file)
  if (lock === 'taken') warn(shared(folder, hasRedis))
  if (lock === 'damaged') warn(damaged(file))
  const timer = setInterval(() => {
    const before = lock
    if (before === null || before === 'damaged') return
    if (before !== 'taken') {
      if (existsSync(file)) return
      // It was deleted, so it tells nobody any more.
      before.close()
    }
    lock = lockFile(file)
    if (before !== 'taken' && lock === 'taken') warn(shared(folder, hasRedis))
    if (before === 'taken' && lock !== 'taken')
      warn(`DATA_DIR (${folder}) is used by this process alone now.`)
  }, lookEveryMs).unref()
  return () => {
    clearInterval(timer)
    if (typeof lock !== 'string') lock?.close()
  }
}
