import type { Kysely } from 'kysely'
import { leagueOfKey, usualLeague } from '../leagues/leagues.ts'
import type { LeagueRules, Sport } from '../numbers/rules.ts'
import type { Schema } from '../store/schema.ts'
import type { LeagueKey } from './league-key.ts'

const metaKey = ({ organization_id, division_id }: LeagueKey) => `rules ${organization_id} ${division_id}`

/** Stores which constants a league uses: the key of its file in `leagues/`. */
export async function keepRules(db: Kysely<Schema>, league: LeagueKey, value: string): Promise<void> {
  await db
    .insertInto('meta')
    .values({ key: metaKey(league), value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

/** The rules of a published league; null if there is none, or if this service does not compute its sport. */
export async function storedRules(db: Kysely<Schema>, league: LeagueKey): Promise<LeagueRules | null> {
  const row = await db
    .selectFrom('league')
    .select('sport')
    .where('organization_id', '=', league.organization_id)
    .where('division_id', '=', league.division_id)
    .executeTakeFirst()
  if (!row || !isSport(row.sport)) return null
  const kept = await db
    .selectFrom('meta')
    .select('value')
    .where('key', '=', metaKey(league))
    .executeTakeFirst()
  // A league published by an earlier version uses its sport's default rules.
  return (leagueOfKey(kept?.value ?? '') ?? usualLeague[row.sport]).rules
}

const isSport = (name: string): name is Sport => Object.hasOwn(usualLeague, name)
