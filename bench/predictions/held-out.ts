import { Confidence } from '../../src/service/numbers/confidence.ts'
import type { Outcome } from '../../src/service/numbers/confidence.ts'
import { chanceOf, logisticFit } from '../measures.ts'
import type { Call } from '../measures.ts'
import type { Judged, JudgedSeason } from './seasons.ts'

/** What a prediction rests on: its weights are fitted, to other games than those that are judged. */
const features = {
  alone: ({ lead, margin, hosting }: Judged) => [lead, margin, hosting],
  with_spread: ({ spread }: Judged) => [-(spread ?? 0)],
  in_hindsight: ({ hindsight }: Judged) => [hindsight],
} as const

export type Kind = keyof typeof features

const folds = 5
const week = 7 * 86_400_000

/** Each fifth of a season's weeks, judged by weights of the other four fifths. */
export function acrossWeeks(games: readonly Judged[], kind: Kind): Call[] {
  const foldOf = ({ day }: Judged) => Math.floor(Date.parse(day) / week) % folds
  return Array.from({ length: folds }, (_, fold) => {
    const weights = fitted(
      games.filter((game) => foldOf(game) !== fold),
      kind,
    )
    return judged(games, kind, weights).filter((_, at) => foldOf(games[at]!) === fold)
  }).flat()
}

/** The second half of a season by weights of the first. */
export function lateFromEarly(games: readonly Judged[], kind: Kind): Call[] {
  const half = Math.floor(games.length / 2)
  return judged(games, kind, fitted(games.slice(0, half), kind)).slice(half)
}

/** One season judged by weights of another. */
export interface AcrossSeasons {
  readonly fittedTo: string
  readonly judgedOn: string
  readonly calls: readonly Call[]
}

/**
 * Each season by weights of each other one; nothing where there is one season alone. `kind` with the spread:
 * only games that have one.
 */
export function acrossSeasons(
  seasons: readonly JudgedSeason[],
  kind: 'alone' | 'with_spread',
): AcrossSeasons[] {
  const gamesOf = ({ games }: JudgedSeason) =>
    kind === 'alone' ? games : games.filter(({ spread }) => spread !== null)
  return seasons.flatMap((one) =>
    seasons
      .filter((other) => other !== one && gamesOf(one).length > 0 && gamesOf(other).length > 0)
      .map((other) => {
        const calls = judged(gamesOf(other), kind, fitted(gamesOf(one), kind))
        return { fittedTo: one.name, judgedOn: other.name, calls }
      }),
  )
}

const fitted = (games: readonly Judged[], kind: Kind): number[] =>
  logisticFit(games.map((game) => ({ features: features[kind](game), won: game.won })))

/**
 * A whole season by given weights, with the confidence that its own earlier days have shown, as the service
 * has it. Hindsight needs none.
 */
function judged(games: readonly Judged[], kind: Kind, weights: readonly number[]): Call[] {
  const confidence = new Confidence()
  let today: { readonly day: string; readonly outcomes: Outcome[] } = { day: '', outcomes: [] }
  return games.map((game, at) => {
    const { day, won } = game
    if (day !== today.day) {
      if (today.day) confidence.learn(today.day, today.outcomes)
      today = { day, outcomes: [] }
    }
    const [game_id, logOdds] = [String(at), sumOf(features[kind](game), weights)]
    today.outcomes.push({ game_id, won })
    const scaled = confidence.scale(game_id, logOdds)
    return { chance: chanceOf([1], [kind === 'in_hindsight' ? logOdds : scaled]), won }
  })
}

const sumOf = (features: readonly number[], weights: readonly number[]) =>
  features.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0)
