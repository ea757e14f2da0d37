import { TooSlowError } from './time-limit.ts'

/** Whether it is an error that Redis returned. */
export const isAnswer = (error: unknown): boolean =>
  error instanceof Error && /^[A-Z]{2,}( |$)/.test(error.message) && unwillingness(error) === null

/**
 * Errors that mean Redis cannot be used: it is starting, a replica, full, busy or a cluster, or the user may
 * not run scripts. Redis 6 puts them at the end of a script's error.
 */
const unwilling =
  /^(?:ERR Error running script.*: -)?(LOADING|READONLY|MASTERDOWN|OOM|MISCONF|NOREPLICAS|BUSY|NOAUTH|NOPERM|MOVED|CROSSSLOT|CLUSTERDOWN)\b/

/** Redis 7's text if a script runs a command that its user may not run, or names a key that it may not use. */
const notAllowed = /^ERR The user executing the script can't /

function unwillingness(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  return notAllowed.test(error.message) ? 'NOPERM' : (unwilling.exec(error.message)?.[1] ?? null)
}

/** Why Redis is not used, in general words, because an error may contain the address. */
export function reasonOf(error: unknown, ms: number): string {
  if (error instanceof TooSlowError) return tooSlow(ms)
  return refusalOf(error) ?? notConnected(error)
}

export const tooSlow = (ms: number): string => `Redis did not answer within ${ms} ms.`

/** Whether Redis takes no more connections. */
export const isFull = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('max number of clients')

/** Texts of errors without a code, and the words for them. */
const known: readonly (readonly [text: string, meaning: string])[] = [
  ['ERR DB index', 'no such database'],
  ['ERR AUTH <password> called without any password', 'REDIS_URL has a password, but Redis has none'],
  ['ERR max number of clients', 'max number of clients reached'],
  ['Connection timeout', 'connection timeout'],
  ['Unknown RESP type', 'the port does not speak Redis’ protocol'],
]

/**
 * The error's code is named, such as ECONNREFUSED or WRONGPASS, or words of our own. Its text may contain the
 * address.
 */
export function notConnected(error: unknown): string {
  const { code, message = '' } = (error ?? {}) as { code?: unknown; message?: string } // whatever was thrown
  const meaning = known.find(([text]) => message.startsWith(text))?.[1]
  const word = meaning ?? /^[A-Z][A-Z_]{3,}\b/.exec(String(code ?? message))?.[0]
  return `Redis is not connected${word === undefined ? '' : ` (${word})`}.`
}

/** Why Redis objects to what the ledger writes, and the remedy; null if it is not Redis' error. */
export function ledgerFault(error: unknown): string | null {
  if (!isAnswer(error)) return null
  const { message } = error as Error // as isAnswer says
  const why = message.includes('WRONGTYPE')
    ? 'A name below statline:1:ledger: has a value that is not Statline’s. Rename or delete it, or give Statline a database of its own.'
    : `Redis refuses its commands (${/^[A-Z]+/.exec(message)?.[0]}).`
  return `The shared ledger cannot be written. ${why} Meanwhile bills wait in this instance, which spends only its share of the budgets.`
}

export function refusalOf(error: unknown): string | null {
  const why = unwillingness(error)
  return why === null ? null : `Redis does not accept writes (${why}).`
}
