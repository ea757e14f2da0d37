'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { UseQueryOptions, UseQueryResult } from '@tanstack/react-query'
import { hasNothing } from './answer.ts'
import type { Live } from './answer.ts'
import type { Arrivals } from './arrivals.ts'
import type { Client } from './client.ts'
import { nameOf } from './document.ts'
import type { Typed } from './document.ts'
import { queryErrorOf } from './errors.ts'
import { follow, mayRecover } from './live-store.ts'
import { useClient } from './provider.ts'

export interface QueryHookOptions<Data> extends Omit<UseQueryOptions<Data>, 'queryKey' | 'queryFn'> {
  /** Accepts expired rows that were bought at most so many seconds ago. */
  readonly maxAge?: number | undefined
}

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
  (variables, { maxAge, ...options } = {}) => {
    const client = useClient()
    return useQuery<Data>({
      ...options,
      queryKey: ['statline', nameOf(document), variables],
      async queryFn({ signal }) {
        const answer = await client.query(document, variables, { signal, maxAge })
        if (answer.data === null || hasNothing(answer)) throw queryErrorOf(answer.errors)
        return answer.data
      },
    })
  }

/** What a hook over a subscription returns beside TanStack Query’s own. */
export interface Followed {
  /** While no events arrive, or the graph gets no newer rows: until when `data` was current. Null while it is. */
  readonly stale: Date | null
  /** Why no events arrive, or none with data; null once they do again. */
  readonly failure: Error | null
  /** Whether `data` has the whole state, of a day all of its games, and nothing that has left it. */
  readonly complete: boolean
}

export type LiveHook<Data, Variables> = (
  variables: Variables,
  options?: Omit<UseQueryOptions<readonly Data[]>, 'queryKey' | 'queryFn'>,
) => UseQueryResult<readonly Data[]> & Followed

/** The state of a stream. Kept in the cache, beside its events. */
interface Connection {
  readonly currentAt: number | null
  /** Whether the stream is open, and its state has come and is current. */
  readonly isCurrent: boolean
  readonly failure: Error | null
  /** Whether the whole state has come, on this connection or an earlier one. */
  readonly complete: boolean
}

const unopened: Connection = { currentAt: null, isCurrent: false, failure: null, complete: false }
const currentBy = ({ stale }: Arrivals<unknown>): Partial<Connection> => ({
  currentAt: stale?.getTime() ?? Date.now(),
  isCurrent: stale === null,
  failure: null,
})

/**
 * A hook over `useQuery` for a subscription: a query that runs as long as the component is mounted. `data` is
 * the newest event of each object, by its `id`. A broken stream is opened again and keeps its events; `stale`
 * and `failure` say so. `error` is what the graph itself refuses.
 */
export const subscriptionHook =
  <Data, Variables>(document: Typed<Data, Variables>): LiveHook<Data, Variables> =>
  (variables, options) => {
    const client = useClient()
    const cache = useQueryClient()
    const queryKey = ['statline', nameOf(document), variables]
    const connectionKey = [...queryKey, 'connection']
    const result = useQuery<readonly Data[]>({
      refetchOnMount: 'always',
      retry: false, // a stream is opened again while its query runs
      ...options,
      queryKey,
      async queryFn({ signal }) {
        const events = () => cache.getQueryData<readonly Data[]>(queryKey) ?? []
        const connect = (change: Partial<Connection>) =>
          cache.setQueryData<Connection>(connectionKey, (before = unopened) => ({ ...before, ...change }))
        await followAll(client, document, variables, signal, {
          hear(event, arrivals, live) {
            cache.setQueryData(queryKey, arrivals.add(events(), event, live))
            const { complete } = arrivals
            connect({ ...currentBy(arrivals), ...(complete !== null && { complete }) })
          },
          tell: (failure) => connect({ isCurrent: false, failure }),
          sign(arrivals) {
            if (cache.getQueryData(queryKey) === undefined) cache.setQueryData(queryKey, [])
            if (!arrivals.stale) connect(currentBy(arrivals))
          },
        })
        if (signal.aborted) connect({ isCurrent: false }) // the component is left
        return events()
      },
    })
    const { data = unopened } = useQuery<Connection>({
      queryKey: connectionKey,
      queryFn: () => unopened,
      enabled: false,
    })
    const { failure, currentAt, isCurrent, complete } = data
    return {
      ...result,
      failure,
      complete,
      stale: isCurrent || currentAt === null ? null : new Date(currentAt),
    }
  }

interface Told<Data> {
  hear(event: Data, arrivals: Arrivals<Data>, live: Live | undefined): void
  tell(failure: Error | null): void
  sign(arrivals: Arrivals<Data>): void
}

/** Follows a stream to its end. Throws QueryError if the graph refuses it and another try would not help. */
async function followAll<Data, Variables>(
  client: Client,
  document: Typed<Data, Variables>,
  variables: Variables,
  signal: AbortSignal,
  { hear, tell, sign }: Told<Data>,
): Promise<void> {
  let refusal: Error | null = null
  const open = (aborted: AbortSignal, onSign: () => void) =>
    client.subscribe(document, variables, { signal: aborted, onSign })
  await follow(open, signal, {
    hear({ data, errors, live }, arrivals) {
      refusal = null
      if (data !== null) return hear(data, arrivals, live)
      const error = queryErrorOf(errors)
      tell(error)
      // It is one if the stream ends with it.
      if (!mayRecover(errors)) refusal = error
    },
    fail: tell,
    sign,
  })
  if (!refusal) return
  tell(null)
  throw refusal
}
