import { rankOf } from '../../specification/statistics.ts'
import type { Numbers } from './formula.ts'
import { competitionRanks, lowestFirst } from './ranks.ts'
import { rounded } from './result.ts'
import type { StatisticNames } from './sports.ts'

/**
 * The statistics of several subjects of one day as they are served: rounded, in the order of `names`, each with its rank among all of them.
 * A JSON object each, by position. They are made as text and one at a time: a season has a hundred thousand of them.
 */
export function* rankedLines(names: StatisticNames, subjects: readonly Numbers[]): Generator<string> {
  const columns = names.ranked.map((name) => rankedColumn(name, subjects))
  for (const [index, subject] of subjects.entries()) {
    const ranked = columns.map(({ name, values, ranks }) => pair(name, values[index], ranks[index]))
    yield object([...unrankedMembers(names, subject), ...ranked])
  }
}

function rankedColumn(name: string, subjects: readonly Numbers[]) {
  const values = subjects.map((subject) => served(subject(name)))
  return { name, values, ranks: competitionRanks(values, lowestFirst(name)) }
}

/** The same for a subject that stands alone, such as a whole division: every rank is null. */
export const unrankedLine = (names: StatisticNames, subject: Numbers): string =>
  object([
    ...unrankedMembers(names, subject),
    ...names.ranked.map((name) => pair(name, served(subject(name)), null)),
  ])

/** The mean of each statistic over the subjects that have it. */
export const meanOf =
  (subjects: readonly Numbers[]): Numbers =>
  (name) => {
    const known = subjects.map((subject) => subject(name)).filter((value) => value !== null)
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
  }

type Value = number | null | undefined

const served = (value: number | null) => (value === null ? null : rounded(value))

const object = (members: readonly string[]) => `{${members.join(',')}}`

// Names of statistics need no escape, and finite numbers print as JSON has them.
const member = (name: string, value: Value) => `"${name}":${value ?? null}`

const pair = (name: string, value: Value, rank: Value) =>
  `${member(name, value)},${member(rankOf(name), rank)}`

const unrankedMembers = (names: StatisticNames, subject: Numbers) =>
  names.unranked.map((name) => member(name, served(subject(name))))
