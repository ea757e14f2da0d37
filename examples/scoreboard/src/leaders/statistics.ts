import type { Subject } from '../routing/route.ts'

/** The statistics of a leaderboard by sport, the first of them first. */
const bySport: Readonly<Record<Subject, readonly (readonly string[])[]>> = {
  teams: [
    [
      'points',
      'opponent_points',
      'field_goal_percentage',
      'three_point_field_goal_percentage',
      'total_rebounds',
      'assists',
      'turnovers',
      'adjusted_efficiency_rating',
    ],
    [
      'points',
      'opponent_points',
      'total_yards',
      'opponent_total_yards',
      'passing_yards',
      'rushing_yards',
      'turnover_margin',
    ],
  ],
  players: [
    [
      'points_per_game',
      'total_rebounds_per_game',
      'minutes_played_per_game',
      'field_goal_percentage',
      'efficiency_rating',
    ],
    [
      'passing_yards',
      'passing_touchdowns',
      'rushing_yards',
      'rushing_touchdowns',
      'receptions',
      'receiving_yards',
      'solo_tackles',
      'sacks',
      'interceptions',
    ],
  ],
}

/** The statistics of the sports that have one of them. */
export function statisticsOf(subject: Subject, one: string): string[] {
  const own = bySport[subject].filter((names) => names.includes(one))
  return [...new Set((own.length > 0 ? own : bySport[subject]).flat())]
}

/** What leaders are sorted by where the reader has not chosen: the first statistic of each sport. */
export const firstOf = (subject: Subject): string[] => [
  ...new Set(bySport[subject].flatMap(([first]) => first ?? [])),
]
