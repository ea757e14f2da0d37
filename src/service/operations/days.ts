import type { Kysely } from 'kysely'
import type { StatisticClass } from '../../specification/tables.ts'
import { rankDay } from '../league/rank-day.ts'
import type { Schema } from '../store/schema.ts'
import type { Arguments, Context } from './operation.ts'
import { isIn } from './selection.ts'

/** Whether the request names days whose rows may have to be computed. Team rows exist for all days. */
export const needsDays = (kind: StatisticClass, given: Arguments): boolean =>
  kind !== 'statistic_ranking' && (given.get('date_of_rank')?.length ?? 0) > 0

/** Computes the rows of the requested days if they are missing: most classes have only the latest day. */
export async function withDays(context: Context, kind: StatisticClass, given: Arguments): Promise<void> {
  if (!needsDays(kind, given)) return
  const dates = given.get('date_of_rank') ?? []
  const days = new Set(dates.map((date) => String(date).slice(0, 10)))
  for (const season of await seasonsOf(context.db, given))
    for (const day of days) await rankDay(context.writer, kind, season, day)
}

/** The seasons that match the other arguments. */
function seasonsOf(db: Kysely<Schema>, given: Arguments) {
  let query = db.selectFrom('membership').select(['organization_id', 'division_id', 'season']).distinct()
  for (const column of ['organization_id', 'division_id', 'season'] as const) {
    const values = given.get(column)
    if (values) query = query.where(isIn(column, values))
  }
  return query.execute()
}
