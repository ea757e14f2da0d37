import type { Scope } from '../graph/scope.ts'
import { keyOf } from '../specification/tables.ts'
import type { StatisticClass } from '../specification/tables.ts'
import { argumentsOf, operations } from '../upstream/operations.ts'
import type { Arguments } from '../upstream/operations.ts'
import type { Entry } from '../upstream/entry.ts'

/** What decides a row of a class, beside its owner's key. */
export interface Which {
  readonly scope: Scope & { readonly organization_id: string }
  readonly identity: Arguments
  readonly date?: string | null | undefined
  readonly career?: boolean
  readonly active?: boolean | null | undefined
}

/** What an ask for a row of statistics needs to know: its operation, its arguments, and the facet of its owner that keeps it. */
export function statisticsAsk(
  name: StatisticClass,
  entry: Entry,
  { scope, identity, date, career, active }: Which,
) {
  const { organization_id, division_id, season } = scope
  const isTeamNow = name === 'statistic_ranking' && !date
  const values = argumentsOf({
    organization_id,
    division_id,
    ...identity,
    ...(career
      ? { career: 1, career_active: typeof active === 'boolean' ? Number(active) : null }
      : { season, date_of_rank: date, current: date || isTeamNow ? null : 1 }),
  })
  const facet = `${name} ${JSON.stringify(values)}`
  return {
    entry,
    facet,
    what: `${keyOf(name)} ${entry.key} ${facet}`,
    arguments: values,
    operation: isTeamNow ? operations.getTeamStats : operations[name],
  }
}
