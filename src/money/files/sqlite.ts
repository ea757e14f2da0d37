/** How long to wait for another process, in milliseconds. */
export interface Waits {
  /** While it writes. */
  readonly busyMs: number
  /** Where no query may be delayed. */
  readonly shortWaitMs: number
}

/** Tests pass shorter ones. */
export const usualWaits: Waits = { busyMs: 2_000, shortWaitMs: 50 }

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Whether another process holds the file. */
export const isBusy = (error: unknown) => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error))

export const isDamaged = (error: unknown) => /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error))

/** Whether a file is damaged, or its tables are not ours, so that opening it again would fail again. */
export const isUnusable = (error: unknown) => isDamaged(error) || codeOf(error) === 'SQLITE_ERROR'
