import { basketballLine, opponentAverages, ownAverages } from '../../specification/statistics.ts'
import type { Line } from '../league/facts.ts'
import { difference, share } from './tally.ts'
import type { Tally } from './tally.ts'

/** The averages of a team’s row, in the specification’s order, and those of its opponents without their prefix. */
export const basketballAverages = {
  own: ownAverages,
  opponent: opponentAverages.map((name) => name.slice('opponent_'.length)),
}

/** Each percentage of a basketball line with what was made and what was tried. */
const percentages = [
  ['field_goal_percentage', 'field_goal', 'field_goal_attempts'],
  ['two_point_field_goal_percentage', 'two_point_field_goal', 'two_point_field_goal_attempts'],
  ['three_point_field_goal_percentage', 'three_point_field_goal', 'three_point_field_goal_attempts'],
  ['free_throw_percentage', 'free_throws', 'free_throw_attempts'],
] as const

const percentageNames: ReadonlySet<string> = new Set(percentages.map(([name]) => name))

/** The columns of a basketball line that are counted, not derived. */
export const basketballCounts = basketballLine.filter((name) => !percentageNames.has(name))

/** Percentages 0 to 100 from what was made and tried; null without a try. */
export const shootingPercentages = (value: (name: string) => number | null): Line =>
  Object.fromEntries(percentages.map(([name, made, tried]) => [name, share(value(made), value(tried), 100)]))

/**
 * Possessions of one side, estimated from its boxscore: attempts − offensive rebounds + turnovers + 0.475 × free-throw attempts.
 * Dean Oliver, Basketball on Paper (2004), with Ken Pomeroy’s college factor for free throws (kenpom.com, “Ratings Glossary”).
 */
export function possessions(value: (name: string) => number | null): number | null {
  const [attempts, offensive] = [value('field_goal_attempts'), value('offensive_rebounds')]
  const [turnovers, freeThrows] = [value('turnovers'), value('free_throw_attempts')]
  if (attempts === null || offensive === null || turnovers === null || freeThrows === null) return null
  return attempts - offensive + turnovers + 0.475 * freeThrows
}

/** Points per 100 possessions in one game (Oliver’s offensive rating); null where the boxscore lacks a column. */
export const basketballEfficiency = (line: Line): number | null => {
  const column = (name: string) => line[name] ?? null
  return share(column('points'), possessions(column), 100)
}

/**
 * One side’s averages over its games: counts are means, percentages are of totals, ratings are points per 100 possessions
 * (Oliver), pace is both sides’ mean possessions in 40 minutes of play. A team’s `minutes_played` are its players’: five to the minute.
 */
export function basketballAveragesOf(own: Tally, opponent: Tally): Line {
  const ours = possessions((name) => own.mean(name))
  const theirs = possessions((name) => opponent.mean(name))
  const offence = share(own.mean('points'), ours, 100)
  const defence = share(opponent.mean('points'), theirs, 100)
  return {
    ...Object.fromEntries(basketballCounts.map((name) => [name, own.mean(name)])),
    ...shootingPercentages((name) => own.total(name)),
    possessions: ours,
    pace: paceOf(ours, theirs, own.mean('minutes_played') ?? opponent.mean('minutes_played')),
    offensive_rating: offence,
    defensive_rating: defence,
    efficiency_rating: difference(offence, defence),
  }
}

function paceOf(ours: number | null, theirs: number | null, minutes: number | null): number | null {
  if (ours === null || theirs === null) return null
  return share((ours + theirs) / 2, minutes, 40 * 5)
}

/** A player’s row: totals, means per game, percentages and the efficiency rating. */
export const basketballPlayerStatistics = [
  ...basketballCounts,
  ...basketballCounts.map((name) => `${name}_per_game`),
  ...percentageNames,
  'efficiency_rating',
]

/**
 * A player’s efficiency rating is the NBA’s EFF a game (nba.com, “Stats Glossary”; Martin Manley, Basketball Heaven, 1988): points,
 * rebounds, assists, steals and blocks less missed shots, missed free throws and turnovers. A column that nobody counts counts nothing.
 */
export function basketballPlayerStatisticsOf(tally: Tally): Line {
  const total = (name: string) => tally.total(name)
  return {
    ...Object.fromEntries(basketballCounts.map((name) => [name, total(name)])),
    ...Object.fromEntries(basketballCounts.map((name) => [`${name}_per_game`, tally.mean(name)])),
    ...shootingPercentages(total),
    efficiency_rating: playerEfficiency(tally),
  }
}

const gains = ['points', 'total_rebounds', 'assists', 'steals', 'blocks', 'field_goal', 'free_throws']
const costs = ['field_goal_attempts', 'free_throw_attempts', 'turnovers']

function playerEfficiency(tally: Tally): number | null {
  if (tally.mean('points') === null) return null
  const add = (names: string[]) => names.reduce((total, name) => total + (tally.mean(name) ?? 0), 0)
  return add(gains) - add(costs)
}
