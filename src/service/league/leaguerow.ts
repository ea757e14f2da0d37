import type { Transaction } from 'kysely'
import type { League, Schema } from '../store/schema.ts'

/** Says where a league’s rows came from. A source that has not changed keeps its date of publication. */
export async function writeLeague(
  transaction: Transaction<Schema>,
  league: Omit<League, 'published_at'>,
): Promise<void> {
  const { organization_id, division_id, fingerprint } = league
  const before = await transaction
    .selectFrom('league')
    .select(['fingerprint', 'published_at'])
    .where('organization_id', '=', organization_id)
    .where('division_id', '=', division_id)
    .executeTakeFirst()
  const same = before && fingerprint !== null && before.fingerprint === fingerprint
  const published_at = same ? before.published_at : new Date().toISOString()
  await transaction
    .insertInto('league')
    .values({ ...league, published_at })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'division_id']).doUpdateSet({ ...league, published_at }),
    )
    .execute()
}
