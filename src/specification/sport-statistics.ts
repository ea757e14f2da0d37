import {
  basketballLine,
  describeStatistic,
  footballLine,
  opponentAverages,
  ownAverages,
  rankedTeamStatistics,
  unrankedCounts,
  unrankedPlayerStatistics,
} from './statistics.ts'
import type { StatisticClass } from './tables.ts'

/**
 * The statistics of each sport’s rows. The graph’s fields, the names that it knows, and the included service’s columns
 * are made from these lists.
 */

/** The columns that no single player has. */
const teamOnly =
  /^(minutes_played|points|successful_|first_downs|third_|fourth_|penalt|time_of_|rushing_yards_(gained|lost))/

/** The columns of a player’s football boxscore: the team’s, without those that no single player has. */
export const footballPlayerLine = footballLine.filter((name) => !teamOnly.test(name))

const isRate = (name: string) => /_percentage$|_per_|_average$/.test(name)
const isPasserRating = (name: string) => name.startsWith('passing_rating')

/** Whether a football column is the longest of its plays. */
export const isLongest = (name: string): boolean => /_long$|longest_made$/.test(name)

/** Whether a football column is a number of its own, not made from others and not a maximum. */
export const isCount = (name: string): boolean => !isRate(name) && !isPasserRating(name) && !isLongest(name)

/** The boxscore columns of one side’s offence whose means a football team’s row has. */
export const footballOffence = [
  'points',
  'first_downs',
  'third_down_conversions',
  'third_down_attempts',
  'fourth_down_conversions',
  'fourth_down_attempts',
  'penalties',
  'penalty_yards',
  'time_of_possession_seconds',
  'passing_attempts',
  'passing_completions',
  'passing_yards',
  'passing_touchdowns',
  'passing_interceptions',
  'rushing_attempts',
  'rushing_yards',
  'rushing_touchdowns',
  'fumbles_lost',
] as const

/** The same of defence and kicking, which it has of its own side alone. */
export const footballDefence = [
  'punts',
  'field_goals_attempted',
  'field_goals_made',
  'extra_points_attempted',
  'extra_points_made',
  'interceptions',
  'tackles_for_loss',
  'sacks',
  'passes_defended',
] as const

const footballSide = [
  ...footballOffence,
  'third_down_percentage',
  'fourth_down_percentage',
  'passing_completion_percentage',
  'passing_yards_per_attempt',
  'passing_yards_per_completion',
  'rushing_yards_per_attempt',
  'passing_rating_college',
  'plays',
  'total_yards',
  'yards_per_play',
  'turnovers',
  'offensive_rating',
  'defensive_rating',
  'efficiency_rating',
]

/** The columns whose means a game a football player’s row has. */
export const footballPerGame = [
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
] as const

const perGame = (name: string) => `${name}_per_game`
const isPercentage = (name: string) => name.endsWith('percentage')
const counted = basketballLine.filter((name) => !isPercentage(name))

export const sports = ['basketball', 'football'] as const
export type Sport = (typeof sports)[number]

/**
 * The ranked statistics of the rows of each sport beside those of both, in the order in which the included service
 * serves them. The specification shows a team’s in basketball, and some of a player’s; the others are the field’s
 * usual ones.
 */
export const sportStatistics: Readonly<Record<Sport, Readonly<Record<Ranks, readonly string[]>>>> = {
  basketball: {
    teams: [...ownAverages, ...opponentAverages],
    players: [
      ...counted,
      ...counted.map(perGame),
      ...basketballLine.filter(isPercentage),
      'efficiency_rating',
    ],
  },
  football: {
    teams: [
      ...footballSide,
      ...footballDefence,
      'punt_return_yards_per_attempt',
      'kick_return_yards_per_attempt',
      'punt_average',
      'field_goal_percentage',
      'turnover_margin',
      'adjusted_efficiency_rating',
      ...footballSide.map((name) => `opponent_${name}`),
    ],
    players: [
      ...footballPlayerLine.filter(isCount),
      ...footballPlayerLine.filter(isRate),
      ...footballPlayerLine.filter(isPasserRating),
      ...footballPlayerLine.filter(isLongest),
      ...footballPerGame.map(perGame),
    ],
  },
}

/** What a team’s row has the means of. */
const means = new Set<string>([
  ...counted,
  ...footballOffence,
  ...footballDefence,
  'plays',
  'total_yards',
  'turnover_margin',
])

/** A statistic of a team’s row in words. */
const describeTeamStatistic = (name: string) =>
  `${describeStatistic(name)}${means.has(name.replace(/^opponent_/, '')) ? ' a game' : ''}`

/** A statistic of a player’s row in words. */
function describePlayerStatistic(name: string): string {
  if (name === 'efficiency_rating')
    return 'Efficiency a game: points, rebounds, assists, steals and blocks, less missed shots, missed free throws and turnovers'
  const total = name.replace(/_per_game$/, '')
  return `${describeStatistic(total)}${name === total ? '' : ' a game'}`
}

/** The statistics of a row, in any sport: with a rank and without, and in words. */
export interface Statistics {
  readonly ranked: readonly string[]
  readonly unranked: readonly string[]
  readonly describe: (name: string) => string
}

export type Ranks = 'teams' | 'players'

const allStatistics: Readonly<Record<Ranks, Statistics>> = {
  teams: {
    unranked: unrankedCounts,
    ranked: [...new Set([...rankedTeamStatistics, ...sportStatistics.football.teams])],
    describe: describeTeamStatistic,
  },
  players: {
    unranked: unrankedPlayerStatistics,
    ranked: [...new Set(sports.flatMap((sport) => sportStatistics[sport].players))],
    describe: describePlayerStatistic,
  },
}

/** Whose statistics the rows of a class have, or average. */
export const ranksOf: Readonly<Record<StatisticClass, Ranks>> = {
  statistic_ranking: 'teams',
  player_statistic_ranking: 'players',
  coach_statistic_ranking: 'teams',
  conference_statistic_ranking: 'teams',
  league_statistic_ranking: 'teams',
  conference_player_statistic_ranking: 'players',
  league_player_statistic_ranking: 'players',
}

export const statisticsOf = (table: StatisticClass): Statistics => allStatistics[ranksOf[table]]
