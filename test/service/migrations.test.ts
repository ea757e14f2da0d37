import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountTables } from '../../src/service/store/accounts.ts'
import type { Dialect } from '../../src/service/store/connection.ts'
import { openDatabase } from '../../src/service/store/database.ts'
import type { Database } from '../../src/service/store/database.ts'
import { migrationsOf } from '../../src/service/store/migrations.ts'
import type { Migrations } from '../../src/service/store/migrations.ts'
import { addColumns, createTable } from '../../src/service/store/migrations/definition.ts'
import { allTables, columnsOf } from '../../src/service/store/schema.ts'
import { DatabaseUnavailableError } from '../../src/service/store/unavailable.ts'
import { describeOnBoth } from './databases.ts'
import type { Provided } from './databases.ts'
import { fillLeague, id } from './league.ts'

/** The columns that a table has in the database, with their types. */
async function columnsIn(database: Database, table: string): Promise<Record<string, string>> {
  const query =
    database.dialect === 'sqlite'
      ? sql<Column>`select name, type from pragma_table_info(${table})`
      : sql<Column>`select column_name as name, data_type as type from information_schema.columns
          where table_name = ${table} and table_schema = current_schema()`
  const { rows: columns } = await query.execute(table in accountTables ? database.accounts : database.db)
  return Object.fromEntries(columns.map(({ name, type }) => [name, type.toLowerCase()]))
}

interface Column {
  name: string
  type: string
}

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

  test.each(allTables)('%s is as it is defined: a change of it needs a migration', async (table) => {
    expect(await columnsIn(database, table)).toEqual(columnsOf(table))
  })

  test.each(Object.entries(accountTables))('%s is as it is defined, too', async (table, columns) => {
    expect(await columnsIn(database, table)).toEqual(columns)
  })

  test('are all that there are', async () => {
    const known = new Set<string>([...allTables, ...Object.keys(accountTables)])
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
    expect(await columnsIn(fresh, 'game')).toEqual({
      ...columnsOf('game'),
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

/** This version without a migration. */
const without =
  (name: string) =>
  (dialect: Dialect): Migrations => {
    const { league: steps, accounts } = migrationsOf(dialect)
    return { league: Object.fromEntries(Object.entries(steps).filter(([step]) => step !== name)), accounts }
  }

/** This version with a migration that does something else. */
const changed =
  (name: string, up: (db: Parameters<typeof addColumns>[0], dialect: Dialect) => Promise<void>) =>
  (dialect: Dialect): Migrations => {
    const { league: steps, accounts } = migrationsOf(dialect)
    return { league: { ...steps, [name]: { up: (db) => up(db, dialect) } }, accounts }
  }

const names = '2026-11-25-season-names'

describeOnBoth('a database is not opened', (provide) => {
  test.each([
    ['no migration makes a table', without(names), 'makes the table season_name'],
    [
      'a migration makes a table without some of its columns',
      changed(names, (db, dialect) =>
        createTable(db, dialect, 'season_name', {
          columns: 'kind text, id text, season bigint, organization_id text',
          key: ['kind'],
        }),
      ),
      'makes the column division_id of the table season_name, the column facts of the table season_name',
    ],
    [
      'a migration fails',
      changed(names, (db, dialect) => addColumns(db, dialect, 'game', 'weather txt')),
      `the migration ${names} failed: No type of a column: weather txt`,
    ],
  ])('if %s, and the error names it', async (_what, migrations, reason) => {
    const provided = await provide()
    const opening = openDatabase(provided.location, provided.location, { migrations })
    await expect(opening).rejects.toThrow(DatabaseUnavailableError)
    await expect(opening).rejects.toThrow(reason)
    await provided.dispose()
  })
})
