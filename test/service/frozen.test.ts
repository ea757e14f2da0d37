import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { Client as PgClient } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addKey } from '../../src/service/keys/keys.ts'
import { serve } from '../../src/service/serve.ts'
import { startService } from '../../src/service/service.ts'
import type { Service } from '../../src/service/service.ts'
import { isPassing } from '../../src/service/store/connection.ts'
import { openDatabase } from '../../src/service/store/database.ts'
import type { Database } from '../../src/service/store/database.ts'
import { defaultWaits } from '../../src/service/store/postgres.ts'
import type { Waits } from '../../src/service/store/postgres.ts'
import { clientOf, codeOf, within } from './client.ts'
import type { Client } from './client.ts'
import type { Schema } from '../../src/service/store/schema.ts'
import { fillLeague, id } from './league.ts'
import { startPostgres } from './postgres.ts'
import type { Postgres } from './postgres.ts'

const server = startPostgres()
const missing = server ? '' : ' (skipped: no PostgreSQL is installed)'

const none: Postgres = { url: '', folder: '', freeze: () => {}, thaw: () => {}, stop: () => {} }

/** Statline gives an upstream call ten seconds. */
const MOST_MS = 10_000

/** A fifth of the usual time limits, so that the tests wait less. */
const waits: Waits = { ...defaultWaits, connect: 800, free: 1_600, statement: 1_000 }
const scale = 5
/** What the machine takes beside the waiting, which no limit shortens. */
const slack = 2_000

/**
 * The result of work, and the milliseconds that it took. They are counted every 20 ms. If the machine did not run this
 * process meanwhile, the gap counts as a tenth of a second at most, and as the CPU time that was used in it.
 */
async function timed<T>(work: Promise<T>): Promise<readonly [T, number]> {
  let [took, last, cpu] = [0, performance.now(), process.cpuUsage()]
  const tick = () => {
    const { user, system } = process.cpuUsage(cpu)
    const now = performance.now()
    took += Math.min(now - last, 100 + (user + system) / 1_000)
    last = now
    cpu = process.cpuUsage()
  }
  const ticking = setInterval(tick, 20)
  try {
    const result = await work
    tick()
    return [result, took]
  } finally {
    clearInterval(ticking)
  }
}

/** Resolves when PostgreSQL has taken up what came while it was frozen, and answers a new connection. */
async function hasThawed(url: string): Promise<void> {
  const fresh = new PgClient(url)
  await fresh.connect()
  await fresh.query('select 1')
  await fresh.end()
}

/** The pipes and local sockets that this process has open. */
const connections = () => process.getActiveResourcesInfo().filter((name) => name === 'PipeWrap').length

async function locksWaitedFor(db: Kysely<Schema>): Promise<number> {
  const { rows } = await sql<{ count: string }>`select count(*) from pg_locks where not granted`.execute(db)
  return Number(rows[0]?.count)
}

describe.skipIf(!server)(`a PostgreSQL that is frozen${missing}`, () => {
  const { url, freeze, thaw, stop } = server ?? none
  const dataDir = mkdtempSync(join(tmpdir(), 'statline-'))
  const settings = { host: '127.0.0.1', port: 0, dataDir, databaseUrl: url }
  const failures: unknown[] = []
  let database: Database
  let service: Service
  let client: Client

  beforeAll(async () => {
    database = await openDatabase(url, url, { waits })
    await fillLeague(database)
    const { key } = await addKey(database.accounts, Date.now, 'paid')
    service = await startService({ database, report: (error) => failures.push(error) })
    client = clientOf(service.url, key)
  })
  afterAll(async () => {
    thaw()
    await service.close()
    await database.close()
    stop()
    rmSync(dataDir, { recursive: true })
  })

  const ask = () => client.get('game/read', { game_id: id('opener') })

  test('is waited for as long here as elsewhere, but for the scale', () => {
    for (const name of ['connect', 'free', 'statement'] as const)
      expect(waits[name] * scale).toBe(defaultWaits[name])
  })

  test('refuses requests as unavailable in time, on connections that were open and on new ones, and recovers', async () => {
    await expect.poll(async () => (await ask()).usage).toBe(1)
    freeze()
    for (let round = 0; round < 2; round++) {
      const [replies, took] = await timed(Promise.all(Array.from({ length: 30 }, ask)))
      expect(new Set(replies.map(codeOf))).toEqual(new Set(['unavailable']))
      expect(within(replies[0]?.body ?? {}, 'error')['message']).toBe(
        'The data is not available at the moment. Try again later.',
      )
      expect(took).toBeLessThan(MOST_MS / scale + slack)
    }
    expect(failures.every(isPassing)).toBe(true)
    thaw()
    await hasThawed(url)
    // The waits are short here, so on a busy machine the first request may still be refused.
    await expect.poll(async () => codeOf(await ask())).toBeUndefined()
  })

  test('replaces the connections that the server ends', async () => {
    await expect.poll(async () => (await ask()).usage).toBe(1)
    await sql`select 1`.execute(database.db) // on an idle connection, which does the next statement, too
    const before = connections()
    // Resolves when each of them has ended.
    const { rows } = await sql`select pg_terminate_backend(pid, 30000) from pg_stat_activity
      where pid <> pg_backend_pid() and backend_type = 'client backend'`.execute(database.db)
    await expect.poll(connections).toBe(before - rows.length)
    const replies = await Promise.all(Array.from({ length: 20 }, ask))
    expect(new Set(replies.map(codeOf))).toEqual(new Set([undefined]))
  })

  test('answers other requests while one waits for a lock, which is refused when its time is over', async () => {
    const slow = database.db.transaction().execute(async (transaction) => {
      await sql`lock table odds in access exclusive mode`.execute(transaction)
      const waiting = Array.from({ length: 3 }, () => client.get('odds/read', { game_id: id('opener') }))
      // On a busy machine they come later. A request before them would wait behind them on one connection.
      await expect.poll(() => locksWaitedFor(transaction)).toBeGreaterThan(0)
      await new Promise((wait) => setTimeout(wait, 100))
      const [reply, took] = await timed(ask())
      return { usage: reply.usage, took, refused: await Promise.all(waiting) }
    })
    const { usage, took, refused } = await slow
    expect(usage).toBe(1)
    expect(took).toBeLessThan(2_000)
    expect(refused.map(codeOf)).toEqual(['unavailable', 'unavailable', 'unavailable'])
  })

  test('lets a start fail in time with one line that says why', async () => {
    freeze()
    const [error, took] = await timed(serve(settings, { waits }).catch((failure: unknown) => failure))
    expect(error).toMatchObject({
      name: 'DatabaseUnavailableError',
      message: 'The PostgreSQL of DATABASE_URL cannot be opened: it does not answer.',
    })
    expect(took).toBeLessThan(MOST_MS / scale + slack)
    thaw()
  })

  test('does not keep a service from closing', async () => {
    const other = await serve(settings, { waits })
    await clientOf(other.url, 'none').get('team/get')
    freeze()
    const [, took] = await timed(other.close())
    expect(took).toBeLessThan(MOST_MS / scale + slack)
    thaw()
  })
})
