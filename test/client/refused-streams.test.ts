import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client/core'
import { LiveLink } from '../../src/client/apollo-link.ts'
import { Client } from '../../src/client/client.ts'
import { LiveScoresDocument } from '../../src/client/generated/graphql.ts'
import type { LiveScoresSubscription } from '../../src/client/generated/graphql.ts'
import type { Heard, LiveStore } from '../../src/client/live-store.ts'
import { fakedTimers, startLivingDay, until } from './living.ts'
import type { LivingDay } from './living.ts'

let day: LivingDay

beforeAll(async () => {
  day = await startLivingDay(null)
})
afterAll(() => day.close())
beforeEach(() => {
  vi.useFakeTimers(fakedTimers)
  day.forget()
  day.calls.take()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const variables = { date: '2026-02-14' }
const nobody = () => {}
const bought = ['game/getGames 1', 'game/getScores 1']

/** What is shown, once it is so. */
async function shown(
  live: LiveStore<LiveScoresSubscription>,
  isSo: (heard: Heard<LiveScoresSubscription>) => boolean,
) {
  await until(() => isSo(live.getSnapshot()))
  return live.getSnapshot()
}

const isWhole = ({ data }: Heard<unknown>) => data.length === day.games
const isRefused = ({ errors }: Heard<unknown>) => errors.length > 0

/** A client whose key is refused until it has a good one. */
function keyed() {
  let key = ''
  const fetch = vi.fn(globalThis.fetch)
  const client = new Client({ url: day.url, fetch, headers: () => ({ ...(key && { 'x-api-key': key }) }) })
  const live = client.live(LiveScoresDocument, variables)
  return { fetch, client, live, givesKey: () => void (key = 'sample-paid') }
}

describe('a stream that was refused for its key', () => {
  it('is opened again with reset, once for all components, and only if it is shown', async () => {
    const { fetch, client, live, givesKey } = keyed()
    client.reset()
    const leaves = [live.subscribe(nobody), live.subscribe(nobody)]
    await shown(live, isRefused)
    givesKey()
    await day.pass(300_000)
    expect(fetch).toHaveBeenCalledTimes(1)
    client.reset()
    client.reset()
    expect(live.getSnapshot()).toMatchObject({ errors: [], loading: true })
    expect(await shown(live, isWhole)).toMatchObject({ errors: [], failure: null, stale: null })
    client.reset() // nothing is wrong
    expect(fetch).toHaveBeenCalledTimes(2)
    for (const leave of leaves) leave()
    client.reset()
    await day.left()
    expect(fetch).toHaveBeenCalledTimes(2)
    expect(day.calls.take().toSorted()).toEqual(bought)
  })

  it('is opened again for a new component, beside the one that shows the refusal', async () => {
    const { fetch, client, live, givesKey } = keyed()
    const leave = live.subscribe(nobody)
    await shown(live, isRefused)
    await until(() => fetch.mock.calls[0]?.[1]?.signal?.aborted === true)
    givesKey()
    const leaveToo = client.live(LiveScoresDocument, variables).subscribe(nobody)
    expect(await shown(live, isWhole)).toMatchObject({ errors: [], failure: null, stale: null })
    expect(fetch).toHaveBeenCalledTimes(2)
    leave()
    leaveToo()
    await day.left()
    expect(day.calls.take().toSorted()).toEqual(bought)
  })
})

/** A stream with one event, which the graph then ends. */
function ended(event: object): Response {
  const body = `event: next\ndata: ${JSON.stringify(event)}\n\nevent: complete\ndata:\n\n`
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}
const spent = { data: null, errors: [{ message: 'Spent.', extensions: { code: 'BUDGET_EXCEEDED' } }] }

/** A fetch whose budget is spent for so many streams, after which it is whole again. */
function spentFor(streams: number) {
  const fetch = vi.fn<typeof globalThis.fetch>((url, init) =>
    globalThis.fetch(url, {
      ...init,
      headers: { ...Object.fromEntries(new Headers(init?.headers)), 'x-api-key': 'sample-paid' },
    }),
  )
  for (let at = 0; at < streams; at += 1) fetch.mockImplementationOnce(async () => ended(spent))
  return fetch
}

describe('a stream that was refused for a spent budget', () => {
  beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(1))

  /** Passes a minute, in which nothing is sent before its end. */
  async function passMinute(fetch: ReturnType<typeof spentFor>) {
    const sent = fetch.mock.calls.length
    await until(() => fetch.mock.calls[sent - 1]?.[1]?.signal?.aborted === true)
    await day.pass(59_999)
    expect(fetch).toHaveBeenCalledTimes(sent)
    await day.pass(1)
    await until(() => fetch.mock.calls.length === sent + 1)
  }

  it('is tried each minute, and comes back by itself once the budget is whole', async () => {
    const fetch = spentFor(2)
    const live = new Client({ url: day.url, fetch }).live(LiveScoresDocument, variables)
    const leave = live.subscribe(nobody)
    expect((await shown(live, isRefused)).errors[0]?.extensions?.code).toBe('BUDGET_EXCEEDED')
    await passMinute(fetch)
    await passMinute(fetch)
    expect(await shown(live, isWhole)).toMatchObject({ errors: [], failure: null, stale: null })
    leave()
    await day.left()
    expect(day.calls.take().toSorted()).toEqual(bought)
  })

  it('says until when its state was current', async () => {
    const fetch = spentFor(0)
    const event = { data: { scores: { id: 'one', gameId: 'one' } } }
    const body = `event: next\ndata: ${JSON.stringify(event)}\n\nevent: next\ndata: ${JSON.stringify(spent)}\n\nevent: complete\ndata:\n\n`
    const headers = { 'content-type': 'text/event-stream' }
    fetch.mockImplementationOnce(async () => new Response(body, { headers }))
    const live = new Client({ url: day.url, fetch }).live(LiveScoresDocument, variables)
    const leave = live.subscribe(nobody)
    expect((await shown(live, isRefused)).stale).toBeInstanceOf(Date)
    leave()
    expect(day.calls.take()).toEqual([])
  })

  it('is opened at once with reset', async () => {
    const fetch = spentFor(1)
    const client = new Client({ url: day.url, fetch })
    const live = client.live(LiveScoresDocument, variables)
    const leave = live.subscribe(nobody)
    await shown(live, isRefused)
    client.reset()
    await shown(live, isWhole)
    leave()
    await day.left()
    await day.pass(120_000)
    expect(fetch).toHaveBeenCalledTimes(2)
    expect(day.calls.take().toSorted()).toEqual(bought)
  })

  it('comes back through Apollo Client too', async () => {
    const fetch = spentFor(1)
    const link = ApolloLink.from([new LiveLink({ url: day.url, fetch }), new HttpLink({ uri: day.url })])
    const apollo = new ApolloClient({ link, cache: new InMemoryCache() })
    const told: (string | undefined)[] = []
    const subscription = apollo
      .subscribe({ query: LiveScoresDocument, variables })
      .subscribe(({ error }) => void told.push(error?.message))
    await until(() => told.length === 1)
    expect(told).toEqual(['Spent.'])
    await passMinute(fetch)
    await until(() => told.length === day.games + 1)
    subscription.unsubscribe()
    await day.left()
    expect(day.calls.take().toSorted()).toEqual(bought)
  })
})
