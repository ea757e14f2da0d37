/** Milliseconds to wait while another process writes. */
export const busyMs = 2_000

/** Milliseconds to wait for another process where no query may be delayed. */
export const shortWaitMs = 50

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Whether another process holds the file. */
export const isBusy = (error: unknown) => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error))

export const isDamaged = (error: unknown) => /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error))

/** Whether a file is damaged, or its tables are not ours, so that opening it again would fail again. */
export const isUnusable = (error: unknown) => isDamaged(error) || codeOf(error) === 'SQLITE_ERROR'
