import { builder } from '../graph/builder.ts'
import type { Context } from '../graph/builder.ts'
import { sizeOf } from '../graph/cost.ts'
import type { Handle } from '../graph/handle.ts'
import { scopeFrom } from '../graph/handle.ts'
import { relation } from '../graph/relation.ts'
import { selectionOf } from '../graph/selection.ts'
import { defineLookup } from '../graph/roots.ts'
import { requireScope, scopeWith } from '../graph/scope.ts'
import type { Scope, ScopeArguments } from '../graph/scope.ts'
import { defineTable } from '../graph/table.ts'
import { typeOf } from '../graph/types.ts'
import { leagueKey } from '../loaders/leagues.ts'
import { gamesOfSeason } from '../loaders/schedule-slots.ts'
import { scheduleAt } from '../loaders/schedules.ts'
import type { Selection } from '../plan/selection.ts'
import type { Request } from '../upstream/request.ts'
import { scheduled, scheduleOrigin } from './game.ts'

export const team = defineTable('team', 'Team', {
  description: 'A team, one object for all its seasons.',
  node: true,
  apart: ['conference_id'],
})

defineLookup('team', 'team', 'teams')

/** The season, and the league as far as it is known, of what is reached from a row. */
export const scopeAt = (row: Handle, args: ScopeArguments, { client: request, defaults }: Context) =>
  scopeWith(args, scopeFrom(row, request), defaults)

/** Where a team's games of a season are kept, and what a query wants of them. */
function seasonPlace(
  { entry }: Handle,
  scope: Scope & { readonly season: number },
  want: Selection,
  request: Request,
) {
  const { season } = scope
  const wanted = {
    what: `${entry.key} ${leagueKey(scope)} ${season}`,
    owner: entry,
    slot: gamesOfSeason(scope),
    want,
    league: scope,
    arguments: [
      { season, home_team_id: entry.key },
      { season, away_team_id: entry.key },
    ],
    season: scope,
  } as const
  return scheduleAt(wanted, scope, request)
}

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
        seasonPlace(
          row,
          requireScope(scopeAt(row, args, context), 'season'),
          selectionOf(info),
          context.client,
        ),
      answer: scheduled,
    }),
  }),
)
