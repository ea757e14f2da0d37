import type { Question } from './questions/question.ts'
import { access } from './questions/access.ts'
import { filtersOfReads } from './questions/filters.ts'
import { unexplained } from './questions/operations.ts'
import { severalByOperation, severalValues } from './questions/several-values.ts'
import { formats } from './questions/values.ts'

/** All questions in the order in which they are asked, the cheapest first. */
export const questions: readonly Question[] = [
  ...access,
  ...severalValues,
  ...filtersOfReads,
  ...severalByOperation,
  ...unexplained,
  ...formats,
]

const byName = new Map(questions.map((one) => [one.name, one]))

/** The question with this name. Throws if there is none. */
export function questionOf(name: string): Question {
  const one = byName.get(name)
  if (!one) throw new Error(`There is no question ${JSON.stringify(name)}.`)
  return one
}

export const isQuestion = (name: string): boolean => byName.has(name)
