import { builder } from '../graph/builder.ts'
import type { Handle } from '../graph/handle.ts'
import { defineLookup } from '../graph/roots.ts'
import type { ScopeArguments } from '../graph/scope.ts'
import { everyPart } from '../graph/id-scope.ts'
import { defineTable } from '../graph/table.ts'
import { coachStatRanking, statisticsRelation } from './stat-ranking.ts'
import type { DayArguments } from './stat-ranking.ts'
import { scopeAt } from './team.ts'

const coach = defineTable('coach', 'Coach', {
  description:
    'A coach: one row for all seasons and teams, and an object with an `id` of its own for each season and league that it is reached in. Names come free with a search; else they cost one read for all coaches of the query.',
  node: true,
  scoped: everyPart,
})

defineLookup('coach', 'coach')

builder.objectField(coach, 'stats', (t) =>
  t.field({
    type: coachStatRanking,
    nullable: true,
    description:
      'The coach’s statistics of a season: the current row, or the row of `date`. Costs one call for each coach.',
    args: { season: t.arg.int(), date: t.arg({ type: 'Date' }) },
    ...statisticsRelation(
      'coach_statistic_ranking',
      { into: { link: 'stats' } },
      (row: Handle, args: ScopeArguments & DayArguments, context) => ({
        owner: row.entry,
        scope: scopeAt(row, args, context),
        identity: { coach_id: row.entry.key },
        date: args.date,
      }),
    ),
  }),
)
