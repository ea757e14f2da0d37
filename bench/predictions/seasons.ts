import type { Facts } from '../../src/service/league/facts.ts'
import { scheduleOf } from '../../src/service/league/seasons.ts'
import { closingSpreads } from '../../src/service/league/spreads.ts'
import { seasonFactsOf, seasonsOf } from '../../src/service/league/slices.ts'
import { chronicle } from '../../src/service/numbers/chronicle.ts'
import { homeLead } from '../../src/service/numbers/elo.ts'
import type { Ratings } from '../../src/service/numbers/elo.ts'
import { isResult } from '../../src/service/numbers/result.ts'
import type { Result } from '../../src/service/numbers/result.ts'
import { mean } from '../measures.ts'
import { hindsight } from './hindsight.ts'

/** A finished game: what was known before it, what was said of it, and what came. */
export interface Judged {
  readonly day: string
  readonly won: boolean
  /** The home team's lead in hundreds of Elo points. */
  readonly lead: number
  /** Its expected margin, but for what hosting tells. */
  readonly margin: number
  /** How much of what is known is that one team invited the other, 0 to 1. */
  readonly hosting: number
  /** Its expected margin by ratings from the games of all other days. */
  readonly hindsight: number
  /** The closing spread of the home team; null if the source has none. */
  readonly spread: number | null
  /** Chances of a home win: of the ratings, of both, and of the spread. */
  readonly alone: number
  readonly withSpread: number
  readonly market: number
}

export interface JudgedSeason {
  readonly name: string
  readonly games: readonly Judged[]
  /** The ratings at its end. */
  readonly ratings: Ratings
}

/**
 * Every game between two teams of the division, in order.
 * @param facts of one season
 * @param before the ratings that the season before has left
 */
export function judgedSeason(name: string, facts: Facts, before: Ratings | undefined): JudgedSeason {
  const season = seasonsOf(facts)[0] ?? 0
  const schedule = scheduleOf(seasonFactsOf(facts, season))
  const { elo, margin } = schedule.rules
  const spreads = closingSpreads(facts.odds)
  const known = new Map<string, Pick<Judged, 'lead' | 'margin' | 'hosting'>>()
  const story = chronicle(schedule, before, (game, form) => {
    const hosting = form.margins.hosting(game)
    const lead = homeLead(form.ratings, game, elo) / 100
    known.set(game.game_id, {
      lead,
      hosting,
      margin: form.margins.expected(game) - margin.host_points * hosting,
    })
  })
  const lined = chronicle({ ...schedule, spreads }, before)
  const members = new Set(schedule.teams)
  const results = schedule.games
    .filter(isResult)
    .filter((game) => members.has(game.home_team_id) && members.has(game.away_team_id))
  const afterwards = hindsight(results, schedule.teams, schedule.rules)
  const market = marketOf(results, spreads)
  const games = results.flatMap((game): Judged[] => {
    const features = known.get(game.game_id)
    const [alone, both] = [story, lined].map(({ forecasts }) => forecasts.get(game.game_id)?.home_percentage)
    if (!features || alone === undefined || both === undefined) return []
    const spread = spreads.get(game.game_id) ?? null
    const won = game.home_score > game.away_score
    const later = afterwards.get(game.game_id) ?? 0
    return [
      {
        ...features,
        hindsight: later,
        day: game.day,
        won,
        spread,
        alone,
        withSpread: both,
        market: market(game),
      },
    ]
  })
  return { name, games, ratings: story.ratings }
}

/**
 * The chance that a spread stands for: the margin is taken as logistic about it, as wide as it has been this
 * season, which is the best the market can be made to look.
 */
function marketOf(games: readonly Result[], spreads: ReadonlyMap<string, number>): (game: Result) => number {
  const misses = games.flatMap((game) => {
    const spread = spreads.get(game.game_id)
    return spread === undefined ? [] : [(game.home_score - game.away_score + spread) ** 2]
  })
  const wide = Math.sqrt(mean(misses))
  return (game) => 1 / (1 + Math.exp((1.702 * (spreads.get(game.game_id) ?? 0)) / wide))
}
