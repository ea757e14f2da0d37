import { builder } from '../graph/builder.ts'
import { defineLookup } from '../graph/roots.ts'
import { defineTable } from '../graph/table.ts'
import { coachStatRanking, statisticsOf } from './stat-ranking.ts'
import { scopeAt } from './team.ts'

const coach = defineTable('coach', 'Coach', {
  description: 'A coach.',
  node: true,
})

defineLookup('coach', 'coach')

builder.objectField(coach, 'stats', (t) =>
  t.field({
    type: coachStatRanking,
    nullable: true,
    description:
      'The coach’s statistics of a season: the current row, or that of a day. Costs one call for each coach.',
    needs: { into: { link: 'stats' } },
    args: { season: t.arg.int(), date: t.arg({ type: 'Date' }) },
    resolve: (row, args, context, info) =>
      statisticsOf(
        'coach_statistic_ranking',
        row.entry,
        scopeAt(row, args, context),
        { identity: { coach_id: row.entry.key }, date: args.date },
        context,
        info,
      ),
  }),
)
