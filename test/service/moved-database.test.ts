import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/service/store/database.ts'
import type { Database } from '../../src/service/store/database.ts'
import { defaultWaits } from '../../src/service/store/postgres.ts'
import { hasPostgres, postgres, withoutPostgres } from './databases.ts'

const pid = 'select pg_backend_pid() as pid'

/** The connection that answers the next request of a pool. */
async function ofPool(db: Kysely<never>): Promise<number | undefined> {
  const { rows } = await sql.raw<{ pid: number }>(pid).execute(db)
  return rows[0]?.pid
}

/** The connection that answers the next direct statement. */
async function ofDirect({ direct }: Database): Promise<number | undefined> {
  if (direct.dialect !== 'postgres') throw new Error('This is no PostgreSQL.')
  const [row] = await direct.send(pid, [])
  return Number(row?.[0])
}

const kinds = [
  ['requests', ({ reader }: Database) => ofPool(reader as unknown as Kysely<never>)],
  ['long work', ({ db }: Database) => ofPool(db as unknown as Kysely<never>)],
  ['direct statements', ofDirect],
] as const

describe.skipIf(!hasPostgres)(`a connection to PostgreSQL${withoutPostgres}`, () => {
  test('is used for at most two minutes', () => expect(defaultWaits.age).toBe(120_000))

  test.each(kinds)(
    'for %s is replaced when it is old, so that a name that moves is followed',
    async (_kind, next) => {
      const { location, dispose } = await postgres()
      for (const [age, isSame] of [
        [120_000, true],
        [1, false],
      ] as const) {
        const database = await openDatabase(location, location, { waits: { ...defaultWaits, age } })
        const first = await next(database)
        if (isSame) expect(await next(database)).toBe(first)
        else await expect.poll(() => next(database)).not.toBe(first)
        await database.close()
      }
      await dispose()
    },
  )

  test('answers what it was asked before it was old', async () => {
    const { location, dispose } = await postgres()
    const database = await openDatabase(location, location, { waits: { ...defaultWaits, age: 1 } })
    const { direct } = database
    if (direct.dialect !== 'postgres') throw new Error('This is no PostgreSQL.')
    const slow = direct.send("select 'slow' from pg_sleep(0.2)", [])
    await expect.poll(() => ofDirect(database)).toBeGreaterThan(0)
    expect(await slow).toEqual([['slow']])
    await database.close()
    await dispose()
  })
})
