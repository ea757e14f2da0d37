import { Confidence } from './confidence.ts'
import type { Outcome } from './confidence.ts'
import { openingRatings, rateDay } from './elo.ts'
import type { EloChange, Ratings } from './elo.ts'
import { MarginRatings } from './margins.ts'
import { predict, ratingLogOdds, spreadLogOdds, tallyScores } from './predictions.ts'
import type { Forecast, Form } from './predictions.ts'
import { isResult } from './result.ts'
import type { Fixture, Result } from './result.ts'
import type { LeagueRules } from './rules.ts'

/** A season, game by game: the prediction before each game, and the changes of the ratings after it. */
export interface Chronicle {
  readonly forecasts: ReadonlyMap<string, Forecast>
  readonly changes: readonly EloChange[]
  /** The ratings at the end. */
  readonly ratings: Ratings
}

export interface Schedule {
  readonly rules: LeagueRules
  /** The division’s teams, which alone are rated. */
  readonly teams: readonly string[]
  /** Finished and future games, by start. */
  readonly games: readonly (Fixture | Result)[]
  /** The home team's closing spread by game, if predictions use the market too. */
  readonly spreads?: ReadonlyMap<string, number>
}

/**
 * Predicts every game from the games of earlier days that were over when it began, so that two games of one
 * day do not see each other's result.
 *
 * @param before the ratings that the season before has left
 * @param look is shown what is known before each game; it must not change it
 */
export function chronicle(
  { rules, teams, games, spreads }: Schedule,
  before?: Ratings,
  look: (game: Fixture, form: Form) => void = () => {},
): Chronicle {
  const form = openingForm(rules, teams, before)
  const confidence: Confidences = { ratings: new Confidence(), spread: new Confidence() }
  const forecasts = new Map<string, Forecast>()
  const changes: EloChange[] = []
  let waiting: Result[] = []
  for (const game of games) {
    const known = waiting.filter((result) => isKnown(result, game))
    if (known.length > 0) {
      changes.push(...learn(form, known, rules, confidence))
      waiting = waiting.filter((result) => !isKnown(result, game))
    }
    look(game, form)
    const logOdds = confidently(game, form, rules, confidence, spreads?.get(game.game_id))
    forecasts.set(game.game_id, predict(game, form.scorings, rules.forecast, logOdds))
    if (isResult(game)) waiting.push(game)
  }
  changes.push(...learn(form, waiting, rules, confidence))
  return { forecasts, changes, ratings: form.ratings }
}

const isKnown = (result: Result, game: Fixture) => result.day < game.day && result.ended <= game.starts

function openingForm(rules: LeagueRules, teams: readonly string[], before?: Ratings): Form {
  const ratings = openingRatings(teams, rules.elo, before)
  return { ratings, margins: new MarginRatings(teams, rules.margin, ratings), scorings: new Map() }
}

/** In what ratings say, and in what closing spreads say. */
type Confidences = Readonly<Record<'ratings' | 'spread', Confidence>>

/**
 * The log odds of a home win, by the closing spread if there is one. What ratings say is noted in any case, so
 * that a game without a spread is predicted the same whether other games have one or not.
 */
function confidently(
  game: Fixture,
  form: Form,
  rules: LeagueRules,
  confidence: Confidences,
  spread: number | undefined,
): number {
  const byRatings = confidence.ratings.scale(game.game_id, ratingLogOdds(game, form, rules))
  if (spread === undefined) return byRatings
  return confidence.spread.scale(game.game_id, spreadLogOdds(spread, rules.forecast))
}

/** Adds results to what is known, day by day. */
function learn(
  form: Form,
  results: readonly Result[],
  rules: LeagueRules,
  confidence: Confidences,
): EloChange[] {
  const days = new Set(results.map(({ day }) => day))
  return [...days].flatMap((day) => {
    const games = results.filter((result) => result.day === day)
    const outcomes = outcomesOf(games, form.ratings)
    for (const each of Object.values(confidence)) each.learn(day, outcomes)
    for (const game of games) {
      form.margins.add(game)
      tallyScores(form.scorings, game)
    }
    return rateDay(form.ratings, games, rules.elo)
  })
}

/** Teams from outside the division have no ratings of their own: their games teach no confidence. */
function outcomesOf(games: readonly Result[], ratings: Ratings): Outcome[] {
  return games
    .filter(({ home_team_id, away_team_id }) => ratings.has(home_team_id) && ratings.has(away_team_id))
    .filter(({ home_score, away_score }) => home_score !== away_score)
    .map(({ game_id, home_score, away_score }) => ({ game_id, won: home_score > away_score }))
}
