import { openingRatings, rateDay } from './elo.ts'
import type { EloChange, Ratings } from './elo.ts'
import { MarginRatings } from './margins.ts'
import { predict, tallyScores } from './predictions.ts'
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
  const forecasts = new Map<string, Forecast>()
  const changes: EloChange[] = []
  let waiting: Result[] = []
  for (const game of games) {
    const known = waiting.filter((result) => isKnown(result, game))
    if (known.length > 0) {
      changes.push(...learn(form, known, rules))
      waiting = waiting.filter((result) => !isKnown(result, game))
    }
    look(game, form)
    forecasts.set(game.game_id, predict(game, form, rules, spreads?.get(game.game_id)))
    if (isResult(game)) waiting.push(game)
  }
  changes.push(...learn(form, waiting, rules))
  return { forecasts, changes, ratings: form.ratings }
}

const isKnown = (result: Result, game: Fixture) => result.day < game.day && result.ended <= game.starts

function openingForm(rules: LeagueRules, teams: readonly string[], before?: Ratings): Form {
  const ratings = openingRatings(teams, rules.elo, before)
  return { ratings, margins: new MarginRatings(teams, rules.margin, ratings), scorings: new Map() }
}

/** Adds results to the form, day by day. */
function learn(form: Form, results: readonly Result[], rules: LeagueRules): EloChange[] {
  const days = new Set(results.map(({ day }) => day))
  return [...days].flatMap((day) => {
    const games = results.filter((result) => result.day === day)
    for (const game of games) {
      form.margins.add(game)
      tallyScores(form.scorings, game)
    }
    return rateDay(form.ratings, games, rules.elo)
  })
}
