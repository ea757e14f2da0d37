/** The sports whose numbers this service computes. */
export type Sport = 'basketball' | 'football'

/** Steps of the Elo rating. */
export interface EloRule {
  /** Points that a game between equals moves, before the margin of victory is looked at. */
  readonly k: number
  /** How many times `k` a team’s very first game moves; falls to one over the first ten games. */
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
  /** Points that the home team is worth more, unless the site is neutral. */
  readonly home_points: number
  /** Draws against an average team that every team begins with, so that one game is not taken for a habit. */
  readonly prior_games: number
  /** How many games the rating that the season before has left counts for. */
  readonly carried_games: number
  /** Points a game that one point of Elo stands for. */
  readonly elo_points: number
  /**
   * Points that the host of a game outside the conference is the better team by, while nothing is known of either: strong teams invite
   * weak ones. Fades as games are played.
   */
  readonly host_points: number
  /** The fixed rating of an opponent from outside the division. */
  readonly outsider: number
}

/** What adds up to the logarithm of the odds of a home win. */
export interface Weights {
  /** What a lead of 100 Elo points adds. */
  readonly elo_weight: number
  /** What an expected margin of one point adds. */
  readonly margin_weight: number
  /** What each point adds by which the closing spread favours the home team. */
  readonly spread_weight: number
}

/** What turns ratings into a prediction. */
export interface ForecastRule {
  /** From the ratings alone. */
  readonly alone: Weights
  /** Where the closing spread is given too. */
  readonly with_spread: Weights
  /** Points on the board that one unit of that logarithm stands for. */
  readonly points: number
  /** What a team of which nothing is known scores. */
  readonly usual_score: number
  /** How many games of a usual team every team begins with, so that one game is not taken for a habit. */
  readonly prior_games: number
}

/** The constants in which one league's numbers differ from another's of the same sport. Each league has them in a file of `leagues/`. */
export interface LeagueRules {
  readonly sport: Sport
  /** Length of a game without overtime, in minutes. */
  readonly minutes: number
  /** Possessions that one free throw attempt ends; football has none. */
  readonly free_throw_possessions: number
  /** What playing at home is worth to each side, in points per 100 possessions (football: plays). */
  readonly home_edge: number
  readonly elo: EloRule
  readonly margin: MarginRule
  readonly forecast: ForecastRule
}
