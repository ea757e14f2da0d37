import type { Context } from '../graph/context.ts'
import { scopeFrom } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import { defineLookup } from '../graph/roots.ts'
import { scopeWith } from '../graph/scope.ts'
import type { ScopeArguments } from '../graph/scope.ts'
import { everyPart } from '../graph/id-scope.ts'
import { defineTable } from '../graph/table.ts'

export const team = defineTable('team', 'Team', {
  description:
    'A team, as it is reached: one row for all its seasons, and an object with an `id` of its own for each season and league that it is reached in. Its names and colours are columns of one row, free below the games of a day, else one read for all teams of the query. Fields with an argument `season` show that season. Without it, they show the season of the game above, or else the current one.',
  node: true,
  scoped: everyPart,
  without: ['conference_id'],
})

defineLookup('team', 'team', 'teams')

/** The season, and the league as far as known, for objects below a row. */
export const scopeAt = (row: Handle, args: ScopeArguments, { clientRequest: request, defaults }: Context) =>
  scopeWith(args, scopeFrom(row, request), defaults)
