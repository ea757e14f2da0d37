import type { Scope } from '../graph/scope.ts'
import type { Entry } from '../upstream/entry.ts'
import type { World } from '../upstream/world.ts'

/** The key under which a league's slots are kept. */
export const leagueKey = ({ organization_id, division_id }: Scope) => `${organization_id} ${division_id}`

/** What keeps a league's slots: a league has no row of its own. */
export const leagueEntry = (world: World, league: Scope): Entry =>
  world.rows.entry('league', leagueKey(league))
