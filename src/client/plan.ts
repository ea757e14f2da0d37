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
  /** When it began, in milliseconds after the request’s start. */
  readonly at: number
  /** `UPSTREAM` if it was billed to this query; else where the answer was kept. */
  readonly source: 'UPSTREAM' | 'MEMORY' | 'REDIS' | 'SHARED'
  /** Set if the service did not report its bill, so that `tokens` is estimated from the bytes. */
  readonly estimated?: true
  /** The field that made it necessary, such as `League.games`. */
  readonly field: string
}

/** From the least to the most that is to be expected; `to` is null if only the least is known. */
export interface Span {
  readonly from: number
  readonly to: number | null
}

/** What a query may cost, each from its least to its most. */
export interface Estimate {
  readonly tokens: Span
  readonly bytes: Span
  readonly calls: Span
}

/** The `extensions` of an answer to a dry run. */
export interface DryRun {
  readonly estimate?: Estimate
  readonly plan?: readonly PlanEntry[]
}
