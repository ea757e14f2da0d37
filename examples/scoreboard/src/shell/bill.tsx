import { useSyncExternalStore } from 'react'
import type { Answer, Usage } from 'statline-client'
import './bill.css'

const nothing: Usage = { tokens: 0, bytes: 0, calls: 0, cacheHits: 0 }
const listeners = new Set<() => void>()
let total = nothing

function set(usage: Usage): void {
  total = usage
  for (const listener of listeners) listener()
}

/** What the current page has cost so far. */
export const bill = {
  add({ usage }: Answer<unknown>): void {
    if (!usage) return
    set({
      tokens: total.tokens + usage.tokens,
      bytes: total.bytes + usage.bytes,
      calls: total.calls + usage.calls,
      cacheHits: total.cacheHits + usage.cacheHits,
    })
  },
  clear: () => set(nothing),
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

const count = (value: number, noun: string) =>
  `${value.toLocaleString('en')} ${noun}${value === 1 ? '' : 's'}`

export function Bill() {
  const { tokens, bytes, calls, cacheHits } = useSyncExternalStore(bill.subscribe, () => total)
  return (
    <footer className="bill">
      <p aria-live="polite">
        This page has cost <strong>{count(Math.round(tokens), 'token')}</strong>: {count(calls, 'call')} to
        the service, {count(Math.ceil(bytes / 1024), 'KiB').replace(/s$/, '')}, {count(cacheHits, 'answer')}{' '}
        already paid for.
      </p>
      <p>
        <a href="/graphql">Explore the graph</a>
      </p>
    </footer>
  )
}
