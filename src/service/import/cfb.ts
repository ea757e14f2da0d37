import { publish } from '../league/publish.ts'
import type { Progress } from '../league/publish.ts'
import type { Database } from '../store/database.ts'
import { cfbFacts, cfbSource } from './cfbfacts.ts'
import { readCfbTables } from './cfbtables.ts'
import { readLooks } from './colours.ts'
import type { ImportSummary } from './summary.ts'
import { fingerprintOf } from './table.ts'

/**
 * Imports a season of college football from cfbfastR-cfb-data: `schedule`, `team_box`, `player_box` and `betting` in `folder`, as CSV,
 * gzip’ed or not; names and colours from hoopR’s `espn_mbb_teams` there or in `hoopr-teams` beside it. Importing again changes nothing.
 *
 * @throws {ImportFailed} in one line, with the database as it was
 */
export async function importCfbfastr(
  database: Database,
  folder: string,
  progress: Progress,
  signal?: AbortSignal,
): Promise<ImportSummary> {
  const begun = performance.now()
  const { facts, notes, read } = await readSeason(folder, progress)
  const summary = await publish(database, facts, {
    source: cfbSource,
    fingerprint: fingerprintOf(read),
    progress,
    ...(signal ? { signal } : {}),
  })
  return { ...summary, read, notes, seconds: (performance.now() - begun) / 1000 }
}

/** The files’ rows are let go before the league is written: together they would need twice the memory. */
async function readSeason(folder: string, progress: Progress) {
  const tables = await readCfbTables(folder, progress)
  const looks = await readLooks(folder, progress)
  return { ...cfbFacts(tables, looks), read: [...tables.read, ...looks.read] }
}
