import { Migrator, sql } from 'kysely'
import type { CreateTableBuilder, Kysely, Migration } from 'kysely'
import type { Dialect } from './connection.ts'
import { indexes } from './indexes.ts'
import { fillNameParts } from './nameparts.ts'
import { storedColumns, tableNames } from './schema.ts'
import type { Schema, SqlType } from './schema.ts'

type Columns = readonly (readonly [name: string, type: SqlType])[]

const internalTables: Readonly<Record<string, { columns: Columns; key: readonly string[] }>> = {
  membership: {
    columns: [
      ['team_id', 'text'],
      ['organization_id', 'text'],
      ['division_id', 'text'],
      ['season', 'bigint'],
      ['conference_id', 'text'],
    ],
    key: ['team_id', 'season', 'organization_id', 'division_id'],
  },
  coach_season: {
    columns: [
      ['coach_id', 'text'],
      ['team_id', 'text'],
      ['season', 'bigint'],
    ],
    key: ['coach_id', 'team_id', 'season'],
  },
  league: {
    columns: [
      ['organization_id', 'text'],
      ['division_id', 'text'],
      ['sport', 'text'],
      ['source', 'text'],
      ['fingerprint', 'text'],
      ['published_at', 'text'],
    ],
    key: ['organization_id', 'division_id'],
  },
  meta: {
    columns: [
      ['key', 'text'],
      ['value', 'text'],
    ],
    key: ['key'],
  },
}

const accountTables: typeof internalTables = {
  api_key: {
    columns: [
      ['api_key_id', 'text'],
      ['hash', 'text'],
      ['plan', 'text'],
      ['name', 'text'],
      ['sample', 'integer'],
      ['created_at', 'text'],
      ['revoked_at', 'text'],
    ],
    key: ['api_key_id'],
  },
  usage: {
    columns: [
      ['api_key_id', 'text'],
      ['month', 'text'],
      ['tokens', 'bigint'],
      ['bytes', 'bigint'],
      ['calls', 'bigint'],
    ],
    key: ['api_key_id', 'month'],
  },
}

// Text compares by code point on both sides: PostgreSQL would go by the locale of its host.
const typeFor = (dialect: Dialect, type: SqlType) =>
  dialect === 'postgres' && type === 'text' ? sql`text collate "C"` : sql.raw(type)

async function createTable(
  db: Kysely<unknown>,
  dialect: Dialect,
  name: string,
  columns: Columns,
  key: readonly string[],
) {
  let table: CreateTableBuilder<string, string> = db.schema.createTable(name)
  for (const [column, type] of columns) {
    table = table.addColumn(column, typeFor(dialect, type), (built) =>
      key.includes(column) ? built.notNull() : built,
    )
  }
  await table.addPrimaryKeyConstraint(`${name}_pkey`, [...key]).execute()
}

async function createIndexes(db: Kysely<unknown>) {
  for (const [table, lists] of Object.entries(indexes)) {
    for (const [nth, columns] of lists.entries()) {
      await db.schema
        .createIndex(`${table}_index_${nth + 1}`)
        .on(table)
        .columns([...columns])
        .execute()
    }
  }
}

const league = (dialect: Dialect): Migration => ({
  async up(db) {
    for (const table of tableNames)
      await createTable(db, dialect, table, storedColumns(table), [`${table}_id`])
    for (const [name, { columns, key }] of Object.entries(internalTables))
      await createTable(db, dialect, name, columns, key)
    await createIndexes(db)
  },
})

const rankedDays = (dialect: Dialect): Migration => ({
  async up(db) {
    const key = ['class', 'organization_id', 'division_id', 'season', 'day']
    const columns = key.map((name) => [name, name === 'season' ? 'bigint' : 'text'] as const)
    await createTable(db, dialect, 'ranked_day', columns, key)
    for (const table of tableNames.filter((name) => name.endsWith('_statistic_ranking')))
      await sql`insert into ranked_day
        select distinct ${sql.lit(table)}, organization_id, division_id, season, substr(date_of_rank, 1, 10)
        from ${sql.table(table)} where season is not null`.execute(db)
  },
})

const nameParts = (dialect: Dialect): Migration => ({
  async up(db) {
    const key = ['kind', 'part', 'id']
    await createTable(
      db,
      dialect,
      'name_part',
      key.map((name) => [name, 'text'] as const),
      key,
    )
    // The migrations before this one have made the tables that it looks at.
    await fillNameParts(db as unknown as Kysely<Schema>)
  },
})

const accounts = (dialect: Dialect): Migration => ({
  async up(db) {
    for (const [name, { columns, key }] of Object.entries(accountTables))
      await createTable(db, dialect, name, columns, key)
    await db.schema.createIndex('api_key_by_hash').on('api_key').column('hash').unique().execute()
  },
})

export type Part = 'league' | 'accounts'

/** What each part of the store has been through, oldest first. A new step is a new entry; the old ones stay. */
const steps = (dialect: Dialect): Readonly<Record<Part, Record<string, Migration>>> => ({
  league: {
    '2026-11-20-tables': league(dialect),
    '2026-11-21-ranked-days': rankedDays(dialect),
    '2026-11-22-name-parts': nameParts(dialect),
  },
  accounts: { '2026-11-20-accounts': accounts(dialect) },
})

const migratorOf = <S>(db: Kysely<S>, dialect: Dialect, part: Part) =>
  new Migrator({
    db,
    provider: { getMigrations: async () => steps(dialect)[part] },
    migrationTableName: `${part}_migration`,
    migrationLockTableName: `${part}_migration_lock`,
  })

/** Whether a part of the store is in the newest form; only reads. */
export async function isMigrated<S>(db: Kysely<S>, dialect: Dialect, part: Part): Promise<boolean> {
  const all = await migratorOf(db, dialect, part).getMigrations()
  return all.every(({ executedAt }) => executedAt !== undefined)
}

/** Brings a part of the store to the newest form. Several processes may ask at once: one works, the others wait. */
export async function migrate<S>(db: Kysely<S>, dialect: Dialect, part: Part): Promise<void> {
  const { error } = await migratorOf(db, dialect, part).migrateToLatest()
  if (error) throw error
}
