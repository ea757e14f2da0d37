import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { livingDayOf, recordedDay, settle, subscribe } from '../graph/living-day.ts'
import type { Incoming } from '../../src/wire/transport.ts'

let day: Incoming
beforeAll(async () => void (day = await recordedDay()))
afterEach(() => vi.useRealTimers())

type Subscriber = Awaited<ReturnType<typeof subscribe>>

/** Lets polls fail for so many seconds; what the follower is told meanwhile. */
async function told({ take }: Pick<Subscriber, 'take'>, seconds: number) {
  const events = []
  for (let second = 0; second < seconds; second += 16) {
    await vi.advanceTimersByTimeAsync(16_000)
    await settle()
    events.push(...(await take()))
  }
  return events
}

const day14 = '{ league { games(date: "2026-02-14") { homeScore status } } }'

/** So many calls of each kind, in the order in which they are listed. */
const times = (count: number, ...calls: readonly string[]) =>
  calls.flatMap((call) => Array.from({ length: count }, () => call))

/** The calls of so many polls while one game is under way. */
const polls = (count: number) => times(count, 'game/read 1', 'odds/read 1')

/** The call that brings the whole day. */
const list = 'game/getScores 1'

const textOf = { scores: () => undefined, game: gameText, lines: linesText }

function gameText(id: string) {
  return `game(id: "${id}") { gameId homeScore }`
}

function linesText(id: string) {
  return `lines(gameId: "${id}") { oddsId over }`
}

test.each(['scores', 'game', 'lines'] as const)(
  'while the service is down, a follower of `%s` is told once that its rows are stale, and once that they are not',
  async (field) => {
    const { graph, live, fail, moveLine } = livingDayOf(day)
    const [game] = live
    if (field === 'lines') moveLine('line-1', 150)
    const spent = () => graph.upstream.ledgers.totals().tokens
    const follower = await subscribe(graph, undefined, {}, undefined, textOf[field](game?.game_id ?? ''))
    await follower.take()
    graph.calls.take()
    const tokens = spent()
    expect(tokens).toBeGreaterThan(0)
    fail(true)
    const during = await told(follower, 160)
    expect(during).toHaveLength(1)
    expect(during[0]?.extensions.stale).toMatchObject({ rows: expect.any(Number) })
    expect(during[0]?.extensions.stale?.seconds).toBeLessThan(60)
    expect(during[0]?.extensions.usage.calls).toBe(2)
    expect(during[0]?.data[field]).toMatchObject(
      field === 'lines' ? { oddsId: 'line-1', over: 150 } : { homeScore: game?.home_score },
    )
    expect(graph.calls.take()).toEqual(polls(10))
    expect(spent()).toBe(tokens)
    fail(false)
    const after = await told(follower, 64)
    expect(after).toHaveLength(1)
    expect(after[0]?.errors).toBeUndefined()
    expect(after[0]?.extensions.stale).toBeUndefined()
    expect(graph.calls.take()).toEqual(polls(4))
    await follower.end()
  },
)

test('followers that wait for the same event are told the same of its rows, though it is executed once', async () => {
  const { graph, live, fail } = livingDayOf(day)
  const id = live[0]?.game_id ?? ''
  // The name of the home team is of a row that is fresh for longer than the game.
  const text = `game(id: "${id}") { gameId homeScore homeTeam { teamId } }`
  const all = await Promise.all([0, 1, 2].map(() => subscribe(graph, undefined, {}, undefined, text)))
  for (const { take } of all) await take()
  graph.calls.take()
  fail(true)
  const [first, ...others] = all
  if (!first) throw new Error('There is no follower.')
  const stales = [await told(first, 16), ...(await Promise.all(others.map(({ take }) => take())))].map(
    (events) => events.map(({ data, extensions }) => [data, extensions.stale]),
  )
  expect(stales[0]).toEqual([[expect.objectContaining({}), { rows: 1, seconds: expect.any(Number) }]])
  for (const stale of stales) expect(stale).toEqual(stales[0])
  expect(graph.calls.take()).toEqual(polls(1))
  fail(false)
  await told(first, 16)
  for (const { take } of others)
    expect((await take()).map(({ extensions }) => extensions.stale)).toEqual([undefined])
  expect(graph.calls.take()).toEqual(polls(1))
  for (const { end } of all) await end()
})

test('who comes while the service is down gets the expired rows, marked as a query marks them', async () => {
  const { graph, rows, fail } = livingDayOf(day)
  const first = await subscribe(graph)
  await first.take()
  expect(graph.calls.take()).toEqual([list])
  fail(true)
  await told(first, 400)
  // The day's list has expired meanwhile.
  expect(graph.calls.take()).toEqual([...times(7, list), ...polls(18)])
  const late = await subscribe(graph)
  await settle()
  const state = await late.take()
  expect(state).toHaveLength(Object.keys(rows).length)
  expect(state.at(-1)?.extensions.live.complete).toBe(true)
  expect(graph.calls.take()).toEqual([list])
  const query = await graph.query(day14)
  expect(query.errors).toBeUndefined()
  expect(graph.calls.take()).toEqual([list])
  for (const { data, errors, extensions } of state) {
    expect(errors).toBeUndefined()
    expect(data.scores['gameId']).toBeDefined()
    expect(extensions.stale?.seconds).toBeGreaterThan(300)
  }
  fail(false)
  const after = await told(late, 64)
  expect(after.map(({ extensions }) => extensions.stale)).toEqual([undefined])
  expect(graph.calls.take()).toEqual([list, ...polls(3)])
  for (const { end } of [first, late]) await end()
})

test('a follower whose key is refused is told the error that a query gets, once, and later the state', async () => {
  const { graph, fail } = livingDayOf(day)
  const follower = await subscribe(graph)
  await follower.take()
  expect(graph.calls.take()).toEqual([list])
  fail(401)
  const during = await told(follower, 96)
  expect(graph.calls.take()).toEqual(polls(6))
  expect(during.map(({ data, errors }) => [data, errors?.[0]?.extensions.code])).toEqual([
    [null, 'UNAUTHENTICATED'],
  ])
  expect(during[0]?.extensions.live).toMatchObject({ complete: true, left: [] })
  const { errors } = await graph.query(day14)
  expect(errors?.[0]?.extensions?.['code']).toBe('UNAUTHENTICATED')
  expect(graph.calls.take()).toEqual(['game/read 1'])
  fail(false)
  const after = await told(follower, 64)
  expect(graph.calls.take()).toEqual(polls(4))
  expect(after.map(({ errors: faults, extensions }) => [faults, extensions.stale])).toEqual([
    [undefined, undefined],
  ])
  await follower.end()
})

test('a follower is told when the budget is spent', async () => {
  const { graph } = livingDayOf(day, { budget: 10_000 })
  const follower = await subscribe(graph)
  await follower.take()
  const { ledger } = graph.upstream.accountOf('sample-paid')
  const spent = 10_000 - ledger.totals().tokens
  ledger.add({ day: `${ledger.totals().month}-01`, tokens: spent, bytes: 0, estimated: 0, calls: 0 })
  expect(graph.calls.take()).toEqual([list])
  const during = await told(follower, 600)
  expect(during).toHaveLength(1)
  expect(during[0]?.extensions.stale?.seconds).toBeGreaterThan(0)
  expect(during[0]?.errors).toBeUndefined()
  expect(graph.calls.take()).toEqual([])
  await follower.end()
})

test('a poll that the budget of one client refuses is paid by another, and nobody is told of it', async () => {
  // The first state costs one client its whole budget.
  const { graph, live } = livingDayOf(day, { clientBudgets: new Map([['poor', 40]]) })
  const as = (client: string) => subscribe(graph, undefined, {}, undefined, undefined, client)
  const poor = await as('poor')
  const first = await poor.take()
  expect(first.length).toBeGreaterThan(1)
  const other = await as('rich')
  await other.take()
  expect(graph.calls.take()).toEqual([list])
  for (const game of live) game.home_score = 123
  const during = [await told(poor, 32), await other.take()]
  for (const events of during)
    expect(events.map(({ data, extensions }) => [data.scores['homeScore'], extensions.stale])).toEqual(
      live.map(() => [123, undefined]),
    )
  expect(graph.calls.take()).toEqual(polls(2))
  await other.end()
  const alone = await told(poor, 96)
  expect(alone.map(({ errors, extensions }) => [errors, extensions.stale?.rows])).toEqual([
    [undefined, expect.any(Number)],
  ])
  expect(graph.calls.take()).toEqual([])
  await poor.end()
})
