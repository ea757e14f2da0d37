import { cfbFacts, cfbSource } from './football-facts.ts'
import { readCfbTables } from './football-tables.ts'
import { readLooks } from './colours.ts'
import { importerOf } from './season.ts'

/**
 * Imports a season of college football from cfbfastR-cfb-data: `schedule` and, if present, `team_box`,
 * `player_box`, `betting` and `conferences` in `folder`, as CSV, gzip’ed or not, or Parquet; names and
 * colours from hoopR’s `espn_mbb_teams` there or in `hoopr-teams` beside it. Importing again changes nothing.
 * @throws {ImportFailed} in one line, with the database as it was
 */
export const importCfbfastr = importerOf(cfbSource, async (folder, progress, options) => {
  const tables = await readCfbTables(folder, progress, options)
  const looks = await readLooks(folder, progress)
  return { ...cfbFacts(tables, looks, options.league), read: [...tables.read, ...looks.read] }
})
