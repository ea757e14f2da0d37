'use client'

import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react'
import type { Typed } from './document.ts'
import { useClient } from './provider.ts'
import type { Heard } from './live.ts'
import type { Shown } from './watched.ts'

export interface HookOptions {
  /** Returns nothing and sends nothing, for example while a search is empty. */
  readonly skip?: boolean
  /** Milliseconds between repeated queries while the component is mounted. */
  readonly pollMs?: number | undefined
  /**
   * Maximum age of a shared answer that is shown without a new query, in milliseconds. Default 15,000: a live
   * game may be as old.
   */
  readonly maxAgeMs?: number
}

export interface Result<Data> extends Shown<Data> {
  readonly refetch: () => void
}

const idle = { data: null, errors: [], usage: null, failure: null, loading: false }

/** A hook over React alone: no client library. */
export const queryHook =
  <Data, Variables>(document: Typed<Data, Variables>) =>
  (variables: Variables, options: HookOptions = {}): Result<Data> =>
    useDocument(document, variables, options)

/** Returns a document's answer; for our documents and for your own. */
export function useDocument<Data, Variables>(
  document: Typed<Data, Variables>,
  variables: Variables,
  { skip = false, pollMs, maxAgeMs = 15_000 }: HookOptions = {},
): Result<Data> {
  const client = useClient()
  const key = JSON.stringify(variables)
  // Variables are compared by content, because callers make a new object for every render.
  const watched = useMemo(() => client.watch(document, JSON.parse(key) as Variables), [client, document, key])
  const shown = useSyncExternalStore(watched.subscribe, watched.shown, watched.shown)
  const refetch = useCallback(() => void watched.load(), [watched])
  useEffect(() => {
    if (!skip) void watched.load(maxAgeMs)
  }, [watched, skip, maxAgeMs])
  useEffect(() => {
    if (skip || pollMs === undefined) return
    const timer = setInterval(refetch, pollMs)
    return () => clearInterval(timer)
  }, [refetch, skip, pollMs])
  return skip ? { ...idle, refetch } : { ...shown, refetch }
}

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
  const heard = useSyncExternalStore(skip ? nothingHeard : live.subscribe, live.shown, live.shown)
  return skip ? { ...heard, failure: null, loading: false } : heard
}
