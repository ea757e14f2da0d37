import type { Answer, PlanEntry, Usage } from 'statline-client'

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

export interface PageBill {
  readonly usage: Usage
  readonly lines: readonly BillLine[]
}

const nothing: PageBill = { usage: { tokens: 0, bytes: 0, calls: 0, cacheHits: 0 }, lines: [] }
const listeners = new Set<() => void>()
let current = nothing
/** Tokens that the reader has agreed to on this page. */
let agreed = 0

function set(next: PageBill): void {
  current = next
  for (const listener of listeners) listener()
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

/** What the current page has cost so far, and for what. */
export const bill = {
  add({ usage, plan = [] }: Answer<unknown>): void {
    if (!usage) return
    const { tokens, bytes, calls, cacheHits } = current.usage
    set({
      usage: {
        tokens: tokens + usage.tokens,
        bytes: bytes + usage.bytes,
        calls: calls + usage.calls,
        cacheHits: cacheHits + usage.cacheHits,
      },
      lines: plan.map(lineOf).reduce(withLine, current.lines),
    })
  },
  clear() {
    agreed = 0
    set(nothing)
  },
  current: () => current,
  /** The reader has agreed to what cost so many tokens. */
  agree: (tokens: number) => void (agreed += tokens),
  /** What the page has spent without asking. */
  unasked: () => current.usage.tokens - agreed,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
