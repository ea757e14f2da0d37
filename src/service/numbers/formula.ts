import { share } from './tally.ts'
import type { Tally } from './tally.ts'

/** What a side’s statistic is, given what it and its opponents have counted; null where that does not tell. */
export type TeamFormula = (own: Tally, opponents: Tally) => number | null

/** What a player’s statistic is, given what the player has counted. */
export type PlayerFormula = (tally: Tally) => number | null

export type Formulas<F> = Readonly<Record<string, F>>

/** A subject’s statistics by name; null where there is no value. */
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

/** A statistic, what it divides by what, and by how much: the ratio of a season’s totals, not the mean of its games’ ratios. */
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

/** For each rate what it is a share of, and how many of them a game a player needs to be ranked by it. */
export type Attempts = Readonly<Record<string, { readonly of: string; readonly perGame: number }>>
