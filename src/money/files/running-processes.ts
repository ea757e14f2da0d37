import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { lockFile } from './locked-file.ts'
import type { LockedFile } from './locked-file.ts'

const nameOfFile = (process: string) => `running-${process}.lock`
const isNameOfFile = /^running-(?<process>[\w-]+)\.lock$/

/**
 * The processes that have a folder's ledger open. Each locks a file of its own, which tells the others that it
 * still runs. Nothing is known of a process without a file, as those of earlier versions are.
 */
export class RunningProcesses {
  /** The name of this process. */
  readonly own = randomBytes(9).toString('base64url')
  readonly #folder: string
  readonly #file: string
  #lock: LockedFile | null = null

  constructor(folder: string) {
    this.#folder = folder
    this.#file = join(folder, nameOfFile(this.own))
  }

  /** Locks the file of this process, again if it was deleted. If that fails, nothing is known of this process. */
  enter(): void {
    if (this.#lock && existsSync(this.#file)) return
    this.#lock?.close()
    const lock = lockFile(this.#file)
    this.#lock = typeof lock === 'string' ? null : lock
  }

  /**
   * Calls `book` for each process that has ended, and forgets the process. If `book` throws, it is called again
   * the next time.
   */
  forgetEnded(book: (process: string) => void): void {
    for (const name of readdirSync(this.#folder)) {
      const process = isNameOfFile.exec(name)?.groups?.['process']
      if (process === undefined || process === this.own) continue
      const lock = lockFile(join(this.#folder, name))
      if (lock === null || typeof lock === 'string') continue
      try {
        book(process)
        rmSync(join(this.#folder, name), { force: true })
      } finally {
        lock.close()
      }
    }
  }

  /** Ends the lock. Unless everything is booked, the file stays, so that others know that this process has ended. */
  leave(isAllBooked: boolean): void {
    try {
      if (this.#lock && isAllBooked) rmSync(this.#file, { force: true })
    } catch {
      // The folder cannot be written any more. Nothing is booked because of the file.
    }
    this.#lock?.close()
    this.#lock = null
  }
}
