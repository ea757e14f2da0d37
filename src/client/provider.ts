'use client'

import { createContext, createElement, useContext, useMemo } from 'react'
import type { ReactNode } from 'react'
import { Client } from './client.ts'
import type { State } from './client.ts'

const ClientContext = createContext<Client | null>(null)

/** A page’s clients by their address. */
const ofPage = new Map<string, Client>()

/**
 * The client of an address. A page has one, which outlives its components. A server makes one for each page
 * that it renders, so that visitors do not see each other's answers.
 */
function clientOf(url: string): Client {
  if (typeof document === 'undefined') return new Client({ url })
  const client = ofPage.get(url) ?? new Client({ url })
  ofPage.set(url, client)
  return client
}

export interface ProviderProps {
  /** Has to be made in a client component. */
  readonly client?: Client
  /** Instead of a client: the address of the graph. A server component may pass it. */
  readonly url?: string
  /** The answers of a server: `await client.preload(…)`, or `client.dehydrate()`. */
  readonly state?: State
  readonly children?: ReactNode
}

/** Passes a client to the hooks below it. */
export function StatlineProvider({ client, url = '/graphql', state, children }: ProviderProps) {
  const used = useMemo(() => client ?? clientOf(url), [client, url])
  useMemo(() => state && used.hydrate(state), [used, state])
  return createElement(ClientContext.Provider, { value: used }, children)
}

/** The client of the nearest StatlineProvider. Throws if there is none. */
export function useClient(): Client {
  const client = useContext(ClientContext)
  if (!client) throw new Error('Statline’s hooks need a <StatlineProvider client={new Client()}> above them.')
  return client
}

export interface HydrateProps {
  /**
   * The answers of a server, or a promise of them: `client.preload(…)` without `await` streams them into a
   * Suspense.
   */
  readonly state: State | PromiseLike<State>
  readonly children?: ReactNode
}

/** Passes a server’s answers to the hooks below it. They show them without another request. */
export function Hydrate({ state, children }: HydrateProps): ReactNode {
  const client = useClient()
  const known = isPromise(state) ? awaited(state) : state
  useMemo(() => client.hydrate(known), [client, known])
  return children
}

const isPromise = (state: HydrateProps['state']): state is PromiseLike<State> => 'then' in state

const states = new WeakMap<PromiseLike<State>, State>()

/**
 * The value of a promise. Suspends until it has come, in React 18 too. After a failure the page asks itself.
 */
function awaited(promise: PromiseLike<State>): State {
  const known = states.get(promise)
  if (known) return known
  const keep = (state: State) => void states.set(promise, state)
  // Of a server component’s promise, `then` returns nothing.
  throw Promise.resolve(promise).then(keep, () => keep({}))
}
