import type { Sport } from '../league/facts.ts'
import { eloRules, openingRatings, rate } from './elo.ts'
import type { EloChange, Ratings } from './elo.ts'
import { predict, tallyScores } from './predictions.ts'
import type { Forecast, Scorings } from './predictions.ts'
import type { Fixture, Result } from './result.ts'

/** A season told in order: what was expected of every game, and what every finished one did to the ratings. */
export interface Chronicle {
  readonly forecasts: ReadonlyMap<string, Forecast>
  readonly changes: readonly EloChange[]
  /** As they stand at the end. */
  readonly ratings: Ratings
  readonly scorings: Scorings
}

export interface Schedule {
  readonly sport: Sport
  /** The division’s teams: only they are rated. */
  readonly teams: readonly string[]
  /** Finished games, by time. */
  readonly results: readonly Result[]
  /** Games without a result. */
  readonly unplayed: readonly Fixture[]
}

/** Predicts every game from what was known before it; an unplayed one from all that is known. `before` is the season before. */
export function chronicle(schedule: Schedule, before?: Ratings): Chronicle {
  const { sport } = schedule
  const rule = eloRules[sport]
  const ratings = openingRatings(schedule.teams, rule, before)
  const scorings: Scorings = new Map()
  const forecasts = new Map<string, Forecast>()
  const changes: EloChange[] = []
  for (const game of schedule.results) {
    forecasts.set(game.game_id, predict(game, ratings, scorings, sport))
    changes.push(rate(ratings, game, rule))
    tallyScores(scorings, game)
  }
  for (const game of schedule.unplayed) forecasts.set(game.game_id, predict(game, ratings, scorings, sport))
  return { forecasts, changes, ratings, scorings }
}
