/**
 * The statistics of the specification (§2). Row types, GraphQL fields, the service's columns and the tests
 * are made from these lists.
 */

/** Counts of a team's statistics row that have no rank. */
export const unrankedCounts = ['total_games', 'games'] as const

export const rankedCounts = [
  'wins',
  'losses',
  'confwins',
  'conflosses',
  'neutralwins',
  'neutrallosses',
  'homewins',
  'homelosses',
  'roadwins',
  'roadlosses',
  'streak',
  'win_margin',
  'loss_margin',
  'confwin_margin',
  'confloss_margin',
] as const

export const indices = ['fatigue', 'desperation', 'over_confidence'] as const

const shooting = [
  'field_goal',
  'field_goal_attempts',
  'field_goal_percentage',
  'two_point_field_goal',
  'two_point_field_goal_attempts',
  'two_point_field_goal_percentage',
  'three_point_field_goal',
  'three_point_field_goal_attempts',
  'three_point_field_goal_percentage',
  'free_throws',
  'free_throw_attempts',
  'free_throw_percentage',
] as const

const floor = [
  'offensive_rebounds',
  'defensive_rebounds',
  'total_rebounds',
  'assists',
  'steals',
  'blocks',
  'turnovers',
  'fouls',
  'points',
] as const

const pace = ['possessions', 'pace', 'offensive_rating', 'defensive_rating', 'efficiency_rating'] as const

/** The counts of a basketball boxscore, for a player or a team. */
export const basketballLine = ['minutes_played', ...shooting, ...floor] as const

export const ownAverages = [...basketballLine, ...pace, 'adjusted_efficiency_rating'] as const

export const opponentAverages = [...shooting, ...floor, ...pace].map((name) => `opponent_${name}` as const)

/** The statistics of a basketball team's row that have a rank. */
export const rankedTeamStatistics = [
  ...rankedCounts,
  ...indices,
  ...ownAverages,
  ...opponentAverages,
] as const

/** The statistics of a basketball player's row that have no rank in the specification. */
export const unrankedPlayerStatistics = ['games'] as const

/** The ranked statistics of a basketball player's row that the specification shows. */
export const rankedPlayerStatistics = [
  'minutes_played_per_game',
  'points_per_game',
  'total_rebounds_per_game',
  'field_goal_percentage',
  'efficiency_rating',
] as const

/** The statistic columns of a football team's boxscore (§2). */
export const footballLine = [
  'minutes_played',
  'points',
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
  'passing_attempts',
  'passing_completions',
  'passing_yards',
  'passing_completion_percentage',
  'passing_yards_per_attempt',
  'passing_yards_per_completion',
  'passing_touchdowns',
  'passing_interceptions',
  'passing_rating_pro',
  'passing_rating_college',
  'passing_long',
  'rushing_attempts',
  'rushing_yards',
  'rushing_yards_gained',
  'rushing_yards_lost',
  'rushing_yards_per_attempt',
  'rushing_touchdowns',
  'rushing_long',
  'receptions',
  'receiving_yards',
  'receiving_yards_per_reception',
  'receiving_touchdowns',
  'receiving_long',
  'punt_returns',
  'punt_return_yards',
  'punt_return_yards_per_attempt',
  'punt_return_touchdowns',
  'punt_return_long',
  'kick_returns',
  'kick_return_yards',
  'kick_return_yards_per_attempt',
  'kick_return_touchdowns',
  'kick_return_long',
  'punts',
  'punt_yards',
  'punt_average',
  'punt_long',
  'field_goals_attempted',
  'field_goals_made',
  'field_goal_percentage',
  'field_goals_longest_made',
  'extra_points_attempted',
  'extra_points_made',
  'interceptions',
  'interception_return_yards',
  'interception_return_touchdowns',
  'solo_tackles',
  'assisted_tackles',
  'tackles_for_loss',
  'sacks',
  'passes_defended',
  'fumbles_recovered',
  'fumble_return_touchdowns',
  'quarterback_hurries',
  'fumbles',
  'fumbles_lost',
] as const

/** The column with a statistic's rank. */
export const rankOf = <N extends string>(name: N) => `${name}_rank` as const

const phrases: Readonly<Record<string, string>> = {
  total_games: 'Games on the season’s schedule',
  games: 'Games counted in this row',
  confwins: 'Wins within the conference',
  conflosses: 'Losses within the conference',
  neutralwins: 'Wins at neutral sites',
  neutrallosses: 'Losses at neutral sites',
  homewins: 'Wins at home',
  homelosses: 'Losses at home',
  roadwins: 'Wins on the road',
  roadlosses: 'Losses on the road',
  streak: 'Current run of equal results, in games: wins above 0, losses below',
  win_margin: 'Mean margin of the wins, in points',
  loss_margin: 'Mean margin of the losses, in points',
  confwin_margin: 'Mean margin of the conference wins, in points',
  confloss_margin: 'Mean margin of the conference losses, in points',
  fatigue: 'The service’s fatigue index',
  desperation: 'The service’s desperation index',
  over_confidence: 'The service’s over-confidence index',
  possessions: 'Possessions a game',
  pace: 'Possessions in 40 minutes',
  offensive_rating: 'Points scored in 100 possessions (football: 100 plays)',
  defensive_rating: 'Points allowed in 100 possessions (football: 100 plays)',
  efficiency_rating: 'Offensive less defensive rating, in points per 100 possessions (football: 100 plays)',
  adjusted_efficiency_rating: 'Efficiency rating adjusted for the opponents met',
  minutes_played: 'Minutes played (of a team, by all its players)',
  field_goal: 'Field goals made',
  field_goal_attempts: 'Field goals attempted',
  two_point_field_goal: 'Two-point field goals made',
  two_point_field_goal_attempts: 'Two-point field goals attempted',
  two_point_field_goal_percentage: 'Two-point field goals made, in percent of those attempted',
  three_point_field_goal: 'Three-point field goals made',
  three_point_field_goal_attempts: 'Three-point field goals attempted',
  three_point_field_goal_percentage: 'Three-point field goals made, in percent of those attempted',
  field_goal_percentage: 'Field goals made, in percent of those attempted',
  free_throws: 'Free throws made',
  free_throw_attempts: 'Free throws attempted',
  free_throw_percentage: 'Free throws made, in percent of those attempted',
  fouls: 'Personal fouls',
  passing_long: 'Longest completed pass, in yards',
  rushing_long: 'Longest rush, in yards',
  receiving_long: 'Longest catch, in yards',
  punt_return_long: 'Longest punt return, in yards',
  kick_return_long: 'Longest kick return, in yards',
  punt_long: 'Longest punt, in yards',
  punt_average: 'Yards for each punt',
  field_goals_longest_made: 'Longest field goal made, in yards',
  passing_completion_percentage: 'Passes completed, in percent of those attempted',
  time_of_possession_seconds: 'Time of possession, in seconds',
  passing_rating_pro: 'Passer rating by the professional formula, 0 to 158.3',
  passing_rating_college: 'Passer rating by the college formula',
}

/** A statistic in words with its unit, for descriptions in the graph. */
export function describeStatistic(name: string): string {
  const opponent = name.startsWith('opponent_')
  const plain = opponent ? name.slice('opponent_'.length) : name
  const words = phrases[plain] ?? sentence(plain)
  const unit = plain.endsWith('percentage') ? ', 0 to 100' : ''
  return opponent ? `Opponents’ ${words.charAt(0).toLowerCase()}${words.slice(1)}${unit}` : `${words}${unit}`
}

function sentence(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
