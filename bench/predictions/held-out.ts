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
    return judged(
      games.filter((game) => foldOf(game) === fold),
      kind,
      weights,
    )
  }).flat()
}

/** The second half of a season by weights of the first. */
export function lateFromEarly(games: readonly Judged[], kind: Kind): Call[] {
  const half = Math.floor(games.length / 2)
  return judged(games.slice(half), kind, fitted(games.slice(0, half), kind))
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

const judged = (games: readonly Judged[], kind: Kind, weights: readonly number[]): Call[] =>
  games.map((game) => ({ chance: chanceOf(features[kind](game), weights), won: game.won }))
