import type { GraphQLResolveInfo } from 'graphql'
import { builder } from '../graph/builder.ts'
import type { Context } from '../graph/builder.ts'
import { sizeOf } from '../graph/cost.ts'
import type { Handle } from '../graph/handle.ts'
import { scopeFrom } from '../graph/handle.ts'
import { defineLookup } from '../graph/roots.ts'
import { requireScope, scopeWith } from '../graph/scope.ts'
import type { ScopeArguments } from '../graph/scope.ts'
import { defineTable } from '../graph/table.ts'
import { typeOf } from '../graph/types.ts'
import { leagueKey } from '../loaders/days.ts'
import { scheduled } from './game.ts'

export const team = defineTable('team', 'Team', {
  description: 'A team, the same through all its seasons.',
  node: true,
  apart: ['conference_id'],
})

defineLookup('team', 'team', 'teams')

/** The season, and the league as far as it is known, of what is reached from a row. */
export const scopeAt = (row: Handle, args: ScopeArguments, { client: request, defaults }: Context) =>
  scopeWith(args, scopeFrom(row, request), defaults)

function gamesOfSeason(row: Handle, args: ScopeArguments, context: Context, info: GraphQLResolveInfo) {
  const scope = requireScope(scopeAt(row, args, context), 'season')
  const { season } = scope
  const ask = {
    what: `${row.entry.key} ${leagueKey(scope)} ${season}`,
    entry: row.entry,
    // A team may play in more than one league, and a league's scores do not say whose they are.
    facet: `games ${leagueKey(scope)} ${season}`,
    league: scope,
    arguments: [
      { season, home_team_id: row.entry.key },
      { season, away_team_id: row.entry.key },
    ],
    of: 'season',
  } as const
  return scheduled(ask, scope, context, info)
}

builder.objectField(team, 'games', (t) =>
  t.field({
    type: [typeOf('game')],
    nullable: { list: true, items: false },
    listSize: sizeOf('gamesOfSeason'),
    description:
      'The team’s games of a season, by start time. Costs two calls side by side, home and away: `game/read`, or `game/getScores` where scores, predictions and current odds are wanted.',
    needs: { into: { link: 'games' } },
    args: { season: t.arg.int() },
    resolve: (row, args, context, info) => gamesOfSeason(row, args, context, info),
  }),
)
