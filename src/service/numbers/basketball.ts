import { basketballLine } from '../../specification/statistics.ts'
import { means, ofOpponents, rates, renamed, totals } from './formula.ts'
import type { Attempts, Formulas, Numbers, PlayerFormula, Rate, TeamFormula } from './formula.ts'
import type { Line } from './line.ts'
import type { LeagueRules } from './rules.ts'
import { difference, share } from './tally.ts'
import type { Tally } from './tally.ts'

/** Percentages, 0 to 100, of made and attempted shots. */
const percentages: readonly Rate[] = [
  ['field_goal_percentage', 'field_goal', 'field_goal_attempts', 100],
  ['two_point_field_goal_percentage', 'two_point_field_goal', 'two_point_field_goal_attempts', 100],
  ['three_point_field_goal_percentage', 'three_point_field_goal', 'three_point_field_goal_attempts', 100],
  ['free_throw_percentage', 'free_throws', 'free_throw_attempts', 100],
]

/** Minimum attempts to be ranked by a percentage. */
export const basketballAttempts: Attempts = {
  field_goal_percentage: { of: 'field_goal_attempts', perGame: 4 },
  two_point_field_goal_percentage: { of: 'two_point_field_goal_attempts', perGame: 3 },
  three_point_field_goal_percentage: { of: 'three_point_field_goal_attempts', perGame: 2 },
  free_throw_percentage: { of: 'free_throw_attempts', perGame: 1.5 },
}

const counted = basketballLine.filter((name) => !percentages.some(([percentage]) => percentage === name))

/** The percentages of a boxscore’s counts; null without an attempt. */
export const shootingPercentages = (value: Numbers): Line =>
  Object.fromEntries(
    percentages.map(([name, made, tried, scale]) => [name, share(value(made), value(tried), scale)]),
  )

/**
 * Possessions of one side, estimated from its boxscore: attempts − offensive rebounds + turnovers + a
 * league's share of the free-throw attempts (Dean Oliver, Basketball on Paper, 2004). Null if a column is
 * missing, or if the result would be negative.
 */
export function possessions(value: Numbers, perFreeThrow: number): number | null {
  const [attempts, offensive] = [value('field_goal_attempts'), value('offensive_rebounds')]
  const [turnovers, freeThrows] = [value('turnovers'), value('free_throw_attempts')]
  if (attempts === null || offensive === null || turnovers === null || freeThrows === null) return null
  const estimate = attempts - offensive + turnovers + perFreeThrow * freeThrows
  return estimate < 0 ? null : estimate
}

/**
 * Points per 100 possessions in one game (Oliver’s offensive rating); null if the boxscore lacks a column.
 */
export const basketballEfficiency = (line: Line, rules: LeagueRules): number | null => {
  const column = (name: string) => line[name] ?? null
  return share(column('points'), possessions(column, rules.free_throw_possessions), 100)
}

const playersOnCourt = 5

/** Counts are means a game, percentages are of totals, ratings are points per 100 possessions (Oliver). */
function sideOf({ free_throw_possessions, minutes }: LeagueRules): Formulas<TeamFormula> {
  const possessionsOf = (tally: Tally) => possessions((name) => tally.mean(name), free_throw_possessions)
  const offensiveRating = (tally: Tally) => share(tally.mean('points'), possessionsOf(tally), 100)
  /**
   * Both sides’ mean possessions in a game. A team’s `minutes_played` are its players’: five for each minute.
   */
  const pace: TeamFormula = (own, opponents) => {
    const [ours, theirs] = [possessionsOf(own), possessionsOf(opponents)]
    if (ours === null || theirs === null) return null
    const played = own.mean('minutes_played') ?? opponents.mean('minutes_played')
    return share((ours + theirs) / 2, played, minutes * playersOnCourt)
  }
  return {
    ...means(counted),
    ...rates(percentages),
    possessions: possessionsOf,
    pace,
    offensive_rating: offensiveRating,
    defensive_rating: (_own, opponents) => offensiveRating(opponents),
    efficiency_rating: (own, opponents) => difference(offensiveRating(own), offensiveRating(opponents)),
  }
}

export function basketballTeam(rules: LeagueRules): Formulas<TeamFormula> {
  const side = sideOf(rules)
  return { ...side, ...ofOpponents(side) }
}

const gains = ['points', 'total_rebounds', 'assists', 'steals', 'blocks', 'field_goal', 'free_throws']
const costs = ['field_goal_attempts', 'free_throw_attempts', 'turnovers']

/**
 * A player’s efficiency rating is the NBA’s EFF a game (nba.com, “Stats Glossary”; Martin Manley, Basketball
 * Heaven, 1988): points, rebounds, assists, steals and blocks less missed shots, missed free throws and
 * turnovers. A column that nobody counts counts nothing.
 */
const playerEfficiency: PlayerFormula = (tally) => {
  if (tally.mean('points') === null) return null
  const add = (names: string[]) => names.reduce((total, name) => total + (tally.mean(name) ?? 0), 0)
  return add(gains) - add(costs)
}

/** A player’s row: totals, means a game, percentages and the efficiency rating. */
export const basketballPlayer: Formulas<PlayerFormula> = {
  ...totals(counted),
  ...renamed(means(counted), (name) => `${name}_per_game`),
  ...rates(percentages),
  efficiency_rating: playerEfficiency,
}
