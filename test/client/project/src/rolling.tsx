import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client'
import { RetryLink } from '@apollo/client/link/retry'
import { ApolloProvider } from '@apollo/client/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createClient } from 'graphql-ws'
import { useEffect } from 'react'
import type { ReactElement } from 'react'
import { createRoot } from 'react-dom/client'
import {
  Client,
  GameCardFragmentDoc,
  GameStateFragmentDoc,
  readFragment,
  socketOptions,
} from 'statline-client'
import type { FragmentType, LiveScoresSubscription } from 'statline-client'
import * as apollo from 'statline-client/apollo'
import { StatlineProvider, useLiveScores } from 'statline-client/react'
import * as tanstack from 'statline-client/tanstack'
import * as urql from 'statline-client/urql'
import { cacheExchange, Client as UrqlClient, fetchExchange, Provider } from 'urql'
import { WebSocket } from 'ws'

/** What became of the subscribers of one client. */
export interface Rolled {
  /** How many subscribers show each score. */
  readonly shown: Readonly<Record<string, number>>
  /** How many have said meanwhile that they are stale, and still say so. */
  readonly wereStale: number
  readonly areStale: number
  /** What those say that do not show the final score, or are stale: how many say what. */
  readonly said: Readonly<Record<string, number>>
  /** Seconds after the last restart until all showed the final score. */
  readonly seconds: number
}

const date = '2026-02-14'

type Card = FragmentType<typeof GameCardFragmentDoc>
type Event = LiveScoresSubscription

/** One subscriber: what it shows of the game, and whether it is stale. */
class Seen {
  score: number | null = null
  stale: Date | null = null
  wasStale = false
  /** Why it shows nothing newer, as far as its hook knows. */
  said = ''
}

let game = ''

const scoreIn = (cards: readonly Card[]): number | null | undefined =>
  readFragment(GameStateFragmentDoc, readFragment(GameCardFragmentDoc, cards)).find(
    ({ gameId }) => gameId === game,
  )?.homeScore

const cardsOf = (events: readonly Event[] | undefined) => (events ?? []).map(({ scores }) => scores)

interface Told {
  readonly stale: Date | null
  readonly error?: unknown
}

function useSeen(seen: Seen, cards: readonly Card[], { stale, error }: Told) {
  useEffect(() => {
    seen.score = scoreIn(cards) ?? seen.score
    seen.stale = stale
    seen.said = error ? String(error) : ''
    seen.wasStale ||= stale !== null
  })
  return null
}

function Plain({ seen }: { seen: Seen }) {
  const { data, stale, failure, errors } = useLiveScores({ date })
  return useSeen(seen, cardsOf(data), { stale, error: failure ?? errors[0]?.message })
}

function Apollo({ seen }: { seen: Seen }) {
  const { data } = apollo.useScoreboard({ date })
  return useSeen(seen, data?.league?.games ?? [], apollo.useLiveScores({ date }))
}

function Urql({ seen }: { seen: Seen }) {
  const [live] = urql.useLiveScores({ date })
  return useSeen(seen, cardsOf(live.data), live)
}

function Tanstack({ seen }: { seen: Seen }) {
  const live = tanstack.useLiveScores({ date })
  return useSeen(seen, cardsOf(live.data), { stale: live.stale, error: live.failure ?? live.error })
}

/** A page of its own for each subscriber: they share no connection. */
const pages: Record<string, (url: string, seen: Seen) => ReactElement> = {
  react: (url, seen) => (
    <StatlineProvider client={new Client({ url })}>
      <Plain seen={seen} />
    </StatlineProvider>
  ),
  apollo: (url, seen) => {
    // All ask at once: a busy server refuses some with 503, and Apollo itself asks only once.
    const again = new RetryLink({ attempts: { max: 30 } })
    const link = ApolloLink.from([new apollo.LiveLink({ url }), again, new HttpLink({ uri: url })])
    return (
      <ApolloProvider client={new ApolloClient({ link, cache: new InMemoryCache(apollo.cacheOptions) })}>
        <Apollo seen={seen} />
      </ApolloProvider>
    )
  },
  urql: (url, seen) => {
    const exchanges = [cacheExchange, fetchExchange]
    const client = new UrqlClient({ url, exchanges, preferGetMethod: false, fetchSubscriptions: true })
    return (
      <Provider value={client}>
        <Urql seen={seen} />
      </Provider>
    )
  },
  tanstack: (url, seen) => (
    <QueryClientProvider client={new QueryClient()}>
      <StatlineProvider client={new Client({ url })}>
        <Tanstack seen={seen} />
      </StatlineProvider>
    </QueryClientProvider>
  ),
}

/** graphql-ws’s own client, as our documentation sets it up. */
function overSocket(url: string, query: string, seen: Seen) {
  const onStale = (stale: Date | null) => {
    seen.stale = stale
    seen.wasStale ||= stale !== null
  }
  const client = createClient({
    ...socketOptions({ onStale, WebSocket }),
    url: url.replace('http', 'ws'),
  })
  const next = ({ data }: { data?: Event | null }) => {
    if (data) seen.score = scoreIn([data.scores]) ?? seen.score
  }
  client.subscribe<Event>({ query, variables: { date } }, { next, error: () => {}, complete: () => {} })
}

/**
 * Shows the day through many subscribers of each client, restarts the servers one after the other, and waits
 * for the final score.
 */
export async function rollAll(url: string, control: string, each: number): Promise<Record<string, Rolled>> {
  const ask = async (path: string) => (await (await fetch(control + path)).json()) as string[]
  const [id = '', text = ''] = await ask('/game')
  game = id
  const all: Record<string, Seen[]> = {}
  const hasFirst = ({ score }: Seen) => score === 100
  for (const [name, page] of Object.entries(pages)) {
    const seen = (all[name] = Array.from({ length: each }, () => new Seen()))
    createRoot(document.createElement('div')).render(
      <>
        {seen.map((one, key) => (
          <div key={key}>{page(url, one)}</div>
        ))}
      </>,
    )
    await comeTo(hasFirst, seen)
  }
  const sockets = (all['websocket'] = Array.from({ length: each }, () => new Seen()))
  for (const seen of sockets) overSocket(url, text, seen)
  await comeTo(hasFirst, sockets)

  const [points = ''] = await ask('/roll')
  const restarted = Date.now()
  const seconds: Record<string, number> = {}
  const isDone = ({ score, stale }: Seen) => score === Number(points) && stale === null
  const rolled = (name: string, seen: readonly Seen[]): Rolled => {
    const late = seen.filter((one) => !isDone(one))
    return {
      shown: counted(seen, ({ score }) => score),
      wereStale: seen.filter(({ wasStale }) => wasStale).length,
      areStale: seen.filter(({ stale }) => stale).length,
      said: counted(late, ({ said }) => said),
      seconds: seconds[name] ?? Infinity,
    }
  }
  await comeTo(isDone, Object.values(all).flat(), () => {
    for (const [name, seen] of Object.entries(all))
      if (seen.every(isDone)) seconds[name] ??= (Date.now() - restarted) / 1_000
    return Object.keys(seconds).length === Object.keys(all).length
  })
  return Object.fromEntries(Object.entries(all).map(([name, seen]) => [name, rolled(name, seen)]))
}

/** How many there are of each. */
function counted(seen: readonly Seen[], of: (one: Seen) => unknown): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const one of seen) counts[String(of(one))] = (counts[String(of(one))] ?? 0) + 1
  return counts
}

/** Milliseconds without any progress after which waiting is given up. */
const longestRest = 120_000

/** Waits until all subscribers are so at once, or `isEnough`, while there are more and more of them. */
async function comeTo(
  isSo: (one: Seen) => boolean,
  seen: readonly Seen[],
  isEnough = () => false,
): Promise<void> {
  let [most, since] = [-1, Date.now()]
  while (!isEnough() && most < seen.length && Date.now() - since < longestRest) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    const count = seen.filter(isSo).length
    if (count > most) [most, since] = [count, Date.now()]
  }
}
