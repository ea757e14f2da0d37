import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react'
import { useClient } from './provider.ts'
import type { Heard } from './live.ts'
import type { Shown } from './watched.ts'

export interface HookOptions {
  /** Shows nothing and asks nothing: while a search has no text, say. */
  readonly skip?: boolean
  /** Asks again this often while it is shown, in milliseconds. */
  readonly pollMs?: number | undefined
  /** How old an answer may be that is shown without asking again, in milliseconds: 15,000, as old as a live game's may be. */
  readonly maxAgeMs?: number
}

export interface Result<Data> extends Shown<Data> {
  readonly refetch: () => void
}

const idle = { data: null, errors: [], usage: null, failure: null, loading: false }

/** A hook over React alone: no client library. */
export const queryHook =
  <Data, Variables>(document: TypedDocumentNode<Data, Variables>) =>
  (variables: Variables, options: HookOptions = {}): Result<Data> =>
    useDocument(document, variables, options)

/** Shows a document's answer: of one of ours, or of your own. */
export function useDocument<Data, Variables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  { skip = false, pollMs, maxAgeMs = 15_000 }: HookOptions = {},
): Result<Data> {
  const client = useClient()
  const key = JSON.stringify(variables)
  // Variables are told apart by what they say: callers make a new object for every render.
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
  /** Hears nothing: while nothing can change, say. */
  readonly skip?: boolean
}

/** A hook over React alone, for a subscription. */
export const subscriptionHook =
  <Data, Variables>(document: TypedDocumentNode<Data, Variables>) =>
  (variables: Variables, options: LiveOptions = {}): Heard<Data> =>
    useLive(document, variables, options)

const nothingHeard = () => () => {}

/** Shows what a subscription tells, while it is shown: of one of ours, or of your own. A connection that breaks is opened again. */
export function useLive<Data, Variables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  { skip = false }: LiveOptions = {},
): Heard<Data> {
  const client = useClient()
  const key = JSON.stringify(variables)
  const live = useMemo(() => client.live(document, JSON.parse(key) as Variables), [client, document, key])
  const heard = useSyncExternalStore(skip ? nothingHeard : live.subscribe, live.shown, live.shown)
  return skip ? { ...heard, failure: null, loading: false } : heard
}
