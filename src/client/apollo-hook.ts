'use client'

import { useApolloClient, useQuery, useSubscription } from '@apollo/client/react'
import type { OperationVariables } from '@apollo/client'
import { useMemo } from 'react'
import { idsIn } from './arrivals.ts'
import { nameOf } from './document.ts'
import type { TypedDocument } from './document.ts'
import { useOpen } from './open-hook.ts'
import { useStale } from './stale-hook.ts'
import { useStreamState } from './state-hook.ts'

/** A hook over Apollo Client’s `useQuery`, with its options. Needs an ApolloProvider. */
export const queryHook =
  <Data, Variables extends OperationVariables>(document: TypedDocument<Data, Variables>) =>
  (variables: Variables, options?: Omit<useQuery.Options<Data, OperationVariables>, 'variables'>) =>
    useQuery<Data>(document, { ...options, variables })

/** What a hook over a subscription returns. */
export interface LiveResult<Data> extends useSubscription.Result<Data> {
  /** While no events arrive, or the graph gets no newer rows: since when. Null while the state is current. */
  readonly stale: Date | null
  /**
   * The `id`s of all objects of the state, of a day its games, once it has come; null before. A list that a query has
   * brought may have others, which have left.
   */
  readonly whole: ReadonlySet<unknown> | null
}

/**
 * A hook over Apollo Client’s `useSubscription`, with its options. Needs a LiveLink before the client’s own
 * link. The cache updates every query that shows the same object; `data` is the last event; without one, as on a day
 * without games, it stays undefined, and `loading` ends 12 to 24 seconds after the stream has opened.
 */
export const subscriptionHook =
  <Data, Variables extends OperationVariables>(document: TypedDocument<Data, Variables>) =>
  (
    variables: Variables,
    options?: Omit<useSubscription.Options<Data, OperationVariables>, 'variables'>,
  ): LiveResult<Data> => {
    const key = JSON.stringify(variables)
    const stream = `${nameOf(document)} ${key}`
    const context = { ...options?.context, stream }
    const { whole: events, stale: outdated } = useStreamState(useApolloClient(options?.client), stream)
    const whole = useMemo(() => events && idsIn(events), [events])
    const result = useSubscription<Data>(document, { ...options, variables, context })
    const stale = useStale(key, result.data, result.error) ?? outdated
    const isOpen = useOpen(stream)
    return { ...result, loading: result.loading && !isOpen, stale, whole }
  }
