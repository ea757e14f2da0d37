import { once } from 'node:events'
import { connect } from 'node:net'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { Kysely, sql } from 'kysely'
import { describe, expect, inject, test } from 'vitest'
import { publish } from '../../src/service/league/publish.ts'
import { serve } from '../../src/service/serve.ts'
import { startService } from '../../src/service/service.ts'
import type { AccountSchema } from '../../src/service/store/accounts.ts'
import { openSqlite } from '../../src/service/store/connection.ts'
import { openDatabase } from '../../src/service/store/database.ts'
import type { Database } from '../../src/service/store/database.ts'
import { exclusively } from '../../src/service/store/lock.ts'
import { dialectOf, requestPool } from '../../src/service/store/postgres.ts'
import { senderOf } from '../../src/service/store/send.ts'
import { sourceOf } from '../../src/service/store/source.ts'
import { sampleNow } from '../sample.setup.ts'
import { clientOf, codeOf } from './client.ts'
import { describeOnBoth } from './databases.ts'
import { fillLeague, league } from './league.ts'
import { smallFacts } from './league/small-league.ts'
import { runLeague } from './running.ts'

describeOnBoth('a database that is prepared', (provide) => {
  test('is prepared by one process at a time, and by the next once a work has failed', async () => {
    const provided = await provide()
    const databases = [await openDatabase(provided.location), await openDatabase(provided.location)]
    const events: string[] = []
    const work = (database: Database, name: string) =>
      exclusively(database, async () => {
        events.push(`${name} begins`)
        await setTimeout(100)
        events.push(`${name} ends`)
        if (name === 'first') throw new Error('a work that fails')
      })
    const [one, other] = databases.map((database, nth) => work(database, ['first', 'second'][nth] ?? ''))
    await expect(one).rejects.toThrow('a work that fails')
    await other
    const pairs = [events.slice(0, 2), events.slice(2)].toSorted()
    expect(pairs).toEqual([
      ['first begins', 'first ends'],
      ['second begins', 'second ends'],
    ])
    for (const database of databases) await database.close()
    await provided.dispose()
  })
})

describe('folders of their own', () => {
  test('one is opened while another process takes a season into it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'statline-'))
    const taking = await openDatabase(folder)
    await sql`begin immediate`.execute(taking.db)
    const opened = await openDatabase(folder)
    expect(await sourceOf(opened)).toBe('empty')
    await opened.close()
    await taking.close()
    rmSync(folder, { recursive: true })
  })

  test('what is imported is served, and the sample league where it is asked for', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'statline-'))
    const settings = { host: '127.0.0.1', port: 0, dataDir }
    const database = await openDatabase(join(dataDir, 'league'), dataDir)
    await fillLeague(database)
    await database.close()
    cpSync(inject('sampleOrigin'), join(dataDir, 'sample'), { recursive: true })
    const imported = await serve(settings)
    const sample = await serve(settings, { sample: true, clock: () => sampleNow })
    expect([imported.source, sample.source]).toEqual(['imported', 'sample'])
    expect((await clientOf(imported.url, 'sample-paid').get('team/get')).body).toMatchObject({
      error: { code: 'invalid_key' },
    })
    expect((await clientOf(sample.url, 'sample-paid').get('team/get')).body).toHaveProperty('team_id')
    await Promise.all([imported.close(), sample.close()])
    rmSync(dataDir, { recursive: true, force: true })
  })
})

test('while another process takes in new data, a day that needs computing is put off and the rest is answered', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'statline-'))
  const running = await runLeague({
    location: folder,
    dispose: async () => rmSync(folder, { recursive: true }),
  })
  const other = await openDatabase(folder)
  const client = running.as('paid')
  const given = { organization_id: league.organization_id, date_of_rank: '2026-01-10' }
  const coaches = () => client.get('coach_statistic_ranking/getStats', { ...given, season: 2026, current: 0 })
  expect(codeOf(await coaches())).toBeUndefined()
  await sql`begin immediate`.execute(other.db)
  expect(codeOf(await coaches())).toBeUndefined()
  expect(codeOf(await client.get('conference_statistic_ranking/getStats', given))).toBe('unavailable')
  expect((await client.get('team/get', { char6: 'LIO' })).usage).toBe(1)
  await sql`rollback`.execute(other.db)
  expect(codeOf(await client.get('conference_statistic_ranking/getStats', given))).toBeUndefined()
  await other.close()
  await running.stop()
})

test('a process that another kept from writing sees what the other wrote, and both write on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'statline-'))
  const busyMs = 400
  const [one, other] = [await openDatabase(folder, folder, { busyMs }), await openDatabase(folder)]
  const set = (key: string) => ({ key, value: 'is set' })
  const keysOf = async ({ db }: Database) =>
    (await db.selectFrom('meta').select('key').orderBy('key').execute()).map((row) => row.key)
  await sql`begin`.execute(other.db)
  await other.db.insertInto('meta').values(set('first')).execute()
  const begun = performance.eventLoopUtilization()
  const inTransaction = one.db.transaction().execute(async (transaction) => {
    await transaction.selectFrom('meta').selectAll().execute()
    await transaction.insertInto('meta').values(set('kept out')).execute()
  })
  await expect(inTransaction).rejects.toThrow('database is locked')
  // Milliseconds in which the process was free to do something else.
  expect(performance.eventLoopUtilization(begun).idle).toBeGreaterThan(busyMs / 10)
  const alone = one.db.insertInto('meta').values(set('kept out')).returning('key').execute()
  await expect(alone).rejects.toThrow('database is locked')
  await sql`commit`.execute(other.db)
  expect(await keysOf(one)).toEqual(['first'])
  await one.db
    .insertInto('meta')
    .values([set('second'), set('third')])
    .execute()
  await other.db.insertInto('meta').values(set('fourth')).execute()
  expect(await keysOf(one)).toEqual(['first', 'fourth', 'second', 'third'])
  expect(await keysOf(other)).toEqual(await keysOf(one))
  for (const database of [one, other]) await database.close()
  rmSync(folder, { recursive: true })
})

test('a database that cannot be opened is one line that says which, without its password', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'statline-'))
  writeFileSync(join(folder, 'league.sqlite'), 'nothing that a database would hold\n'.repeat(100))
  const broken = openDatabase(folder)
  await expect(broken).rejects.toThrow(
    `The embedded database ${join(folder, 'league.sqlite')} cannot be opened: file is not a database.`,
  )
  const within = join(folder, 'league.sqlite', 'folder')
  await expect(openDatabase(within)).rejects.toThrow(
    `The embedded database ${join(within, 'league.sqlite')} cannot be opened: ENOTDIR`,
  )
  const absent = openDatabase('postgres://someone:secret@127.0.0.1:1/league')
  await expect(absent).rejects.toThrow(
    /^The PostgreSQL of DATABASE_URL cannot be opened: connect ECONNREFUSED[^\n]*$/,
  )
  await expect(absent).rejects.not.toThrow(/secret/)
  rmSync(folder, { recursive: true })
})

test('where the file of keys is damaged, the error names it and not the league', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'statline-'))
  cpSync(inject('sampleOrigin'), join(dataDir, 'sample'), { recursive: true })
  const keys = join(dataDir, 'keys.sqlite')
  const settings = { host: '127.0.0.1', port: 0, dataDir }
  const served = () => serve(settings, { clock: () => sampleNow })
  await (await served()).close()
  damageRows(keys)
  await expect(served()).rejects.toThrow(
    `The database ${keys} failed: database disk image is malformed. Restore a copy of it, or delete it and its log (-wal) to begin anew.`,
  )
  writeFileSync(keys, 'nothing that a database would hold\n'.repeat(100))
  await expect(served()).rejects.toThrow(
    `The file of keys ${keys} cannot be opened: file is not a database. DATA_DIR names its place. Restore a copy of it, or delete it and its log (-wal) to begin anew.`,
  )
  rmSync(dataDir, { recursive: true })
})

test.each(['league', 'keys'])(
  'where the file of the %s is cut to nothing beside its log, the start ends in one line, and the log stays',
  async (name) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'statline-'))
    cpSync(inject('sampleOrigin'), join(dataDir, 'league'), { recursive: true })
    const settings = { host: '127.0.0.1', port: 0, dataDir }
    const folder = name === 'league' ? join(dataDir, 'league') : dataDir
    const file = join(folder, `${name}.sqlite`)
    const log = Buffer.alloc(40, 'a log with bills')
    log.writeUInt32BE(0x377f0682)
    writeFileSync(file, '')
    writeFileSync(`${file}-wal`, log)
    await expect(serve(settings, { clock: () => sampleNow })).rejects.toThrow(
      `${file} cannot be opened: it is empty. DATA_DIR names its place. Restore a copy of it, or delete it and its log (-wal) to begin anew.`,
    )
    expect([readFileSync(file, 'utf8'), readFileSync(`${file}-wal`)]).toEqual(['', log])
    rmSync(dataDir, { recursive: true })
  },
)

test('where a lock is damaged, the error names it alone, and neither the folder nor a database', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'statline-'))
  const lock = join(dataDir, 'sample', 'lock.sqlite')
  mkdirSync(join(dataDir, 'sample'))
  writeFileSync(lock, 'nothing that a lock would hold\n'.repeat(100))
  const told = `The file ${lock} is damaged. It has no data: delete this one file, and start again.`
  const settings = { host: '127.0.0.1', port: 0, dataDir }
  // While the tables are made, and while the sample league is.
  await expect(serve(settings, { clock: () => sampleNow })).rejects.toMatchObject({ message: told })
  cpSync(inject('sampleOrigin'), join(dataDir, 'sample'), { recursive: true })
  writeFileSync(lock, 'nothing that a lock would hold\n'.repeat(100))
  await expect(serve(settings, { clock: () => sampleNow })).rejects.toMatchObject({ message: told })
  rmSync(dataDir, { recursive: true })
})

/** Destroys a database except its first page, which lists its tables. */
function damageRows(file: string): void {
  const database = openSqlite(file)
  database.exec('pragma wal_checkpoint(truncate)')
  const { rootpage } = database
    .prepare("select rootpage from sqlite_master where name = 'api_key_by_hash'")
    .get() as { rootpage: number } // every database lists its tables in this form
  const [{ page_size = 0 }] = database.pragma('page_size') as [{ page_size: number }] // one row, of one column
  database.close()
  const bytes = readFileSync(file)
  bytes.fill(0xff, (rootpage - 1) * page_size, rootpage * page_size)
  writeFileSync(file, bytes)
}

test('a full disk is reported as such, and nothing is half written', async () => {
  const database = await openDatabase(':memory:')
  await sql`pragma max_page_count = 1`.execute(database.db)
  await expect(publish(database, smallFacts(), { source: 'test' })).rejects.toThrow(
    'database or disk is full',
  )
  expect(await sourceOf(database)).toBe('empty')
  await database.close()
})

test('while PostgreSQL is away, requests are refused and logged, and the service goes on', async () => {
  const database = await openDatabase(':memory:')
  const url = 'postgres://someone@127.0.0.1:1/league'
  const accounts = new Kysely<AccountSchema>({ dialect: dialectOf(requestPool(url)) })
  const failures: unknown[] = []
  const report = (error: unknown) => void failures.push(error)
  const service = await startService({
    database: { ...database, accounts, direct: { dialect: 'postgres', send: senderOf(url).send } },
    report,
  })
  for (let time = 0; time < 2; time++)
    expect(codeOf(await clientOf(service.url, 'any').get('team/get'))).toBe('unavailable')
  expect(failures).toMatchObject([{ code: 'ECONNREFUSED' }, { code: 'ECONNREFUSED' }])
  await service.close()
  await accounts.destroy()
  await database.close()
})

test.each([
  ['idle', ''],
  ['with half a header', 'POST /v1 HTTP/1.1\r\nhost: loc'],
  ['with half a body', 'POST /v1 HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{'],
])('a connection that is %s holds up no close', async (_what, bytes) => {
  const database = await openDatabase(':memory:')
  const service = await startService({ database })
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => {})
  await once(socket, 'connect')
  socket.write(bytes)
  await setTimeout(50)
  const started = performance.now()
  await service.close()
  // Node itself would wait for five seconds.
  expect(performance.now() - started).toBeLessThan(4_000)
  socket.destroy()
  await database.close()
})
