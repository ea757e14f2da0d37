import type { PlanEntry } from 'statline-client'

/** The calls of one operation for one field, added up. */
export interface BillLine {
  readonly field: string
  readonly operation: string
  /** Whether they were billed; else an answer that was already paid for served. */
  readonly isBilled: boolean
  readonly calls: number
  readonly tokens: number
  readonly bytes: number
}

const lineOf = ({ field, operation, source, tokens, bytes }: PlanEntry): BillLine => ({
  field,
  operation,
  isBilled: source === 'UPSTREAM',
  calls: 1,
  tokens,
  bytes,
})

/** Adds a call to the line of its operation and field, or as a new line. */
function withLine(lines: readonly BillLine[], line: BillLine): readonly BillLine[] {
  const at = lines.findIndex(
    (one) => one.field === line.field && one.operation === line.operation && one.isBilled === line.isBilled,
  )
  const known = lines[at]
  if (!known) return [...lines, line]
  const { calls, tokens, bytes } = known
  return lines.with(at, {
    ...known,
    calls: calls + line.calls,
    tokens: tokens + line.tokens,
    bytes: bytes + line.bytes,
  })
}

/** Lines with the calls of one more answer. */
export const withPlan = (lines: readonly BillLine[], plan: readonly PlanEntry[]): readonly BillLine[] =>
  plan.map(lineOf).reduce(withLine, lines)
