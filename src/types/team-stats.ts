import { builder } from '../graph/builder.ts'
import type { Handle } from '../graph/handle.ts'
import { scopeWith } from '../graph/scope.ts'
import type { ScopeArguments } from '../graph/scope.ts'
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
