import type { Kysely } from 'kysely'
import type { StatisticClass } from '../../specification/tables.ts'
import { rankDay } from '../league/rankday.ts'
import type { Schema } from '../store/schema.ts'
import type { Arguments, Context } from './operation.ts'
import { isIn } from './selection.ts'

/** Sees to it that the days asked for have their rows: of most classes only the latest day is kept ready. */
export async function withDays(context: Context, kind: StatisticClass, given: Arguments): Promise<void> {
  const dates = given.get('date_of_rank') ?? []
  if (dates.length === 0 || kind === 'statistic_ranking') return
  const days = new Set(dates.map((date) => String(date).slice(0, 10)))
  for (const season of await seasonsOf(context.db, given))
    for (const day of days) await rankDay(context.writer, kind, season, day)
}

/** The seasons that the other arguments leave to look at. */
function seasonsOf(db: Kysely<Schema>, given: Arguments) {
  let query = db.selectFrom('membership').select(['organization_id', 'division_id', 'season']).distinct()
  for (const column of ['organization_id', 'division_id', 'season'] as const) {
    const values = given.get(column)
    if (values) query = query.where(isIn(column, values))
  }
  return query.execute()
}
