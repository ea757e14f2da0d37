import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { publish } from '../../src/service/league/publish.ts'
import { openDatabase } from '../../src/service/store/database.ts'
import { describeOnBoth } from './databases.ts'
import { smallFacts } from './league/small-league.ts'

/** What the first version of the store did not have yet. */
const sinceThen = [
  sql`drop table ranked_day`,
  sql`drop table name_part`,
  sql`drop table season_name`,
  sql`delete from league_migration where name > '2026-11-20-tables'`,
]

describeOnBoth('a database of an earlier version', (provide) => {
  test('is brought up to date as it is opened: its days count as ranked, and its names are found', async () => {
    const provided = await provide()
    const earlier = await openDatabase(provided.location)
    await publish(earlier, smallFacts(), { source: 'test' })
    const contents = async ({ db }: typeof earlier) => ({
      days: await db.selectFrom('ranked_day').selectAll().orderBy('class').orderBy('day').execute(),
      parts: await db.selectFrom('name_part').selectAll().orderBy('part').orderBy('id').execute(),
    })
    const before = await contents(earlier)
    for (const step of sinceThen) await step.execute(earlier.db)
    await earlier.close()
    const opened = await openDatabase(provided.location)
    const after = await contents(opened)
    expect(after).toEqual(before)
    expect(new Set(after.days.map((row) => row.class)).size).toBe(6)
    expect(after.parts.map((row) => row.part)).toContain('ants')
    await opened.close()
    await provided.dispose()
  })
})
