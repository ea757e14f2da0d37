import type { Scope } from '../graph/scope.ts'
import { keyOf } from '../specification/tables.ts'
import type { StatisticClass } from '../specification/tables.ts'
import { call } from '../upstream/call.ts'
import { freshFor } from '../upstream/freshness.ts'
import { byGroup, inStep, requestsOf } from '../upstream/load.ts'
import type { Ask, Source } from '../upstream/load.ts'
import { argumentsOf, operations } from '../upstream/operations.ts'
import type { Arguments, Operation } from '../upstream/operations.ts'
import type { Entry } from '../upstream/rows.ts'

/** One row of statistics: of whom, in which league and season, on which day. */
export interface StatisticsAsk extends Ask {
  readonly class: StatisticClass
  /** Who the row belongs to; its facet keeps it. */
  readonly entry: Entry
  readonly facet: string
  readonly arguments: Arguments
  readonly operation: Operation
}

/** The source of statistics rows: one `getStats` each, side by side, for the service has none that answers for several. */
export const statisticsRows: Source<StatisticsAsk> = {
  name: 'statistics',
  fill: (world, asks) =>
    inStep(
      asks,
      byGroup(
        asks,
        ({ what }) => what,
        async (group) => {
          const [{ operation, arguments: values, field, entry, facet }] = group
          const { keys } = await call(world, {
            operation,
            arguments: values,
            requests: requestsOf(group),
            field,
          })
          entry.putFacet(facet, keys[0] ?? null, world.upstream.settings.clock() + freshFor.current)
        },
      ),
    ),
}

/** What decides a row of a class, beside its owner's key. */
export interface Which {
  readonly scope: Scope & { readonly organization_id: string }
  readonly identity: Arguments
  readonly date?: string | null | undefined
  readonly career?: boolean
  readonly active?: boolean | null | undefined
}

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
    class: name,
    entry,
    facet,
    what: `${keyOf(name)} ${entry.key} ${facet}`,
    arguments: values,
    operation: isTeamNow ? operations.getTeamStats : operations[name],
  }
}
