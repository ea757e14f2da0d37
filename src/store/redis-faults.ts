import { TooSlowError } from './time-limit.ts'

/** Whether it is an error that Redis returned. */
export const isAnswer = (error: unknown): boolean =>
  error instanceof Error && /^[A-Z]{2,}( |$)/.test(error.message) && unwillingness(error) === null

/**
 * Errors that mean Redis cannot be used: it is starting, a replica, full, busy or a cluster, or the user may
 * not run scripts. Redis 6 puts them at the end of a script's error.
 */
const unwilling =
  /^(?:ERR Error running script.*: -)?(LOADING|READONLY|MASTERDOWN|OOM|MISCONF|NOREPLICAS|BUSY|NOAUTH|NOPERM|MOVED|CLUSTERDOWN)\b/

const unwillingness = (error: unknown): string | null =>
  error instanceof Error ? (unwilling.exec(error.message)?.[1] ?? null) : null

/** Why Redis is not used, in general words, because an error may contain the address. */
export function reasonOf(error: unknown, ms: number): string {
  if (error instanceof TooSlowError) return `Redis did not answer within ${ms} ms.`
  return refusalOf(error) ?? notConnected(error)
}

/** Only the error's code is named, such as ECONNREFUSED or WRONGPASS. Its text may contain the address. */
export function notConnected(error: unknown): string {
  const { code, message = '' } = error as { code?: unknown; message?: string } // whatever was thrown
  const isOutOfRange = message.startsWith('ERR DB index')
  const word = isOutOfRange ? 'no such database' : /^[A-Z][A-Z_]{3,}\b/.exec(String(code ?? message))?.[0]
  return `Redis is not connected${word === undefined ? '' : ` (${word})`}.`
}

export function refusalOf(error: unknown): string | null {
  const why = unwillingness(error)
  return why === null ? null : `Redis does not accept writes (${why}).`
}
