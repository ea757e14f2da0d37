import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { useQuery } from 'urql'
import type { AnyVariables, UseQueryArgs } from 'urql'

/** A hook over urql’s `useQuery`, with its options. Needs urql’s Provider. */
export const queryHook =
  <Data, Variables extends AnyVariables>(query: TypedDocumentNode<Data, Variables>) =>
  (variables: Variables, options?: Omit<UseQueryArgs<AnyVariables, Data>, 'query' | 'variables'>) =>
    useQuery<Data>({ ...options, query, variables })
