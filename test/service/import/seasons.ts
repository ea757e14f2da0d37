import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { importCfbfastr } from '../../../src/service/import/football.ts'
import { importNcaaHoops } from '../../../src/service/import/basketball.ts'
import type { ImportSummary } from '../../../src/service/import/summary.ts'
import { openDatabase } from '../../../src/service/store/database.ts'
import { madeOnce } from '../../made-once.ts'

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

/** The code that imports a season. */
const code = ['import', 'league', 'leagues', 'numbers', 'store'].map((room) => `src/service/${room}`)

/**
 * A real season, imported. The first call imports it in about 15 s; later calls, in this run or another, get
 * the same folder, until the files or the code that imports them change.
 */
export async function importedSeason(season: RealSeason): Promise<ImportedSeason> {
  const { folder: files, read } = sources[season]
  const made = [relative(root, files), '../shared/data/hoopr-teams', 'src/specification', ...code]
  const folder = await madeOnce(season, made, async (partial) => {
    const database = await openDatabase(partial)
    const summary = await read(database, files, () => {})
    await database.close()
    writeFileSync(join(partial, 'summary.json'), JSON.stringify(summary))
  })
  return { folder, summary: JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8')) as ImportSummary }
}
