import type { Body, FieldError } from './answer.ts'
import { queryErrorOf } from './errors.ts'

/** One call to the statistics service, or an answer that was already paid for (`extensions.plan`). */
export interface PlanEntry {
  /** Class and function, such as `game/getScores`. */
  readonly operation: string
  /** The names of its arguments. */
  readonly arguments: readonly string[]
  /** How many ids it asked for; 1 if it takes none. */
  readonly ids: number
  readonly bytes: number
  readonly tokens: number
  readonly ms: number
  /** `UPSTREAM` if it was billed to this query; else where the answer was kept. */
  readonly source: 'UPSTREAM' | 'MEMORY' | 'REDIS' | 'SHARED'
  /** The field that made it necessary, such as `League.games`. */
  readonly field: string
}

/** From the least to the most that is to be expected. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** What a query is expected to cost, of which nothing is spent yet. */
export interface Price {
  /** The tokens of the usual sizes of answers; 0 if all of it is paid for. */
  readonly expected: number
  readonly tokens: Span
  readonly bytes: Span
  readonly calls: Span
  readonly plan: readonly PlanEntry[]
  /** Fields that the query itself is at fault for. */
  readonly errors: readonly FieldError[]
}

/** The `extensions` of an answer to a dry run. */
export interface DryRun {
  readonly estimate?: Omit<Price, 'expected' | 'plan' | 'errors'>
  readonly plan?: readonly PlanEntry[]
}

/** The price in the answer to a dry run. Throws QueryError if the query was refused. */
export function priceOf({ errors = [], extensions: { estimate, plan = [] } = {} }: Body<unknown>): Price {
  if (!estimate || (errors.length > 0 && plan.length === 0)) throw queryErrorOf(errors)
  return { ...estimate, expected: plan.reduce((sum, { tokens }) => sum + tokens, 0), plan, errors }
}
