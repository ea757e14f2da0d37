import { Migrator } from 'kysely'
import type { Kysely, Migration } from 'kysely'
import { isPassing } from './connection.ts'
import type { Dialect } from './connection.ts'
import { accounts } from './migrations/2026-11-20-accounts.ts'
import { tables } from './migrations/2026-11-20-tables.ts'
import { rankedDays } from './migrations/2026-11-21-ranked-days.ts'
import { nameParts } from './migrations/2026-11-22-name-parts.ts'
import { seasonNames } from './migrations/2026-11-25-season-names.ts'

export type Part = 'league' | 'accounts'

/** The migrations of each part of the database by name, oldest first. */
export type Migrations = Readonly<Record<Part, Readonly<Record<string, Migration>>>>

/**
 * Every migration is frozen as it was released, whatever the tables look like today. A change of a table is a
 * new migration at the end (docs/decisions/service-store.md).
 */
export const migrationsOf = (dialect: Dialect): Migrations => ({
  league: {
    '2026-11-20-tables': tables(dialect),
    '2026-11-21-ranked-days': rankedDays(dialect),
    '2026-11-22-name-parts': nameParts(dialect),
    '2026-11-25-season-names': seasonNames(dialect),
  },
  accounts: { '2026-11-20-accounts': accounts(dialect) },
})

const migratorOf = <S>(db: Kysely<S>, part: Part, migrations: Migrations) =>
  new Migrator({
    db,
    provider: { getMigrations: async () => migrations[part] },
    migrationTableName: `${part}_migration`,
    migrationLockTableName: `${part}_migration_lock`,
  })

/** Whether a part of the database has all migrations; only reads. */
export async function isMigrated<S>(db: Kysely<S>, part: Part, migrations: Migrations): Promise<boolean> {
  const all = await migratorOf(db, part, migrations).getMigrations()
  return all.every(({ executedAt }) => executedAt !== undefined)
}

/**
 * Migrates a part of the database. Of several processes, one works and the others wait. Throws what a migration
 * throws, with its name in the message.
 */
export async function migrate<S>(db: Kysely<S>, part: Part, migrations: Migrations): Promise<void> {
  const { error, results = [] } = await migratorOf(db, part, migrations).migrateToLatest()
  if (!error) return
  const failed = results.find(({ status }) => status === 'Error')
  // A database that is away is recognized by its message.
  if (failed && error instanceof Error && !isPassing(error))
    error.message = `the migration ${failed.migrationName} failed: ${error.message}`
  throw error
}
