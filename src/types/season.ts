import type { Context } from '../graph/context.ts'
import { andThen } from '../loading/maybe-promise.ts'
import type { MaybePromise } from '../loading/maybe-promise.ts'
import { requireScope, whatToWrite } from '../graph/scope.ts'
import type { Known, Scope } from '../graph/scope.ts'
import { currentSeason } from '../loaders/current-season.ts'
import { ScopeRequiredError } from '../errors/errors.ts'

/**
 * The scope with a season: its own, or the league's current one, which may cost two small calls. Throws
 * ScopeRequiredError if a named part is missing, or if there is no league to find the season of.
 */
export function inSeason<N extends keyof Scope>(
  scope: Scope,
  { clientRequest: request }: Context,
  field: string,
  ...names: readonly N[]
): MaybePromise<Known<N | 'season'>> {
  const { organization_id, division_id } = scope
  if (scope.season !== undefined || organization_id === undefined || division_id === undefined)
    return requireScope<N | 'season'>(scope, ...names, 'season')
  const league = { ...scope, organization_id, division_id }
  return andThen(currentSeason(league, request, field), (season) => {
    if (season === null) throw new ScopeRequiredError(whatToWrite(['season'], scope))
    return requireScope<N | 'season'>({ ...scope, season }, ...names, 'season')
  })
}
