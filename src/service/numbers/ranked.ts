import { rankOf } from '../../specification/statistics.ts'
import type { Numbers } from './formula.ts'
import { competitionRanks, lowestFirst } from './ranks.ts'
import { rounded } from './result.ts'
import type { StatisticNames } from './sports.ts'

/**
 * The statistics of several subjects of one day as they are served: rounded, in the order of `names`, each with its rank among all of them.
 * A JSON object each, by position: written at once as text, since a season has a hundred thousand of them.
 */
export function rankedLines(names: StatisticNames, subjects: readonly Numbers[]): string[] {
  const lines = subjects.map((subject) => new JsonObject(names.unranked, subject))
  for (const name of names.ranked) {
    const values = subjects.map((subject) => served(subject(name)))
    const ranks = competitionRanks(values, lowestFirst(name))
    lines.forEach((line, index) => {
      line.add(name, values[index] ?? null)
      line.add(rankOf(name), ranks[index] ?? null)
    })
  }
  return lines.map((line) => line.text())
}

/** The same for a subject that stands alone, such as a whole division: every rank is null. */
export function unrankedLine(names: StatisticNames, subject: Numbers): string {
  const line = new JsonObject(names.unranked, subject)
  for (const name of names.ranked) {
    line.add(name, served(subject(name)))
    line.add(rankOf(name), null)
  }
  return line.text()
}

/** The mean of each statistic over the subjects that have it. */
export const meanOf =
  (subjects: readonly Numbers[]): Numbers =>
  (name) => {
    const known = subjects.map((subject) => subject(name)).filter((value) => value !== null)
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
  }

const served = (value: number | null) => (value === null ? null : rounded(value))

/** A JSON object of numbers under names that need no escape. */
class JsonObject {
  private members = ''

  constructor(names: readonly string[], subject: Numbers) {
    for (const name of names) this.add(name, served(subject(name)))
  }

  add(name: string, value: number | null): void {
    this.members += `${this.members === '' ? '' : ','}"${name}":${value}`
  }

  text(): string {
    return `{${this.members}}`
  }
}
