import { footballLine } from '../../specification/statistics.ts'
import type { Line } from '../league/facts.ts'
import { difference, share, sum } from './tally.ts'
import type { Tally } from './tally.ts'

/** Columns of a football line that are derived from others or are a maximum: no mean of theirs says anything. */
const derived =
  /_percentage$|_per_(attempt|completion|reception)$|_average$|_rating_(pro|college)$|_long$|longest_made$/

/** The columns of a football boxscore that are counted. */
export const footballCounts = footballLine.filter((name) => !derived.test(name))

/** Each rate with what it divides, and by how much: means of a season are ratios of totals, not means of ratios. */
const rates = [
  ['passing_completion_percentage', 'passing_completions', 'passing_attempts', 100],
  ['passing_yards_per_attempt', 'passing_yards', 'passing_attempts', 1],
  ['passing_yards_per_completion', 'passing_yards', 'passing_completions', 1],
  ['rushing_yards_per_attempt', 'rushing_yards', 'rushing_attempts', 1],
  ['receiving_yards_per_reception', 'receiving_yards', 'receptions', 1],
  ['punt_return_yards_per_attempt', 'punt_return_yards', 'punt_returns', 1],
  ['kick_return_yards_per_attempt', 'kick_return_yards', 'kick_returns', 1],
  ['punt_average', 'punt_yards', 'punts', 1],
  ['field_goal_percentage', 'field_goals_made', 'field_goals_attempted', 100],
] as const

const teamRates = [
  ['third_down_percentage', 'third_down_conversions', 'third_down_attempts', 100],
  ['fourth_down_percentage', 'fourth_down_conversions', 'fourth_down_attempts', 100],
  ['extra_point_percentage', 'extra_points_made', 'extra_points_attempted', 100],
] as const

const ratedNames = (list: readonly (readonly [string, string, string, number])[]) =>
  list.map(([name]) => name)

const ratesOf = (
  list: readonly (readonly [string, string, string, number])[],
  value: (name: string) => number | null,
): Line =>
  Object.fromEntries(
    list.map(([name, part, whole, scale]) => [name, share(value(part), value(whole), scale)]),
  )

/** The rates and passer ratings that a line’s counts imply. */
export const footballRates = (value: (name: string) => number | null): Line => ({
  ...ratesOf(rates, value),
  passing_rating_pro: passerRatingPro(value),
  passing_rating_college: passerRatingCollege(value),
})

/** NCAA passing efficiency: (8.4 yards + 330 touchdowns + 100 completions − 200 interceptions) / attempts (NCAA Football Records). */
function passerRatingCollege(value: (name: string) => number | null): number | null {
  const [attempts, completions, yards, touchdowns, interceptions] = passing(value)
  if (completions === null || yards === null || touchdowns === null || interceptions === null) return null
  return share(8.4 * yards + 330 * touchdowns + 100 * completions - 200 * interceptions, attempts)
}

/** NFL passer rating, 0 to 158.3: four parts, each held between 0 and 2.375 (NFL Record & Fact Book, “Passing”). */
function passerRatingPro(value: (name: string) => number | null): number | null {
  const [attempts, completions, yards, touchdowns, interceptions] = passing(value)
  if (!attempts || completions === null || yards === null) return null
  if (touchdowns === null || interceptions === null) return null
  const parts = [
    (completions / attempts - 0.3) * 5,
    (yards / attempts - 3) * 0.25,
    (touchdowns / attempts) * 20,
    2.375 - (interceptions / attempts) * 25,
  ]
  return (parts.reduce((total, part) => total + Math.min(2.375, Math.max(0, part)), 0) / 6) * 100
}

const passing = (value: (name: string) => number | null) =>
  [
    value('passing_attempts'),
    value('passing_completions'),
    value('passing_yards'),
    value('passing_touchdowns'),
    value('passing_interceptions'),
  ] as const

const pace = [
  'plays',
  'total_yards',
  'yards_per_play',
  'turnovers',
  'turnover_margin',
  'offensive_rating',
  'defensive_rating',
  'efficiency_rating',
]

const averages = [
  ...footballCounts,
  ...ratedNames(rates),
  'passing_rating_pro',
  'passing_rating_college',
  ...ratedNames(teamRates),
  ...pace,
]

/** The averages of a football team’s row, and those of its opponents without their prefix. */
export const footballAverages = {
  own: [...averages, 'adjusted_efficiency_rating'],
  opponent: averages.filter((name) => name !== 'minutes_played' && name !== 'turnover_margin'),
}

/** Points per 100 plays from scrimmage in one game. College football counts sacks among the rushes. */
export const footballEfficiency = (line: Line): number | null =>
  share(line['points'] ?? null, sum(line['rushing_attempts'] ?? null, line['passing_attempts'] ?? null), 100)

/**
 * One side’s averages over its games: counts are means per game, rates are of totals. A play is a rush or a pass; turnovers are
 * interceptions thrown and fumbles lost; ratings are points per 100 plays.
 */
export function footballAveragesOf(own: Tally, opponent: Tally): Line {
  const mean = (name: string) => own.mean(name)
  const plays = playsOf(own)
  const total_yards = sum(mean('rushing_yards'), mean('passing_yards'))
  const turnovers = turnoversOf(own)
  const offence = share(mean('points'), plays, 100)
  const defence = share(opponent.mean('points'), playsOf(opponent), 100)
  return {
    ...Object.fromEntries(footballCounts.map((name) => [name, mean(name)])),
    ...footballRates((name) => own.total(name)),
    ...ratesOf(teamRates, (name) => own.total(name)),
    plays,
    total_yards,
    yards_per_play: share(total_yards, plays),
    turnovers,
    turnover_margin: difference(turnoversOf(opponent), turnovers),
    offensive_rating: offence,
    defensive_rating: defence,
    efficiency_rating: difference(offence, defence),
  }
}

const playsOf = (tally: Tally) => sum(tally.mean('rushing_attempts'), tally.mean('passing_attempts'))
const turnoversOf = (tally: Tally) => sum(tally.mean('passing_interceptions'), tally.mean('fumbles_lost'))

const teamOnly =
  /^(minutes_played|points|successful_|first_downs|third_|fourth_|penalt|time_of_|rushing_yards_(gained|lost))/

/** The columns of a player’s football boxscore: the team’s, without those that no single player has. */
export const footballPlayerLine = footballLine.filter((name) => !teamOnly.test(name))

const playerCounts = footballPlayerLine.filter((name) => !derived.test(name))
const playerLongs = footballPlayerLine.filter((name) => /_long$|longest_made$/.test(name))
const playerRates = [...ratedNames(rates), 'passing_rating_pro', 'passing_rating_college']

const perGame = [
  'passing_yards',
  'passing_touchdowns',
  'rushing_yards',
  'rushing_touchdowns',
  'receptions',
  'receiving_yards',
  'receiving_touchdowns',
  'solo_tackles',
  'assisted_tackles',
  'tackles_for_loss',
  'sacks',
]

/** A football player’s row: totals, rates, longest plays and the usual means per game. */
export const footballPlayerStatistics = [
  ...playerCounts,
  ...playerRates,
  ...playerLongs,
  ...perGame.map((name) => `${name}_per_game`),
]

/** A mean per game is over every game the player has a boxscore of: a game without a catch is a game. */
export function footballPlayerStatisticsOf(tally: Tally): Line {
  const total = (name: string) => tally.total(name)
  return {
    ...Object.fromEntries(playerCounts.map((name) => [name, total(name)])),
    ...footballRates(total),
    ...Object.fromEntries(playerLongs.map((name) => [name, tally.most(name)])),
    ...Object.fromEntries(perGame.map((name) => [`${name}_per_game`, share(total(name), tally.games)])),
  }
}
