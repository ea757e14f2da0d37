import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client'
import { ApolloProvider } from '@apollo/client/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import type { FunctionComponent, ReactElement } from 'react'
import { createRoot } from 'react-dom/client'
import { cacheExchange, Client as UrqlClient, fetchExchange, Provider } from 'urql'
import { Client } from 'statline-client'
import { StatlineProvider, useLiveScores } from 'statline-client/react'
import * as apollo from 'statline-client/apollo'
import * as tanstack from 'statline-client/tanstack'
import * as urql from 'statline-client/urql'
import { until } from './until'

interface DayProps {
  readonly date: string
}

interface Shown {
  readonly loading: boolean
  readonly games: number
  readonly stale: Date | null
}

function Says({ loading, games, stale }: Shown) {
  if (loading) return 'loading'
  if (stale) return 'old'
  return games === 0 ? 'no games' : `${games} games`
}

function Plain({ date }: DayProps) {
  const { data, loading, stale } = useLiveScores({ date })
  return <Says loading={loading} games={data.length} stale={stale} />
}

function Apollo({ date }: DayProps) {
  const { data, loading, stale } = apollo.useLiveScores({ date })
  return <Says loading={loading} games={data ? 1 : 0} stale={stale} />
}

function Urql({ date }: DayProps) {
  const [{ data, stale }] = urql.useLiveScores({ date })
  return <Says loading={!data} games={data?.length ?? 0} stale={stale} />
}

function Tanstack({ date }: DayProps) {
  const { data, isPending, stale } = tanstack.useLiveScores({ date })
  return <Says loading={isPending} games={data?.length ?? 0} stale={stale} />
}

const render = (page: ReactElement) => {
  const element = document.createElement('div')
  const root = createRoot(element)
  root.render(<StrictMode>{page}</StrictMode>)
  return { says: () => element.textContent, root }
}

/** What each client says of a day without games. Two components show it, because they may share a stream. */
export async function showQuiet(url: string): Promise<Record<string, string | null>> {
  const date = '2026-07-01'
  const both = (Day: FunctionComponent<DayProps>) => [
    <Day key="1" date={date} />,
    <Day key="2" date={date} />,
  ]
  const link = ApolloLink.from([new apollo.LiveLink({ url }), new HttpLink({ uri: url })])
  const apolloClient = new ApolloClient({ link, cache: new InMemoryCache(apollo.cacheOptions) })
  const urqlClient = new UrqlClient({
    url,
    exchanges: [cacheExchange, fetchExchange],
    preferGetMethod: false,
    fetchSubscriptions: true,
  })
  const shown = {
    react: render(<StatlineProvider client={new Client({ url })}>{both(Plain)}</StatlineProvider>),
    apollo: render(<ApolloProvider client={apolloClient}>{both(Apollo)}</ApolloProvider>),
    urql: render(<Provider value={urqlClient}>{both(Urql)}</Provider>),
    tanstack: render(
      <QueryClientProvider client={new QueryClient()}>
        <StatlineProvider client={new Client({ url })}>{both(Tanstack)}</StatlineProvider>
      </QueryClientProvider>,
    ),
  }
  await until(() => Object.values(shown).every(({ says }) => says() !== ''))
  await until(() => Object.values(shown).every(({ says }) => says() === 'no games'.repeat(2)))
  const told = Object.entries(shown).map(([name, { says }]) => [name, says()])
  for (const { root } of Object.values(shown)) root.unmount()
  return Object.fromEntries(told)
}

/** What a client that keeps states says of one when it is shown again and the network hangs. */
export async function showAgain(url: string, games: number): Promise<Record<string, string | null>> {
  let hangs = false
  const client = new Client({
    url,
    fetch: (...asking) => (hangs ? new Promise(() => {}) : fetch(...asking)),
  })
  const queries = new QueryClient()
  const pages: Record<string, ReactElement> = {
    react: <Plain date="2026-02-14" />,
    tanstack: (
      <QueryClientProvider client={queries}>
        <Tanstack date="2026-02-14" />
      </QueryClientProvider>
    ),
  }
  const told: Record<string, string | null> = {}
  for (const [name, day] of Object.entries(pages)) {
    const page = <StatlineProvider client={client}>{day}</StatlineProvider>
    hangs = false
    const first = render(page)
    await until(() => first.says() === `${games} games`)
    first.root.unmount()
    hangs = true
    const second = render(page)
    await until(() => second.says() !== '')
    told[name] = second.says()
    second.root.unmount()
  }
  return told
}
