import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/service/store/database.ts'
import { sourceOf } from '../../src/service/store/source.ts'
import { clientOf, codeOf } from './client.ts'
import { describeOnBoth } from './databases.ts'
import type { Provided } from './databases.ts'
import { startProcess } from './process.ts'

const season = resolve(import.meta.dirname, '../../../shared/data/ncaa-mbb-2026')
const hasSeason = existsSync(season)
const withoutSeason = hasSeason ? '' : ' (skipped: the public data is not there)'

const CLIENTS = 8

/** The transactions of a PostgreSQL that insert rows. */
async function inserting(url: string): Promise<number> {
  const client = new Client(url)
  await client.connect()
  const { rows } = await client.query(
    `select 1 from pg_stat_activity where datname = current_database() and xact_start is not null
      and query like 'insert into "player%'`,
  )
  await client.end()
  return rows.length
}

describeOnBoth('a process that is killed', (provide) => {
  let provided: Provided
  let dataDir: string

  beforeAll(async () => {
    provided = await provide()
    dataDir = mkdtempSync(join(tmpdir(), 'statline-'))
  })
  afterAll(async () => {
    await provided.dispose()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const isEmbedded = () => !provided.location.startsWith('postgres')
  const settings = () => ({
    host: '127.0.0.1',
    port: 0,
    dataDir,
    ...(isEmbedded() ? {} : { databaseUrl: provided.location }),
  })
  const opened = (folder: string) =>
    isEmbedded() ? openDatabase(join(dataDir, folder), dataDir) : openDatabase(provided.location)

  /** Whether a transaction has rows of the league. The log of the migrations before it is smaller. */
  const isMakingIt = async () => {
    if (!isEmbedded()) return (await inserting(provided.location)) > 0
    const log = statSync(join(dataDir, 'sample/league.sqlite-wal'), { throwIfNoEntry: false })
    return (log?.size ?? 0) > 2_000_000
  }

  const served = async () => {
    const running = startProcess([], settings())
    const [url = ''] = await running.said(/http:\S+/)
    return { ...running, url }
  }

  test.skipIf(!hasSeason)(
    `in the middle of an import leaves the database as it was${withoutSeason}`,
    async () => {
      const running = startProcess(['import', 'ncaa-hoops', season], settings())
      await running.said(/statistics of/)
      expect(await running.end('SIGKILL')).toBeNull()
      const database = await opened('league')
      expect(await sourceOf(database)).toBe('empty')
      expect(await database.db.selectFrom('game').select('game_id').limit(1).execute()).toEqual([])
      await database.close()
    },
  )

  test('while it makes its league, makes it whole at the next start', async () => {
    const running = startProcess([], settings())
    await expect.poll(isMakingIt).toBe(true)
    await running.end('SIGKILL')
    const next = await served()
    const { body } = await clientOf(next.url, 'sample-paid').get('organization/read', { inactive: 0 })
    expect(Object.keys(body)).toHaveLength(2)
    expect(await next.end('SIGTERM')).toBe(0)
  })

  test('under load has counted every token of what it answered', async () => {
    const running = await served()
    const { id } = await keyOf('sample-paid')
    const before = await usageOf(id)
    const answered = { tokens: 0, calls: 0 }
    const client = clientOf(running.url, 'sample-paid')
    const ask = async () => {
      for (;;) {
        const reply = await client.get('team/read').catch(() => null)
        if (!reply) return
        answered.tokens += reply.usage
        answered.calls += 1
        if (answered.calls === 200) running.child.kill('SIGKILL')
      }
    }
    await Promise.all(Array.from({ length: CLIENTS }, ask))
    const after = await usageOf(id)
    expect(answered.calls).toBeGreaterThanOrEqual(200)
    expect(after.calls - before.calls).toBeGreaterThanOrEqual(answered.calls)
    expect(after.calls - before.calls).toBeLessThanOrEqual(answered.calls + CLIENTS)
    expect(after.tokens - before.tokens).toBeGreaterThanOrEqual(answered.tokens)
  })

  test('answers as before when it is started again', async () => {
    const running = await served()
    const client = clientOf(running.url, 'sample-paid')
    const games = await client.get('game/get', { status: 'final' })
    expect(codeOf(games)).toBeUndefined()
    expect(games.body).toMatchObject({ current_period: 'Final' })
    expect(await running.end('SIGTERM')).toBe(0)
  })

  const keyOf = async (name: string) => {
    const database = await opened('sample')
    const row = await database.accounts
      .selectFrom('api_key')
      .select('api_key_id')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
    await database.close()
    return { id: row.api_key_id }
  }

  const usageOf = async (id: string) => {
    const database = await opened('sample')
    const rows = await database.accounts
      .selectFrom('usage')
      .select(['tokens', 'calls'])
      .where('api_key_id', '=', id)
      .execute()
    await database.close()
    return {
      tokens: rows.reduce((sum, row) => sum + row.tokens, 0),
      calls: rows.reduce((sum, row) => sum + row.calls, 0),
    }
  }
})
