import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client'
import { ApolloProvider } from '@apollo/client/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import type { FunctionComponent, ReactElement, ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { cacheExchange, Client as UrqlClient, fetchExchange, Provider } from 'urql'
import { Client } from 'statline-client'
import { StatlineProvider, useLiveScores } from 'statline-client/react'
import * as apollo from 'statline-client/apollo'
import * as tanstack from 'statline-client/tanstack'
import * as urql from 'statline-client/urql'

const url = 'http://statline.test/graphql'

/** The games that a query has brought. */
const day = [{ gameId: 'a' }, { gameId: 'b' }, { gameId: 'c' }]

interface Told {
  readonly scores: { readonly gameId: string }
}

/** The README's pattern: once the events are whole, they are the day. */
function Games({ live = [], complete }: { live?: readonly Told[] | undefined; complete: boolean }) {
  const games = complete ? live.map(({ scores }) => scores) : day
  return `[${games
    .map(({ gameId }) => gameId)
    .toSorted()
    .join('')}]`
}

function Plain() {
  const { data, complete } = useLiveScores({})
  return <Games live={data} complete={complete} />
}

function Apollo() {
  const { whole } = apollo.useLiveScores({})
  return `[${day
    .map(({ gameId }) => gameId)
    .filter((id) => whole?.has(id) ?? true)
    .join('')}]`
}

function Urql() {
  const [{ data, complete }] = urql.useLiveScores({})
  return <Games live={data} complete={complete} />
}

function Tanstack() {
  const { data, complete } = tanstack.useLiveScores({})
  return <Games live={data} complete={complete} />
}

/** A graph with one stream at a time, whose events a page's test sends. */
function graph() {
  const streams: ReadableStreamDefaultController<Uint8Array>[] = []
  const fetch: typeof globalThis.fetch = async (_address, init) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        streams.push(controller)
        init?.signal?.addEventListener('abort', () => streams.splice(streams.indexOf(controller), 1))
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
  const game = (id: string, complete: boolean, left: readonly string[] = []) => {
    const scores = { __typename: 'Game', id, gameId: id }
    const event = { data: { scores }, extensions: { live: { complete, left } } }
    streams.at(-1)?.enqueue(new TextEncoder().encode(`event: next\ndata: ${JSON.stringify(event)}\n\n`))
  }
  return { streams, fetch, game, breaks: () => streams.pop()?.error(new Error('reset')) }
}

type Graph = ReturnType<typeof graph>

function pageOf(name: string, { fetch }: Graph): [FunctionComponent, (children: ReactNode) => ReactElement] {
  if (name === 'apollo') {
    const link = ApolloLink.from([new apollo.LiveLink({ url, fetch }), new HttpLink({ uri: url, fetch })])
    const client = new ApolloClient({ link, cache: new InMemoryCache(apollo.cacheOptions) })
    return [Apollo, (children) => <ApolloProvider client={client}>{children}</ApolloProvider>]
  }
  if (name === 'urql') {
    const exchanges = [cacheExchange, fetchExchange]
    const client = new UrqlClient({ url, exchanges, preferGetMethod: false, fetchSubscriptions: true, fetch })
    return [Urql, (children) => <Provider value={client}>{children}</Provider>]
  }
  const client = new Client({ url, fetch })
  const queries = new QueryClient()
  return [
    name === 'tanstack' ? Tanstack : Plain,
    (children) => (
      <QueryClientProvider client={queries}>
        <StatlineProvider client={client}>{children}</StatlineProvider>
      </QueryClientProvider>
    ),
  ]
}

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 400 && !isSo(); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 25))
}

/** What a page shows of its day, step by step: of one component, later of two. */
async function steps(name: string): Promise<string[]> {
  const sent = graph()
  const [Day, around] = pageOf(name, sent)
  const element = document.createElement('div')
  const root = createRoot(element)
  const show = (days: readonly string[]) =>
    root.render(<StrictMode>{around(days.map((key) => <Day key={key} />))}</StrictMode>)
  const told: string[] = []
  const step = async (expected: string) => {
    await until(() => element.textContent === expected)
    told.push(element.textContent ?? '')
  }
  show(['1'])
  await until(() => sent.streams.length === 1)
  sent.game('a', false)
  sent.game('b', false)
  await step('[abc]')
  sent.game('c', true)
  await step('[abc]')
  sent.game('a', true, ['a'])
  await step('[bc]')
  show(['1', '2'])
  await until(() => element.textContent?.split('[').length === 3)
  sent.game('b', true)
  await step('[bc][bc]')
  show(['1'])
  await step('[bc]')
  sent.breaks()
  await until(() => sent.streams.length === 1)
  sent.game('c', true)
  await step('[c]')
  root.unmount()
  return told
}

export const showWhole = async (): Promise<Record<string, string[]>> => ({
  react: await steps('react'),
  apollo: await steps('apollo'),
  urql: await steps('urql'),
  tanstack: await steps('tanstack'),
})
