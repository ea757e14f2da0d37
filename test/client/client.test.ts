import { setTimeout as wait } from 'node:timers/promises'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Client } from '../../src/client/client.ts'
import { NoAnswerError } from '../../src/client/errors.ts'
import {
  LiveScoresDocument,
  SearchDocument,
  ScoreboardDocument,
  TeamDocument,
} from '../../src/client/generated/graphql.ts'
import { createApp } from '../../src/server/app.ts'
import { readDocuments } from '../../src/server/documents.ts'
import { basketball } from '../graph/harness.ts'
import { startServer } from '../server.ts'
import type { Server } from '../server.ts'

const date = '2026-02-14'
const manifest = resolve(import.meta.dirname, '../../src/client/generated/persisted-documents.json')
let server: Server

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const client = (options = {}) => new Client({ url: `${server.url}/graphql`, ...options })

describe('the client', () => {
  it('answers with data and the bill, and calls onAnswer with it', async () => {
    server.forget()
    const onAnswer = vi.fn()
    const answer = await client({ onAnswer }).query(ScoreboardDocument, { date })
    expect(answer.data?.league?.games?.length).toBeGreaterThan(5)
    expect(answer.usage?.tokens).toBeGreaterThan(0)
    expect(onAnswer).toHaveBeenCalledExactlyOnceWith(answer, {
      document: ScoreboardDocument,
      variables: { date },
      isEvent: false,
    })
  })

  it('keeps what could be answered where one call failed', async () => {
    const { data: day } = await client().query(ScoreboardDocument, { date })
    const [game] = day?.league?.games ?? []
    server.forget()
    server.down.add('team/getPlayers')
    const teamId = game?.homeTeam?.teamId ?? ''
    const { data, errors } = await client().query(TeamDocument, { teamId, season: game?.season ?? 0 })
    server.down.clear()
    expect(data?.league?.team?.roster).toBeNull()
    expect(data?.league?.team?.eloHistory?.length).toBeGreaterThan(0)
    expect(errors.map(({ path, extensions }) => [path?.at(-1), extensions?.code])).toEqual([
      ['roster', 'UPSTREAM_UNAVAILABLE'],
    ])
  })

  it('throws NoAnswerError where nothing answers, and where the answer is not GraphQL', async () => {
    const nobody = new Client({ url: 'http://127.0.0.1:1/graphql', retries: 0 })
    await expect(nobody.query(ScoreboardDocument, { date })).rejects.toThrow(NoAnswerError)
    const page = new Client({ url: server.url, fetch: async () => new Response('<html>') })
    await expect(page.query(ScoreboardDocument, { date })).rejects.toThrow(NoAnswerError)
  })

  it('tells what a query would cost without spending, and with `explain` which call served which field', async () => {
    server.forget()
    server.calls.take()
    const asking = client({ explain: true })
    const price = await asking.price(ScoreboardDocument, { date })
    expect(server.calls.take()).toEqual([])
    expect(price.expected).toBeGreaterThan(2)
    expect(price.tokens.from).toBeLessThanOrEqual(price.tokens.to ?? 0)
    const { usage, plan = [] } = await asking.query(ScoreboardDocument, { date })
    const paid = plan.filter(({ source }) => source === 'UPSTREAM')
    expect(paid.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(usage?.tokens)
    expect(plan.map(({ operation, field }) => `${operation} ${field}`)).toContain(
      'game/getGames League.games',
    )
    expect(await asking.price(ScoreboardDocument, { date })).toMatchObject({ expected: 0, tokens: { to: 0 } })
    expect(await client().query(ScoreboardDocument, { date })).not.toHaveProperty('plan')
  })

  it('has no price for a query that the graph does not understand', async () => {
    const asking = client().price('{ weather }' as unknown as typeof ScoreboardDocument, { date })
    await expect(asking).rejects.toThrow(/weather/)
  })

  it.each([
    ['are made', (key: string) => ({ 'x-api-key': key })],
    ['come later', async (key: string) => wait(20).then(() => ({ 'x-api-key': key }))],
  ])('sends the headers that %s for each request', async (_when, headersOf) => {
    const sent: (string | null)[] = []
    const fetch: typeof globalThis.fetch = (url, init) => {
      sent.push(new Headers(init?.headers).get('x-api-key'))
      return globalThis.fetch(url, init)
    }
    let turn = 0
    const asking = client({ fetch, headers: () => headersOf(`key-${(turn += 1)}`) })
    await asking.query(SearchDocument, { name: 'zz' })
    await asking.query(SearchDocument, { name: 'zz' })
    expect(sent).toEqual(['key-1', 'key-2'])
  })

  it('names its documents by hash to a graph that answers no others', async () => {
    const documents = readDocuments(manifest, true)
    const { upstream } = server.sample.graph()
    const app = createApp({ upstream, apiKey: 'sample-paid', defaults: basketball, documents })
    const sent: string[] = []
    const fetch: typeof globalThis.fetch = async (url, init) => {
      sent.push(String(init?.body))
      return app.fetch(String(url), { ...init, signal: null } as RequestInit) // a signal of another realm is not taken
    }
    const trusting = new Client({ url: 'http://statline.test/graphql', fetch, trusted: true })
    const { data, errors } = await trusting.query(ScoreboardDocument, { date })
    expect(errors).toEqual([])
    expect(data?.league?.games?.length).toBeGreaterThan(5)
    expect(sent[0]).not.toContain('query Scoreboard')
    const events = trusting.subscribe(LiveScoresDocument, { date })
    const first = await events.next()
    await events.return()
    expect(first.value).toMatchObject({ data: { scores: { gameId: expect.any(String) } }, errors: [] })
    expect(sent[1]).not.toContain('subscription LiveScores')
  })
})

describe('what hooks show', () => {
  it('is shared: two that show the same ask once', async () => {
    const fetch = vi.fn(globalThis.fetch)
    const asking = client({ fetch })
    const [one, other] = [
      asking.watch(ScoreboardDocument, { date }),
      asking.watch(ScoreboardDocument, { date }),
    ]
    expect(one).toBe(other)
    await Promise.all([one.load(), other.load()])
    expect(fetch).toHaveBeenCalledTimes(1)
    expect(one.getSnapshot()).toMatchObject({ loading: false, failure: null })
    await one.load(60_000)
    expect(fetch).toHaveBeenCalledTimes(1)
    await one.load()
    expect(fetch).toHaveBeenCalledTimes(2)
  })

  it('keeps the last answer while nothing answers, says so, and recovers', async () => {
    let isUp = true
    const fetch: typeof globalThis.fetch = (url, init) =>
      isUp ? globalThis.fetch(url, init) : Promise.reject(new TypeError('fetch failed'))
    const watched = client({ fetch, retries: 0 }).watch(SearchDocument, { name: 'ma' })
    const told = vi.fn()
    const stop = watched.subscribe(told)
    await watched.load()
    const { data } = watched.getSnapshot()
    isUp = false
    await watched.load()
    expect(watched.getSnapshot()).toMatchObject({
      data,
      loading: false,
      failure: { name: 'UnreachableError' },
    })
    isUp = true
    await watched.load(60_000)
    expect(watched.getSnapshot()).toMatchObject({ data, failure: null })
    stop()
    told.mockClear()
    await watched.load()
    expect(told).not.toHaveBeenCalled()
  })
})
