/** The sports whose numbers this service computes. */
export type Sport = 'basketball' | 'football'

/** Steps of the Elo rating. */
export interface EloRule {
  /** The change of a game between equal teams, before the margin of victory counts. */
  readonly k: number
  /** The factor of `k` for a team’s first game; falls to one over the first ten games. */
  readonly opening_boost: number
  /** Added to the home team's rating, unless the site is neutral. */
  readonly home_advantage: number
  /** The share of a rating's distance from 1500 that is kept into the next season. */
  readonly carry: number
  /** The fixed rating of an opponent from outside the division, which has none of its own. */
  readonly outsider: number
}

/** Steps of the margin rating. */
export interface MarginRule {
  /** The home team's advantage in points, unless the site is neutral. */
  readonly home_points: number
  /** Average games added to every team, so that one game is not taken for a habit. */
  readonly prior_games: number
  /** The number of games that the rating from the season before counts for. */
  readonly carried_games: number
  /** Points a game for one point of Elo. */
  readonly elo_points: number
  /**
   * Points that the host of a game outside the conference is the better team by, while nothing is known of
   * either: strong teams invite weak ones. Fades as games are played.
   */
  readonly host_points: number
  /** The fixed rating of an opponent from outside the division. */
  readonly outsider: number
}

/** The weights that turn ratings, or a closing spread, into a prediction: terms of the log odds of a home win. */
export interface ForecastRule {
  /** The term for a lead of 100 Elo points. */
  readonly elo_weight: number
  /** The term for an expected margin of one point. */
  readonly margin_weight: number
  /** The term for each point of the closing spread in the home team's favour. It replaces the other two. */
  readonly spread_weight: number
  /** The points for one unit of the log odds. */
  readonly points: number
  /** The expected score of an unknown team. */
  readonly usual_score: number
  /** Average games added to every team, so that one game is not taken for a habit. */
  readonly prior_games: number
}

/**
 * The constants in which one league's numbers differ from another's of the same sport. Each league has them
 * in a file of `leagues/`.
 */
export interface LeagueRules {
  readonly sport: Sport
  /** Length of a game without overtime, in minutes. */
  readonly minutes: number
  /** Possessions that one free throw attempt ends; football has none. */
  readonly free_throw_possessions: number
  /** Home advantage for each side, in points per 100 possessions (football: plays). */
  readonly home_edge: number
  readonly elo: EloRule
  readonly margin: MarginRule
  readonly forecast: ForecastRule
}
