import { readLooks } from './colours.ts'
import { ncaaFacts, ncaaSource } from './basketball-facts.ts'
import { readNcaaTables } from './basketball-tables.ts'
import { importerOf } from './season.ts'

/**
 * Imports a season of college basketball from ncaa-mbb-hoops-data: `schedule` and, if present, `team_box`,
 * `team_ids`, `team_rosters` and `aliases` in `folder`, as CSV, gzip’ed or not, or Parquet; names and colours
 * from hoopR’s `espn_mbb_teams` there or in `hoopr-teams` beside it. Importing again changes nothing.
 * @throws {ImportFailed} in one line, with the database as it was
 */
export const importNcaaHoops = importerOf(ncaaSource, async (folder, progress, options) => {
  const tables = await readNcaaTables(folder, progress, options)
  const looks = await readLooks(folder, progress)
  return { ...ncaaFacts(tables, looks, options.league), read: [...tables.read, ...looks.read] }
})
