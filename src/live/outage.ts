import type { Stale } from '../account/expired-rows.ts'
import type { CodedError } from '../errors/errors.ts'

/** Why a follower’s rows are not current. One object for each poll that failed. */
export interface Outage {
  readonly error: CodedError
  /** The expired rows that a query would serve; null if it would get the error. */
  readonly stale: (Pick<Stale, 'rows'> & { readonly since: number }) | null
}

/** What a follower sees of an outage: as long as it is the same, it is told once. */
export function signOf(outage: Outage | null): string {
  if (outage === null) return 'current'
  if (outage.stale) return 'stale'
  const { code } = outage.error
  // While the service is down, calls fail in one way and then in another.
  return code.startsWith('UPSTREAM_') ? 'down' : code
}

/** What a query would say of its rows now. */
export function staleAt({ stale }: Outage, now: number): Stale | undefined {
  return stale ? { rows: stale.rows, seconds: Math.floor((now - stale.since) / 1_000) } : undefined
}
