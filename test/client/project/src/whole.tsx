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
import { until } from './until'

const url = 'http://statline.test/graphql'

/** The games that a query has brought. */
const day = [{ gameId: 'a' }, { gameId: 'b' }, { gameId: 'c' }]

interface Told {
  readonly scores: { readonly gameId: string }
}

/** How a page marks that its rows are stale, and that there is an error. */
const marks = (stale: unknown, error: unknown) => (stale ? '!' : '') + (error ? '#' : '')

interface Shown {
  readonly live?: readonly Told[] | undefined
  readonly complete: boolean
  readonly stale: unknown
  readonly error: unknown
}

/** The README's pattern: once the events are whole, they are the day. */
function Games({ live = [], complete, stale, error }: Shown) {
  const games = complete ? live.map(({ scores }) => scores) : day
  const ids = games.map(({ gameId }) => gameId).toSorted()
  return `[${ids.join('')}]${marks(stale, error)}`
}

function Plain() {
  const { data, complete, stale, errors, failure } = useLiveScores({})
  return <Games live={data} complete={complete} stale={stale} error={failure ?? errors[0]} />
}

function Apollo() {
  const { whole, stale, error } = apollo.useLiveScores({})
  const ids = day.map(({ gameId }) => gameId).filter((id) => whole?.has(id) ?? true)
  return `[${ids.join('')}]${marks(stale, error)}`
}

function Urql() {
  const [{ data, complete, stale, error }] = urql.useLiveScores({})
  return <Games live={data} complete={complete} stale={stale} error={error} />
}

function Tanstack() {
  const { data, complete, stale, error, failure } = tanstack.useLiveScores({})
  return <Games live={data} complete={complete} stale={stale} error={error ?? failure} />
}

/** A graph with one stream at a time, whose events a page's test sends. */
function graph() {
  const streams: ReadableStreamDefaultController<Uint8Array>[] = []
  let opened = 0
  const fetch: typeof globalThis.fetch = async (_address, init) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        opened += 1
        streams.push(controller)
        init?.signal?.addEventListener('abort', () => streams.splice(streams.indexOf(controller), 1))
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
  const send = (text: string) => streams.at(-1)?.enqueue(new TextEncoder().encode(`${text}\n\n`))
  const next = (event: object) => send(`event: next\ndata: ${JSON.stringify(event)}`)
  return {
    streams,
    fetch,
    opened: () => opened,
    game(
      id: string,
      complete: boolean,
      { left = [], stale }: { left?: readonly string[]; stale?: object } = {},
    ) {
      const scores = { __typename: 'Game', id, gameId: id }
      next({ data: { scores }, extensions: { live: { complete, left }, stale } })
    },
    error: (code: string) =>
      next({ data: null, errors: [{ message: code, extensions: { code } }], extensions: {} }),
    ping: () => send(':'),
    breaks: () => streams.pop()?.error(new Error('reset')),
    ends() {
      send('event: complete\ndata:')
      streams.pop()?.close()
    },
  }
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
  sent.game('a', true, { left: ['a'] })
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

/** Milliseconds of the timers that are begun while something is done. */
async function timersWhile(done: () => Promise<void>): Promise<readonly number[]> {
  const begun: number[] = []
  const real = globalThis.setTimeout
  globalThis.setTimeout = ((call: () => void, ms = 0) => {
    begun.push(ms)
    return real(call, ms)
  }) as typeof setTimeout // Node's has more
  await done()
  globalThis.setTimeout = real
  return begun
}

/** What a page shows of a day while the service fails, in both ways, and once it answers again. */
async function outage(name: string): Promise<string[]> {
  const sent = graph()
  const [Day, around] = pageOf(name, sent)
  const element = document.createElement('div')
  const root = createRoot(element)
  root.render(around(<Day />))
  const told: string[] = []
  const step = async (expected: string) => {
    await until(() => element.textContent === expected)
    told.push(element.textContent ?? '')
  }
  await until(() => sent.streams.length === 1)
  for (const id of ['a', 'b']) sent.game(id, false)
  sent.game('c', true)
  await step('[abc]')
  const pings = async () => {
    sent.ping()
    sent.ping()
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  sent.game('c', true, { stale: { rows: 1, seconds: 30 } })
  await step('[abc]!')
  await pings()
  await step('[abc]!')
  sent.game('c', true)
  await step('[abc]')
  sent.error('UPSTREAM_UNAVAILABLE')
  await step('[abc]!#')
  await pings()
  await step('[abc]!#')
  sent.game('b', true)
  await step('[abc]')
  told.push(sent.opened() === 1 ? 'once' : `opened ${sent.opened()} times`)
  // The budget is spent, and the stream ends, as one does that is opened then.
  const timers = await timersWhile(async () => {
    sent.error('BUDGET_EXCEEDED')
    sent.ends()
    await step('[abc]!#')
    await pings()
  })
  const pauses = timers.filter((ms) => ms >= 500 && ms !== 15_000 && ms !== 40_000)
  told.push(pauses.every((ms) => ms >= 30_000) ? 'pauses' : `pauses ${pauses.join()}`)
  told.push(sent.opened() === 1 ? 'once' : `opened ${sent.opened()} times`)
  root.unmount()
  return told
}

export const showOutage = async (): Promise<Record<string, string[]>> => ({
  react: await outage('react'),
  apollo: await outage('apollo'),
  urql: await outage('urql'),
  tanstack: await outage('tanstack'),
})

export const showWhole = async (): Promise<Record<string, string[]>> => ({
  react: await steps('react'),
  apollo: await steps('apollo'),
  urql: await steps('urql'),
  tanstack: await steps('tanstack'),
})
