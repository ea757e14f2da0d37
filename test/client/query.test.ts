import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { hasNothing } from '../../src/client/answer.ts'
import { Client } from '../../src/client/client.ts'
import type { ClientOptions } from '../../src/client/client.ts'
import { AccessError, BudgetError, NotGraphQLError, ServiceError } from '../../src/client/errors.ts'
import { OverloadedError, queryErrorOf, UnreachableError } from '../../src/client/errors.ts'
import { LeaderboardDocument, ScoreboardDocument } from '../../src/client/generated/graphql.ts'
import { season } from '../graph/harness.ts'
import { startServer } from '../server.ts'
import type { Server } from '../server.ts'

const date = '2026-02-14'
let server: Server

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
beforeEach(() => {
  server.forget()
  server.calls.take()
})
afterEach(() => vi.useRealTimers())

const client = (options: ClientOptions = {}) => new Client({ url: `${server.url}/graphql`, ...options })

/** A fetch that fails a number of times in a given way, and then reaches the server. */
function failing(...failures: (() => Promise<Response>)[]) {
  const fetch = vi.fn<typeof globalThis.fetch>((url, init) => globalThis.fetch(url, init))
  for (const failure of failures) fetch.mockImplementationOnce(failure)
  return fetch
}
const reset = () => Promise.reject(new TypeError('fetch failed'))
const status =
  (code: number, headers = {}) =>
  async () =>
    new Response('…', { status: code, headers })

describe('a query that cannot be delivered', () => {
  it('is tried again, after a reset and while a server restarts, and is billed once', async () => {
    const fetch = failing(reset, status(503, { 'retry-after': '1' }))
    const { data, usage } = await client({ fetch }).query(ScoreboardDocument, { date })
    expect(fetch).toHaveBeenCalledTimes(3)
    expect(data?.league?.games?.length).toBeGreaterThan(5)
    expect(server.calls.take()).toHaveLength(usage?.calls ?? 0)
  })

  it('is tried again no sooner than the date that the server names', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
    const inThreeSeconds = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 3_000).toUTCString()
    const fetch = failing(status(503, { 'retry-after': inThreeSeconds }))
    const answer = client({ fetch }).query(ScoreboardDocument, { date })
    await vi.advanceTimersByTimeAsync(2_900)
    expect(fetch).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1_200)
    expect(fetch).toHaveBeenCalledTimes(2)
    const { usage } = await answer
    expect(server.calls.take()).toHaveLength(usage?.calls ?? 0)
  })

  it('is billed once though its answer was lost', async () => {
    const answers: Response[] = []
    const lose = async (...[url, init]: Parameters<typeof globalThis.fetch>) => {
      answers.push(await globalThis.fetch(url, init))
      throw new TypeError('connection reset')
    }
    const fetch = vi.fn<typeof globalThis.fetch>((url, init) => globalThis.fetch(url, init))
    fetch.mockImplementationOnce(lose)
    const { usage } = await client({ fetch }).query(ScoreboardDocument, { date })
    expect(answers).toHaveLength(1)
    expect(usage).toMatchObject({ tokens: 0, calls: 0 })
    expect(server.calls.take().toSorted()).toEqual([
      expect.stringContaining('conference/read'),
      'game/getGames 1',
      'game/getScores 1',
      expect.stringContaining('organization/read'),
    ])
  })

  it.each([
    ['does not come', () => new Promise<Response>(() => {})],
    ['does not end', async () => new Response(new ReadableStream())],
  ])('is tried again where an answer %s in time', async (_what, hang) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const fetch = failing(hang)
    const answer = client({ fetch, timeoutMs: 3_000 }).query(ScoreboardDocument, { date })
    for (let ms = 0; ms < 10_000 && fetch.mock.calls.length < 2; ms += 100)
      await vi.advanceTimersByTimeAsync(100)
    const { usage } = await answer
    expect(fetch).toHaveBeenCalledTimes(2)
    expect(fetch.mock.calls[0]?.[1]?.signal?.aborted).toBe(true)
    expect(server.calls.take()).toHaveLength(usage?.calls ?? 0)
  })

  it('fails half a minute after the last try if no answer comes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const fetch = vi.fn(() => new Promise<Response>(() => {}))
    const failed = vi.fn()
    client({ fetch }).query(ScoreboardDocument, { date }).catch(failed)
    await vi.advanceTimersByTimeAsync(90_000)
    expect(failed).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(failed).toHaveBeenCalledWith(expect.any(UnreachableError))
    expect(fetch).toHaveBeenCalledTimes(3)
  })

  it.each([
    ['no connection', reset, 3, UnreachableError],
    ['a server without capacity', status(503), 3, OverloadedError],
    ['a page of a proxy', status(404), 1, NotGraphQLError],
  ])('fails by its own class: %s', async (_what, failure, tries, kind) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const fetch = vi.fn(failure)
    const failed = expect(client({ fetch }).query(ScoreboardDocument, { date })).rejects.toThrow(kind)
    await vi.advanceTimersByTimeAsync(60_000)
    await failed
    expect(fetch).toHaveBeenCalledTimes(tries)
    expect(server.calls.take()).toEqual([])
  })
})

describe('an aborted query', () => {
  it('throws an AbortError, whatever the reason, before and while it runs and between two tries', async () => {
    const asking = client()
    const gone = new AbortController()
    gone.abort(new Error('left'))
    const before = asking.query(ScoreboardDocument, { date }, { signal: gone.signal })
    await expect(before).rejects.toMatchObject({ name: 'AbortError' })
    expect(server.calls.take()).toEqual([])

    const leaving = new AbortController()
    const fetch = vi.fn<typeof globalThis.fetch>((url, init) => {
      setTimeout(() => leaving.abort(), 0)
      return globalThis.fetch(url, init)
    })
    const running = client({ fetch }).query(ScoreboardDocument, { date }, { signal: leaving.signal })
    const error = await running.catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(DOMException)
    expect(error).toMatchObject({ name: 'AbortError' })

    const between = new AbortController()
    const lost = vi.fn(() => (setTimeout(() => between.abort(), 10), reset()))
    const waiting = client({ fetch: lost }).query(ScoreboardDocument, { date }, { signal: between.signal })
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
    expect(lost).toHaveBeenCalledTimes(1)
  })

  it('by AbortSignal.timeout throws the platform’s TimeoutError', async () => {
    const fetch = vi.fn<typeof globalThis.fetch>(
      (_url, init) =>
        new Promise((_, reject) =>
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
        ),
    )
    const asking = client({ fetch }).query(ScoreboardDocument, { date }, { signal: AbortSignal.timeout(20) })
    await expect(asking).rejects.toMatchObject({ name: 'TimeoutError' })
  })
})

it('the headers may come later, as a token that has to be fetched first', async () => {
  const sent: unknown[] = []
  const fetch = vi.fn<typeof globalThis.fetch>((url, init) => {
    sent.push(new Headers(init?.headers).get('graphql-client-name'))
    return globalThis.fetch(url, init)
  })
  const headers = async () => ({ 'graphql-client-name': await Promise.resolve('a-page') })
  await client({ fetch, headers }).query(ScoreboardDocument, { date })
  expect(sent).toEqual(['a-page'])
})

describe('the price of a query', () => {
  it('is told before it runs, holds, and is nothing once its rows are there', async () => {
    const asking = client()
    const price = await asking.price(ScoreboardDocument, { date })
    expect(server.calls.take()).toEqual([])
    expect(price.plan.map(({ operation }) => operation)).toContain('game/getGames')
    const { usage } = await asking.query(ScoreboardDocument, { date })
    expect(usage?.tokens).toBeGreaterThanOrEqual(price.tokens.from)
    expect(usage?.tokens).toBeLessThanOrEqual(price.tokens.to ?? 0)
    expect(server.calls.take()).toHaveLength(usage?.calls ?? 0)
    expect((await asking.price(ScoreboardDocument, { date })).tokens).toEqual({ from: 0, to: 0 })
    expect(server.calls.take()).toEqual([])
  })

  it('is a limit if it is asked for: nothing is spent above it', async () => {
    const { data, errors } = await client().query(ScoreboardDocument, { date }, { maxTokens: 1 })
    expect(data).toBeNull()
    expect(queryErrorOf(errors)).toBeInstanceOf(BudgetError)
    expect(server.calls.take()).toEqual([])
  })

  it('is an error of its kind if the query would be refused', async () => {
    const unknown = { date, organizationId: 'nonsense' }
    await expect(client().price(ScoreboardDocument, unknown)).rejects.toMatchObject({
      name: 'QueryError',
      code: 'BAD_USER_INPUT',
    })
  })

  it('kinds of errors are classes', () => {
    const kindOf = (code: string) => queryErrorOf([{ message: code, extensions: { code } }])
    expect(kindOf('ACCESS_DENIED')).toBeInstanceOf(AccessError)
    expect(kindOf('BUDGET_EXCEEDED')).toBeInstanceOf(BudgetError)
    expect(kindOf('UPSTREAM_TIMEOUT')).toBeInstanceOf(ServiceError)
    expect(kindOf('SCOPE_REQUIRED')).toMatchObject({ name: 'QueryError', code: 'SCOPE_REQUIRED' })
  })
})

describe('an answer has nothing', () => {
  const errors = [{ message: 'No.', extensions: { code: 'ACCESS_DENIED' } }]
  it.each([
    ['where there is no data', null, true],
    ['where its field is null', { __typename: 'Query', league: null }, true],
    [
      'where only what the query named is there',
      { game: { __typename: 'Game', gameId: 'a', status: null } },
      true,
    ],
    ['not where one field is there', { game: { gameId: 'a', status: 'final', odds: null } }, false],
    ['not where a list is there', { league: { games: [{ gameId: 'a' }], organization: null } }, false],
    ['not where a list is empty', { league: { games: [], organization: null } }, false],
    ['where all entries of a list are null', { league: { games: [null, null] } }, true],
    ['not where a number is 0', { usage: { tokens: 0 } }, false],
  ])('%s', (_what, data, is) => {
    expect(hasNothing({ data, errors })).toBe(is)
    // Without an error, nothing is an answer too: a game that does not exist.
    expect(hasNothing({ data, errors: [] })).toBe(data === null)
  })

  it('of a key that is refused; the page asks itself then', async () => {
    const keyless = await startServer({ apiKey: null })
    const onServer = new Client({ url: `${keyless.url}/graphql` })
    const answer = await onServer.query(ScoreboardDocument, { date })
    expect(hasNothing(answer)).toBe(true)
    expect(queryErrorOf(answer.errors)).toBeInstanceOf(AccessError)
    expect(await onServer.preload(ScoreboardDocument, { date })).toEqual({})
    expect(keyless.calls.take()).toEqual([])
    await keyless.close()
  })
})

describe('maxAge', () => {
  const body = (fetch: { mock: { calls: Parameters<typeof globalThis.fetch>[] } }, at: number) =>
    JSON.parse(String(fetch.mock.calls[at]?.[1]?.body)) as { extensions?: unknown }

  it('asks for rows that may be as old, and says how old they are', async () => {
    const fetch = vi.fn<typeof globalThis.fetch>(async () =>
      Response.json({ data: { league: null }, extensions: { stale: { rows: 3, seconds: 400 } } }),
    )
    const answer = await client({ fetch }).query(ScoreboardDocument, { date }, { maxAge: 600 })
    expect(body(fetch, 0).extensions).toEqual({ maxAge: 600 })
    expect(answer.stale).toEqual({ rows: 3, seconds: 400 })
    await client({ fetch }).query(ScoreboardDocument, { date })
    expect(body(fetch, 1).extensions).toBeUndefined()
  })

  it('counts the age of an answer’s rows: what was old when it came is asked for again sooner', async () => {
    const stale = { rows: 1, seconds: 400 }
    const fetch = vi.fn<typeof globalThis.fetch>(async () =>
      Response.json({ data: { league: null }, extensions: { stale } }),
    )
    const store = client({ fetch }).watch(ScoreboardDocument, { date })
    await store.load()
    await store.load(600)
    expect(fetch).toHaveBeenCalledTimes(1)
    await store.load(300)
    expect(fetch).toHaveBeenCalledTimes(2)
  })
})

describe('pages of a list', () => {
  type Pages = ReturnType<Client['watch']>
  const variables = { subject: 'TEAM', season, orderBy: 'points', first: 5 } as const
  const cursors = (store: { getSnapshot(): { data: unknown } }) => {
    const { data } = store.getSnapshot() as { data: { league: { ranking: { edges: { cursor: string }[] } } } }
    return data.league.ranking.edges.map(({ cursor }) => cursor)
  }

  it('are added one by one, at no further bill, and all are there after a refetch', async () => {
    const store = client().watch(LeaderboardDocument, variables)
    await store.load()
    expect(cursors(store)).toHaveLength(5)
    const first = server.calls.take()
    expect(first).toContain('ranking/download 1')
    await Promise.all([store.fetchMore(), store.fetchMore()]) // pressed twice
    expect(new Set(cursors(store)).size).toBe(10)
    expect(store.getSnapshot()).toMatchObject({ hasMore: true, loading: false, failure: null })
    await store.load()
    expect(new Set(cursors(store)).size).toBe(10)
    // The names of further teams are all that may be bought.
    expect(server.calls.take().filter((call) => !call.startsWith('team/read'))).toEqual([])
  })

  it.each([
    ['before', (store: Pages) => [store.fetchMore(), store.load()]],
    ['after', (store: Pages) => [store.load(), store.fetchMore()]],
    ['before and after', (store: Pages) => [store.load(), store.fetchMore(), store.load()]],
  ])('are added also if fetchMore is called right %s a refetch, which is sent too', async (_when, both) => {
    const fetch = failing()
    const store = client({ fetch }).watch(LeaderboardDocument, variables)
    await store.load()
    server.calls.take()
    fetch.mockClear()
    await Promise.all(both(store))
    expect(new Set(cursors(store)).size).toBe(10)
    const sent = fetch.mock.calls.map(([, init]) => JSON.parse(String(init?.body)).variables.after ?? null)
    expect(sent).toEqual([null, expect.any(String)])
    expect(server.calls.take().filter((call) => !call.startsWith('team/read'))).toEqual([])
  })

  it('end with the last', async () => {
    const store = client().watch(LeaderboardDocument, { ...variables, first: 500 })
    await store.load()
    const all = cursors(store).length
    expect(store.getSnapshot().hasMore).toBe(false)
    server.calls.take()
    await store.fetchMore()
    expect(cursors(store)).toHaveLength(all)
    expect(server.calls.take()).toEqual([])
  })

  it('keep what is shown where the next cannot be had', async () => {
    const fetch = failing()
    const store = client({ fetch, retries: 0 }).watch(LeaderboardDocument, variables)
    await store.load()
    fetch.mockImplementationOnce(reset)
    await store.fetchMore()
    expect(cursors(store)).toHaveLength(5)
    expect(store.getSnapshot().failure).toBeInstanceOf(UnreachableError)
    await store.fetchMore()
    expect(cursors(store)).toHaveLength(10)
    expect(store.getSnapshot().failure).toBeNull()
  })
})

describe('what a server has asked', () => {
  it('is shown by the page without a request, as JSON has passed it, and asked for again once it is old', async () => {
    const onServer = client()
    await onServer.preload(ScoreboardDocument, { date })
    const billed = server.calls.take()
    expect(billed).toContain('game/getGames 1')
    const state = JSON.parse(JSON.stringify(onServer.dehydrate())) as ReturnType<Client['dehydrate']>
    const fetch = failing()
    const page = client({ fetch })
    page.hydrate(state)
    const store = page.watch(ScoreboardDocument, { date })
    expect(store.getServerSnapshot()).toEqual(store.getSnapshot())
    expect(store.getSnapshot().data?.league?.games?.length).toBeGreaterThan(5)
    await store.load(15)
    expect(fetch).not.toHaveBeenCalled()
    expect(server.calls.take()).toEqual([])
    await store.load()
    expect(fetch).toHaveBeenCalledTimes(1)
  })

  it('is asked for by the page if it is hours old, as of a page from a cache', async () => {
    const onServer = client()
    const state = await onServer.preload(ScoreboardDocument, { date })
    const hoursAgo = Object.entries(state).map(([key, kept]) => [key, { ...kept, at: kept.at - 7_200_000 }])
    const fetch = failing()
    const page = client({ fetch })
    page.hydrate(Object.fromEntries(hoursAgo) as typeof state)
    const store = page.watch(ScoreboardDocument, { date })
    expect(store.getSnapshot().data).not.toBeNull()
    await store.load(15)
    expect(fetch).toHaveBeenCalledTimes(1)
  })

  it('does not replace what the page knows better, and is empty where the server had no answer', async () => {
    const page = client()
    const state = await client().preload(ScoreboardDocument, { date })
    const store = page.watch(ScoreboardDocument, { date })
    await store.load()
    const shown = store.getSnapshot()
    page.hydrate(state)
    expect(store.getSnapshot()).toBe(shown)
    expect(await client({ fetch: reset, retries: 0 }).preload(ScoreboardDocument, { date })).toEqual({})
  })
})
