import type { Kysely, Transaction } from 'kysely'
import type { StatisticClass } from '../../specification/tables.ts'
import type { Schema } from '../store/schema.ts'
import type { LeagueKey } from './clear.ts'
import type { SeasonKey } from './stored.ts'

/** Whether a class has all the rows that it will ever have of a day, which may be none. @param day `YYYY-MM-DD` */
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

/** Remembers that a class has its rows of a day. @param day `YYYY-MM-DD` */
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

/** Forgets the days of a league, or those of one of its seasons from a day on; of all classes, or of some. */
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
