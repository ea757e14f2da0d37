import { useQuery } from '@apollo/client/react'
import type { OperationVariables } from '@apollo/client'
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'

/** A hook over Apollo Client’s `useQuery`, with its options. Needs an ApolloProvider. */
export const queryHook =
  <Data, Variables extends OperationVariables>(document: TypedDocumentNode<Data, Variables>) =>
  (variables: Variables, options?: Omit<useQuery.Options<Data, OperationVariables>, 'variables'>) =>
    useQuery<Data>(document, { ...options, variables })
