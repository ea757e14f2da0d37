import type { Answer, Asked, FieldError, Usage } from 'statline-client'
import { withPlan } from './bill-lines.ts'
import type { BillLine } from './bill-lines.ts'

export interface PageBill {
  readonly usage: Usage
  readonly lines: readonly BillLine[]
  /** The part of `usage` whose calls are in no line, because the bill was closed. */
  readonly unlisted: Usage
}

const none: Usage = { tokens: 0, bytes: 0, calls: 0, cacheHits: 0 }
const nothing: PageBill = { usage: none, lines: [], unlisted: none }
const listeners = new Set<() => void>()
let current = nothing
/** Tokens that the reader has agreed to on this page. */
let agreed = 0
/** Tokens that queries are expected to cost which were sent without asking and are not answered yet. */
let held = 0
/** Queries of this page of which it is not known what served them. */
let unexplained: readonly Asked[] = []
/** How many pages there were. */
let pages = 0

function set(next: PageBill): void {
  current = next
  for (const listener of listeners) listener()
}

const plus = (one: Usage, other: Usage): Usage => ({
  tokens: one.tokens + other.tokens,
  bytes: one.bytes + other.bytes,
  calls: one.calls + other.calls,
  cacheHits: one.cacheHits + other.cacheHits,
})

/** Whether two answers are of one query, which a page sends again and again. */
const isSame = (one: Asked, other: Asked) =>
  one.document === other.document && JSON.stringify(one.variables) === JSON.stringify(other.variables)

const refusals: ReadonlySet<unknown> = new Set(['QUERY_TOO_EXPENSIVE', 'BUDGET_EXCEEDED'])

/** Whether nothing was paid for a field, because of a limit: asked again without the limit, it would be. */
const isRefusal = ({ extensions }: FieldError) => refusals.has(extensions?.code)

/** What the current page has cost so far, and for what. */
export const bill = {
  add({ usage, plan, errors }: Answer<unknown>, asked: Asked): void {
    if (!usage) return
    if (!plan && !asked.isEvent && !errors.some(isRefusal))
      unexplained = [...unexplained.filter((one) => !isSame(one, asked)), asked]
    set({
      usage: plus(current.usage, usage),
      lines: withPlan(current.lines, plan ?? []),
      unlisted: plan ? current.unlisted : plus(current.unlisted, usage),
    })
  },
  /**
   * Lists what served the queries that were answered before. They are asked again, one by one, of what is
   * paid for; what that costs nevertheless is added.
   */
  async explain(again: (asked: Asked) => Promise<Answer<unknown>>): Promise<void> {
    const [queries, page] = [unexplained, pages]
    unexplained = []
    for (const asked of queries) {
      const { usage, plan = [] } = await again(asked).catch(() => ({ usage: null, plan: [] }))
      if (page !== pages) return
      const cost = usage?.tokens ? plus(current.usage, usage) : current.usage
      set({ ...current, usage: cost, lines: withPlan(current.lines, plan) })
    }
  },
  clear() {
    agreed = 0
    unexplained = []
    pages += 1
    set(nothing)
  },
  current: () => current,
  /** The reader has agreed to what cost so many tokens. */
  agree: (tokens: number) => void (agreed += tokens),
  /** What the page has spent without asking, and is about to. */
  unasked: () => current.usage.tokens - agreed + held,
  /** A query is sent that is expected to cost so many tokens. Returns what is called when it is answered. */
  hold(tokens: number): () => void {
    let rest = tokens
    held += rest
    return () => {
      held -= rest
      rest = 0
    }
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
