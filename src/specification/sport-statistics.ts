import {
  basketballLine,
  describePlayerStatistic,
  describeTeamStatistic,
  footballLine,
  opponentAverages,
  ownAverages,
  rankedTeamStatistics,
  unrankedCounts,
  unrankedPlayerStatistics,
} from './statistics.ts'

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
export const sportStatistics: Readonly<
  Record<Sport, Readonly<Record<'teams' | 'players', readonly string[]>>>
> = {
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

/** Every statistic of a row of teams or of players, in any sport. */
export const allStatistics = {
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
