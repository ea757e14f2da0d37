import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { ClientRequest } from '../../src/account/client-request.ts'
import type { Incoming } from '../../src/wire/transport.ts'
import { sampleNow } from '../sample.setup.ts'
import { livingDayOf, recordedDay, settle, subscribe } from './living-day.ts'
import type { Rows } from './living-day.ts'

let day: Incoming
beforeAll(async () => void (day = await recordedDay()))
afterEach(() => vi.useRealTimers())

const livingDay = (options?: { readonly budget?: number | null }) => livingDayOf(day, options)

test('a subscriber hears of every game of the day once, and then of those that change', async () => {
  const { graph, live, rows } = livingDay()
  const { take, end } = await subscribe(graph)
  expect((await take()).map(({ data }) => data.scores['gameId']).toSorted()).toEqual(
    Object.keys(rows).toSorted(),
  )
  graph.calls.take()

  await vi.advanceTimersByTimeAsync(14_000)
  expect(await take()).toEqual([])
  expect(graph.calls.take()).toEqual([])

  const [game] = live
  if (!game) throw new Error('The sample day has no game under way.')
  game.home_score = 199
  await vi.advanceTimersByTimeAsync(2_000)
  expect((await take()).map(({ data }) => data.scores)).toEqual([
    { gameId: game.game_id, status: game.status, homeScore: 199 },
  ])
  expect(graph.calls.take().length).toBeGreaterThan(0)
  await end()
})

test('subscribers of one day share their calls, and what each is told they cost adds up to the bill', async () => {
  const { graph } = livingDay()
  const subscribers = await Promise.all(Array.from({ length: 5 }, () => subscribe(graph)))
  const told = (await Promise.all(subscribers.map(({ take }) => take()))).flat()
  expect(graph.calls.take()).toEqual(['game/getScores 1'])
  expect(told.reduce((sum, { extensions }) => sum + extensions.usage.calls, 0)).toBe(1)
  for (const { end } of subscribers) await end()
})

test('a look that fails is tried again, and the subscriber hears of what it missed', async () => {
  const { graph, live, fail } = livingDay()
  const { take, end } = await subscribe(graph)
  await take()
  fail(true)
  const [game] = live
  if (game) game.home_score = 198
  await vi.advanceTimersByTimeAsync(16_000)
  await settle()
  expect((await take()).map(({ extensions }) => extensions.stale)).toEqual([
    { rows: live.length, seconds: 16 },
  ])
  fail(false)
  await vi.advanceTimersByTimeAsync(20_000)
  expect((await take()).map(({ data }) => data.scores['homeScore'])).toEqual([198])
  await end()
})

test.each([
  ['long over is looked at once', '1999-02-28', 1],
  ['yet to come, again within minutes', '2026-02-20', 7],
])('a day without games that is %s', async (_name, date, looks) => {
  const { graph, rows } = livingDay()
  for (const id of Object.keys(rows)) delete rows[id]
  const { take, end } = await subscribe(graph, 'gameId', {}, date)
  for (let minute = 0; minute <= 30; minute += 1) {
    expect(await take()).toEqual([])
    await vi.advanceTimersByTimeAsync(60_000)
  }
  expect(graph.calls.take()).toEqual(Array(looks).fill('game/getScores 1'))
  await end()
})

test('a subscription whose looks bring no event keeps its whole bill, and no line for each', async () => {
  const { graph } = livingDay()
  const request = new ClientRequest(graph.upstream.accountOf('sample-paid'))
  const line = { operation: 'game/getScores', arguments: [], ids: 1, bytes: 10, ms: 0, field: '' }
  for (let look = 0; look < 5_000; look += 1) {
    request.renew()
    request.record({ ...line, tokens: 2, source: 'UPSTREAM' })
    request.record({ ...line, tokens: 0, bytes: 0, source: 'SHARED' })
  }
  request.renew()
  expect(request.plan).toHaveLength(1_000)
  const bill = { tokens: 10_000, bytes: 50_000, calls: 5_000, cacheHits: 5_000 }
  expect(request.takeUsage()).toEqual(bill)
  expect(request.spent).toEqual(bill)
  expect(graph.calls.take()).toEqual([])
})

test('when a subscriber has gone, nobody looks any more', async () => {
  const { graph } = livingDay()
  const { take, end } = await subscribe(graph)
  await take()
  await end()
  await settle()
  graph.calls.take()
  await vi.advanceTimersByTimeAsync(120_000)
  await settle()
  expect(graph.calls.take()).toEqual([])
  await expect.poll(() => vi.getTimerCount()).toBe(0)
})

test('a subscriber that asks for it is told the calls behind each event', async () => {
  const { graph } = livingDay()
  const { take, end } = await subscribe(graph, 'gameId', { explain: true })
  const told = (await take()).map(({ extensions }) => extensions.plan?.map(({ operation }) => operation))
  expect(told[0]).toEqual(['game/getScores'])
  expect(told[1]).toEqual([])
  await end()
})

test('a dry subscription is told what its first event would cost, and costs nothing', async () => {
  const { graph } = livingDay()
  vi.useRealTimers()
  const { take, end } = await subscribe(graph, 'gameId', { explain: 'dry' })
  let events: Awaited<ReturnType<typeof take>> = []
  await expect.poll(async () => (events = await take())).toHaveLength(1)
  const [event] = events
  expect(event?.data).toBeNull()
  expect(event?.extensions.plan?.map(({ operation }) => operation)).toEqual(['game/getScores'])
  expect(event?.extensions.estimate?.calls.from).toBe(1)
  expect(graph.calls.take()).toEqual([])
  await end()
})

const pastStart = 3_600_000

describe('one poller for a day', () => {
  const only = (id: string) => `game(id: "${id}") { gameId homeScore }`
  const lines = (id: string) => `lines(gameId: "${id}") { oddsId over }`

  test.each([1, 50])(
    '%i subscribers: the same calls, one timer, and each hears of each change',
    // A timer of another test's connection may be counted, too.
    { retry: 2 },
    async (count) => {
      const { graph, live } = livingDay()
      const subscribers = await Promise.all(Array.from({ length: count }, () => subscribe(graph)))
      for (const { take } of subscribers) expect((await take()).length).toBeGreaterThan(2)
      expect(graph.calls.take()).toEqual(['game/getScores 1'])
      // A call's own timer may still be about to end.
      await expect.poll(() => vi.getTimerCount()).toBe(1)
      for (const points of [101, 102]) {
        for (const game of live) game.home_score = points
        await vi.advanceTimersByTimeAsync(16_000)
        for (const { take } of subscribers)
          expect((await take()).map(({ data }) => data.scores['homeScore'])).toEqual(live.map(() => points))
        expect(graph.calls.take()).toEqual(['game/read 1', 'odds/read 1'])
      }
      for (const { end } of subscribers) await end()
      await expect.poll(() => vi.getTimerCount()).toBe(0)
    },
  )

  test('a later subscriber receives the current state first, at no cost, and the others nothing', async () => {
    const { graph, rows } = livingDay()
    const first = await subscribe(graph)
    await first.take()
    graph.calls.take()
    await vi.advanceTimersByTimeAsync(5_000)
    const second = await subscribe(graph, 'gameId homeScore status clock')
    expect(await second.take()).toHaveLength(Object.keys(rows).length)
    expect(await first.take()).toEqual([])
    expect(graph.calls.take()).toEqual([])
    for (const { end } of [first, second]) await end()
  })

  test('queries of the day reuse its last poll', async () => {
    const { graph } = livingDay()
    const { take, end } = await subscribe(graph)
    await take()
    await vi.advanceTimersByTimeAsync(16_000)
    await take()
    graph.calls.take()
    await vi.advanceTimersByTimeAsync(10_000)
    const { errors } = await graph.query(
      '{ league { games(date: "2026-02-14") { homeScore clock status } } }',
    )
    expect(errors).toBeUndefined()
    expect(graph.calls.take()).toEqual([])
    await end()
  })

  test('a game that is moved is told from the polls of its new day, and those of the old one end', async () => {
    const { graph, live, rows } = livingDay()
    const [game] = live
    if (!game) throw new Error('The sample day has no game under way.')
    const { take, end } = await subscribe(
      graph,
      '',
      {},
      '',
      `game(id: "${game.game_id}") { gameId status homeScore startDate }`,
    )
    expect(await take()).toHaveLength(1)
    for (const row of Object.values(rows)) row.status = row === game ? 'postponed' : 'final'
    await vi.advanceTimersByTimeAsync(16_000)
    expect((await take()).map(({ data }) => data.game['status'])).toEqual(['postponed'])
    const start = sampleNow + 20 * 60_000
    Object.assign(game, {
      status: 'scheduled',
      home_score: null,
      start_date: '2026-02-15',
      start_timestamp: start / 1_000,
      start_datetime: new Date(start).toISOString(),
    })
    const told: unknown[] = []
    for (let minute = 0; minute < 30; minute += 1) {
      if (minute === 21) Object.assign(game, { status: '1st half', home_score: 7 })
      await vi.advanceTimersByTimeAsync(60_000)
      told.push(...(await take()).map(({ data: { game: row } }) => [row['startDate'], row['homeScore']]))
    }
    expect(told).toEqual([
      ['2026-02-15', null],
      ['2026-02-15', 7],
    ])
    expect(vi.getTimerCount()).toBe(1)
    expect(new Set(graph.calls.take())).toEqual(new Set(['game/read 1', 'odds/read 1']))
    await end()
    await expect.poll(() => vi.getTimerCount()).toBe(0)
  })

  test('a game that is moved is told later if its new day cannot be found at first', async () => {
    const { graph, live, rows, failRows } = livingDay()
    const [game] = live
    if (!game) throw new Error('The sample day has no game under way.')
    const all = await subscribe(graph)
    const { take, end } = await subscribe(graph, '', {}, '', only(game.game_id))
    expect(await take()).toHaveLength(1)
    for (const row of Object.values(rows)) if (row !== game) row.status = 'final'
    failRows(true)
    const told: unknown[] = []
    Object.assign(game, { start_date: '2026-02-15', status: '2nd half', home_score: 7 })
    for (let minute = 0; minute < 10; minute += 1) {
      await vi.advanceTimersByTimeAsync(60_000)
      await settle()
      told.push(...(await take()).map(({ extensions }) => extensions.stale))
    }
    expect(told).toEqual([{ rows: 1, seconds: expect.any(Number) }])
    failRows(false)
    for (let minute = 0; minute < 10; minute += 1) {
      game.home_score = 100 + minute
      await vi.advanceTimersByTimeAsync(60_000)
    }
    expect((await take()).at(-1)?.data.game['homeScore']).toBe(109)
    for (const one of [all, { end }]) await one.end()
    await settle()
    await expect.poll(() => vi.getTimerCount()).toBe(0)
  })

  test('a game that is withdrawn is looked for once, told with its last row as one that left, and looked for no more', async () => {
    const { graph, live, rows } = livingDay()
    const { game_id: id = '', home_score: homeScore } = live[0] ?? {}
    const { take, end } = await subscribe(graph, '', {}, '', only(id))
    expect(await take()).toHaveLength(1)
    for (const row of Object.values(rows)) row.status = 'final'
    delete rows[id]
    const told = []
    for (let minute = 0; minute < 12; minute += 1) {
      await vi.advanceTimersByTimeAsync(60_000)
      told.push(...(await take()))
    }
    const left = [Buffer.from(`Game:${id}`).toString('base64')]
    expect(told).toMatchObject([
      { data: { game: { gameId: id, homeScore } }, extensions: { live: { complete: true, left } } },
    ])
    graph.calls.take()
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(await take()).toEqual([])
    expect(graph.calls.take()).toEqual([])
    await end()
    await expect.poll(() => vi.getTimerCount()).toBe(0)
  })

  test('a game and its lines are told from the polls of its day', async () => {
    const { graph, live, moveLine } = livingDay()
    const [game, other] = live
    const id = game?.game_id ?? ''
    const all = await subscribe(graph)
    await all.take()
    const one = await subscribe(graph, '', {}, '', only(id))
    const movements = await subscribe(graph, '', {}, '', lines(id))
    expect((await one.take()).map(({ data }) => data.game['gameId'])).toEqual([id])
    expect(await movements.take()).toEqual([])
    expect(graph.calls.take()).toEqual(['game/getScores 1']) // its entries have the games’ days

    if (other) other.home_score = 190
    moveLine('line-1', 150)
    await vi.advanceTimersByTimeAsync(16_000)
    expect((await movements.take()).map(({ data }) => data.lines)).toEqual([{ oddsId: 'line-1', over: 150 }])
    expect(await one.take()).toHaveLength(1) // its line has moved
    expect(graph.calls.take()).toEqual(['game/read 1', 'odds/read 1'])

    if (game) game.home_score = 191
    await vi.advanceTimersByTimeAsync(16_000)
    expect((await one.take()).map(({ data }) => data.game['homeScore'])).toEqual([191])
    expect(await movements.take()).toEqual([])
    for (const { end } of [all, one, movements]) await end()
  })

  test('a game that does not exist is an error, and nobody polls', async () => {
    const { graph } = livingDay()
    const { take, end } = await subscribe(graph, '', {}, '', only('00000000-0000-4000-8000-00000000dead'))
    const [event, ...others] = await take()
    expect(event).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] })
    expect(others).toEqual([])
    await end()
    await settle()
    await expect.poll(() => vi.getTimerCount()).toBe(0)
  })

  /** Another game of the day, from now on under way as well. */
  function playToo(rows: Rows, game: Rows[string] | undefined): Rows[string] {
    const other = Object.values(rows).find((row) => row !== game)
    if (!game || !other) throw new Error('The sample day has no two games.')
    const { start_timestamp, start_datetime } = game
    return Object.assign(other, { status: '2nd half', home_score: 40, start_timestamp, start_datetime })
  }

  const gameSelected = (id: string) => `game(id: "${id}") { status }`

  test('for subscribers of single games, only those are polled, and no more once they are over', async () => {
    const { graph, live, rows } = livingDay()
    const [game] = live
    const other = playToo(rows, game)
    if (game) game.status = 'final'
    const finished = await subscribe(graph, '', {}, '', gameSelected(game?.game_id ?? ''))
    expect((await finished.take()).map(({ data, extensions }) => [data.game, extensions.live])).toMatchObject(
      [[{ status: 'final' }, { intervalSeconds: null }]],
    )
    expect(graph.calls.take()).toEqual(['game/read 1'])
    await vi.advanceTimersByTimeAsync(pastStart)
    expect(graph.calls.take()).toEqual([])

    const followed = await subscribe(graph, '', {}, '', gameSelected(other.game_id))
    expect((await followed.take())[0]?.extensions.live).toMatchObject({ intervalSeconds: 15 })
    expect(graph.calls.take()).toEqual(['game/read 1', 'odds/read 1'])
    other.status = 'Overtime'
    await vi.advanceTimersByTimeAsync(16_000)
    expect((await followed.take()).map(({ data }) => data.game)).toEqual([{ status: 'Overtime' }])
    const polls = graph.calls.sent.filter(({ arguments: values }) => values['game_id'] !== undefined)
    expect(polls.slice(-2).map(({ arguments: values }) => [values['game_id']].flat())).toEqual([
      [other.game_id],
      [other.game_id],
    ])
    expect(graph.calls.take()).toEqual(['game/read 1', 'odds/read 1'])

    other.status = 'final'
    await vi.advanceTimersByTimeAsync(16_000)
    expect((await followed.take()).map(({ extensions }) => extensions.live)).toMatchObject([
      { intervalSeconds: null },
    ])
    graph.calls.take()
    await vi.advanceTimersByTimeAsync(pastStart)
    expect(graph.calls.take()).toEqual([])
    expect(await finished.take()).toEqual([])
    for (const { end } of [finished, followed]) await end()
  })

  test('the lines of a finished game are told once', async () => {
    const { graph, live, moveLine } = livingDay()
    const [game] = live
    if (game) game.status = 'final'
    moveLine('line-1', 150)
    const { take, end } = await subscribe(graph, '', {}, '', lines(game?.game_id ?? ''))
    expect((await take()).map(({ data }) => data.lines)).toEqual([{ oddsId: 'line-1', over: 150 }])
    expect(graph.calls.take()).toEqual(['game/read 1', 'odds/read 1'])
    await vi.advanceTimersByTimeAsync(pastStart)
    expect(await take()).toEqual([])
    expect(graph.calls.take()).toEqual([])
    await end()
  })

  test.each(['scores', 'game', 'lines'] as const)('the polls of `%s` are named after it', async (name) => {
    const { graph, live, moveLine } = livingDay()
    const [game] = live
    const id = game?.game_id ?? ''
    const texts = { scores: undefined, game: only(id), lines: lines(id) }
    const { take, end } = await subscribe(graph, undefined, { explain: true }, undefined, texts[name])
    await take()
    if (game) game.home_score = 190
    moveLine('line-1', 150)
    await vi.advanceTimersByTimeAsync(16_000)
    const fields = (await take()).flatMap(({ extensions }) => extensions.plan?.map(({ field }) => field))
    expect(new Set(fields)).toEqual(new Set([`Subscription.${name}`]))
    const first = name === 'scores' ? ['game/getScores 1'] : ['game/read 1', 'odds/read 1']
    expect(graph.calls.take()).toEqual([...first, 'game/read 1', 'odds/read 1'].toSorted())
    await end()
  })

  test('the whole day is polled while somebody follows it, and single games before and after', async () => {
    const { graph, live, rows } = livingDay()
    const [game] = live
    const other = playToo(rows, game)
    const one = await subscribe(graph, '', {}, '', only(game?.game_id ?? ''))
    await one.take()
    graph.calls.take()
    const all = await subscribe(graph)
    await all.take()
    expect(graph.calls.take()).toEqual(['game/getScores 1'])
    other.home_score = 170
    await vi.advanceTimersByTimeAsync(16_000)
    expect((await all.take()).map(({ data }) => data.scores['homeScore'])).toEqual([170])
    await all.end()
    const ids = () => graph.calls.sent.flatMap(({ arguments: { game_id } }) => game_id ?? [])
    await vi.advanceTimersByTimeAsync(16_000)
    const before = ids().length
    await vi.advanceTimersByTimeAsync(16_000)
    expect(new Set(ids().slice(before))).toEqual(new Set([game?.game_id]))
    expect(await one.take()).toEqual([])
    await one.end()
  })

  test('what is selected of a single game is bought together with its line', async () => {
    const { graph, live } = livingDay()
    const id = live[0]?.game_id ?? ''
    const { take, end } = await subscribe(
      graph,
      '',
      {},
      '',
      `game(id: "${id}") { homeTeamId prediction { homePercentage } odds { live { over } } }`,
    )
    expect(await take()).toHaveLength(1)
    expect(graph.calls.take()).toEqual(['game/getScores 1', 'game/read 1'])
    await end()
  })

  test('after the last final a day is polled every five minutes, because a game may be added, until it is over', async () => {
    const { graph, rows } = livingDay()
    const [added, row] = Object.entries(rows)[0] ?? ['', {}]
    delete rows[added]
    const { take, end } = await subscribe(graph)
    await take()
    for (const row of Object.values(rows)) row.status = 'final'
    const told = []
    for (let minute = 0; minute < 12; minute += 0.5) {
      await vi.advanceTimersByTimeAsync(30_000)
      told.push(...(await take()))
    }
    expect(told.at(-1)?.extensions.live).toMatchObject({ intervalSeconds: 300 })
    graph.calls.take()
    Object.assign(rows, { [added]: row })
    await vi.advanceTimersByTimeAsync(330_000)
    // The rows of this day name no teams, so its games are smaller than its scores.
    expect(graph.calls.take()).toEqual(['game/getGames 1'])
    expect((await take()).map(({ data }) => data?.scores.gameId)).toEqual([added])
    // Noon of the next day in UTC, when it is over everywhere.
    await vi.advanceTimersByTimeAsync(17 * 3_600_000)
    graph.calls.take()
    await vi.advanceTimersByTimeAsync(pastStart)
    expect(graph.calls.take()).toEqual([])
    await end()
  })

  /** Every game of the day starts so many seconds from now. */
  function startIn(rows: Rows, seconds: number) {
    for (const row of Object.values(rows)) {
      row.status = 'scheduled'
      row.start_timestamp = Math.floor(sampleNow / 1_000) + seconds
      row.start_datetime = new Date(row.start_timestamp * 1_000).toISOString()
    }
  }

  /** Lets time go by; in which of its seconds polls were made. */
  async function pollsIn(graph: ReturnType<typeof livingDay>['graph'], seconds: number) {
    const polls: number[] = []
    for (let second = 1; second <= seconds; second += 1) {
      await vi.advanceTimersByTimeAsync(1_000)
      if (graph.calls.take().length > 0) polls.push(second)
    }
    return polls
  }

  const everyFiveMinutes = (count: number) => Array.from({ length: count }, (_, at) => 300 * (at + 1))

  test('before its games a day is polled every five minutes, then at their start, and every 15 seconds', async () => {
    const { graph, rows } = livingDay()
    startIn(rows, 3_500)
    const { take, end } = await subscribe(graph)
    expect((await take())[0]?.extensions.live).toMatchObject({ intervalSeconds: 300 })
    graph.calls.take()
    expect(await pollsIn(graph, 3_499)).toEqual(everyFiveMinutes(11))
    expect(await take()).toEqual([])
    for (const row of Object.values(rows)) row.status = 'in_progress'
    const played = await pollsIn(graph, 61)
    expect(played).toHaveLength(5)
    expect(played[0]).toBeLessThanOrEqual(2)
    const told = await take()
    expect(told).toHaveLength(Object.keys(rows).length)
    expect(told.at(-1)?.extensions.live).toMatchObject({ intervalSeconds: 15 })
    await end()
  })

  test('a day of next week is polled every five minutes', async () => {
    const { graph, rows } = livingDay()
    startIn(rows, 7 * 86_400)
    const { take, end } = await subscribe(graph)
    expect((await take())[0]?.extensions.live).toMatchObject({ intervalSeconds: 300 })
    graph.calls.take()
    expect(await pollsIn(graph, 3_601)).toEqual(everyFiveMinutes(12))
    expect(await take()).toEqual([])
    await end()
  })

  test('polls become rarer as the budget tightens, and events say so', async () => {
    const { graph, live } = livingDay({ budget: 10_000 })
    const { take, end } = await subscribe(graph)
    const [first] = await take()
    expect(first?.extensions.live).toMatchObject({ intervalSeconds: 15 })
    const { ledger } = graph.upstream.accountOf('sample-paid')
    const day = `${ledger.totals().month}-01`
    ledger.add({ day, tokens: 9_000 - ledger.totals().tokens, bytes: 0, estimated: 0, calls: 0 })
    for (const game of live) game.home_score = 111
    await vi.advanceTimersByTimeAsync(16_000)
    const [slower] = await take()
    expect(slower?.extensions.live).toMatchObject({ intervalSeconds: 60, slowedBy: 4 })
    graph.calls.take()
    await vi.advanceTimersByTimeAsync(55_000)
    expect(graph.calls.take()).toEqual([])
    await end()
  })
})
