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
import { answerOf } from './answer.ts'
import type { Body, FieldError } from './answer.ts'
import { Arrivals, idOf, idsIn, withEvent } from './arrivals.ts'
import { messageReader } from './events.ts'
import { mayRecover, pauseBefore } from './live-store.ts'
import { useOpen } from './open-hook.ts'
import { tellOpen } from './open-streams.ts'
import { useStale } from './stale-hook.ts'
import { timedFetch } from './timed-fetch.ts'
import { useStreamState } from './state-hook.ts'
import { stateIn, tellState } from './stream-states.ts'

/** A hook over urql’s `useQuery`, with its options. Needs urql’s Provider. */
export const queryHook =
  <Data, Variables extends AnyVariables>(query: TypedDocument<Data, Variables>) =>
  (variables: Variables, options?: Omit<UseQueryArgs<AnyVariables, Data>, 'query' | 'variables'>) =>
    useQuery<Data>({ ...options, query, variables })

const nothing: readonly never[] = []

/** What a hook over a subscription returns: urql’s own, but `stale` is a date. */
export interface LiveState<Data> extends Omit<UseSubscriptionState<readonly Data[]>, 'stale'> {
  /** While no events arrive, or the graph gets no newer rows: since when. Null while the state is current. */
  readonly stale: Date | null
  /** Whether `data` has the whole state, of a day all of its games, and nothing that has left it. */
  readonly complete: boolean
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
    const { whole, complete, stale: outdated, hasErrors } = useStreamState(useClient(), stream)
    const [state, again] = useSubscription<Data, readonly Data[]>(
      { ...options, query, variables, context },
      (_, event) => {
        const events = withEvent(kept.get(key) ?? [], event)
        kept.set(key, events)
        return events
      },
    )
    const isOpen = useOpen(stream)
    const events = kept.get(key)
    const data = useThere(events, whole) ?? (isOpen ? nothing : undefined)
    const failure = state.data ? undefined : state.error
    useAgain(failure, data, again)
    return [
      {
        ...state,
        data,
        // urql keeps the errors of earlier events.
        error: state.data && !hasErrors ? undefined : state.error,
        complete,
        stale: useStale(key, events ?? data, failure) ?? outdated,
      },
      again,
    ]
  }

/**
 * The events that a component has heard, of objects that are still there. The whole state, if it has not heard all of
 * it because it shares a stream that was open before.
 */
const useThere = <Data>(heard: readonly Data[] | undefined, whole: readonly object[] | null) =>
  useMemo(() => {
    if (whole === null) return heard
    const ids = idsIn(whole)
    const there = heard?.filter((event) => ids.has(idOf(event))) ?? []
    return there.length < whole.length ? (whole as readonly unknown[] as readonly Data[]) : there // the stream's own data
  }, [heard, whole])

/** Reads of a stream's parts what its events say beside their data: urql passes on their data alone. */
function wholeReader(client: object, stream: string): (part: Uint8Array) => void {
  const arrivals = new Arrivals<object>()
  let events: readonly object[] = []
  return messageReader(({ event, data: text }) => {
    if (event !== 'next') return
    const answer = answerOf(JSON.parse(text) as Body<object>) // the graph's answers have this shape
    arrivals.note(answer)
    if (answer.data) events = arrivals.add(events, answer.data, answer.live)
    tellState(client, stream, stateIn(arrivals, events, answer.errors))
  })
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
    return {
      ...own,
      fetch: timedFetch(
        fetch,
        () => tellOpen(stream),
        () => wholeReader(client, stream),
      ),
    }
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
