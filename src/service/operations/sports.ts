import type { Kysely } from 'kysely'
import type { Schema } from '../store/schema.ts'

/** Which sport each organization is of. */
export interface Sports {
  of(organizationIds: readonly string[]): Promise<ReadonlyMap<string, string>>
}

/** An organization keeps its sport: all are read again only where one is asked for that was not there. */
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
