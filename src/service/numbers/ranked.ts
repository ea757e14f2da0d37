import { rankOf } from '../../specification/statistics.ts'
import type { Line } from '../league/facts.ts'
import { competitionRanks, lowestFirst } from './ranks.ts'
import { rounded } from './result.ts'
import type { StatisticNames } from './sports.ts'

/**
 * The statistics of several subjects of one day as they are served: rounded, in the order of `names`, each with its rank among all of
 * `lines`. By position.
 */
export function rankedLines(names: StatisticNames, lines: readonly Line[]): Line[] {
  const served = lines.map((line) => pick(names.unranked, line))
  for (const name of names.ranked) {
    const values = lines.map((line) => servedValue(line[name]))
    const ranks = competitionRanks(values, lowestFirst(name))
    served.forEach((line, index) => {
      line[name] = values[index] ?? null
      line[rankOf(name)] = ranks[index] ?? null
    })
  }
  return served
}

/** The same for rows that stand alone, such as a whole division’s: every rank is null. */
export const unrankedLine = (names: StatisticNames, line: Line): Line => ({
  ...pick(names.unranked, line),
  ...Object.fromEntries(
    names.ranked.flatMap((name) => [
      [name, servedValue(line[name])],
      [rankOf(name), null],
    ]),
  ),
})

/** The mean of each statistic over the lines that have it. */
export function meanLine(names: StatisticNames, lines: readonly Line[]): Line {
  return Object.fromEntries(
    [...names.unranked, ...names.ranked].map((name) => [name, mean(lines.map((line) => line[name] ?? null))]),
  )
}

function mean(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}

const pick = (names: readonly string[], line: Line): Line =>
  Object.fromEntries(names.map((name) => [name, servedValue(line[name])]))

const servedValue = (value: number | null | undefined) => (value == null ? null : rounded(value))
