interface Watched {
  readonly listeners: Set<() => void>
  whole: readonly object[] | null
}

/** Subscriptions of Apollo Client and urql that components show, by the library's client and their name. */
const streams = new WeakMap<object, Map<string, Watched>>()

/**
 * Tells a subscription's whole state: the newest event of each object. Apollo Client and urql pass on only the data of
 * events, and share one stream among components, also with those that come later.
 */
export function tellWhole(client: object, stream: string, whole: readonly object[]): void {
  const watched = streams.get(client)?.get(stream)
  if (!watched) return
  watched.whole = whole
  for (const listener of watched.listeners) listener()
}

/** A subscription's whole state; null until it has come. */
export const wholeOf = (client: object, stream: string): readonly object[] | null =>
  streams.get(client)?.get(stream)?.whole ?? null

/** Calls `listener` with each change, until the returned function is called. */
export function onWhole(client: object, stream: string, listener: () => void): () => void {
  const ofClient = streams.get(client) ?? new Map<string, Watched>()
  streams.set(client, ofClient)
  const watched = ofClient.get(stream) ?? { listeners: new Set(), whole: null }
  ofClient.set(stream, watched)
  watched.listeners.add(listener)
  return () => {
    watched.listeners.delete(listener)
    if (watched.listeners.size === 0 && ofClient.get(stream) === watched) ofClient.delete(stream)
  }
}
