import {
  footballDefence,
  footballOffence,
  footballPerGame,
  footballPlayerLine,
  isCount,
  isLongest,
} from '../../specification/sport-statistics.ts'
import { means, ofOpponents, peaks, rates, totals } from './formula.ts'
import type { Attempts, Formulas, Numbers, PlayerFormula, Rate, TeamFormula } from './formula.ts'
import type { Line } from './line.ts'
import { difference, share, sum } from './tally.ts'
import type { Tally } from './tally.ts'

const lineRates: readonly Rate[] = [
  ['passing_completion_percentage', 'passing_completions', 'passing_attempts', 100],
  ['passing_yards_per_attempt', 'passing_yards', 'passing_attempts', 1],
  ['passing_yards_per_completion', 'passing_yards', 'passing_completions', 1],
  ['rushing_yards_per_attempt', 'rushing_yards', 'rushing_attempts', 1],
  ['receiving_yards_per_reception', 'receiving_yards', 'receptions', 1],
  ['punt_return_yards_per_attempt', 'punt_return_yards', 'punt_returns', 1],
  ['kick_return_yards_per_attempt', 'kick_return_yards', 'kick_returns', 1],
  ['punt_average', 'punt_yards', 'punts', 1],
  ['field_goal_percentage', 'field_goals_made', 'field_goals_attempted', 100],
]

const passes = { of: 'passing_attempts', perGame: 10 }

/**
 * Minimum attempts to be ranked by a rate: near the NCAA’s own (NCAA Football Records, “Statistics
 * policies”).
 */
export const footballAttempts: Attempts = {
  passing_completion_percentage: passes,
  passing_yards_per_attempt: passes,
  passing_yards_per_completion: passes,
  passing_rating_pro: passes,
  passing_rating_college: passes,
  rushing_yards_per_attempt: { of: 'rushing_attempts', perGame: 5 },
  receiving_yards_per_reception: { of: 'receptions', perGame: 2 },
  punt_return_yards_per_attempt: { of: 'punt_returns', perGame: 1.2 },
  kick_return_yards_per_attempt: { of: 'kick_returns', perGame: 1.2 },
  punt_average: { of: 'punts', perGame: 3 },
  field_goal_percentage: { of: 'field_goals_attempted', perGame: 0.75 },
}

const teamRates: readonly Rate[] = [
  ['third_down_percentage', 'third_down_conversions', 'third_down_attempts', 100],
  ['fourth_down_percentage', 'fourth_down_conversions', 'fourth_down_attempts', 100],
]

/** The rates and passer ratings that a boxscore’s counts imply. */
export const footballRates = (value: Numbers): Line => ({
  ...Object.fromEntries(
    lineRates.map(([name, part, whole, scale]) => [name, share(value(part), value(whole), scale)]),
  ),
  passing_rating_pro: passerRatingPro(value),
  passing_rating_college: passerRatingCollege(value),
})

/**
 * NCAA passing efficiency: (8.4 yards + 330 touchdowns + 100 completions − 200 interceptions) / attempts
 * (NCAA Football Records).
 */
export function passerRatingCollege(value: Numbers): number | null {
  const [attempts, completions, yards, touchdowns, interceptions] = passing(value)
  if (completions === null || yards === null || touchdowns === null || interceptions === null) return null
  return share(8.4 * yards + 330 * touchdowns + 100 * completions - 200 * interceptions, attempts)
}

/**
 * NFL passer rating, 0 to 158.3: four parts, each held between 0 and 2.375 (NFL Record & Fact Book,
 * “Passing”).
 */
export function passerRatingPro(value: Numbers): number | null {
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

const passing = (value: Numbers) =>
  [
    value('passing_attempts'),
    value('passing_completions'),
    value('passing_yards'),
    value('passing_touchdowns'),
    value('passing_interceptions'),
  ] as const

/** Points per 100 plays from scrimmage in one game. College football counts sacks among the rushes. */
export const footballEfficiency = (line: Line): number | null =>
  share(line['points'] ?? null, sum(line['rushing_attempts'] ?? null, line['passing_attempts'] ?? null), 100)

const plays = (tally: Tally) => sum(tally.mean('rushing_attempts'), tally.mean('passing_attempts'))
const yards = (tally: Tally) => sum(tally.mean('rushing_yards'), tally.mean('passing_yards'))
const turnovers = (tally: Tally) => sum(tally.mean('passing_interceptions'), tally.mean('fumbles_lost'))
const offensiveRating = (tally: Tally) => share(tally.mean('points'), plays(tally), 100)

const attackRates = new Set([
  'passing_completion_percentage',
  'passing_yards_per_attempt',
  'passing_yards_per_completion',
  'rushing_yards_per_attempt',
])

/**
 * One side's offence: means a game, rates of totals, and points per 100 plays. A play is a rush or a pass.
 */
const side: Formulas<TeamFormula> = {
  ...means(footballOffence),
  ...rates(teamRates),
  ...rates(lineRates.filter(([name]) => attackRates.has(name))),
  passing_rating_college: (own) => passerRatingCollege((name) => own.total(name)),
  plays,
  total_yards: yards,
  yards_per_play: (own) => share(yards(own), plays(own)),
  turnovers,
  offensive_rating: offensiveRating,
  defensive_rating: (_own, opponents) => offensiveRating(opponents),
  efficiency_rating: (own, opponents) => difference(offensiveRating(own), offensiveRating(opponents)),
}

const ownAlone: Formulas<TeamFormula> = {
  ...means(footballDefence),
  ...rates(lineRates.filter(([name]) => !attackRates.has(name) && !name.startsWith('receiving'))),
  turnover_margin: (own, opponents) => difference(turnovers(opponents), turnovers(own)),
}

const opponents = ofOpponents(side)

/**
 * The averages of a team’s row: the specification shows none for football, these are the field’s usual ones.
 */
export const footballTeam: Formulas<TeamFormula> = { ...side, ...ownAlone, ...opponents }

/** A player’s row: totals, rates, longest plays, and means over all games with a boxscore of the player. */
export const footballPlayer: Formulas<PlayerFormula> = {
  ...totals(footballPlayerLine.filter(isCount)),
  ...rates(lineRates),
  passing_rating_pro: (tally) => passerRatingPro((name) => tally.total(name)),
  passing_rating_college: (tally) => passerRatingCollege((name) => tally.total(name)),
  ...peaks(footballPlayerLine.filter(isLongest)),
  ...Object.fromEntries(
    footballPerGame.map((name) => [
      `${name}_per_game`,
      (tally: Tally) => share(tally.total(name), tally.games),
    ]),
  ),
}
