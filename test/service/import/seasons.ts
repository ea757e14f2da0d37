import { createHash } from 'node:crypto'
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { importCfbfastr } from '../../../src/service/import/football.ts'
import { importNcaaHoops } from '../../../src/service/import/basketball.ts'
import type { ImportSummary } from '../../../src/service/import/summary.ts'
import { openDatabase } from '../../../src/service/store/database.ts'

const root = join(import.meta.dirname, '../../..')
const data = join(root, '../shared/data')

const sources = {
  basketball: { folder: join(data, 'ncaa-mbb-2026'), read: importNcaaHoops },
  football: { folder: join(data, 'cfb-2025'), read: importCfbfastr },
} as const

export type RealSeason = keyof typeof sources

/** Where the public files of a season lie. */
export const sourceFolder = (season: RealSeason): string => sources[season].folder

/** Whether the public files of a season are there. */
export const hasSeason = (season: RealSeason): boolean => existsSync(sources[season].folder)

/** Why a test of a real season is skipped, to be put in its name. */
export const withoutSeason = (season: RealSeason): string =>
  hasSeason(season) ? '' : ' (skipped: the public files of the season are not beside the repository)'

export interface ImportedSeason {
  /** A folder for `openDatabase`. Everybody reads the same one: do not write to it. */
  readonly folder: string
  readonly summary: ImportSummary
}

/**
 * A real season, imported. The first call imports it in about 15 s; later calls, in this run or another, get
 * the same folder, until the files or the code that imports them change.
 */
export async function importedSeason(season: RealSeason): Promise<ImportedSeason> {
  const folder = join(tmpdir(), `statline-${season}-${stateOf(season)}`)
  const lock = `${folder}.lock`
  while (!existsSync(folder)) {
    if (!claim(lock)) await sleep(250)
    else if (!existsSync(folder))
      await create(season, folder).finally(() => rmSync(lock, { recursive: true, force: true }))
  }
  const now = new Date()
  utimesSync(folder, now, now)
  return { folder, summary: JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8')) as ImportSummary }
}

/** Takes the lock, from an owner that is not alive if need be. */
function claim(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    if (!isAlive(ownerOf(lock))) rmSync(lock, { force: true })
    return false
  }
}

const ownerOf = (lock: string) => (existsSync(lock) ? Number(readFileSync(lock, 'utf8')) : process.pid)

function isAlive(pid: number): boolean {
  try {
    return pid === 0 || process.kill(pid, 0)
  } catch {
    return false
  }
}

async function create(season: RealSeason, folder: string): Promise<void> {
  forgetOld(season)
  const partial = `${folder}.${process.pid}`
  const database = await openDatabase(partial)
  const summary = await sources[season].read(database, sources[season].folder, () => {})
  await database.close()
  writeFileSync(join(partial, 'summary.json'), JSON.stringify(summary))
  renameSync(partial, folder)
}

// Each has half a gigabyte. A folder that was not opened for half an hour belongs to older code, and is
// deleted.
const keptFor = 30 * 60_000

function forgetOld(season: RealSeason): void {
  const old = readdirSync(tmpdir())
    .filter((name) => name.startsWith(`statline-${season}-`))
    .map((name) => join(tmpdir(), name))
    .filter((path) => Date.now() - statSync(path).mtimeMs > keptFor)
  for (const path of old) rmSync(path, { recursive: true, force: true })
}

/** A hash of the files of the season and of the code that imports them. */
function stateOf(season: RealSeason): string {
  const hash = createHash('sha256')
  const code = ['import', 'league', 'leagues', 'numbers', 'store'].map((room) =>
    join(root, 'src/service', room),
  )
  for (const folder of [
    sources[season].folder,
    join(data, 'hoopr-teams'),
    join(root, 'src/specification'),
    ...code,
  ])
    for (const file of filesIn(folder)) hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
