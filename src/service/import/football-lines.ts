import { footballLine } from '../../specification/statistics.ts'
import { footballPlayerLine, isLongest } from '../../specification/sport-statistics.ts'
import { footballRates } from '../numbers/football.ts'
import type { Line } from '../numbers/line.ts'
import { Tally } from '../numbers/tally.ts'
import type { TeamBox } from './football-boxscores.ts'

/** Defensive columns, which the source leaves out for some teams. In other columns a missing row means 0. */
const defensive = new Set([
  'solo_tackles',
  'assisted_tackles',
  'tackles_for_loss',
  'sacks',
  'passes_defended',
  'quarterback_hurries',
])

/** The team totals that follow from its players’ rows. */
const summed = [
  'passing_touchdowns',
  'rushing_touchdowns',
  'receptions',
  'receiving_yards',
  'receiving_touchdowns',
  'punt_returns',
  'punt_return_yards',
  'punt_return_touchdowns',
  'kick_returns',
  'kick_return_yards',
  'kick_return_touchdowns',
  'punts',
  'punt_yards',
  'field_goals_attempted',
  'field_goals_made',
  'extra_points_attempted',
  'extra_points_made',
  'interceptions',
  'interception_return_yards',
  'interception_return_touchdowns',
  ...defensive,
  'fumbles',
  'fumbles_recovered',
]

const longest = [
  'rushing_long',
  'receiving_long',
  'punt_return_long',
  'kick_return_long',
  'punt_long',
  'field_goals_longest_made',
]

/**
 * A team’s boxscore: the source’s own team columns, and of its players’ rows (those of the team as such
 * included) the sums and the longest. The longest completion is the longest reception. What neither has is
 * null.
 *
 * @param players the team’s player rows of the game; null if the source has none
 */
export function teamLine(box: TeamBox, points: number | null, players: readonly Line[] | null): Line {
  const counts: Line = { ...box.counts, points, ...(players ? sumsOf(players) : {}) }
  const derived = footballRates((name) => counts[name] ?? null)
  return Object.fromEntries(footballLine.map((name) => [name, counts[name] ?? derived[name] ?? null]))
}

function sumsOf(players: readonly Line[]): Line {
  const tally = new Tally()
  for (const line of players) tally.add(line)
  const counted = summed.map((name) => [name, tally.total(name) ?? (defensive.has(name) ? null : 0)])
  const peaks = longest.map((name) => [name, tally.most(name)])
  return Object.fromEntries([...counted, ...peaks, ['passing_long', tally.most('receiving_long')]])
}

/** A player’s boxscore of one game from the rows of all categories; null if the player has none. */
export function playerLine(rows: readonly Line[]): Line {
  const tally = new Tally()
  for (const line of rows) tally.add(line)
  const value = (name: string) => (isLongest(name) ? tally.most(name) : tally.total(name))
  const derived = footballRates(value)
  return Object.fromEntries(footballPlayerLine.map((name) => [name, value(name) ?? derived[name] ?? null]))
}
