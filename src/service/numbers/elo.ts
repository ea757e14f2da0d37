import type { Fixture, Result } from './result.ts'
import type { EloRule } from './rules.ts'

/** The initial rating of every team of a division. */
export const initialRating = 1500

/** A team’s rating, and the number of its games this season. */
export interface Rated {
  readonly rating: number
  readonly games: number
  /** Whether it comes from the season before. */
  readonly carried?: boolean
}

/** The ratings of one division at one moment, by team. */
export type Ratings = Map<string, Rated>

export interface EloChange {
  readonly game: Result
  readonly home_before: number
  readonly away_before: number
  /** Null for a team from outside the division. */
  readonly home_after: number | null
  readonly away_after: number | null
}

/**
 * The chance of winning with a lead of `difference` rating points, 0 to 1. Arpad Elo, The Rating of
 * Chessplayers (1978), §1.4: 400 points are odds of ten to one.
 */
export const expectedScore = (difference: number) => 1 / (1 + 10 ** (-difference / 400))

/**
 * The factor for the margin of victory: ln(margin + 1), smaller if the favourite wins, so that ratings do not
 * run away. FiveThirtyEight, “Introducing NFL Elo Ratings” (2014). `lead` is the winner’s rating less the
 * loser’s, home advantage included.
 */
export const marginMultiplier = (margin: number, lead: number) =>
  (Math.log(margin + 1) * 2.2) / (0.001 * Math.max(lead, -1000) + 2.2)

/** A rating after years without a game: its distance from 1500 shrinks each year. */
export const faded = (rating: number, rule: EloRule, years: number): number =>
  initialRating + (rating - initialRating) * rule.carry ** years

/** The ratings that a season begins with: 1500, or what the season before left, drawn towards 1500. */
export function openingRatings(teams: Iterable<string>, rule: EloRule, before?: Ratings): Ratings {
  const opening: Ratings = new Map()
  for (const team of teams) {
    const last = before?.get(team)
    const kept = last ? Math.round((last.rating - initialRating) * rule.carry) : 0
    opening.set(team, { rating: initialRating + kept, games: 0, carried: last !== undefined })
  }
  return opening
}

/** The rating before a game; fixed for a team from outside. */
export const ratingOf = (ratings: Ratings, team: string, rule: EloRule) =>
  ratings.get(team)?.rating ?? rule.outsider

/** The home team’s lead in rating points, home advantage included. */
export function homeLead(
  ratings: Ratings,
  game: Pick<Fixture, 'home_team_id' | 'away_team_id' | 'neutral_site'>,
  rule: EloRule,
): number {
  const advantage = game.neutral_site ? 0 : rule.home_advantage
  return ratingOf(ratings, game.home_team_id, rule) + advantage - ratingOf(ratings, game.away_team_id, rule)
}

/**
 * Updates the ratings after the games of one day. All changes are computed from the ratings of that morning,
 * so the order of the games does not matter, even if a team plays twice. Changes are whole points, equal and
 * opposite: between teams of the division the sum of all ratings never changes.
 */
export function rateDay(ratings: Ratings, games: readonly Result[], rule: EloRule): EloChange[] {
  const moves = games.map((game) => ({ game, change: changeOf(ratings, game, rule) }))
  return moves.map(({ game, change }) => ({
    game,
    home_before: ratingOf(ratings, game.home_team_id, rule),
    away_before: ratingOf(ratings, game.away_team_id, rule),
    home_after: move(ratings, game.home_team_id, change),
    away_after: move(ratings, game.away_team_id, -change),
  }))
}

function changeOf(ratings: Ratings, game: Result, rule: EloRule): number {
  const lead = homeLead(ratings, game, rule)
  const margin = game.home_score - game.away_score
  const outcome = margin > 0 ? 1 : margin < 0 ? 0 : 0.5
  const multiplier = marginMultiplier(Math.abs(margin), margin < 0 ? -lead : lead)
  return Math.round(rule.k * boost(ratings, game, rule) * multiplier * (outcome - expectedScore(lead)))
}

/** New ratings move faster, because little is known of the team. */
function boost(ratings: Ratings, game: Result, rule: EloRule): number {
  const games = [game.home_team_id, game.away_team_id].map((team) => ratings.get(team)?.games ?? 10)
  const youth = games.reduce((sum, count) => sum + Math.max(0, 1 - count / 10), 0) / 2
  return 1 + (rule.opening_boost - 1) * youth
}

function move(ratings: Ratings, team: string, change: number): number | null {
  const standing = ratings.get(team)
  if (!standing) return null
  const rating = standing.rating + change
  ratings.set(team, { ...standing, rating, games: standing.games + 1 })
  return rating
}
