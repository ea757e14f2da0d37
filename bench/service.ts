import { fork } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { start } from './child.ts'
import { measureGrowth } from './service/growth.ts'
import { openPostgres } from './service/postgres.ts'
import { measureReads } from './service/reads.ts'
import { measureShares } from './service/shares.ts'
import { table, tell } from './table.ts'

/** What each may take at most: seconds, and mebibytes. */
const most = { firstStart: 10, secondStart: 3, import: 60, memory: 1024 }

/**
 * The statistics service: its starts, the common reads beside a raw server over the same database, the import
 * of the full real basketball season, the common reads on that season and what a request costs as a table
 * grows, embedded and on PostgreSQL where there is one. Resolves with whether all is within its bounds.
 *
 * @param data the folder of the real seasons; what needs them is left out where it is absent
 */
export async function run(data: string): Promise<boolean> {
  const shares = await measureServerShares()
  const postgres = await openPostgres()
  if (!postgres) console.log('PostgreSQL: left out, for there is no TEST_DATABASE_URL and none is installed')
  try {
    const starts = await measureStarts()
    const embedded = await measureDatabase('embedded', data)
    const server = postgres ? await measureDatabase('PostgreSQL', data, postgres.url) : true
    return shares && starts && embedded && server
  } finally {
    await postgres?.close()
  }
}

async function measureStarts(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'statline-bench-'))
  try {
    tell('first start')
    const first = await timeStart(folder)
    tell('second start')
    const second = await timeStart(folder)
    const rows = [
      ['first start, sample league created', first.toFixed(1), String(most.firstStart)],
      ['second start', second.toFixed(1), String(most.secondStart)],
    ]
    console.log(table(['the service as a process', 'seconds', 'at most'], rows))
    const good = await printShares('embedded', [folder], { byId: 0.5, joined: 0.4 })
    return first <= most.firstStart && second <= most.secondStart && good
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The common reads beside a raw server over the same database. */
async function printShares(
  name: string,
  place: readonly string[],
  bounds: Parameters<typeof measureShares>[1],
): Promise<boolean> {
  const { rows, good } = await measureShares(place, bounds)
  const head = [`${name}, CPU of a request`, 'bytes', 'service µs', 'raw server µs', 'share', 'at least']
  console.log(`\n${table(head, rows)}`)
  return good
}

async function measureServerShares(): Promise<boolean> {
  const postgres = await openPostgres()
  if (!postgres) return true
  const folder = mkdtempSync(join(tmpdir(), 'statline-bench-'))
  try {
    tell('PostgreSQL: the sample league is created')
    const place = [folder, postgres.url]
    await (await start('service/serving.js', ['sample', ...place])).end()
    return await printShares('PostgreSQL', place, { byId: 0.5, joined: 0.5 })
  } finally {
    await postgres.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Seconds from the start of the process until it answers. */
async function timeStart(folder: string): Promise<number> {
  const begun = performance.now()
  const child = await start('service/serving.js', ['sample', folder])
  const seconds = (performance.now() - begun) / 1000
  await child.end()
  return seconds
}

async function measureDatabase(name: string, data: string, databaseUrl?: string): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'statline-bench-'))
  const place = databaseUrl === undefined ? [folder] : [folder, databaseUrl]
  try {
    if (!existsSync(data)) console.log(`${name}: no season is imported, for its files are not there`)
    const imported = existsSync(data) ? await measureImport(name, data, place) : true
    if (existsSync(data)) await measureSeason(name, place)
    tell(`${name}: a table that grows`)
    const { rows, isFlat } = await measureGrowth(databaseUrl)
    console.log(`\n${table([`${name}, one request after another`, 'p50 ms', 'p99 ms', '÷ control'], rows)}`)
    return imported && isFlat
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Took {
  readonly seconds: number
  /** The largest that the process has been. */
  readonly mebibytes: number
}

async function measureImport(name: string, data: string, place: readonly string[]): Promise<boolean> {
  tell(`${name}: import of the real basketball season`)
  const { seconds, mebibytes } = await importing(join(data, 'ncaa-mbb-2026'), place)
  const rows = [
    ['seconds', seconds.toFixed(1), String(most.import)],
    ['MiB of memory at most', mebibytes.toFixed(0), String(most.memory)],
  ]
  console.log(`\n${table([`${name}, 6,297 games imported`, 'took', 'at most'], rows)}`)
  return seconds <= most.import && mebibytes <= most.memory
}

function importing(source: string, place: readonly string[]): Promise<Took> {
  const child = fork(new URL('service/importing.js', import.meta.url), [source, ...place])
  return new Promise((resolve, reject) => {
    child.once('message', (took) => resolve(took as Took)) // the child says nothing else
    child.once('exit', (code) => reject(new Error(`The import ended with code ${code}.`)))
  })
}

async function measureSeason(name: string, place: readonly string[]): Promise<void> {
  const child = await start('service/serving.js', ['imported', ...place])
  try {
    const rows = await measureReads(child.url, child.apiKey)
    const head = [`${name}, the full season, 8 connections`, 'a second', 'p50 ms', 'p99 ms', 'bytes']
    console.log(`\n${table(head, rows)}`)
  } finally {
    await child.end()
  }
}
