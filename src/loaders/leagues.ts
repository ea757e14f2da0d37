import type { Entry } from '../rows/entry.ts'
import type { RowCache } from '../rows/row-cache.ts'

/** A league as named by a scope or by a call's arguments. */
interface League {
  readonly organization_id?: unknown
  readonly division_id?: unknown
}

/** The key under which a league's slots are stored. */
export const leagueKey = ({ organization_id, division_id }: League) => `${organization_id} ${division_id}`

/** The entry with a league's slots. A league has no row of its own. */
export const leagueEntry = (account: RowCache, league: League): Entry =>
  account.rows.entry('league', leagueKey(league))
