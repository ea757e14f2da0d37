import { useQuery } from '@tanstack/react-query'
import type { UseQueryOptions, UseQueryResult } from '@tanstack/react-query'
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import type { DocumentNode } from 'graphql'
import { Kind } from 'graphql/language/kinds.js'
import type { FieldError } from './client.ts'
import { useClient } from './provider.ts'

/** Every field that was asked for failed. */
export class QueryError extends Error {
  override readonly name = 'QueryError'
  readonly errors: readonly FieldError[]

  constructor(errors: readonly FieldError[]) {
    super(errors[0]?.message ?? 'The query has no answer.')
    this.errors = errors
  }
}

export type QueryHookOptions<Data> = Omit<UseQueryOptions<Data>, 'queryKey' | 'queryFn'>

export type QueryHook<Data, Variables> = (
  variables: Variables,
  options?: QueryHookOptions<Data>,
) => UseQueryResult<Data>

/**
 * A hook over TanStack Query’s `useQuery`, with its options. Needs a QueryClientProvider, and a StatlineProvider for where to ask. An
 * answer in part is an answer: a field that failed is null.
 */
export const queryHook =
  <Data, Variables>(document: TypedDocumentNode<Data, Variables>): QueryHook<Data, Variables> =>
  (variables, options) => {
    const client = useClient()
    return useQuery<Data>({
      ...options,
      queryKey: ['statline', nameOf(document), variables],
      async queryFn({ signal }) {
        const { data, errors } = await client.query(document, variables, signal)
        if (data === null) throw new QueryError(errors)
        return data
      },
    })
  }

function nameOf({ definitions }: DocumentNode): string | undefined {
  for (const node of definitions) if (node.kind === Kind.OPERATION_DEFINITION) return node.name?.value
  return undefined
}
