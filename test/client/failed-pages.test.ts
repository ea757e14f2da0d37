import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Client } from '../../src/client/client.ts'
import { LeaderboardDocument } from '../../src/client/generated/graphql.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const variables = { subject: 'TEAM', orderBy: 'points', first: 10 } as const
const rows = 40
const errors = [{ message: 'The service fails.', extensions: { code: 'UPSTREAM_UNAVAILABLE' } }]

interface Sent {
  readonly variables: { readonly after?: string }
}

/** A list of 40 rows in pages of ten, and how each request is answered that is not to be answered with its page. */
function list() {
  const others: (((page: object) => object) | undefined)[] = []
  const sent: (string | null)[] = []
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    const { after = null } = (JSON.parse(String(init?.body)) as Sent).variables
    sent.push(after)
    const first = Number(after ?? 0)
    const edges = Array.from({ length: 10 }, (_, at) => ({ cursor: String(first + at + 1) }))
    const pageInfo = { hasNextPage: first + 10 < rows, endCursor: String(first + 10) }
    const page = { data: { league: { name: 'A', ranking: { edges, pageInfo } } } }
    const other = others.shift()
    return Response.json(other ? other(page) : page)
  }
  const store = new Client({ fetch, retries: 0 }).watch(LeaderboardDocument, variables)
  return {
    store,
    /** The next requests are answered so; undefined: with their page. */
    answers: (...next: typeof others) => void others.push(...next),
    taken: () => sent.splice(0),
    shown: () => store.getSnapshot().data?.league?.ranking?.edges.map(({ cursor }) => Number(cursor)),
  }
}

const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1)

const failures: [string, (page: object) => object][] = [
  ['has no data', () => ({ data: null, errors })],
  ['has nothing but errors', () => ({ data: { league: null }, errors })],
  ['has no list', () => ({ data: { league: { name: 'A', ranking: null } }, errors })],
  [
    'does not come',
    () => {
      throw new TypeError('fetch failed')
    },
  ],
]

describe.each(failures)('a page that %s', (_how, fails) => {
  const isTold = ({ store }: ReturnType<typeof list>) => {
    const { failure, errors: told, loading } = store.getSnapshot()
    return !loading && (failure !== null || told.length > 0)
  }

  it('is not counted: it is asked for again, and a refetch asks for what is shown', async () => {
    const page = list()
    await page.store.load()
    page.answers(fails, fails)
    await page.store.fetchMore()
    await page.store.fetchMore()
    expect([page.shown(), isTold(page), page.store.getSnapshot().hasMore]).toEqual([upTo(10), true, true])
    expect(page.taken()).toEqual([null, '10', '10'])
    await page.store.load()
    expect(page.shown()).toEqual(upTo(10))
    expect(page.taken()).toEqual([null])
    await page.store.fetchMore()
    expect(page.shown()).toEqual(upTo(20))
    expect(isTold(page)).toBe(false)
  })

  it.each([0, 1, 2])(
    'leaves what is shown where it is the one after %i others of a refetch',
    async (before) => {
      const page = list()
      await page.store.load()
      await page.store.fetchMore()
      await page.store.fetchMore()
      page.answers(...Array.from({ length: before }, () => undefined), fails)
      page.taken()
      await page.store.load()
      expect([page.shown(), isTold(page), page.store.getSnapshot().hasMore]).toEqual([upTo(30), true, true])
      expect(page.taken()).toHaveLength(before + 1)
      await page.store.load(3_600) // what has failed is no fresh answer
      expect(page.taken()).toHaveLength(3)
      expect([page.shown(), isTold(page)]).toEqual([upTo(30), false])
    },
  )
})

describe('the pages of a list', () => {
  it('are as old as their oldest rows', async () => {
    const page = list()
    const old = (seconds: number) => (whole: object) => ({
      ...whole,
      extensions: { stale: { rows: 1, seconds } },
    })
    page.answers(old(400))
    await page.store.load()
    await page.store.fetchMore()
    expect(page.store.getSnapshot().stale).toEqual({ rows: 1, seconds: 400 })
    page.answers(old(400), old(500))
    await page.store.load()
    expect(page.store.getSnapshot().stale).toEqual({ rows: 2, seconds: 500 })
    page.taken()
    await page.store.load(450)
    expect(page.taken()).toHaveLength(2)
    expect(page.store.getSnapshot().stale).toBeNull()
    vi.advanceTimersByTime(10_000)
    await page.store.fetchMore()
    vi.advanceTimersByTime(6_000)
    page.taken()
    await page.store.load(15)
    expect(page.taken()).toHaveLength(3)
  })

  it('have the errors of all pages that were asked for together', async () => {
    const page = list()
    await page.store.load()
    await page.store.fetchMore()
    page.answers((whole) => ({ ...whole, errors }), undefined)
    await page.store.load()
    expect(page.store.getSnapshot().errors).toEqual(errors)
  })

  it('are those of the list that is shown, where an answer has two', async () => {
    const page = list()
    const other = { edges: [{ cursor: 'x' }], pageInfo: { hasNextPage: false } }
    await page.store.load()
    page.answers(() => ({ data: { league: { ranking: null, other } }, errors }))
    await page.store.fetchMore()
    expect(page.store.getSnapshot().data?.league).not.toHaveProperty('other')
    expect(page.shown()).toEqual(upTo(10))
  })
})

it('an answer that has nothing but errors leaves what is shown', async () => {
  const page = list()
  await page.store.load()
  page.answers(() => ({ data: { league: null }, errors }))
  await page.store.load()
  expect(page.shown()).toEqual(upTo(10))
  expect(page.store.getSnapshot().errors).toEqual(errors)
  expect(page.store.kept).toBeNull()
})
