import { homeLead } from './elo.ts'
import type { Ratings } from './elo.ts'
import type { MarginRatings, Pairing } from './margins.ts'
import type { Result } from './result.ts'
import type { ForecastRule, LeagueRules } from './rules.ts'

/** A pre-game prediction: probabilities that sum to one, and whole points. */
export interface Forecast {
  readonly home_percentage: number
  readonly away_percentage: number
  readonly home_score: number
  readonly away_score: number
}

/** Points scored and allowed by one team so far. */
export interface Scoring {
  readonly games: number
  readonly scored: number
  readonly allowed: number
}

/** The scoring of every team so far, by team. */
export type Scorings = Map<string, Scoring>

const unplayed: Scoring = { games: 0, scored: 0, allowed: 0 }

/** Adds a finished game to both teams’ scoring. */
export function tallyScores(scorings: Scorings, game: Result): void {
  addScores(scorings, game.home_team_id, game.home_score, game.away_score)
  addScores(scorings, game.away_team_id, game.away_score, game.home_score)
}

function addScores(scorings: Scorings, team: string, scored: number, allowed: number): void {
  const so = scorings.get(team) ?? unplayed
  scorings.set(team, { games: so.games + 1, scored: so.scored + scored, allowed: so.allowed + allowed })
}

/** The state of both teams before a game. */
export interface Form {
  readonly ratings: Ratings
  readonly margins: MarginRatings
  readonly scorings: Scorings
}

/** The log odds of a home win, from the Elo lead before a game and the margin that earlier margins suggest. */
export function ratingLogOdds(pairing: Pairing, form: Form, rules: LeagueRules): number {
  const lead = homeLead(form.ratings, pairing, rules.elo)
  return (
    (rules.forecast.elo_weight * lead) / 100 + rules.forecast.margin_weight * form.margins.expected(pairing)
  )
}

/** The log odds of a home win, from the home team's closing spread: negative for the favourite. */
export const spreadLogOdds = (spread: number, rule: ForecastRule) => -rule.spread_weight * spread

/**
 * The prediction that the log odds of a home win stand for. The total of points follows from the four offensive
 * and defensive averages so far; the chance divides it between the teams.
 */
export function predict(pairing: Pairing, scorings: Scorings, rule: ForecastRule, logOdds: number): Forecast {
  const home_percentage = chance(logOdds)
  return {
    home_percentage,
    away_percentage: Math.round((1 - home_percentage) * 10_000) / 10_000,
    ...divide(expectedTotal(pairing, scorings, rule), logOdds * rule.points),
  }
}

/** Four decimals, and never 0 or 1. */
const chance = (logOdds: number): number =>
  Math.min(0.9999, Math.max(0.0001, Math.round(10_000 / (1 + Math.exp(-logOdds))) / 10_000))

function expectedTotal(pairing: Pairing, scorings: Scorings, rule: ForecastRule): number {
  const home = averages(scorings.get(pairing.home_team_id) ?? unplayed, rule)
  const away = averages(scorings.get(pairing.away_team_id) ?? unplayed, rule)
  return (home.scored + away.allowed) / 2 + (away.scored + home.allowed) / 2
}

function averages(scoring: Scoring, rule: ForecastRule) {
  const games = scoring.games + rule.prior_games
  const prior = rule.usual_score * rule.prior_games
  return { scored: (scoring.scored + prior) / games, allowed: (scoring.allowed + prior) / games }
}

/** Whole points without a draw, because no game ends in one: the favourite gets the odd point. */
function divide(total: number, margin: number) {
  const home_score = Math.max(0, Math.round((total + margin) / 2))
  const away_score = Math.max(0, Math.round((total - margin) / 2))
  if (home_score !== away_score) return { home_score, away_score }
  return margin > 0 ? { home_score: home_score + 1, away_score } : { home_score, away_score: away_score + 1 }
}
