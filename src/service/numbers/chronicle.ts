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
  /** Games finished and still to come, by their beginning. */
  readonly games: readonly (Fixture | Result)[]
}

/** Predicts every game from what was known when it began. `before` is the season before. */
export function chronicle({ sport, teams, games }: Schedule, before?: Ratings): Chronicle {
  const rule = eloRules[sport]
  const form = {
    ratings: openingRatings(teams, rule, before),
    margins: new MarginRatings(teams, marginRules[sport]),
    scorings: new Map(),
  }
  const forecasts = new Map<string, Forecast>()
  const changes: EloChange[] = []
  let underWay: Result[] = []
  for (const game of games) {
    for (const result of underWay) if (result.ended <= game.starts) form.margins.add(result)
    underWay = underWay.filter((result) => result.ended > game.starts)
    forecasts.set(game.game_id, predict(game, form, sport))
    if (!isResult(game)) continue
    changes.push(rate(form.ratings, game, rule))
    tallyScores(form.scorings, game)
    underWay.push(game)
  }
  return { forecasts, changes, ratings: form.ratings }
}
