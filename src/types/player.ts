import { builder } from '../graph/builder.ts'
import { sizeOf } from '../graph/cost.ts'
import { handles } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import { parseId } from '../graph/ids.ts'
import { andThen } from '../loading/maybe-promise.ts'
import { relation } from '../graph/relation.ts'
import { failRows } from '../loading/row-loader.ts'
import { defineLookup } from '../graph/roots.ts'
import type { ScopeArguments } from '../graph/scope.ts'
import { everyPart } from '../graph/id-scope.ts'
import { defineTable } from '../graph/table.ts'
import { typeOf } from '../graph/types.ts'
import { answerAt, answers } from '../loaders/answers.ts'
import { argumentsOf } from '../specification/operation.ts'
import { operations } from '../specification/operations.ts'
import { playerStatRanking, statisticsRelation } from './stat-ranking.ts'
import type { DayArguments } from './stat-ranking.ts'
import { inSeason } from './season.ts'
import { scopeAt, team } from './team.ts'

export const player = defineTable('player', 'Player', {
  description:
    'A player, as it is reached: one row for all seasons and teams, and an object with an `id` of its own for each season and league that it is reached in. Names come free with rosters, boxscores and searches; other columns cost one read for all players of the query. Fields with an argument `season` show that season. Without it, they show the season of the game or roster above, or else the current one.',
  node: true,
  scoped: everyPart,
})

defineLookup('player', 'player', 'players')

builder.objectField(team, 'roster', (t) =>
  t.field({
    type: [player],
    nullable: { list: true, items: false },
    listSize: sizeOf('players'),
    description:
      'The team’s players in a season. Costs one call for each team; the players’ college and draft columns cost one more read for all players.',
    args: { season: t.arg.int() },
    ...relation({
      needs: { into: { link: 'roster' } },
      loader: answers,
      operation: operations.getPlayers,
      place: (row: Handle, args: ScopeArguments, context) =>
        andThen(inSeason(scopeAt(row, args, context), context, 'Team.roster', 'organization_id'), (scope) => {
          const { organization_id, season } = scope
          const values = { organization_id, team_id: row.entry.key, season }
          return answerAt(row.entry, { operation: operations.getPlayers, arguments: values }, scope)
        }),
      answer: (keys, { scope }, { clientRequest: request }) =>
        keys && handles(request, 'player', keys, scope),
    }),
  }),
)

builder.objectFields(player, (t) => ({
  seasons: t.field({
    type: [typeOf('player_team_season')],
    nullable: { list: true, items: false },
    listSize: sizeOf('seasons'),
    description: 'The player’s seasons, each with its team. Costs one call for each player.',
    ...relation({
      needs: { into: { link: 'seasons' } },
      loader: answers,
      operation: operations.getSeasons,
      place: ({ entry, scope }: Handle) =>
        answerAt(entry, { operation: operations.getSeasons, arguments: { player_id: entry.key } }, scope),
      answer: (keys, { scope }, { clientRequest: request }) =>
        keys && handles(request, 'player_team_season', keys, scope),
    }),
  }),
  gameLog: t.field({
    type: [typeOf('player_boxscore')],
    nullable: { list: true, items: false },
    listSize: sizeOf('gamesOfSeason'),
    description:
      'The player’s boxscores of a season, by start time, each with its game and both teams. Costs one call for each player.',
    args: { season: t.arg.int() },
    ...relation({
      needs: { into: { link: 'gameLog' } },
      loader: answers,
      operation: operations.getGameLogs,
      expired: (keys, request, error) => failRows(request, 'player_boxscore', keys, error),
      place: (row: Handle, args: ScopeArguments, context) =>
        andThen(
          inSeason(scopeAt(row, args, context), context, 'Player.gameLog', 'organization_id', 'division_id'),
          (scope) => {
            const { organization_id, division_id, season } = scope
            const values = { organization_id, division_id, player_id: row.entry.key, season }
            return answerAt(row.entry, { operation: operations.getGameLogs, arguments: values }, scope)
          },
        ),
      answer: (keys, { scope }, { clientRequest: request }) =>
        keys && handles(request, 'player_boxscore', keys, scope),
    }),
  }),
  stats: t.field({
    type: playerStatRanking,
    nullable: true,
    description:
      'The player’s statistics of a season: the current row, or the row of `date`. `teamId` selects one of several teams. Costs one call for each player.',
    args: { season: t.arg.int(), teamId: t.arg.id(), date: t.arg({ type: 'Date' }) },
    ...statisticsRelation(
      'player_statistic_ranking',
      { into: { link: 'stats' } },
      (row: Handle, { teamId, date, ...args }: ScopeArguments & DayArguments & TeamArgument, context) => {
        const team_id = teamId == null ? null : parseId(String(teamId), 'team')
        const identity = argumentsOf({ player_id: row.entry.key, team_id })
        return { owner: row.entry, scope: scopeAt(row, args, context), identity, date }
      },
    ),
  }),
  careerStats: t.field({
    type: playerStatRanking,
    nullable: true,
    description:
      'The player’s statistics over all seasons. With `active: true` null if the player is no longer active; `active: false` changes nothing. Costs one call for each player.',
    args: { active: t.arg.boolean() },
    ...statisticsRelation(
      'player_statistic_ranking',
      { into: { link: 'careerStats' } },
      (row: Handle, { active }: { readonly active?: boolean | null | undefined }, context) => ({
        owner: row.entry,
        scope: scopeAt(row, {}, context),
        identity: { player_id: row.entry.key },
        career: true,
        active,
      }),
    ),
  }),
}))

interface TeamArgument {
  readonly teamId?: string | number | null | undefined
}
