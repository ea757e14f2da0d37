import { basketballLine, footballLine } from '../../specification/statistics.ts'
import type { Line, Sport } from '../league/facts.ts'
import { shootingPercentages } from '../numbers/basketball.ts'
import { footballRates } from '../numbers/football.ts'
import { rounded } from '../numbers/result.ts'
import { isLongest } from './tally.ts'
import type { Counts } from './tally.ts'

/** Football statistics of the team that are credited to no player. */
export const footballTeamOnly: ReadonlySet<string> = new Set([
  'minutes_played',
  'successful_pass_plays',
  'successful_rush_plays',
  'first_downs',
  'third_down_conversions',
  'third_down_attempts',
  'fourth_down_conversions',
  'fourth_down_attempts',
  'penalties',
  'penalty_yards',
  'time_of_possession_seconds',
])

const footballPlayerLine = footballLine.filter((column) => !footballTeamOnly.has(column))

/**
 * A team's whole line: every column of the sport, 0 where nothing was counted, null where a rate or a longest
 * has no try.
 */
export const teamLine = (sport: Sport, counts: Counts): Line =>
  lineOf(sport, sport === 'basketball' ? basketballLine : footballLine, counts)

/** A player's: as a team's, without what football counts for the team alone. */
export const playerLine = (sport: Sport, counts: Counts): Line =>
  lineOf(sport, sport === 'basketball' ? basketballLine : footballPlayerLine, counts)

function lineOf(sport: Sport, columns: readonly string[], counts: Counts): Line {
  const rates = (sport === 'basketball' ? shootingPercentages : footballRates)((name) => counts[name] ?? 0)
  const line: Line = {}
  for (const column of columns) {
    const rate = rates[column]
    if (rate === undefined) line[column] = counts[column] ?? (isLongest(column) ? null : 0)
    else line[column] = rate === null ? null : rounded(rate)
  }
  return line
}
