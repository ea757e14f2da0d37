import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Kind } from '../../src/specification/columns.ts'
import type { TableName } from '../../src/specification/tables.ts'
import type { AccountSchema } from '../../src/service/store/accounts.ts'
import type { Dialect } from '../../src/service/store/connection.ts'
import { openDatabase } from '../../src/service/store/database.ts'
import type { Database } from '../../src/service/store/database.ts'
import { migrationsOf } from '../../src/service/store/migrations.ts'
import type { Migrations } from '../../src/service/store/migrations.ts'
import { addColumns } from '../../src/service/store/migrations/definition.ts'
import { linedTables, namedTables, filterColumns, tableNames } from '../../src/service/store/schema.ts'
import type { Schema } from '../../src/service/store/schema.ts'
import { describeOnBoth } from './databases.ts'
import type { Provided } from './databases.ts'
import { fillLeague, id, league } from './league.ts'

const sqlTypes: Readonly<Record<Kind, string>> = {
  key: 'text',
  text: 'text',
  timestamp: 'text',
  day: 'text',
  flag: 'integer',
  integer: 'bigint',
  number: 'double precision',
}

/** The columns that a specified table is to have, by today's definitions. */
function definedColumns(table: TableName): Record<string, string> {
  const columns = Object.fromEntries(filterColumns(table).map(([name, kind]) => [name, sqlTypes[kind]]))
  if (linedTables.some((lined) => lined === table)) columns['line'] = 'text'
  if (namedTables.some((named) => named === table)) columns['folded'] = 'text'
  return columns
}

type Internal = Omit<Schema, TableName> & AccountSchema

const { organization_id, division_id } = league
const place = { organization_id, division_id }

/**
 * A row of each of the service's own tables. If a type gets a new column, this does not compile without it.
 */
const rows: { readonly [T in keyof Internal]: Internal[T] } = {
  membership: { ...place, season: 2026, team_id: 't', conference_id: null },
  coach_season: { coach_id: 'c', team_id: 't', season: 2026 },
  league: { ...place, sport: 'basketball', source: 's', fingerprint: null, published_at: '2026-01-01' },
  ranked_day: { class: 'statistic_ranking', ...place, season: 2026, day: '2026-01-01' },
  name_part: { kind: 'team', part: 'ant', id: 't' },
  season_name: { kind: 'team', id: 't', season: 2026, ...place, facts: '{}' },
  meta: { key: 'k', value: 'v' },
  api_key: {
    api_key_id: 'k',
    hash: 'h',
    plan: 'paid',
    name: null,
    sample: 0,
    created_at: '2026-01-01',
    revoked_at: null,
  },
  usage: { api_key_id: 'k', month: '2026-01', tokens: 1, bytes: 1, calls: 1 },
}

/** The columns that a table has in the database, with their types. */
async function storedColumns(database: Database, table: string): Promise<Record<string, string>> {
  const query =
    database.dialect === 'sqlite'
      ? sql<Column>`select name, type from pragma_table_info(${table})`
      : sql<Column>`select column_name as name, data_type as type from information_schema.columns
          where table_name = ${table} and table_schema = current_schema()`
  const { rows: columns } = await query.execute(table in accounts ? database.accounts : database.db)
  return Object.fromEntries(columns.map(({ name, type }) => [name, type.toLowerCase()]))
}

interface Column {
  name: string
  type: string
}

const accounts: Partial<Internal> = { api_key: rows.api_key, usage: rows.usage }

describeOnBoth('the tables that the migrations make', (provide) => {
  let provided: Provided
  let database: Database

  beforeAll(async () => {
    provided = await provide()
    database = await openDatabase(provided.location)
  })
  afterAll(async () => {
    await database.close()
    await provided.dispose()
  })

  test.each(tableNames)('%s is as it is defined: a change of it needs a migration', async (table) => {
    expect(await storedColumns(database, table)).toEqual(definedColumns(table))
  })

  test.each(Object.entries(rows))('%s has the columns of its type', async (table, row) => {
    expect(Object.keys(await storedColumns(database, table)).toSorted()).toEqual(Object.keys(row).toSorted())
  })

  test('are all that there are', async () => {
    const known = new Set<string>([...tableNames, ...Object.keys(rows)])
    const tables = await database.db.introspection.getTables()
    expect(
      tables.map(({ name }) => name).filter((name) => !known.has(name) && !/_migration(_lock)?$/.test(name)),
    ).toEqual([])
  })
})

/** A later version, which has one more column. */
const later = (dialect: Dialect): Migrations => {
  const { league: steps, accounts: others } = migrationsOf(dialect)
  const weather = {
    up: (db: Parameters<typeof addColumns>[0]) =>
      addColumns(db, dialect, 'game', 'weather text, wind bigint'),
  }
  return { league: { ...steps, '2027-01-01-weather': weather }, accounts: others }
}

describeOnBoth('a column that is added', (provide) => {
  const wind = sql<{ wind: number | null }>`select wind from game where game_id = ${id('opener')}`
  const openLater = ({ location }: Provided) => openDatabase(location, location, { migrations: later })

  test('reaches a database that an earlier version has written, and keeps its rows', async () => {
    const provided = await provide()
    const earlier = await openDatabase(provided.location)
    await fillLeague(earlier)
    const games = await earlier.db.selectFrom('game').selectAll().orderBy('game_id').execute()
    await earlier.close()
    for (const found of [null, 12]) {
      const opened = await openLater(provided)
      expect((await wind.execute(opened.db)).rows).toEqual([{ wind: found }])
      await sql`update game set wind = 12`.execute(opened.db)
      const kept = await opened.db.selectFrom('game').selectAll().orderBy('game_id').execute()
      expect(kept).toMatchObject(games)
      await opened.close()
    }
    await provided.dispose()
  })

  test('is the same in a new database, which the earlier version still opens', async () => {
    const provided = await provide()
    const fresh = await openLater(provided)
    expect(await storedColumns(fresh, 'game')).toEqual({
      ...definedColumns('game'),
      weather: 'text',
      wind: 'bigint',
    })
    await fresh.close()
    const earlier = await openDatabase(provided.location)
    await fillLeague(earlier)
    expect((await wind.execute(earlier.db)).rows).toEqual([{ wind: null }])
    await earlier.close()
    await provided.dispose()
  })
})
