import { builder } from '../graph/builder.ts'
import { league } from './league.ts'
import { leaguePlayerStatRanking, leagueStatRanking, statisticsOf, teamStatRanking } from './stat-ranking.ts'
import { scopeAt, team } from './team.ts'

builder.objectField(team, 'stats', (t) =>
  t.field({
    type: teamStatRanking,
    nullable: true,
    description:
      'The team’s statistics of a season with their ranks: the current row, or that of a day. Costs one call for each team; null where there is no row.',
    needs: { into: { link: 'stats' } },
    args: { season: t.arg.int(), date: t.arg({ type: 'Date' }) },
    resolve: (row, args, context, info) =>
      statisticsOf(
        'statistic_ranking',
        row.entry,
        scopeAt(row, args, context),
        { identity: { team_id: row.entry.key }, date: args.date },
        context,
        info,
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
      description: `The averages of all the division’s ${of} in a season: the current row, or that of a day. Costs one call.`,
      args: { season: t.arg.int({ required: true }), date: t.arg({ type: 'Date' }) },
      resolve: ({ scope, entry }, { season, date }, context, info) =>
        statisticsOf(table, entry, { ...scope, season }, { identity: {}, date }, context, info),
    }),
  )
}
