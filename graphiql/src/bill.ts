import { useSyncExternalStore } from 'react'

/** One line of `extensions.plan`. */
export interface Call {
  readonly operation: string
  readonly ids: number
  readonly bytes: number
  readonly tokens: number
  readonly ms: number
  readonly at: number
  readonly source: string
  readonly field: string
}

export interface Usage {
  readonly tokens: number
  readonly bytes: number
  readonly calls: number
  readonly cacheHits: number
}

interface Span {
  readonly from: number
  readonly to: number
}

export interface Estimate {
  /** What the sizes seen so far lead to expect, between the least and the most. */
  readonly usual: number
  readonly tokens: Span
  readonly bytes: Span
  readonly calls: Span
}

/** `Query.usage`: the month so far. */
export interface Month {
  readonly month: string
  readonly tokens: number
  readonly budget: number | null
  readonly remaining: number | null
}

/** What the panel shows of the run before, of the month, and of the query to come. */
export interface Bill {
  readonly plan: readonly Call[] | null
  readonly usage: Usage | null
  readonly month: Month | null
  readonly estimate: Estimate | null
}

let bill: Bill = { plan: null, usage: null, month: null, estimate: null }
const listeners = new Set<() => void>()

export function show(change: Partial<Bill>): void {
  bill = { ...bill, ...change }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useBill = (): Bill => useSyncExternalStore(subscribe, () => bill)
