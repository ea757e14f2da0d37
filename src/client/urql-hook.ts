'use client'

import { nameOf } from './document.ts'
import type { TypedDocument } from './document.ts'
import { useEffect, useMemo, useRef, useState } from 'react'
import { createRequest, useClient, useQuery, useSubscription } from 'urql'
import type {
  AnyVariables,
  CombinedError,
  OperationContext,
  UseQueryArgs,
  UseSubscriptionArgs,
  UseSubscriptionState,
} from 'urql'
import type { FieldError } from './answer.ts'
import { mayRecover, pauseBefore, withEvent } from './live-store.ts'
import { useOpen } from './open-hook.ts'
import { tellOpen } from './open-streams.ts'
import { useStale } from './stale-hook.ts'
import { timedFetch } from './timed-fetch.ts'

/** A hook over urql’s `useQuery`, with its options. Needs urql’s Provider. */
export const queryHook =
  <Data, Variables extends AnyVariables>(query: TypedDocument<Data, Variables>) =>
  (variables: Variables, options?: Omit<UseQueryArgs<AnyVariables, Data>, 'query' | 'variables'>) =>
    useQuery<Data>({ ...options, query, variables })

const nothing: readonly never[] = []

/** What a hook over a subscription returns: urql’s own, but `stale` is a date. */
export interface LiveState<Data> extends Omit<UseSubscriptionState<readonly Data[]>, 'stale'> {
  /** While no events arrive: since when. Null while they do. */
  readonly stale: Date | null
}

/**
 * A hook over urql’s `useSubscription`, with its options. `data` is the newest event of each object, by its
 * `id`; an empty list where there is none, as on a day without games, 12 to 24 seconds after the stream has opened.
 * Needs a client with `fetchSubscriptions: true`. A stream that breaks, falls silent or
 * does not open is opened again; until then `error` is set.
 */
export const subscriptionHook =
  <Data, Variables extends AnyVariables>(query: TypedDocument<Data, Variables>) =>
  (
    variables: Variables,
    options?: Omit<UseSubscriptionArgs<AnyVariables, Data>, 'query' | 'variables'>,
  ): [LiveState<Data>, () => void] => {
    const key = JSON.stringify(variables)
    // Events are kept here for each set of variables, because urql mixes the events of two days, and drops
    // all when a stream breaks.
    const [kept] = useState(() => new Map<string, readonly Data[]>())
    const stream = `${nameOf(query)} ${key}`
    const context = useTimedContext(query, stream, options?.context)
    const [state, again] = useSubscription<Data, readonly Data[]>(
      { ...options, query, variables, context },
      (_, event) => {
        const events = withEvent(kept.get(key) ?? [], event)
        kept.set(key, events)
        return events
      },
    )
    const isOpen = useOpen(stream)
    const data = kept.get(key) ?? (isOpen ? nothing : undefined)
    const failure = state.data ? undefined : state.error
    useAgain(failure, data, again)
    return [{ ...state, data, stale: useStale(key, data, failure) }, again]
  }

/** The context of a subscription, with a fetch that notices a lost network. */
function useTimedContext<Data, Variables extends AnyVariables>(
  query: TypedDocument<Data, Variables>,
  stream: string,
  own: Partial<OperationContext> | undefined,
): Partial<OperationContext> {
  const client = useClient()
  return useMemo(() => {
    const request = createRequest(query, {} as Variables) // never sent: only its context is read
    const { fetch } = client.createRequestOperation('subscription', request, own).context
    return { ...own, fetch: timedFetch(fetch, () => tellOpen(stream)) }
  }, [client, query, stream, own])
}

/** Opens a broken stream again, with growing pauses until an event arrives. */
function useAgain(failure: CombinedError | undefined, told: unknown, again: () => void): void {
  const failures = useRef(0)
  useEffect(() => {
    failures.current = 0
  }, [told])
  useEffect(() => {
    if (!failure || !mayPass(failure)) return
    const timer = setTimeout(again, pauseBefore((failures.current += 1), errorsOf(failure)))
    return () => clearTimeout(timer)
  }, [failure, again])
}

/** Whether the stream broke, or ended with an error that may pass. */
const mayPass = (failure: CombinedError): boolean =>
  failure.networkError !== undefined || mayRecover(errorsOf(failure))

const errorsOf = ({ graphQLErrors }: CombinedError) => graphQLErrors as readonly FieldError[] // the graph's own
