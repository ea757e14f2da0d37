import type { Revalidation } from '../loading/loader.ts'
import { timeOf } from '../rows/moment.ts'
import { hasSeasonBegun, loadHasSeasonBegun } from './current-season.ts'

/** A season of an organization, as the arguments of a call name it. */
interface Season {
  readonly organization_id?: unknown
  readonly season?: unknown
}

/**
 * Whether a season is over. Its rosters and boxscores do not show that, but the beginning of the next season
 * does. It is checked by one small call, at most once a day, and only before rows are bought again.
 */
export const seasonRevalidation = <W>(seasonOf: (wanted: W) => Season): Revalidation<W> => ({
  is(wanted, request) {
    const { organization_id, season } = seasonOf(wanted)
    if (typeof organization_id !== 'string' || typeof season !== 'number') return false
    const { seasons, freshFor } = request.account.fresh
    if (freshFor.current === 0 || freshFor.reference <= freshFor.current) return false
    if (!seasons.needsRevalidation(organization_id, season, timeOf(request.now))) return false
    return hasSeasonBegun({ organization_id }, season + 1, request) === undefined
  },
  ask(wanted, request, field) {
    const { organization_id, season } = seasonOf(wanted)
    return loadHasSeasonBegun(
      { organization_id: String(organization_id) },
      Number(season) + 1,
      request,
      field,
    )
  },
})
