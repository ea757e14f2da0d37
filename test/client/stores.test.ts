import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Client } from '../../src/client/client.ts'
import { LiveScoresDocument, ScoreboardDocument } from '../../src/client/generated/graphql.ts'
import { patience } from '../patience.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const answer = { data: { league: { games: [] } } }
const days = Array.from({ length: 130 }, (_, day) => String(day))
const fiveMinutes = 300_000
const fetching = () => vi.fn<typeof fetch>(async () => Response.json(answer))

describe.each([
  ['queries', (client: Client, date: string) => client.watch(ScoreboardDocument, { date })],
  ['live stores', (client: Client, date: string) => client.live(LiveScoresDocument, { date })],
])('of 130 %s, a client', (_what, of) => {
  const hanging = () => new Client({ fetch: () => new Promise(() => {}) })

  it('keeps all that may yet be shown, and for five minutes', () => {
    const client = hanging()
    const stores = days.map((date) => of(client, date))
    vi.advanceTimersByTime(fiveMinutes - 1)
    expect(days.filter((date, at) => of(client, date) !== stores[at])).toEqual([])
    vi.advanceTimersByTime(fiveMinutes)
    of(client, 'another')
    expect(of(client, '0')).not.toBe(stores[0])
    expect(of(client, '129')).toBe(stores[129])
  })

  it('keeps those that are shown, and the last hundred that were', () => {
    const client = hanging()
    const stores = days.map((date) => of(client, date))
    const leaves = stores.map((store) => store.subscribe(() => {}))
    vi.advanceTimersByTime(fiveMinutes)
    of(client, 'another')
    expect(days.filter((date, at) => of(client, date) !== stores[at])).toEqual([])
    for (const leave of leaves) leave()
    of(client, 'a third')
    expect([of(client, '0') === stores[0], of(client, '129') === stores[129]]).toEqual([false, true])
  })
})

describe('answers that nobody has shown yet', () => {
  it('are kept while they come, and for five minutes after, so each query is sent once', async () => {
    const open: ((response: Response) => void)[] = []
    const fetch = vi.fn<typeof globalThis.fetch>(() => new Promise((resolve) => open.push(resolve)))
    const client = new Client({ fetch, timeoutMs: 2 ** 31 - 1 })
    const ask = () => Promise.all(days.map((date) => client.watch(ScoreboardDocument, { date }).load(3_600)))
    const asked = ask()
    await vi.waitFor(() => expect(open).toHaveLength(130), patience)
    vi.advanceTimersByTime(fiveMinutes)
    void ask()
    for (const answered of open) answered(Response.json(answer))
    await asked
    vi.advanceTimersByTime(fiveMinutes - 1)
    await ask()
    expect(fetch).toHaveBeenCalledTimes(130)
  })

  it('are not kept for those who have left meanwhile', async () => {
    const client = new Client({ fetch: fetching() })
    const typed = days.map((date) => client.watch(ScoreboardDocument, { date }))
    const loads = typed.map((store) => {
      const leave = store.subscribe(() => {})
      const loading = store.load()
      leave()
      return loading
    })
    await Promise.all(loads)
    client.watch(ScoreboardDocument, { date: 'another' })
    expect(client.watch(ScoreboardDocument, { date: '0' })).not.toBe(typed[0])
  })

  it('are all passed on by the server that has asked, and all shown by the page, without a request', async () => {
    const onServer = new Client({ fetch: fetching() })
    for (const date of days) await onServer.preload(ScoreboardDocument, { date })
    const state = onServer.dehydrate()
    expect(Object.keys(state)).toHaveLength(130)
    const fetch = fetching()
    const page = new Client({ fetch })
    page.hydrate(state)
    expect(Object.keys(page.dehydrate())).toHaveLength(130)
    await Promise.all(days.map((date) => page.watch(ScoreboardDocument, { date }).load(15)))
    expect(fetch).not.toHaveBeenCalled()
  })

  it('are not kept without end where a server passes more on and the page shows none of it', async () => {
    const onServer = new Client({ fetch: fetching() })
    const page = new Client({ fetch: fetching() })
    for (const date of days) page.hydrate(await onServer.preload(ScoreboardDocument, { date }))
    vi.advanceTimersByTime(fiveMinutes)
    page.hydrate(await onServer.preload(ScoreboardDocument, { date: 'another' }))
    expect(Object.keys(page.dehydrate())).toHaveLength(101)
  })
})

it('on a server, what is shown now is what it renders', async () => {
  const client = new Client({ fetch: fetching() })
  await client.preload(ScoreboardDocument, { date: '1' })
  expect(client.watch(ScoreboardDocument, { date: '1' }).getServerSnapshot().data).toEqual(answer.data)
})
