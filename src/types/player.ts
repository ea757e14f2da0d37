import type { GraphQLResolveInfo } from 'graphql'
import { builder } from '../graph/builder.ts'
import type { Context } from '../graph/builder.ts'
import { sizeOf } from '../graph/cost.ts'
import { facet, andThen } from '../graph/facet.ts'
import type { Asked } from '../graph/facet.ts'
import { handles } from '../graph/handle.ts'
import type { Handle, Soon } from '../graph/handle.ts'
import { parseId } from '../graph/ids.ts'
import { defineLookup } from '../graph/roots.ts'
import { requireScope } from '../graph/scope.ts'
import type { Scope } from '../graph/scope.ts'
import { defineTable } from '../graph/table.ts'
import { typeOf } from '../graph/types.ts'
import type { TableName } from '../specification/tables.ts'
import { answers } from '../loaders/answers.ts'
import type { AnswerAsk } from '../loaders/answers.ts'
import { playerStatRanking, statisticsOf } from './stat-ranking.ts'
import { scopeAt, team } from './team.ts'
import { argumentsOf, operations } from '../upstream/operations.ts'

export const player = defineTable('player', 'Player', {
  description: 'A player, the same through all seasons and teams.',
  node: true,
})

defineLookup('player', 'player', 'players')

/** Rows that one call brings for one row, as the list that the service answers with. */
function listOf(
  row: Handle,
  table: TableName,
  ask: Omit<Asked<AnswerAsk>, 'entry' | 'what' | 'facet'>,
  scope: Scope,
  context: Context,
  info: GraphQLResolveInfo,
): Soon<Handle[] | null> {
  const name = `${ask.operation.function} ${JSON.stringify(ask.arguments)}`
  const asked = { ...ask, entry: row.entry, facet: name, what: name }
  const from = { source: answers, ask: asked, operation: `${ask.operation.class}/${ask.operation.function}` }
  return andThen(
    facet<AnswerAsk, readonly string[]>(row.entry, name, from, context, info),
    (keys) => keys && handles(context.client, table, keys, scope),
  )
}

builder.objectField(team, 'roster', (t) =>
  t.field({
    type: [player],
    nullable: { list: true, items: false },
    listSize: sizeOf('players'),
    description:
      'The team’s players in a season. Costs one call for each team; the players’ colleges and drafts cost one more read for all of them.',
    needs: { into: { link: 'roster' } },
    args: { season: t.arg.int() },
    resolve: (row, args, context, info) => {
      const scope = requireScope(scopeAt(row, args, context), 'organization_id', 'season')
      const { organization_id, season } = scope
      const values = { organization_id, team_id: row.entry.key, season }
      return listOf(
        row,
        'player',
        { operation: operations.getPlayers, arguments: values },
        scope,
        context,
        info,
      )
    },
  }),
)

builder.objectFields(player, (t) => ({
  seasons: t.field({
    type: [typeOf('player_team_season')],
    nullable: { list: true, items: false },
    listSize: sizeOf('seasons'),
    description:
      'The seasons that the player has played, with the team of each. Costs one call for each player.',
    needs: { into: { link: 'seasons' } },
    resolve: (row, _args, context, info) => {
      const ask = { operation: operations.getSeasons, arguments: { player_id: row.entry.key } }
      return listOf(row, 'player_team_season', ask, row.scope, context, info)
    },
  }),
  gameLog: t.field({
    type: [typeOf('player_boxscore')],
    nullable: { list: true, items: false },
    listSize: sizeOf('gamesOfSeason'),
    description:
      'The player’s boxscores of a season, each with its game and both teams. Costs one call for each player.',
    needs: { into: { link: 'gameLog' } },
    args: { season: t.arg.int() },
    resolve: (row, args, context, info) => {
      const scope = requireScope(scopeAt(row, args, context), 'organization_id', 'division_id', 'season')
      const { organization_id, division_id, season } = scope
      const values = { organization_id, division_id, player_id: row.entry.key, season }
      const ask = { operation: operations.getGameLogs, arguments: values }
      return listOf(row, 'player_boxscore', ask, scope, context, info)
    },
  }),
  stats: t.field({
    type: playerStatRanking,
    nullable: true,
    description:
      'The player’s statistics of a season: the current row, or that of a day; of one team, where the player had several. Costs one call for each player.',
    needs: { into: { link: 'stats' } },
    args: { season: t.arg.int(), teamId: t.arg.id(), date: t.arg({ type: 'Date' }) },
    resolve: (row, args, context, info) => {
      const team_id = args.teamId == null ? null : parseId(String(args.teamId), 'team')
      const identity = argumentsOf({ player_id: row.entry.key, team_id })
      const scope = scopeAt(row, args, context)
      return statisticsOf(
        'player_statistic_ranking',
        row.entry,
        scope,
        { identity, date: args.date },
        context,
        info,
      )
    },
  }),
  careerStats: t.field({
    type: playerStatRanking,
    nullable: true,
    description:
      'The player’s career totals; with `active: true` only where the player is still active. Costs one call for each player.',
    needs: { into: { link: 'careerStats' } },
    args: { active: t.arg.boolean() },
    resolve: (row, { active }, context, info) => {
      const scope = scopeAt(row, {}, context)
      const which = { identity: { player_id: row.entry.key }, career: true, active }
      return statisticsOf('player_statistic_ranking', row.entry, scope, which, context, info)
    },
  }),
}))
