import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client'
import { ApolloProvider } from '@apollo/client/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import type { ReactElement } from 'react'
import { createRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { cacheExchange, Client as UrqlClient, fetchExchange, Provider } from 'urql'
import { Client, GameCardFragmentDoc, GameStateFragmentDoc, readFragment } from 'statline-client'
import { StatlineProvider, useLiveScores } from 'statline-client/react'
import type { FragmentType } from 'statline-client'
import * as apollo from 'statline-client/apollo'
import * as tanstack from 'statline-client/tanstack'
import * as urql from 'statline-client/urql'

import type { Followed } from './followed'
import { until } from './until'

const date = '2026-02-14'

type Card = FragmentType<typeof GameCardFragmentDoc>

function Scores({ games, says }: { games: readonly Card[] | undefined; says?: string | undefined }) {
  const cards = readFragment(GameCardFragmentDoc, games ?? [])
  return (
    <ul title={says}>
      {readFragment(GameStateFragmentDoc, cards).map(({ gameId, homeScore }) => (
        <li key={gameId}>
          {gameId} {homeScore}
        </li>
      ))}
    </ul>
  )
}

const games = (events: readonly { readonly scores: Card }[] | undefined) =>
  events?.map(({ scores }) => scores)

function Plain() {
  const { data, failure } = useLiveScores({ date })
  return <Scores games={games(data)} says={failure?.message} />
}

function Apollo() {
  const { data } = apollo.useScoreboard({ date })
  const { error } = apollo.useLiveScores({ date })
  return <Scores games={data?.league?.games ?? undefined} says={error?.message} />
}

function Urql() {
  const [{ data, error }] = urql.useLiveScores({ date })
  return <Scores games={games(data)} says={error?.message} />
}

function Tanstack() {
  const { data, error } = tanstack.useLiveScores({ date })
  return <Scores games={games(data)} says={error?.message} />
}

function apolloClient(url: string) {
  const link = ApolloLink.from([new apollo.LiveLink({ url }), new HttpLink({ uri: url })])
  return new ApolloClient({ link, cache: new InMemoryCache(apollo.cacheOptions) })
}

const urqlClient = (url: string, fetch = globalThis.fetch) =>
  new UrqlClient({
    url,
    fetch,
    exchanges: [cacheExchange, fetchExchange],
    preferGetMethod: false,
    fetchSubscriptions: true,
  })

/** The same day, followed through each client. */
const pages = (url: string): Record<string, ReactElement> => ({
  react: (
    <StatlineProvider client={new Client({ url })}>
      <Plain />
    </StatlineProvider>
  ),
  apollo: (
    <ApolloProvider client={apolloClient(url)}>
      <Apollo />
    </ApolloProvider>
  ),
  urql: (
    <Provider value={urqlClient(url)}>
      <Urql />
    </Provider>
  ),
  tanstack: (
    <QueryClientProvider client={new QueryClient()}>
      <StatlineProvider client={new Client({ url })}>
        <Tanstack />
      </StatlineProvider>
    </QueryClientProvider>
  ),
})

/**
 * Follows the day through a client in React's strict mode. `control` changes a score, moves the clock and
 * returns the calls.
 */
async function follow(page: ReactElement, control: string): Promise<Followed> {
  const ask = async (path: string): Promise<string[]> => (await fetch(control + path)).json()
  await ask('/forget')
  const strict = <StrictMode>{page}</StrictMode>
  const atFirst = renderToString(strict)
  const element = document.createElement('div')
  const root = createRoot(element)
  root.render(strict)
  const items = () => [...element.querySelectorAll('li')].map((item) => item.textContent ?? '')
  const [games = '0', live = '', points = ''] = await ask('/day')
  await until(() => items().length === Number(games))
  const firstCalls = await ask('/calls')
  await ask('/score')
  await until(() => items().includes(`${live} ${points}`))
  const shown = items()
  const nextCalls = await ask('/calls')
  await ask('/drop')
  const [pointsThen = ''] = await ask('/score')
  await until(() => items().includes(`${live} ${pointsThen}`))
  const again = [...items().filter((item) => item.startsWith(live)), element.querySelector('ul')?.title ?? '']
  await ask('/calls')
  root.unmount()
  await ask('/later')
  const callsAfter = await ask('/calls')
  const changed = shown.find((item) => item.startsWith(live))
  return { atFirst, firstCalls, games: shown.length, nextCalls, changed, again, callsAfter }
}

/**
 * Shows the day through all clients at once, and again after each restart of the server by a signal from
 * `control`. Prints the changed score on each page, and what it says of its stream.
 */
export async function restartAll(url: string, control: string): Promise<Record<string, string[]>> {
  const shown = Object.entries(pages(url)).map(([name, page]) => {
    const element = document.createElement('div')
    const root = createRoot(element)
    root.render(<StrictMode>{page}</StrictMode>)
    const game = (live: string) =>
      [...element.querySelectorAll('li')]
        .map((item) => item.textContent ?? '')
        .find((text) => text.startsWith(live))
    return { name, root, element, game }
  })
  const told: Record<string, string[]> = Object.fromEntries(shown.map(({ name }) => [name, []]))
  for (const path of ['/begin', '/restart/SIGTERM', '/restart/SIGKILL']) {
    const [live = '', points = ''] = (await (await fetch(control + path)).json()) as string[]
    await until(() => shown.every(({ game }) => game(live) === `${live} ${points}`))
    for (const { name, element, game } of shown)
      told[name]?.push(`${game(live)} ${element.querySelector('ul')?.title ?? ''}`.trim())
  }
  for (const { root } of shown) root.unmount()
  return told
}

/** Shows the day through urql, whose first stream does not open. Prints its games and what it had tried. */
export async function openLate(
  url: string,
  all: number,
): Promise<{ tries: number; isCut: boolean; games: number }> {
  const signals: (AbortSignal | null | undefined)[] = []
  const client = urqlClient(url, (address, init) => {
    signals.push(init?.signal)
    return signals.length === 1 ? new Promise(() => {}) : fetch(address, init)
  })
  const element = document.createElement('div')
  const root = createRoot(element)
  root.render(
    <Provider value={client}>
      <Urql />
    </Provider>,
  )
  const games = () => element.querySelectorAll('li').length
  await until(() => games() === all)
  const told = { tries: signals.length, isCut: signals[0]?.aborted ?? false, games: games() }
  root.unmount()
  return told
}

export async function followAll(url: string, control: string): Promise<Record<string, Followed>> {
  const told: Record<string, Followed> = {}
  for (const [name, page] of Object.entries(pages(url))) told[name] = await follow(page, control)
  return told
}
