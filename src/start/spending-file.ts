import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { isDamaged } from '../money/files/sqlite.ts'
import { keepAside } from '../sqlite-file.ts'
import { openFault } from '../store/open-fault.ts'

/** What was spent is not known, so that a budget would begin at zero. The message is one line. */
export class SpendingUnknownError extends Error {
  override readonly name = 'SpendingUnknownError'
}

/** A file of DATA_DIR that has what was spent. */
export interface SpendingFile {
  readonly file: string
  /** What it is, in words. */
  readonly name: string
  /** What follows if it cannot be read, in words. */
  readonly lost: string
}

/**
 * Opens a file that has what was spent. A damaged one is kept aside, with a warning, and a new one begun. But if there
 * is a budget, SpendingUnknownError is thrown, also if the file is there and cannot be read. Other errors of `open` are
 * thrown as they are.
 */
export async function openedOrAside<T>(
  { file, name, lost }: SpendingFile,
  hasBudget: boolean,
  open: () => T | Promise<T>,
): Promise<T> {
  try {
    return await open()
  } catch (error) {
    const damaged = isDamaged(error)
    if (hasBudget && (damaged || existsSync(file))) throw unknown(file, name, lost, error)
    if (!damaged) throw error
    const kept = keptAside(file)
    if (kept === null) throw error
    console.warn(
      `${name} in DATA_DIR (${file}) is damaged: ${openFault(error)}. It is kept as ${basename(kept)}, and a new ` +
        `one is begun: ${lost}. To go on from a copy, stop Statline and restore it as ${basename(file)}.`,
    )
    return open()
  }
}

function unknown(file: string, name: string, lost: string, error: unknown): SpendingUnknownError {
  const fault = isDamaged(error) ? 'is damaged' : 'cannot be read'
  const log = `${basename(file)}-wal`
  return new SpendingUnknownError(
    `${name} in DATA_DIR (${file}) ${fault}: ${openFault(error)}. So ${lost}, and the budgets of MONTHLY_TOKEN_BUDGET ` +
      `and CLIENT_BUDGETS cannot be kept. Restore a copy of it, or move it and ${log} to another folder to begin at zero.`,
    { cause: error },
  )
}

/** The new name of a damaged file; null if it cannot be renamed. */
function keptAside(file: string): string | null {
  try {
    return keepAside(file)
  } catch {
    return null
  }
}
