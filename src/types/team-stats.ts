import { builder } from '../graph/builder.ts'
import { handle, scopeFrom } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import { andThen } from '../loading/maybe-promise.ts'
import { scopeWith } from '../graph/scope.ts'
import type { ScopeArguments } from '../graph/scope.ts'
import { typedRow } from '../graph/typed-row.ts'
import { side } from './boxscore.ts'
import type { SideColumn } from './boxscore.ts'
import { game } from './game.ts'
import { league } from './league.ts'
import type { League } from './league.ts'
import {
  leaguePlayerStatRanking,
  leagueStatRanking,
  statisticsRelation,
  teamStatRanking,
} from './stat-ranking.ts'
import type { DayArguments } from './stat-ranking.ts'
import { scopeAt, team } from './team.ts'

builder.objectField(team, 'stats', (t) =>
  t.field({
    type: teamStatRanking,
    nullable: true,
    description:
      'The team’s statistics of a season with their ranks: the current row, or the row of `date`; null if there is none. Costs one call for each team.',
    args: { season: t.arg.int(), date: t.arg({ type: 'Date' }) },
    ...statisticsRelation(
      'statistic_ranking',
      { into: { link: 'stats' } },
      (row: Handle, args: ScopeArguments & DayArguments, context) => ({
        owner: row.entry,
        scope: scopeAt(row, args, context),
        identity: { team_id: row.entry.key },
        date: args.date,
      }),
    ),
  }),
)

builder.objectField(game, 'stats', (t) =>
  t.field({
    type: teamStatRanking,
    nullable: true,
    description:
      'One team’s statistics as of the game: once the game’s day is over, the row of that day, which covers the game; else the current row. Null if there is none. Costs one call for each team.',
    args: { side: t.arg({ type: side, required: true }) },
    ...statisticsRelation(
      'statistic_ranking',
      { columns: ['home_team_id', 'away_team_id', 'start_date'], into: { link: 'stats' } },
      (row: Handle, args: { readonly side: SideColumn }, context) =>
        andThen(typedRow('game', row, [args.side, 'start_date'], context, 'Game.stats'), (known) => {
          const team_id = known[args.side]
          if (team_id === null) return null
          const { clientRequest: request, defaults } = context
          const scope = scopeFrom(row, request)
          const day = known.start_date?.slice(0, 10) ?? null
          return {
            owner: handle(request, 'team', team_id, scope).entry,
            scope: scopeWith({}, scope, defaults),
            identity: { team_id },
            date: day !== null && day < request.today() ? day : null,
          }
        }),
    ),
  }),
)

const baselines = {
  averages: { table: 'league_statistic_ranking', type: leagueStatRanking, of: 'teams' },
  playerAverages: { table: 'league_player_statistic_ranking', type: leaguePlayerStatRanking, of: 'players' },
} as const

for (const [name, { table, type, of }] of Object.entries(baselines)) {
  builder.objectField(league, name, (t) =>
    t.field({
      type,
      nullable: true,
      description: `The averages of all ${of} of the division in a season: the current row, or the row of \`date\`. Costs one call.`,
      args: { season: t.arg.int(), date: t.arg({ type: 'Date' }) },
      ...statisticsRelation(
        table,
        {},
        ({ scope, entry }: League, { date, ...args }: DayArguments & ScopeArguments) => ({
          owner: entry,
          scope: scopeWith(args, scope, {}),
          identity: {},
          date,
        }),
      ),
    }),
  )
}
