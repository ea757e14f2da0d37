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

interface Span {
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
}

/** The `extensions` of an answer to a dry run. */
export interface DryRun {
  readonly estimate?: Omit<Price, 'expected' | 'plan'>
  readonly plan?: readonly PlanEntry[]
}

/** The price in the answer to a dry run; null if the query was refused. */
export function priceOf({ estimate, plan = [] }: DryRun = {}): Price | null {
  if (!estimate) return null
  return { ...estimate, expected: plan.reduce((sum, { tokens }) => sum + tokens, 0), plan }
}
