import type { Sport } from '../league/facts.ts'
import { eloRules, openingRatings, rate } from './elo.ts'
import type { EloChange, Ratings } from './elo.ts'
import { MarginRatings, marginRules } from './margins.ts'
import { predict, tallyScores } from './predictions.ts'
import type { Forecast } from './predictions.ts'
import { isResult } from './result.ts'
import type { Fixture, Result } from './result.ts'

/** A season told in order: what was expected of every game, and what every finished one did to the ratings. */
export interface Chronicle {
  readonly forecasts: ReadonlyMap<string, Forecast>
  readonly changes: readonly EloChange[]
  /** As they stand at the end. */
  readonly ratings: Ratings
}

export interface Schedule {
  readonly sport: Sport
  /** The division’s teams: only they are rated. */
  readonly teams: readonly string[]
  /** Games finished and still to come, by time. */
  readonly games: readonly (Fixture | Result)[]
}

/** Predicts every game from what was known before it: of margins, all that had been played by the day before. `before` is the season before. */
export function chronicle({ sport, teams, games }: Schedule, before?: Ratings): Chronicle {
  const rule = eloRules[sport]
  const form = {
    ratings: openingRatings(teams, rule, before),
    margins: new MarginRatings(teams, marginRules[sport]),
    scorings: new Map(),
  }
  const forecasts = new Map<string, Forecast>()
  const changes: EloChange[] = []
  let today: Result[] = []
  for (const game of games) {
    if (today[0] && today[0].day < game.day) {
      for (const result of today) form.margins.add(result)
      today = []
    }
    forecasts.set(game.game_id, predict(game, form, sport))
    if (!isResult(game)) continue
    changes.push(rate(form.ratings, game, rule))
    tallyScores(form.scorings, game)
    today.push(game)
  }
  return { forecasts, changes, ratings: form.ratings }
}
