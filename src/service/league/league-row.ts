import type { Transaction } from 'kysely'
import type { League } from '../store/own-tables.ts'
import type { Schema } from '../store/schema.ts'

type Fingerprints = Record<string, string>

/**
 * Says where a league’s rows came from, season by season. A source that has not changed keeps the league’s
 * date of publication.
 *
 * @param fingerprint the state of the source of `seasons`; null if changes are not checked
 */
export async function writeLeague(
  transaction: Transaction<Schema>,
  league: Omit<League, 'published_at' | 'fingerprint'>,
  fingerprint: string | null,
  { seasons, others }: { readonly seasons: readonly number[]; readonly others: readonly number[] },
): Promise<void> {
  const before = await transaction
    .selectFrom('league')
    .select(['fingerprint', 'published_at'])
    .where('organization_id', '=', league.organization_id)
    .where('division_id', '=', league.division_id)
    .executeTakeFirst()
  const known = fingerprintsOf(before?.fingerprint ?? null)
  const kept: Fingerprints = {}
  for (const season of others) if (known[season] !== undefined) kept[season] = known[season]
  if (fingerprint !== null) for (const season of seasons) kept[season] = fingerprint
  // Integer keys are printed in ascending order.
  const text = fingerprint === null ? null : JSON.stringify(kept)
  const same = before && text !== null && before.fingerprint === text
  const published_at = same ? before.published_at : new Date().toISOString()
  const row = { ...league, fingerprint: text, published_at }
  await transaction
    .insertInto('league')
    .values(row)
    .onConflict((conflict) => conflict.columns(['organization_id', 'division_id']).doUpdateSet(row))
    .execute()
}

/** For each season; none if an earlier version of this service stored one for the whole league. */
function fingerprintsOf(text: string | null): Fingerprints {
  return text?.startsWith('{') ? (JSON.parse(text) as Fingerprints) : {} // written by this service
}
