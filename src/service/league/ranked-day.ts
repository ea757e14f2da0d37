import type { Kysely, Transaction } from 'kysely'
import type { StatisticClass } from '../../specification/tables.ts'
import type { Schema } from '../store/schema.ts'
import type { LeagueKey, SeasonKey } from './league-key.ts'

/** Whether a class's rows of a day are complete; there may be none. @param day `YYYY-MM-DD` */
export async function isRanked(
  db: Kysely<Schema>,
  kind: StatisticClass,
  key: SeasonKey,
  day: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('ranked_day')
    .select('day')
    .where('class', '=', kind)
    .where('organization_id', '=', key.organization_id)
    .where('division_id', '=', key.division_id)
    .where('season', '=', key.season)
    .where('day', '=', day)
    .executeTakeFirst()
  return row !== undefined
}

/** Marks a class's rows of a day as complete. @param day `YYYY-MM-DD` */
export async function markRanked(
  transaction: Transaction<Schema>,
  kind: StatisticClass,
  { organization_id, division_id, season }: SeasonKey,
  day: string,
): Promise<void> {
  await transaction
    .insertInto('ranked_day')
    .values({ class: kind, organization_id, division_id, season, day })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Removes the marks of a league, or of one season from a day on; for all or some classes. */
export async function forgetRanked(
  transaction: Transaction<Schema>,
  league: LeagueKey & { readonly season?: number },
  from = '',
  kinds: readonly StatisticClass[] = [],
): Promise<void> {
  let query = transaction
    .deleteFrom('ranked_day')
    .where('organization_id', '=', league.organization_id)
    .where('division_id', '=', league.division_id)
    .where('day', '>=', from)
  if (kinds.length > 0) query = query.where('class', 'in', kinds)
  if (league.season !== undefined) query = query.where('season', '=', league.season)
  await query.execute()
}
