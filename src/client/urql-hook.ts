import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { useQuery, useSubscription } from 'urql'
import type { AnyVariables, UseQueryArgs, UseSubscriptionArgs, UseSubscriptionState } from 'urql'
import { withEvent } from './live.ts'

/** A hook over urql’s `useQuery`, with its options. Needs urql’s Provider. */
export const queryHook =
  <Data, Variables extends AnyVariables>(query: TypedDocumentNode<Data, Variables>) =>
  (variables: Variables, options?: Omit<UseQueryArgs<AnyVariables, Data>, 'query' | 'variables'>) =>
    useQuery<Data>({ ...options, query, variables })

/** The events of one subscription: urql goes on with those of the last one when variables change. */
interface Told<Data> {
  readonly of: string
  readonly events: readonly Data[]
}

/**
 * A hook over urql’s `useSubscription`, with its options; `data` is the newest event of each object, by its `id`. Needs a client whose
 * `fetchSubscriptions` is true.
 */
export const subscriptionHook =
  <Data, Variables extends AnyVariables>(query: TypedDocumentNode<Data, Variables>) =>
  (
    variables: Variables,
    options?: Omit<UseSubscriptionArgs<AnyVariables, Data>, 'query' | 'variables'>,
  ): [Omit<UseSubscriptionState<Data>, 'data'> & { data: readonly Data[] | undefined }, () => void] => {
    const of = JSON.stringify(variables)
    const [{ data: told, ...state }, again] = useSubscription<Data, Told<Data>>(
      { ...options, query, variables },
      (known, event) => ({ of, events: withEvent(known?.of === of ? known.events : [], event) }),
    )
    return [{ ...state, data: told?.of === of ? told.events : undefined }, again]
  }
