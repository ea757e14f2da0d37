import type { TypedDocument } from './document.ts'
import { useEffect, useRef, useState } from 'react'
import { useQuery, useSubscription } from 'urql'
import type {
  AnyVariables,
  CombinedError,
  UseQueryArgs,
  UseSubscriptionArgs,
  UseSubscriptionState,
} from 'urql'
import type { FieldError } from './client.ts'
import { mayRecover, pauseAfter, withEvent } from './live.ts'

/** A hook over urql’s `useQuery`, with its options. Needs urql’s Provider. */
export const queryHook =
  <Data, Variables extends AnyVariables>(query: TypedDocument<Data, Variables>) =>
  (variables: Variables, options?: Omit<UseQueryArgs<AnyVariables, Data>, 'query' | 'variables'>) =>
    useQuery<Data>({ ...options, query, variables })

/**
 * A hook over urql’s `useSubscription`, with its options. `data` is the newest event of each object, by its
 * `id`. Needs a client with `fetchSubscriptions: true`. A broken stream is opened again; until then `error`
 * is set.
 */
export const subscriptionHook =
  <Data, Variables extends AnyVariables>(query: TypedDocument<Data, Variables>) =>
  (
    variables: Variables,
    options?: Omit<UseSubscriptionArgs<AnyVariables, Data>, 'query' | 'variables'>,
  ): [UseSubscriptionState<readonly Data[]>, () => void] => {
    const key = JSON.stringify(variables)
    // Kept here for each set of variables: urql mixes the events of two days, and drops all when a stream
    // breaks.
    const [kept] = useState(() => new Map<string, readonly Data[]>())
    const [state, again] = useSubscription<Data, readonly Data[]>(
      { ...options, query, variables },
      (_, event) => {
        const events = withEvent(kept.get(key) ?? [], event)
        kept.set(key, events)
        return events
      },
    )
    const data = kept.get(key)
    useAgain(state.data ? undefined : state.error, data, again)
    return [{ ...state, data }, again]
  }

/** Opens a broken stream again, with growing pauses until an event arrives. */
function useAgain(failure: CombinedError | undefined, told: unknown, again: () => void): void {
  const failures = useRef(0)
  useEffect(() => {
    failures.current = 0
  }, [told])
  useEffect(() => {
    if (!failure || !mayPass(failure)) return
    const timer = setTimeout(again, pauseAfter((failures.current += 1)))
    return () => clearTimeout(timer)
  }, [failure, again])
}

/** Whether the stream broke, or ended with an error that may pass. */
const mayPass = ({ networkError, graphQLErrors }: CombinedError): boolean =>
  networkError !== undefined || mayRecover(graphQLErrors as readonly FieldError[]) // the graph's own
