import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client'
import { ApolloProvider } from '@apollo/client/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { cacheExchange, Client as UrqlClient, fetchExchange, Provider } from 'urql'
import { Client, GameCardFragmentDoc, readFragment, TeamNameFragmentDoc } from 'statline-client'
import { StatlineProvider, useScoreboard } from 'statline-client/react'
import type { ScoreboardQuery } from 'statline-client'
import { cacheOptions, useScoreboard as useApolloScoreboard } from 'statline-client/apollo'
import { useScoreboard as useTanstackScoreboard } from 'statline-client/tanstack'
import { useScoreboard as useUrqlScoreboard } from 'statline-client/urql'

const date = '2026-02-14'

function Games({ data }: { data: ScoreboardQuery | null | undefined }) {
  if (!data) return <p>loading</p>
  const games = readFragment(GameCardFragmentDoc, data.league?.games ?? [])
  return (
    <ul>
      {games.map((game, at) => (
        <li key={at}>{readFragment(TeamNameFragmentDoc, game.homeTeam)?.name}</li>
      ))}
    </ul>
  )
}

const Plain = () => <Games data={useScoreboard({ date }).data} />
const Apollo = () => <Games data={useApolloScoreboard({ date }).data} />
const Urql = () => <Games data={useUrqlScoreboard({ date })[0].data} />
const Tanstack = () => <Games data={useTanstackScoreboard({ date }).data} />

/** The same day, asked for through each client. */
export const pages = (url: string): Record<string, ReactElement> => ({
  react: (
    <StatlineProvider client={new Client({ url })}>
      <Plain />
    </StatlineProvider>
  ),
  apollo: (
    <ApolloProvider
      client={new ApolloClient({ link: new HttpLink({ uri: url }), cache: new InMemoryCache(cacheOptions) })}
    >
      <Apollo />
    </ApolloProvider>
  ),
  urql: (
    <Provider
      value={new UrqlClient({ url, exchanges: [cacheExchange, fetchExchange], preferGetMethod: false })}
    >
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
