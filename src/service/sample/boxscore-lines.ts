import { basketballLine, footballLine } from '../../specification/statistics.ts'
import type { Line, Sport } from '../league/facts.ts'
import { shootingPercentages } from '../numbers/basketball.ts'
import { footballRates } from '../numbers/football.ts'
import type { Numbers } from '../numbers/formula.ts'
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

/** What a line has: counted columns, and rates that follow from them. */
interface LineKind {
  readonly counted: readonly string[]
  readonly rated: readonly string[]
  readonly ratesOf: (value: Numbers) => Line
  /** Where nothing was counted. Copies of it are several times faster to fill than objects that grow. */
  readonly blank: Line
}

function lineKind(columns: readonly string[], ratesOf: LineKind['ratesOf']): LineKind {
  const rates = ratesOf(() => 0)
  const isRate = (column: string) => Object.hasOwn(rates, column)
  const blankOf = (column: string) => (isRate(column) || isLongest(column) ? null : 0)
  return {
    counted: columns.filter((column) => !isRate(column)),
    rated: columns.filter(isRate),
    ratesOf,
    blank: Object.fromEntries(columns.map((column) => [column, blankOf(column)])),
  }
}

const teamLines: Readonly<Record<Sport, LineKind>> = {
  basketball: lineKind(basketballLine, shootingPercentages),
  football: lineKind(footballLine, footballRates),
}

const playerLines: Readonly<Record<Sport, LineKind>> = {
  basketball: teamLines.basketball,
  football: lineKind(footballPlayerLine, footballRates),
}

/**
 * A team's complete line: every column of the sport. Counts without an event are 0; rates and longest plays
 * without an attempt are null.
 */
export const teamLine = (sport: Sport, counts: Counts): Line => lineOf(teamLines[sport], counts)

/** A player's: as a team's, without what football counts for the team alone. */
export const playerLine = (sport: Sport, counts: Counts): Line => lineOf(playerLines[sport], counts)

function lineOf({ counted, rated, ratesOf, blank }: LineKind, counts: Counts): Line {
  const line = { ...blank }
  for (const column of counted) {
    const count = counts[column]
    if (count !== undefined) line[column] = count
  }
  const rates = ratesOf((name) => counts[name] ?? 0)
  for (const column of rated) {
    const rate = rates[column] ?? null
    line[column] = rate === null ? null : rounded(rate)
  }
  return line
}
