'use client'

import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react'
import { hasNothing } from './answer.ts'
import { queryErrorOf } from './errors.ts'
import type { Typed } from './document.ts'
import type { Heard } from './live-store.ts'
import { startPolling } from './polling.ts'
import { useClient } from './provider.ts'
import type { QueryStore, Shown } from './query-store.ts'

export interface HookOptions {
  /** Returns nothing and sends nothing, for example while a search is empty. */
  readonly skip?: boolean
  /**
   * Milliseconds between repeated queries while the component is mounted; off by default, and with 0. A hidden page
   * does not repeat them. When it is shown again, it does so at once if it has missed one.
   */
  readonly pollMs?: number | undefined
  /**
   * Seconds. A younger answer of another component is shown without a query. Each query accepts expired rows up to
   * this age, also those of `pollMs`, `refetch` and `fetchMore`. By default, components share answers of the last 15
   * seconds, because a live game may be that old, and no query accepts expired rows.
   */
  readonly maxAge?: number | undefined
}

export interface Result<Data> extends Shown<Data> {
  /** Sends the query again. */
  readonly refetch: () => void
  /** Adds the next page of the list, if `hasMore`. */
  readonly fetchMore: () => Promise<void>
}

/** Seconds for which an answer is shared by components that ask for no other age. */
const sharedFor = 15

const idle = {
  data: null,
  errors: [],
  usage: null,
  stale: null,
  failure: null,
  loading: false,
  hasMore: false,
}

/** A hook over React alone: no client library. */
export const queryHook =
  <Data, Variables>(document: Typed<Data, Variables>) =>
  (variables: Variables, options: HookOptions = {}): Result<Data> =>
    useDocument(document, variables, options)

/** The same for Suspense. */
export const suspenseHook =
  <Data, Variables>(document: Typed<Data, Variables>) =>
  (variables: Variables, options: SuspenseOptions = {}): SuspenseResult<Data> =>
    useSuspenseDocument(document, variables, options)

function useStore<Data, Variables>(document: Typed<Data, Variables>, variables: Variables): QueryStore<Data> {
  const client = useClient()
  const key = JSON.stringify(variables)
  // Variables are compared by content, because callers make a new object for every render.
  return useMemo(() => client.watch(document, JSON.parse(key) as Variables), [client, document, key])
}

/** Loads what a store shows while the component is mounted. */
function useShown<Data>(
  store: QueryStore<Data>,
  { skip = false, pollMs = 0, maxAge }: HookOptions,
  getServerSnapshot = store.getServerSnapshot,
): Result<Data> {
  const shown = useSyncExternalStore(store.subscribe, store.getSnapshot, getServerSnapshot)
  const refetch = useCallback(() => void store.load(0, maxAge), [store, maxAge])
  const fetchMore = useCallback(() => store.fetchMore(maxAge), [store, maxAge])
  useEffect(() => {
    if (!skip) void store.load(maxAge ?? sharedFor, maxAge ?? 0)
  }, [store, skip, maxAge])
  useEffect(() => (skip ? undefined : startPolling(refetch, pollMs)), [refetch, skip, pollMs])
  return { ...(skip ? idle : shown), refetch, fetchMore }
}

/** Returns a document's answer; for our documents and for your own. */
export const useDocument = <Data, Variables>(
  document: Typed<Data, Variables>,
  variables: Variables,
  options: HookOptions = {},
): Result<Data> => useShown(useStore(document, variables), options)

export type SuspenseOptions = Omit<HookOptions, 'skip'>

export interface SuspenseResult<Data> extends Result<Data> {
  readonly data: Data
}

/**
 * Returns a document's answer, and suspends until there is one. Throws a NoAnswerError or a QueryError to the
 * nearest error boundary if none comes. Its StatlineProvider has to be above the Suspense boundary.
 */
export function useSuspenseDocument<Data, Variables>(
  document: Typed<Data, Variables>,
  variables: Variables,
  options: SuspenseOptions = {},
): SuspenseResult<Data> {
  const store = useStore(document, variables)
  const result = useShown(store, options, awaitedIn(store))
  const { data, failure, errors, loading } = result
  if (data !== null && !hasNothing(result)) return { ...result, data }
  if (failure) throw failure
  if (errors.length > 0 || !loading) throw queryErrorOf(errors)
  throw store.load(0, options.maxAge) // React waits for what is thrown
}

/** What a component that suspends shows while React hydrates it: what the server has passed on, or its own answer. */
const awaitedIn =
  <Data>({ getServerSnapshot, getSnapshot }: QueryStore<Data>) =>
  (): Shown<Data> =>
    getServerSnapshot().data === null ? getSnapshot() : getServerSnapshot()

export interface LiveOptions {
  /** Does not subscribe, for example while nothing can change. */
  readonly skip?: boolean
}

/** A hook over React alone, for a subscription. */
export const subscriptionHook =
  <Data, Variables>(document: Typed<Data, Variables>) =>
  (variables: Variables, options: LiveOptions = {}): Heard<Data> =>
    useLive(document, variables, options)

const nothingHeard = () => () => {}

/** What a hook that follows nothing says of a state. */
const unheard = { complete: false, failure: null, loading: false, stale: null, outage: false }

/**
 * Follows a subscription while the component is mounted, with our documents or your own. Reconnects when it
 * breaks.
 */
export function useLive<Data, Variables>(
  document: Typed<Data, Variables>,
  variables: Variables,
  { skip = false }: LiveOptions = {},
): Heard<Data> {
  const client = useClient()
  const key = JSON.stringify(variables)
  const live = useMemo(() => client.live(document, JSON.parse(key) as Variables), [client, document, key])
  const { subscribe, getSnapshot, getServerSnapshot } = live
  const heard = useSyncExternalStore(skip ? nothingHeard : subscribe, getSnapshot, getServerSnapshot)
  return skip ? { ...heard, ...unheard } : heard
}
