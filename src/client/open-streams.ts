/** Components that wait for a subscription’s stream, by its name. */
const waiting = new Map<string, Set<() => void>>()

/**
 * Tells that a stream is open and its current state has come, though it may be empty. Apollo Client and urql
 * pass on only events and errors, and share one stream among components.
 */
export function tellOpen(stream: string): void {
  for (const tell of waiting.get(stream) ?? []) tell()
}

/** Calls `tell` with each sign of a stream, until the returned function is called. */
export function onOpen(stream: string, tell: () => void): () => void {
  const all = waiting.get(stream) ?? new Set<() => void>()
  waiting.set(stream, all.add(tell))
  return () => {
    all.delete(tell)
    if (all.size === 0) waiting.delete(stream)
  }
}
