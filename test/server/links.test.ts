import { once } from 'node:events'
import { ApolloClient, InMemoryCache } from '@apollo/client/core'
import { GraphQLWsLink } from '@apollo/client/link/subscriptions'
import { Client as UrqlClient, subscriptionExchange } from '@urql/core'
import { parse } from 'graphql'
import { createClient as createEventClient } from 'graphql-sse'
import { createClient } from 'graphql-ws'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { cacheOptions } from '../../src/client/apollo-cache.ts'
import { fakedTimers, until } from '../client/living.ts'
import { basketball, startSample, today } from '../graph/harness.ts'
import type { Sample } from '../graph/harness.ts'
import { scores, startLiving } from './living.ts'
import type { Living } from './living.ts'

let sample: Sample
let living: Living
let games: number
const ends: (() => unknown)[] = []

beforeAll(async () => {
  sample = await startSample()
  games = (await sample.rows('game/getGames', { ...basketball, start_date: today })).length
})
afterAll(() => sample.close())
beforeEach(async () => {
  vi.useFakeTimers(fakedTimers)
  living = await startLiving(sample)
})
afterEach(async () => {
  vi.useRealTimers()
  for (const end of ends.splice(0)) void end()
  await living.close()
})

const overSocket = () => {
  const client = createClient({
    url: `${living.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
  })
  ends.push(() => client.dispose())
  return client
}

const overEvents = () => {
  const client = createEventClient({ url: `${living.url}/graphql`, retryAttempts: 0 })
  ends.push(() => client.dispose())
  return client
}

/** Each link as its own documentation sets it up; `hear` is called with the data of each event. */
const links: Record<string, (hear: (data: unknown) => void) => void> = {
  'Apollo Client’s GraphQLWsLink'(hear) {
    const link = new GraphQLWsLink(overSocket())
    const client = new ApolloClient({ link, cache: new InMemoryCache(cacheOptions) })
    const following = client.subscribe({ query: parse(scores) }).subscribe(({ data }) => hear(data))
    ends.push(() => following.unsubscribe())
  },
  'urql’s subscriptionExchange over graphql-ws'(hear) {
    const socket = overSocket()
    const forwardSubscription: ForwardSubscription = ({ query = '', variables }) => ({
      subscribe: (sink) => ({
        unsubscribe: socket.subscribe({ query, variables: variables as Record<string, unknown> }, sink),
      }),
    })
    followByUrql(forwardSubscription, hear)
  },
  'urql’s subscriptionExchange over graphql-sse'(hear) {
    const events = overEvents()
    const forwardSubscription: ForwardSubscription = ({ query = '', variables }) => ({
      subscribe: (sink) => ({
        unsubscribe: events.subscribe(
          { query, variables: variables as Record<string, unknown> },
          sink as never, // both have next, error and complete
        ),
      }),
    })
    followByUrql(forwardSubscription, hear)
  },
}

type ForwardSubscription = Parameters<typeof subscriptionExchange>[0]['forwardSubscription']

function followByUrql(forwardSubscription: ForwardSubscription, hear: (data: unknown) => void): void {
  const exchanges = [subscriptionExchange({ forwardSubscription })]
  const client = new UrqlClient({ url: `${living.url}/graphql`, exchanges, preferGetMethod: false })
  const { unsubscribe } = client.subscription(scores, {}).subscribe(({ data }) => hear(data))
  ends.push(unsubscribe)
}

describe('the links of others, unchanged', () => {
  test.each(Object.entries(links))(
    '%s: every game first, then what changes, for one poll',
    async (_, follow) => {
      const heard: unknown[] = []
      follow((data) => heard.push(data))
      await until(() => heard.length === games)
      expect(living.graph.calls.take()).toEqual(['game/getScores 1'])
      living.score(47)
      await living.pass(16_000)
      await until(() => heard.length > games)
      expect(heard.at(-1)).toMatchObject({ scores: { homeScore: 47 } })
      expect(living.graph.calls.take()).toEqual(['game/getScores 1'])
    },
  )
})

describe('a connection over which nothing happens', () => {
  test('has a heartbeat every twelve seconds, as an event stream', async () => {
    const leaving = new AbortController()
    const response = await fetch(`${living.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query: scores }),
      signal: leaving.signal,
    })
    const chunks: string[] = []
    const reading = (async () => {
      for await (const chunk of response.body ?? []) chunks.push(Buffer.from(chunk).toString())
    })().catch(() => {})
    const events = () => chunks.join('').match(/event: next/g)?.length ?? 0
    await until(() => events() === games)
    chunks.length = 0
    await living.pass(12_000)
    await until(() => chunks.join('').includes(':\n\n'))
    leaving.abort()
    await reading
  })

  test('has a ping every twelve seconds, as a WebSocket', async () => {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
    })
    const socket = new WebSocket(`${living.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
    ends.push(() => socket.close())
    let pings = 0
    socket.on('ping', () => (pings += 1))
    await once(socket, 'open')
    socket.send(JSON.stringify({ type: 'connection_init' }))
    // The server gives a client a few seconds to begin.
    await once(socket, 'message')
    await living.pass(12_000)
    await until(() => pings === 1)
    // The answer to the ping was sent before this, so the server has read both.
    socket.ping()
    await once(socket, 'pong')
    await living.pass(12_000)
    await until(() => pings === 2)
  })
})
