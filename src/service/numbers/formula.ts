import { share } from './tally.ts'
import type { Tally } from './tally.ts'

/** Computes a side’s statistic from its own and its opponents' counts; null if columns are missing. */
export type TeamFormula = (own: Tally, opponents: Tally) => number | null

/** Computes a player’s statistic from the player's counts. */
export type PlayerFormula = (tally: Tally) => number | null

export type Formulas<F> = Readonly<Record<string, F>>

/** A subject’s statistics by name; null if there is no value. */
export type Numbers = (name: string) => number | null

const table = <F>(names: readonly string[], formula: (name: string) => F): Formulas<F> =>
  Object.fromEntries(names.map((name) => [name, formula(name)]))

/** Each column’s mean over the games that have it. */
export const means = (names: readonly string[]): Formulas<PlayerFormula> =>
  table(names, (name) => (tally) => tally.mean(name))

/** Each column’s sum. */
export const totals = (names: readonly string[]): Formulas<PlayerFormula> =>
  table(names, (name) => (tally) => tally.total(name))

/** Each column’s largest value of one game. */
export const peaks = (names: readonly string[]): Formulas<PlayerFormula> =>
  table(names, (name) => (tally) => tally.most(name))

/** A rate: its two columns and a factor. It is a ratio of season totals, not the mean of games’ ratios. */
export type Rate = readonly [name: string, part: string, whole: string, scale: number]

export const rates = (list: readonly Rate[]): Formulas<PlayerFormula> =>
  Object.fromEntries(
    list.map(([name, part, whole, scale]) => [
      name,
      (tally: Tally) => share(tally.total(part), tally.total(whole), scale),
    ]),
  )

/** The formulas under other names. */
export const renamed = <F>(formulas: Formulas<F>, rename: (name: string) => string): Formulas<F> =>
  Object.fromEntries(Object.entries(formulas).map(([name, formula]) => [rename(name), formula]))

/** The same statistics of the other side. */
export const ofOpponents = (formulas: Formulas<TeamFormula>): Formulas<TeamFormula> =>
  Object.fromEntries(
    Object.entries(formulas).map(([name, formula]) => [
      `opponent_${name}`,
      (own: Tally, opponents: Tally) => formula(opponents, own),
    ]),
  )

/** For each rate, its denominator, and how much of it a game a player needs to be ranked. */
export type Attempts = Readonly<Record<string, { readonly of: string; readonly perGame: number }>>
