import type { Arrivals } from './arrivals.ts'

/** What a subscription's events say beside their data, which is all that Apollo Client and urql pass on. */
export interface StreamState {
  /** The state: the newest event of each object that is there; null until the first one has come as a whole. */
  readonly whole: readonly object[] | null
  /** Whether the whole state has come. It has not while a state begins anew, such as that of the next day. */
  readonly complete: boolean
  /** While the graph gets no current rows: until when those of the state were current. Else null. */
  readonly stale: Date | null
  /** Whether the last event had errors. */
  readonly hasErrors: boolean
}

interface Watched {
  readonly listeners: Set<() => void>
  state: StreamState
}

const unknown: StreamState = { whole: null, complete: false, stale: null, hasErrors: false }

/** Subscriptions of Apollo Client and urql that components show, by the library's client and their name. */
const streams = new WeakMap<object, Map<string, Watched>>()

/** Changes a subscription's state. Components share one stream, also with those that come later. */
export function tellState(client: object, stream: string, change: Partial<StreamState>): void {
  const watched = streams.get(client)?.get(stream)
  if (!watched) return
  watched.state = { ...watched.state, ...change }
  for (const listener of watched.listeners) listener()
}

/** What a connection has told so far. The whole state of an earlier one stays until it has a new one. */
export const stateIn = (
  { complete, stale }: Arrivals<object>,
  events: readonly object[],
  errors: readonly unknown[],
): Partial<StreamState> => ({
  ...(complete !== null && { whole: events, complete }),
  stale,
  hasErrors: errors.length > 0,
})

/** A subscription's state. */
export const stateOf = (client: object, stream: string): StreamState =>
  streams.get(client)?.get(stream)?.state ?? unknown

/** Calls `listener` with each change, until the returned function is called. */
export function onState(client: object, stream: string, listener: () => void): () => void {
  const ofClient = streams.get(client) ?? new Map<string, Watched>()
  streams.set(client, ofClient)
  const watched = ofClient.get(stream) ?? { listeners: new Set(), state: unknown }
  ofClient.set(stream, watched)
  watched.listeners.add(listener)
  return () => {
    watched.listeners.delete(listener)
    if (watched.listeners.size === 0 && ofClient.get(stream) === watched) ofClient.delete(stream)
  }
}
