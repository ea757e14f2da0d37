import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { UseQueryOptions, UseQueryResult } from '@tanstack/react-query'
import { nameOf } from './document.ts'
import type { Typed } from './document.ts'
import type { FieldError } from './client.ts'
import { mayRecover, withEvent } from './live.ts'
import { useClient } from './provider.ts'

/** All fields failed. */
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
 * A hook over TanStack Query’s `useQuery`, with its options. Needs a QueryClientProvider and a
 * StatlineProvider. A partial answer is an answer: failed fields are null.
 */
export const queryHook =
  <Data, Variables>(document: Typed<Data, Variables>): QueryHook<Data, Variables> =>
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

/** Milliseconds until a stream is tried again after all of TanStack Query’s own retries failed. */
const pauseMs = 15_000

/**
 * A hook over `useQuery` for a subscription: a query that runs as long as the component is mounted. `data` is
 * the newest event of each object, by its `id`. A broken stream is retried like any query and keeps its
 * events; `error` says that it cannot be opened.
 */
export const subscriptionHook =
  <Data, Variables>(document: Typed<Data, Variables>): QueryHook<readonly Data[], Variables> =>
  (variables, options) => {
    const client = useClient()
    const cache = useQueryClient()
    const queryKey = ['statline', nameOf(document), variables]
    return useQuery<readonly Data[]>({
      refetchOnMount: 'always',
      refetchInterval: ({ state: { error } }) => error !== null && isPassing(error) && pauseMs,
      ...options,
      queryKey,
      async queryFn({ signal }) {
        const events = () => cache.getQueryData<readonly Data[]>(queryKey) ?? []
        for await (const { data, errors } of client.subscribe(document, variables, signal)) {
          if (data === null) throw new QueryError(errors)
          cache.setQueryData(queryKey, withEvent(events(), data))
        }
        return events()
      },
    })
  }

const isPassing = (error: Error) => !(error instanceof QueryError) || mayRecover(error.errors)
