import type { Scope } from '../graph/scope.ts'
import type { World } from '../upstream/world.ts'

/** The key under which a league's facets are kept. */
export const leagueKey = ({ organization_id, division_id }: Scope) => `${organization_id} ${division_id}`

/** The facet of a league that lists a day's games. */
export const gamesOn = (date: string) => `games ${date}`

/** The games that a day was last known to have, however long ago; undefined where it never was. */
export const listedOn = (world: World, league: string, date: string) =>
  world.rows.entry('league', league).stale(gamesOn(date)) as readonly string[] | undefined // put by games.ts alone
