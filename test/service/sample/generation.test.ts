import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Facts } from '../../../src/service/league/facts.ts'
import { dayOf } from '../../../src/service/sample/calendar.ts'
import { sampleLeagues } from '../../../src/service/sample/create.ts'
import { factsOf, retiredFacts } from '../../../src/service/sample/facts.ts'
import { GENERATION } from '../../../src/service/sample/meta.ts'
import { openDatabase } from '../../../src/service/store/database.ts'
import type { Database } from '../../../src/service/store/database.ts'
import { allTables, columnsOf, linedTables } from '../../../src/service/store/schema.ts'
import type { LinedTable, Table } from '../../../src/service/store/schema.ts'

const noon = Date.UTC(2026, 10, 20, 20)

/** Fingerprints for which released versions have stored another name. */
const released: Readonly<Record<string, string>> = { '3a10f75e7c6a': '3' }

let database: Database

beforeAll(async () => {
  database = await openDatabase(inject('sampleFolder'))
})
afterAll(() => database.close())

/** The columns of a table that have a value in some row. */
async function filledColumns(table: Table): Promise<string[]> {
  const names = Object.keys(columnsOf(table))
  const counts = sql.join(names.map((name) => sql`count(${sql.ref(name)}) as ${sql.ref(name)}`))
  const { rows } = await sql<Record<string, number>>`select ${counts} from ${sql.table(table)}`.execute(
    database.reader,
  )
  return names.filter((name) => rows[0]?.[name] !== 0).toSorted()
}

/** The statistics of a table's sport parts that have a value in some row; of rankings, in some current row. */
async function filledStatistics(table: LinedTable): Promise<string[]> {
  const rows = 'current' in columnsOf(table) ? sql`where current = 1` : sql``
  const found = await sql<{ key: string }>`select distinct part.key as key
    from (select line from ${sql.table(table)} ${rows}) as lines, json_each(lines.line) as part
    where part.value is not null order by part.key`.execute(database.reader)
  return found.rows.map(({ key }) => key)
}

/** What is computed from the facts is left out: its last digits may depend on the machine. */
const played = ({ league, opening: _opening, ...facts }: Facts) => ({ sport: league.rules.sport, ...facts })

const withoutNulls = (_name: string, value: unknown) => (value === null ? undefined : value)

/** The facts of a day, and the columns and statistics that the stored league has values for. */
async function fingerprint(): Promise<string> {
  const facts = sampleLeagues(dayOf(noon)).map((league) => factsOf(league, noon))
  const hash = createHash('sha256')
  for (const each of [...facts, retiredFacts()]) hash.update(JSON.stringify(played(each), withoutNulls))
  for (const table of allTables.toSorted())
    hash.update(`${table} ${(await filledColumns(table)).join(' ')}\n`)
  for (const table of linedTables.toSorted())
    hash.update(`${table} ${(await filledStatistics(table)).join(' ')}\n`)
  return hash.digest('hex').slice(0, 12)
}

test('the league of a seed and a day is the same on every machine, and another one has another generation', async () => {
  const found = await fingerprint()
  const name = released[found] ?? found
  expect(
    GENERATION,
    `The sample league stores other rows or columns than before: GENERATION in src/service/sample/meta.ts must be '${name}', so that stored leagues are created again`,
  ).toBe(name)
})

test.each(allTables)('the sample league has rows in %s', async (table) => {
  const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(database.reader)
  expect(rows).toHaveLength(1)
})
