import { rankOf } from '../../specification/statistics.ts'
import { everybody } from './eligible.ts'
import type { Eligibility } from './eligible.ts'
import type { Numbers } from './formula.ts'
import { competitionRanks, lowestFirst } from './ranks.ts'
import { rounded } from './result.ts'
import type { StatisticNames } from './sports.ts'

/** One statistic of several subjects on one day, rounded, each with its rank among them. By position. */
export interface RankedColumn {
  readonly name: string
  readonly values: readonly Value[]
  /** Null for a statistic without a rank. */
  readonly ranks: readonly Value[] | null
}

/**
 * Each statistic in the order of `names`, one at a time, because one takes milliseconds for a season’s
 * players. Subjects that are not eligible have a value and no rank.
 */
export function* rankedColumns(
  names: StatisticNames,
  subjects: readonly Numbers[],
  eligible: Eligibility = everybody,
): Generator<RankedColumn> {
  for (const name of names.unranked) yield { name, values: valuesOf(name, subjects), ranks: null }
  for (const name of names.ranked) {
    const values = valuesOf(name, subjects)
    const ranked = eligible(name)
    const rankable = ranked ? values.map((value, index) => (ranked[index] ? value : null)) : values
    yield { name, values, ranks: competitionRanks(rankable, lowestFirst(name)) }
  }
}

/** The same for a single subject, such as a division: all ranks are null. */
export function* unrankedColumns(names: StatisticNames, subject: Numbers): Generator<RankedColumn> {
  for (const name of names.unranked) yield { name, values: valuesOf(name, [subject]), ranks: null }
  for (const name of names.ranked) yield { name, values: valuesOf(name, [subject]), ranks: [null] }
}

/**
 * The statistics of each subject as a JSON object, by position. They are made as text and one at a time: a
 * season has a hundred thousand of them.
 */
export function* rankedLines(columns: readonly RankedColumn[]): Generator<string> {
  const subjects = columns[0]?.values.length ?? 0
  for (let index = 0; index < subjects; index++) {
    const members = columns.map(({ name, values, ranks }) =>
      ranks ? pair(name, values[index], ranks[index]) : member(name, values[index]),
    )
    yield `{${members.join(',')}}`
  }
}

/**
 * The mean of each statistic over the subjects that have it. Values are added from the least on: their order
 * does not change the sum.
 */
export const meanOf =
  (subjects: readonly Numbers[]): Numbers =>
  (name) => {
    const known = subjects.map((subject) => subject(name)).filter((value) => value !== null)
    if (known.length === 0) return null
    return known.toSorted((a, b) => a - b).reduce((sum, value) => sum + value, 0) / known.length
  }

type Value = number | null | undefined

const valuesOf = (name: string, subjects: readonly Numbers[]) =>
  subjects.map((subject) => served(subject(name)))

const served = (value: number | null) => (value === null ? null : rounded(value))

// Names of statistics need no escaping, and finite numbers print as in JSON.
const member = (name: string, value: Value) => `"${name}":${value ?? null}`

const pair = (name: string, value: Value, rank: Value) =>
  `${member(name, value)},${member(rankOf(name), rank)}`
