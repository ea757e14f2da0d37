import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importSeason } from '../../src/service/importing.ts'
import { serve, WrongSourceError } from '../../src/service/serve.ts'
import { isPassing } from '../../src/service/store/connection.ts'
import { openDatabase } from '../../src/service/store/database.ts'
import { sourceOf } from '../../src/service/store/source.ts'
import { clientOf } from './client.ts'
import { hasPostgres, postgres, withoutPostgres } from './databases.ts'
import type { Provided } from './databases.ts'

const read = async (url: string) => (await clientOf(url, 'sample-paid').get('organization/read')).body

describe.skipIf(!hasPostgres)(`one PostgreSQL for everything${withoutPostgres}`, () => {
  let provided: Provided
  let dataDir: string
  const settings = () => ({ host: '127.0.0.1', port: 0, dataDir, databaseUrl: provided.location })

  beforeAll(async () => {
    provided = await postgres()
    dataDir = mkdtempSync(join(tmpdir(), 'statline-'))
  })
  afterAll(async () => {
    await provided.dispose()
    rmSync(dataDir, { recursive: true, force: true })
  })

  test('two processes that start at once on an empty one serve the same sample league', async () => {
    const [one, other] = await Promise.all([serve(settings()), serve(settings())])
    expect(Object.keys(await read(one.url))).toHaveLength(3)
    expect(await read(other.url)).toEqual(await read(one.url))
    await Promise.all([one.close(), other.close()])
  })

  test('a connection that the server drops in the middle of a transaction is replaced', async () => {
    const database = await openDatabase(provided.location)
    const dropped = database.db.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction)
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(database.db)
      await setTimeout(100)
      await sql`select 1`.execute(transaction)
    })
    expect(isPassing(await dropped.catch((error: unknown) => error))).toBe(true)
    expect(await sourceOf(database)).toBe('sample')
    await database.close()
  })

  test('an import into one that holds the sample league is refused', async () => {
    const importing = importSeason('ncaa-hoops', dataDir, settings(), new AbortController().signal)
    await expect(importing).rejects.toThrow(WrongSourceError)
    await expect(importing).rejects.toThrow(
      'The database holds the sample league: import into one of its own.',
    )
  })
})
