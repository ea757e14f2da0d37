import type { Stale } from '../account/expired-rows.ts'
import type { CodedError } from '../errors/errors.ts'

/** Why a follower’s rows are not current. One object for each poll that failed. */
export interface Outage {
  readonly error: CodedError
  /** The expired rows that a query would serve; null if it would get the error. */
  readonly stale: (Pick<Stale, 'rows'> & { readonly since: number }) | null
}

/** What a follower sees of an outage: as long as it is the same, it is told once. */
export const signOf = (outage: Outage | null): string =>
  outage === null ? 'current' : outage.stale ? 'stale' : outage.error.code

/** What a query would say of its rows now. */
export function staleAt({ stale }: Outage, now: number): Stale | undefined {
  return stale ? { rows: stale.rows, seconds: Math.floor((now - stale.since) / 1_000) } : undefined
}
