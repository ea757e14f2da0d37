/** The source of an answer: the service, known rows, or another request's call in flight. */
export type Origin = 'UPSTREAM' | 'MEMORY' | 'REDIS' | 'SHARED'

/** One line of a request's bill, as `extensions.plan` shows it. */
export interface PlanEntry {
  readonly operation: string
  /** The names of its arguments. */
  readonly arguments: readonly string[]
  /** The number of ids in the call; 1 if it takes none. */
  readonly ids: number
  readonly bytes: number
  readonly tokens: number
  readonly ms: number
  /** When it began, in milliseconds after the request's start. */
  readonly at: number
  readonly source: Origin
  /** Whether the tokens are estimated from the bytes, because the service did not report its bill. */
  readonly estimated?: true
  /** The field that made it necessary. */
  readonly field: string
}

export interface Usage {
  readonly tokens: number
  readonly bytes: number
  readonly calls: number
  readonly cacheHits: number
  /** Whether some of the tokens are estimated, because the service did not report its bill. */
  readonly estimated?: true
}

export const noUsage: Usage = { tokens: 0, bytes: 0, calls: 0, cacheHits: 0 }

/** Two bills together. */
export const sumOf = (a: Usage, b: Usage): Usage => ({
  tokens: a.tokens + b.tokens,
  bytes: a.bytes + b.bytes,
  calls: a.calls + b.calls,
  cacheHits: a.cacheHits + b.cacheHits,
  ...((a.estimated || b.estimated) && { estimated: true }),
})

/** What a line adds to the bill. */
export const costOf = ({ source, tokens, bytes, estimated }: PlanEntry): Usage => {
  const [calls, cacheHits] = source === 'UPSTREAM' ? [1, 0] : [0, 1]
  return { tokens, bytes, calls, cacheHits, ...(estimated && { estimated }) }
}
