import { leagueKeys, leagueOfKey } from '../leagues/leagues.ts'
import { ImportFailed } from './faults.ts'
import { csvFacts, csvSource } from './csv-facts.ts'
import { readOwnTables } from './csv-tables.ts'
import { importerOf } from './season.ts'

/**
 * Imports a season in this service’s own format (docs/csv-format.md): `games` and `teams` and, if present,
 * `players`, `team_boxscores`, `player_boxscores` and `odds`, as CSV, gzip’ed or not, or Parquet. The league
 * must be one of `leagues/`, which says which sport is played.
 * @throws {ImportFailed} in one line, with the database as it was
 */
export const importCsv = importerOf(csvSource, async (folder, progress, options) => {
  const name = options.league ?? ''
  const league = leagueOfKey(name)
  if (!league) throw new ImportFailed(`import csv takes --league, one of ${leagueKeys.join(', ')}`)
  const tables = await readOwnTables(folder, league.rules.sport, progress, options)
  return csvFacts(tables, league, name)
})
