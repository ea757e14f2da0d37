import { importCfbfastr } from './import/football.ts'
import { importNcaaHoops } from './import/basketball.ts'
import { importCsv } from './import/csv-season.ts'
import { drawProgress } from './import/progress.ts'
import type { ImportOptions } from './import/season.ts'
import { summaryLines } from './import/summary.ts'
import { leagueFolder, WrongSourceError } from './serve.ts'
import type { ServiceSettings } from './serve.ts'
import { openDatabase } from './store/database.ts'
import { exclusively } from './store/lock.ts'
import { analyze } from './store/planner.ts'
import { sourceOf } from './store/source.ts'

const importers = { 'ncaa-hoops': importNcaaHoops, cfbfastr: importCfbfastr, csv: importCsv }

export type SourceName = keyof typeof importers

export const sourceNames = Object.keys(importers) as readonly SourceName[] // Object.keys loses the names; they are exactly these

export const isSourceName = (name: string): name is SourceName => Object.hasOwn(importers, name)

/** Imports a season from `folder` beside the stored ones. @returns a summary, line by line */
export async function importSeason(
  source: SourceName,
  folder: string,
  settings: ServiceSettings,
  signal: AbortSignal,
  options: ImportOptions = {},
): Promise<string[]> {
  const database = await openDatabase(settings.databaseUrl ?? leagueFolder(settings), settings.dataDir)
  try {
    if ((await sourceOf(database)) === 'sample')
      throw new WrongSourceError('The database holds the sample league: import into one of its own.')
    const progress = drawProgress(process.stderr)
    const summary = await exclusively(database, () =>
      importers[source](database, folder, progress, signal, options),
    )
    await analyze(database)
    return summaryLines(summary)
  } finally {
    await database.close()
  }
}
