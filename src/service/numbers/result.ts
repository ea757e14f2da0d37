import type { Line } from './line.ts'

/** A game, as far as the numbers use it. */
export interface Fixture {
  readonly game_id: string
  readonly season: number
  /** `YYYY-MM-DD`. */
  readonly day: string
  /** The start, ISO 8601; its day’s midnight if unknown. */
  readonly starts: string
  readonly home_team_id: string
  readonly away_team_id: string
  /** Null if unknown; the numbers then treat the home team as at home. */
  readonly neutral_site: boolean | null
  readonly conference: boolean
}

/** A finished game. */
export interface Result extends Fixture {
  /** The time at which its end was known. */
  readonly ended: string
  readonly home_score: number
  readonly away_score: number
}

export const isResult = (game: Fixture | Result): game is Result => 'home_score' in game

/** A finished game with its boxscores and prediction. */
export interface Played extends Result {
  readonly home_line: Line | null
  readonly away_line: Line | null
  /**
   * The home team's chance by the ratings before the game, 0 to 1; null for an opponent from outside the
   * division.
   */
  readonly home_chance: number | null
}

/** A number as served: at most three decimals, so that numbers that look equal rank as equal. */
export const rounded = (value: number) => Math.round(value * 1000) / 1000
