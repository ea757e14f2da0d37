import { builder } from '../graph/builder.ts'
import type { Context } from '../graph/builder.ts'
import { sizeOf } from '../graph/cost.ts'
import type { Handle } from '../graph/handle.ts'
import { fieldName, scopeFrom } from '../graph/handle.ts'
import { andThen } from '../graph/maybe-promise.ts'
import { relation } from '../graph/relation.ts'
import { selectionOf } from '../graph/selection.ts'
import { defineLookup } from '../graph/roots.ts'
import { scopeWith } from '../graph/scope.ts'
import type { ScopeArguments } from '../graph/scope.ts'
import { defineTable } from '../graph/table.ts'
import { typeOf } from '../graph/types.ts'
import { scheduled, scheduleOrigin, seasonAt } from '../loaders/schedule-places.ts'
import { inSeason } from './season.ts'

export const team = defineTable('team', 'Team', {
  description: 'A team, one object for all its seasons.',
  node: true,
  apart: ['conference_id'],
})

defineLookup('team', 'team', 'teams')

/** The season, and the league as far as it is known, of what is reached from a row. */
export const scopeAt = (row: Handle, args: ScopeArguments, { client: request, defaults }: Context) =>
  scopeWith(args, scopeFrom(row, request), defaults)

builder.objectField(team, 'games', (t) =>
  t.field({
    type: [typeOf('game')],
    nullable: { list: true, items: false },
    listSize: sizeOf('gamesOfSeason'),
    description:
      'The team’s games of a season, by start time. Costs two calls side by side, one for home and one for away games: `game/read`, or `game/getScores` if predictions or current odds are selected.',
    args: { season: t.arg.int() },
    ...relation({
      ...scheduleOrigin,
      needs: { into: { link: 'games' } },
      place: (row: Handle, args: ScopeArguments, context, info) =>
        andThen(inSeason(scopeAt(row, args, context), context, fieldName(info)), (scope) =>
          seasonAt(row.entry, scope, selectionOf(info), context.client),
        ),
      answer: scheduled,
    }),
  }),
)
