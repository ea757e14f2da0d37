import type { Kysely } from 'kysely'
import type { Schema } from '../store/schema.ts'

/** The sport of each organization. */
export interface Sports {
  of(organizationIds: readonly string[]): Promise<ReadonlyMap<string, string>>
}

/** An organization never changes its sport, so all are read again only for an unknown organization. */
export function sportsOf(db: Kysely<Schema>): Sports {
  let known: ReadonlyMap<string, string> = new Map()
  return {
    async of(organizationIds) {
      if (!organizationIds.every((id) => known.has(id))) known = await readSports(db)
      return known
    },
  }
}

async function readSports(db: Kysely<Schema>): Promise<ReadonlyMap<string, string>> {
  const leagues = await db.selectFrom('league').select(['organization_id', 'sport']).execute()
  return new Map(leagues.map((league) => [league.organization_id, league.sport]))
}
