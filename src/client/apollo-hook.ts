import { useQuery, useSubscription } from '@apollo/client/react'
import type { OperationVariables } from '@apollo/client'
import type { TypedDocument } from './document.ts'

/** A hook over Apollo Client’s `useQuery`, with its options. Needs an ApolloProvider. */
export const queryHook =
  <Data, Variables extends OperationVariables>(document: TypedDocument<Data, Variables>) =>
  (variables: Variables, options?: Omit<useQuery.Options<Data, OperationVariables>, 'variables'>) =>
    useQuery<Data>(document, { ...options, variables })

/**
 * A hook over Apollo Client’s `useSubscription`, with its options. Needs a LiveLink before the client’s own
 * link. The cache updates every query that shows the same object; `data` is the last event.
 */
export const subscriptionHook =
  <Data, Variables extends OperationVariables>(document: TypedDocument<Data, Variables>) =>
  (variables: Variables, options?: Omit<useSubscription.Options<Data, OperationVariables>, 'variables'>) =>
    useSubscription<Data>(document, { ...options, variables })
