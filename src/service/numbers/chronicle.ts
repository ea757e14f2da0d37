import { openingRatings, rate } from './elo.ts'
import type { EloChange, Ratings } from './elo.ts'
import { MarginRatings } from './margins.ts'
import { predict, tallyScores } from './predictions.ts'
import type { Forecast } from './predictions.ts'
import { isResult } from './result.ts'
import type { Fixture, Result } from './result.ts'
import type { LeagueRules } from './rules.ts'

/** A season told in order: what was expected of every game, and what every finished one did to the ratings. */
export interface Chronicle {
  readonly forecasts: ReadonlyMap<string, Forecast>
  readonly changes: readonly EloChange[]
  /** As they stand at the end. */
  readonly ratings: Ratings
}

export interface Schedule {
  readonly rules: LeagueRules
  /** The division’s teams: only they are rated. */
  readonly teams: readonly string[]
  /** Games finished and still to come, by their beginning. */
  readonly games: readonly (Fixture | Result)[]
}

/** Predicts every game from what was known when it began. `before` is the season before. */
export function chronicle({ rules, teams, games }: Schedule, before?: Ratings): Chronicle {
  const form = {
    ratings: openingRatings(teams, rules.elo, before),
    margins: new MarginRatings(teams, rules.margin),
    scorings: new Map(),
  }
  const forecasts = new Map<string, Forecast>()
  const changes: EloChange[] = []
  let underWay: Result[] = []
  for (const game of games) {
    for (const result of underWay) if (result.ended <= game.starts) form.margins.add(result)
    underWay = underWay.filter((result) => result.ended > game.starts)
    forecasts.set(game.game_id, predict(game, form, rules))
    if (!isResult(game)) continue
    changes.push(rate(form.ratings, game, rules.elo))
    tallyScores(form.scorings, game)
    underWay.push(game)
  }
  return { forecasts, changes, ratings: form.ratings }
}
