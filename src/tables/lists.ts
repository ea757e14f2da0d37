import { call } from '../upstream/call.ts'
import { freshFor } from '../upstream/freshness.ts'
import { byGroup, inStep, requestsOf } from '../upstream/load.ts'
import type { Ask, Source } from '../upstream/load.ts'
import type { Arguments, Operation } from '../upstream/operations.ts'
import type { Entry } from '../upstream/rows.ts'

/** The rows that one call brings, kept as a facet of the row that they belong to. */
export interface ListAsk extends Ask {
  readonly entry: Entry
  readonly facet: string
  readonly operation: Operation
  readonly arguments: Arguments
}

/** The source of lists for which the service takes one parent at a time: rosters, game logs, seasons. */
export const lists: Source<ListAsk> = {
  name: 'lists',
  fill: (world, asks) =>
    inStep(
      asks,
      byGroup(
        asks,
        ({ what }) => what,
        async (group) => {
          const [{ entry, facet, operation, arguments: values, field }] = group
          const { keys } = await call(world, {
            operation,
            arguments: values,
            requests: requestsOf(group),
            field,
          })
          entry.putFacet(facet, keys, world.upstream.settings.clock() + freshFor.current)
        },
      ),
    ),
}
