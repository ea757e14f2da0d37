import { rankedTeamStatistics } from './statistics.ts'
import { tables } from './tables.ts'
import type { TableName } from './tables.ts'
import type { Columns, Kind } from './columns.ts'

/** Average length of a value of each kind in JSON. */
const widths: Readonly<Record<Kind, number>> = {
  key: 38,
  text: 14,
  integer: 4,
  number: 5,
  flag: 1,
  timestamp: 26,
  day: 26,
}

/** Length of a row with these columns in JSON. */
export const widthOf = (columns: Columns) =>
  Object.entries(columns).reduce((sum, [name, { kind }]) => sum + name.length + 4 + widths[kind], 2)

const statisticsWidth = (names: readonly string[]) =>
  names.reduce((sum, name) => sum + 2 * name.length + 22, 0)

/** Length of the key of a row in JSON. */
export const keyed = 41

/** Length of a keyed row of a table in JSON, with its statistics and their ranks. */
export function bytesOf(table: TableName): number {
  const ranked = table.endsWith('ranking') ? rankedTeamStatistics : []
  return keyed + widthOf(tables[table]) + statisticsWidth(ranked)
}

/**
 * A player's row of statistics has three quarters of a team's columns: a team's has its opponents' numbers
 * too.
 */
export const playerStatisticBytes = Math.round(0.75 * bytesOf('player_statistic_ranking'))
