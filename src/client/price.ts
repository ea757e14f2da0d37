import type { Body, FieldError } from './answer.ts'
import { queryErrorOf } from './errors.ts'
import type { Estimate, PlanEntry } from './plan.ts'

/** What a query is expected to cost, of which nothing is spent yet. */
export interface Price extends Estimate {
  /** The tokens of the usual sizes of answers; 0 if all of it is paid for. */
  readonly expected: number
  readonly plan: readonly PlanEntry[]
  /** Fields that the query itself is at fault for. */
  readonly errors: readonly FieldError[]
}

/** The price in the answer to a dry run. Throws QueryError if the query was refused. */
export function priceOf({ errors = [], extensions: { estimate, plan = [] } = {} }: Body<unknown>): Price {
  if (!estimate || (errors.length > 0 && plan.length === 0)) throw queryErrorOf(errors)
  return { ...estimate, expected: plan.reduce((sum, { tokens }) => sum + tokens, 0), plan, errors }
}
