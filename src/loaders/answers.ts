import { call } from '../upstream/call.ts'
import { byGroup, inStep, requestsOf } from '../upstream/load.ts'
import type { Ask, Source } from '../upstream/load.ts'
import type { Arguments, Operation } from '../upstream/operations.ts'
import type { Entry } from '../upstream/entry.ts'

/** What one call brings, kept as a facet of the row that it belongs to: the keys of its rows, or the key of its one row or null. */
export interface AnswerAsk extends Ask {
  readonly entry: Entry
  readonly facet: string
  readonly operation: Operation
  readonly arguments: Arguments
}

/** The source of what the service answers for one parent at a time: rosters, game logs, seasons, statistics. Its calls go side by side. */
export const answers: Source<AnswerAsk> = {
  name: 'answers',
  fill: (world, asks) =>
    inStep(
      asks,
      byGroup(
        asks,
        ({ what }) => what,
        async (group) => {
          const [{ entry, facet, operation, arguments: values, field }] = group
          const asked = { operation, arguments: values, requests: requestsOf(group), field }
          const { keys, boughtAt } = await call(world, asked)
          const value = operation.answer === 'row' ? (keys[0] ?? null) : keys
          const freshness = world.fresh.ofSeason(values['organization_id'], values['season'])
          entry.putFacet(facet, value, freshness, boughtAt)
        },
      ),
    ),
}
