import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Incoming } from '../../src/wire/transport.ts'
import { Waiters } from '../../src/wire/waiters.ts'
import { basketball, season, startSample, today, teamsOfToday } from '../graph/harness.ts'
import type { Answer, Graph, GraphOptions, Sample } from '../graph/harness.ts'

let sample: Sample
let teams: string[]

beforeAll(async () => {
  sample = await startSample()
  teams = await teamsOfToday(sample)
})
afterAll(() => sample.close())

const day = `{ league { games(date: "${today}") { homeTeam { name stats { points { rank } } } } } }`
const named = (id: string | undefined) => `{ team(id: "${id}") { name } }`
const stats = (ids: readonly string[]) =>
  `{ ${ids.map((id, at) => `t${at}: team(id: "${id}") { stats(season: ${season}) { games } }`).join(' ')} }`

const codes = ({ errors = [] }: Answer<unknown>) => new Set(errors.map(({ extensions }) => extensions?.code))

/** The service, at so many times its price. */
const dearer =
  (times: number) =>
  (answer: Incoming): Incoming => {
    const tokens = Number(answer.headers['x-request-usage'])
    return { ...answer, headers: { ...answer.headers, 'x-request-usage': String(tokens * times) } }
  }

async function month(graph: Graph): Promise<{ readonly tokens: number; readonly calls: number }> {
  const { data } = await graph.query<{ usage: { tokens: number; calls: number } }>(
    '{ usage { tokens calls } }',
  )
  return data.usage
}

describe('a limit of tokens', () => {
  test('refuses a query before anything is spent, with its estimate', async () => {
    const graph = sample.graph()
    const answer = await graph.query(day, { extensions: { maxTokens: 5 } })
    expect(answer.data).toBeNull()
    expect(answer.errors).toHaveLength(1)
    expect(answer.errors?.[0]?.extensions).toMatchObject({
      code: 'QUERY_TOO_EXPENSIVE',
      maxTokens: 5,
      estimate: { tokens: { from: expect.any(Number), to: expect.any(Number) } },
    })
    expect(answer.extensions.usage).toEqual({ tokens: 0, bytes: 0, calls: 0, cacheHits: 0 })
    expect(graph.calls.take()).toEqual([])
  })

  test('of the server holds for every query, and a request can only lower it', async () => {
    const graph = sample.graph({ queryLimits: { maxTokens: 5, maxCalls: null } })
    for (const extensions of [{}, { maxTokens: 1_000_000 }])
      expect(codes(await graph.query(day, { extensions }))).toEqual(new Set(['QUERY_TOO_EXPENSIVE']))
    expect(codes(await graph.query(named(teams[0]), { extensions: { maxTokens: 0 } }))).toEqual(
      new Set(['QUERY_TOO_EXPENSIVE']),
    )
    expect(graph.calls.take()).toEqual([])
    expect(codes(await graph.query(named(teams[0])))).toEqual(new Set())
    expect(graph.calls.take()).toEqual(['team/read 1'])
  })

  test('holds after days without games, which say nothing of the size of a day with games', async () => {
    const graph = sample.graph({ budget: 1_000 })
    const scores = (date: string) => `games(date: "${date}") { homeScore }`
    const days = Array.from({ length: 30 }, (_, nth) => `2024-07-${String(nth + 1).padStart(2, '0')}`)
    const empty = await graph.query(
      `{ league { ${days.map((date, nth) => `d${nth}: ${scores(date)}`).join(' ')} } }`,
    )
    expect(empty.errors).toBeUndefined()
    expect(graph.calls.take()).toHaveLength(30)
    const busy = `{ league { ${scores(today)} } }`
    const { data, errors, extensions } = await graph.query(busy, { extensions: { maxTokens: 2 } })
    expect([data, errors?.map((error) => error.extensions)]).toEqual([
      { league: { games: null } },
      [{ code: 'QUERY_TOO_EXPENSIVE', needed: expect.any(Number), remaining: 2 }],
    ])
    expect(extensions.usage.tokens).toBe(0)
    expect(graph.calls.take()).toEqual([])
    const free = await graph.query(`{ league { ${scores('2024-08-01')} } }`, {
      extensions: { explain: 'dry' },
    })
    expect(free.extensions).toMatchObject({ estimate: { tokens: { from: 1, to: expect.any(Number) } } })
    const { usage } = (await graph.query(busy)).extensions
    expect(usage.tokens).toBeGreaterThan(2)
    expect(graph.calls.take()).toEqual(['game/getScores 1'])
  })

  test('of nothing still answers from rows that are there', async () => {
    const graph = sample.graph()
    const before = await graph.query(day)
    graph.calls.take()
    const { data, errors } = await graph.query(day, { extensions: { maxTokens: 0 } })
    expect([data, errors]).toEqual([before.data, undefined])
    expect(graph.calls.take()).toEqual([])
  })

  const daysOf = async (...dates: readonly string[]) => {
    const rows = dates.map((start_date) => sample.rows('game/getGames', { ...basketball, start_date }))
    return (await Promise.all(rows)).flat().map(({ game_id }) => String(game_id))
  }
  const predictions = (ids: readonly string[]) =>
    `{ games(ids: ${JSON.stringify(ids)}) { prediction { homePercentage } } }`
  test('refuses no games by id for days that they may share', async () => {
    const ids = await daysOf(today, '2026-02-13', '2026-02-12')
    expect(ids.length).toBeGreaterThan(8)
    const graph = sample.graph({ queryLimits: { maxTokens: 1_000, maxCalls: 4 } })
    const { data, errors } = await graph.query(predictions(ids))
    expect(errors).toBeUndefined()
    expect(data['games']).toHaveLength(ids.length)
    expect(graph.calls.take()).toEqual([
      'game/getScores 1',
      'game/getScores 1',
      'game/getScores 1',
      `game/read ${ids.length}`,
    ])
  })

  test('skips the calls that no longer fit when answers are dearer than estimated', async () => {
    const times = 40
    const graph = sample.graph({ between: async (request, service) => dearer(times)(await service(request)) })
    const answer = await graph.query<Record<string, unknown>>(day, { extensions: { maxTokens: 500 } })
    const free = await sample
      .graph({ between: async (request, service) => dearer(times)(await service(request)) })
      .query(day)
    expect(free.extensions.usage.tokens).toBeGreaterThan(1_000)
    expect(codes(answer)).toEqual(new Set(['QUERY_TOO_EXPENSIVE']))
    expect(answer.data).not.toBeNull()
    expect(answer.extensions.usage.tokens).toBeLessThanOrEqual(900)
  })

  test('is not missed forever because one bill was dear', async () => {
    let times = 20
    const graph = sample.graph({
      queryLimits: { maxTokens: 50, maxCalls: null },
      between: async (request, service) => dearer(times)(await service(request)),
    })
    const games = (date: string) => `{ league { games(date: "${date}") { gameId } } }`
    const dates = Array.from({ length: 10 }, (_, nth) => `2026-02-${String(nth + 1).padStart(2, '0')}`)
    expect(codes(await graph.query(games(today)))).toEqual(new Set())
    times = 1
    for (const date of dates) {
      const answer = await graph.query(games(date))
      expect(codes(answer)).toEqual(new Set())
      expect(answer.extensions.usage.tokens).toBeLessThanOrEqual(50)
    }
    expect(graph.calls.take()).toEqual(Array(11).fill('game/getScores 1'))
  })

  test('is not missed forever because small answers have a minimum price', async () => {
    const graph = sample.graph({
      queryLimits: { maxTokens: 150, maxCalls: null },
      between: async (request, service) => {
        const answer = await service(request)
        const tokens = 100 + Math.ceil(answer.bytes / 1024)
        return { ...answer, headers: { ...answer.headers, 'x-request-usage': String(tokens) } }
      },
    })
    const games = (date: string) => `{ league { games(date: "${date}") { homeTeam { name } } } }`
    expect((await graph.query(games('2026-07-01'))).extensions.usage.tokens).toBe(101)
    expect(codes(await graph.query(games(today)))).toEqual(new Set())
  })

  test('bounds a large query of many aliases', async () => {
    const text = stats(Array.from({ length: 170 }, (_, at) => teams[at % teams.length] ?? ''))
    expect(text.length).toBeGreaterThan(10_000)
    const graph = sample.graph({ queryLimits: { maxTokens: 60, maxCalls: 1_000 } })
    const { errors, extensions } = await graph.query(text)
    expect(new Set(errors?.map((error) => error.extensions?.code))).toEqual(new Set(['QUERY_TOO_EXPENSIVE']))
    expect(extensions.usage.tokens).toBeLessThanOrEqual(60)
  })

  test.each([['5'], [-1], [[]], [{}]])('that is no number of tokens is refused: %j', async (maxTokens) => {
    const graph = sample.graph()
    expect(codes(await graph.query(named(teams[0]), { extensions: { maxTokens } }))).toEqual(
      new Set(['BAD_USER_INPUT']),
    )
    expect(graph.calls.take()).toEqual([])
  })
})

describe('a limit of calls', () => {
  test('skips the calls beyond it, with the code on their fields', async () => {
    const graph = sample.graph({ queryLimits: { maxTokens: null, maxCalls: 3 } })
    const ids = teams.slice(0, 8)
    const answer = await graph.query<Record<string, { stats: unknown }>>(stats(ids))
    expect(graph.calls.take()).toEqual(['team/getStats 1', 'team/getStats 1', 'team/getStats 1'])
    expect(codes(answer)).toEqual(new Set(['QUERY_TOO_EXPENSIVE']))
    expect(Object.values(answer.data).filter((team) => team.stats !== null)).toHaveLength(3)
    const again = await graph.query(stats(ids))
    expect(graph.calls.take()).toHaveLength(3)
    expect(again.errors).toHaveLength(2)
  })
})

describe('requests side by side', () => {
  test('do not fail for the limit of another that they share a call with', async () => {
    const graph = sample.graph()
    const [limited, ...free] = await Promise.all([
      graph.query(named(teams[0]), { extensions: { maxTokens: 1 } }),
      ...teams.slice(1).map((id) => graph.query<Record<string, unknown>>(named(id))),
    ])
    for (const { data, errors } of free) {
      expect(errors).toBeUndefined()
      expect(data['team']).toMatchObject({ name: expect.any(String) })
    }
    expect(limited.errors).toBeUndefined()
    expect(limited.extensions.usage.tokens).toBeLessThanOrEqual(1)
    const paid = [limited, ...free].reduce((sum, { extensions }) => sum + extensions.usage.tokens, 0)
    expect((await month(graph)).tokens).toBe(paid)
  })

  test('that together need more than each of them may spend are answered one by one', async () => {
    const graph = sample.graph()
    const answers = await Promise.all(
      teams.map((id) => graph.query<Record<string, unknown>>(named(id), { extensions: { maxTokens: 1 } })),
    )
    expect(answers.flatMap(({ errors = [] }) => errors)).toEqual([])
    for (const { extensions } of answers) expect(extensions.usage.tokens).toBeLessThanOrEqual(1)
  })

  test('that asks for the same as one with a lower limit is answered', async () => {
    const graph = sample.graph({ between: async (request, service) => dearer(30)(await service(request)) })
    await graph.query(named(teams[0]))
    const elo = `{ league { elo(season: ${season}) { elo } } }`
    const [low, high] = await Promise.all([
      graph.query(elo, { extensions: { maxTokens: 40 } }),
      graph.query<Record<string, unknown>>(elo, { extensions: { maxTokens: 1_000_000 } }),
    ])
    expect(high.errors).toBeUndefined()
    expect(codes(low).has('INTERNAL_SERVER_ERROR')).toBe(false)
  })
})

describe('a limit beside a call that another request has in flight', () => {
  const games = `{ league { games(date: "${today}") { gameId } } }`
  const names = (count: number) => `{ teams(ids: ${JSON.stringify(teams.slice(0, count))}) { name } }`
  const tokensOf = ({ extensions }: Answer<unknown>) =>
    (extensions as { readonly estimate?: { readonly tokens: object } }).estimate?.tokens

  /** A graph whose first call waits, as soon as a query has sent it, and what lets it go. */
  async function whileWaiting(text: string, options: GraphOptions = {}) {
    let end = () => {}
    const hanging = new Promise<void>((resolve) => (end = resolve))
    let sent = 0
    const graph = sample.graph({
      ...options,
      between: async (request, service) => {
        if ((sent += 1) === 1) await hanging
        return await service(request)
      },
    })
    const first = graph.query(text)
    await expect.poll(() => sent).toBe(1)
    return { graph, first, end, sent: () => sent }
  }

  test.each([
    ['a row', () => named(teams[0]), 'team/read 1'],
    ['several rows', () => names(3), 'team/read 3'],
    ['a list', () => games, 'game/getScores 1'],
  ])('of nothing refuses no query that shares it: %s', async (_what, text, call) => {
    const { graph, first, end } = await whileWaiting(text())
    const dry = await graph.query(text(), { extensions: { explain: 'dry' } })
    expect(tokensOf(dry)).toEqual({ from: 0, to: 0 })
    expect(dry.extensions.plan).toMatchObject([{ source: 'SHARED', tokens: 0 }])
    const joins = vi.spyOn(Waiters.prototype, 'add')
    let isRefused = false
    const second = graph.query(text(), { extensions: { maxTokens: 0 } })
    void second.then(() => (isRefused = true))
    await expect.poll(() => isRefused || joins.mock.calls.length > 0).toBe(true)
    joins.mockRestore()
    end()
    const [paid, shared] = await Promise.all([first, second])
    expect([shared.errors, shared.data]).toEqual([undefined, paid.data])
    expect(graph.calls.take()).toEqual([call])
    expect(shared.extensions.usage).toMatchObject({ tokens: 0, calls: 0, cacheHits: 1 })
  })

  test('counts what the query has to buy beside it', async () => {
    const { graph, first, end, sent } = await whileWaiting(names(2))
    const refused = await graph.query(names(3), { extensions: { maxTokens: 0 } })
    expect(codes(refused)).toEqual(new Set(['QUERY_TOO_EXPENSIVE']))
    expect(refused.errors?.[0]?.extensions).toMatchObject({ estimate: { calls: { from: 1, to: 1 } } })
    const second = graph.query(names(3), { extensions: { maxTokens: 100 } })
    await expect.poll(sent).toBe(2)
    end()
    const [, { data, errors, extensions }] = await Promise.all([first, second])
    expect([errors, data['teams']]).toMatchObject([undefined, { length: 3 }])
    expect(graph.calls.take()).toEqual(['team/read 1', 'team/read 2'])
    expect(extensions.usage).toMatchObject({ tokens: 1, calls: 1, cacheHits: 1 })
  })

  test('of calls does not count it', async () => {
    const queryLimits = { maxTokens: 1_000, maxCalls: 1 }
    const { graph, first, end, sent } = await whileWaiting(named(teams[0]), { queryLimits })
    const second = graph.query(`{ team(id: "${teams[0]}") { name stats(season: ${season}) { games } } }`)
    await expect.poll(sent).toBe(2)
    end()
    const answers = await Promise.all([first, second])
    expect(answers.flatMap(({ errors = [] }) => errors)).toEqual([])
    expect(graph.calls.take()).toEqual(['team/getStats 1', 'team/read 1'])
    expect(answers[1].extensions.usage).toMatchObject({ calls: 1, cacheHits: 1 })
  })
})

describe('budgets of clients', () => {
  const budgets = new Map([
    ['scoreboard', 1],
    ['*', 2],
  ])
  const as = (name: string) => ({ headers: { 'graphql-client-name': name } })

  test('are each client’s own, and * is what all others share', async () => {
    const graph = sample.graph({ clientBudgets: budgets })
    const of = async (at: number, name: string) => codes(await graph.query(named(teams[at]), as(name)))
    expect(await of(0, 'scoreboard')).toEqual(new Set())
    expect(await of(1, 'scoreboard')).toEqual(new Set(['BUDGET_EXCEEDED']))
    expect(await of(1, 'report')).toEqual(new Set())
    expect(await of(2, 'made-up')).toEqual(new Set())
    expect(await of(3, 'made-up too')).toEqual(new Set(['BUDGET_EXCEEDED']))
    expect(await of(3, '*')).toEqual(new Set(['BUDGET_EXCEEDED']))
    expect(graph.calls.take()).toHaveLength(3)
  })

  test.each([
    ['first', ['spent', 'report']],
    ['last', ['report', 'spent']],
  ])(
    'that are spent fail no other client that asks for the same at once, whoever asks %s',
    async (_, names) => {
      const clientBudgets = new Map([
        ['spent', 0],
        ['report', 100],
      ])
      const graph = sample.graph({ clientBudgets })
      const elo = `{ league { elo(season: ${season}) { elo } } }`
      for (const [query, calls] of [
        [named(teams[0]), 1],
        [elo, 1],
        [stats(teams.slice(0, 2)), 2],
      ] as const) {
        const answers = await Promise.all(
          names.map(async (name) => [name, await graph.query(query, as(name))] as const),
        )
        const { report, spent } = Object.fromEntries(answers)
        expect(report && codes(report)).toEqual(new Set())
        expect(spent?.extensions.usage.tokens).toBe(0)
        expect(graph.calls.take()).toHaveLength(calls)
      }
    },
  )

  /** Tokens in the ledger, by client. */
  async function booked(graph: Graph): Promise<Record<string, number>> {
    const tokens: Record<string, number> = {}
    for (const one of await graph.upstream.ledgers.books.store.spending('2026-02-01', '2026-02-31'))
      tokens[one.client] = (tokens[one.client] ?? 0) + one.tokens
    return tokens
  }

  const manyNames = (ids: readonly string[]) => `{ teams(ids: ${JSON.stringify(ids)}) { name } }`

  test.each([
    ['first', ['spent', 'report']],
    ['last', ['report', 'spent']],
  ])('that are spent buy nothing with a call that others need too, whoever asks %s', async (_, names) => {
    const graph = sample.graph({ clientBudgets: new Map([['spent', 0]]) })
    const own: Record<string, readonly string[]> = { spent: teams.slice(0, 4), report: teams.slice(4, 6) }
    const answers = await Promise.all(
      names.map(async (name) => [name, await graph.query(manyNames(own[name] ?? []), as(name))] as const),
    )
    const { report, spent } = Object.fromEntries(answers)
    expect(report && codes(report)).toEqual(new Set())
    expect(spent && codes(spent)).toEqual(new Set(['BUDGET_EXCEEDED']))
    expect(graph.calls.take()).toEqual(['team/read 2'])
    expect(Object.keys(await booked(graph))).toEqual(['report'])
    expect(report?.extensions.usage.calls).toBe(1)
    expect(spent?.extensions.usage).toMatchObject({ calls: 0, cacheHits: 0 })
  })

  test('leave the others together, if one of them is spent', async () => {
    const graph = sample.graph({ clientBudgets: new Map([['spent', 0]]) })
    const answers = await Promise.all(
      teams.slice(0, 6).map((id, at) => graph.query(named(id), as(at === 2 ? 'spent' : `app ${at}`))),
    )
    expect(answers.map((answer) => [...codes(answer)])).toEqual([[], [], ['BUDGET_EXCEEDED'], [], [], []])
    expect(graph.calls.take()).toEqual(['team/read 5'])
  })

  /** Asks at once, in this order. */
  const ask = async (
    graph: Graph,
    asks: readonly (readonly [client: string, query: string, maxTokens?: number])[],
  ) =>
    await Promise.all(
      asks.map(([client, query, maxTokens]) =>
        graph.query(query, { ...as(client), ...(maxTokens !== undefined && { extensions: { maxTokens } }) }),
      ),
    )
  const codesOf = (answers: readonly Answer<unknown>[]) => answers.map((answer) => [...codes(answer)])
  const spentBudget = ['BUDGET_EXCEEDED']

  test.each([[['s1', 's2', 'ok']], [['ok', 's1', 's2']], [['s1', 'ok', 's2']]])(
    'fail no other client if several are spent: %j',
    async (clients) => {
      for (const query of [`{ league { elo(season: ${season}) { elo } } }`, named(teams[0])]) {
        const clientBudgets = new Map([
          ['s1', 0],
          ['s2', 0],
          ['ok', 1_000],
        ])
        const graph = sample.graph({ clientBudgets })
        const answers = await ask(
          graph,
          clients.map((name) => [name, query] as const),
        )
        expect(codesOf(answers)).toEqual(clients.map((name) => (name === 'ok' ? [] : spentBudget)))
        expect(graph.calls.take()).toHaveLength(1)
        expect(Object.keys(await booked(graph))).toEqual(['ok'])
      }
    },
  )

  test.each([
    {
      what: 'columns',
      known: (id: string) => `{ team(id: "${id}") { roster(season: ${season}) { firstName } } }`,
      wanted: (id: string) => `{ team(id: "${id}") { roster(season: ${season}) { firstName college } } }`,
      calls: ['player/read 11'],
    },
    {
      what: 'linked rows',
      known: (id: string) => `{ team(id: "${id}") { games(season: ${season}) { homeTeamId awayTeamId } } }`,
      wanted: (id: string) => `{ team(id: "${id}") { games(season: ${season}) { homeTeam { name } } } }`,
      calls: ['team/read 15'],
    },
  ])('that are spent take no $what of a list from another client', async ({ known, wanted, calls }) => {
    const [id = ''] = teams
    const alone = sample.graph()
    await alone.query(known(id))
    const { data } = await alone.query(wanted(id))
    const clientBudgets = new Map([
      ['spent', 0],
      ['ok', 1_000],
    ])
    const graph = sample.graph({ clientBudgets })
    await graph.query(known(id), as('ok'))
    graph.calls.take()
    const [spent, ok] = await ask(graph, [
      ['spent', wanted(id)],
      ['ok', wanted(id)],
    ])
    expect(spent && codesOf([spent])).toEqual([spentBudget])
    expect(ok?.errors).toBeUndefined()
    expect(ok?.data).toEqual(data)
    expect(graph.calls.take()).toEqual(calls)
    expect(ok?.extensions.usage).toMatchObject({ calls: 1 })
    expect((await booked(graph))['ok']).toBe((await month(graph)).tokens)
  })

  test('leave the others together that have budgets of their own, if one is spent', async () => {
    const clientBudgets = new Map([
      ['spent', 0],
      ['b', 1_000],
      ['c', 1_000],
    ])
    const rows = await sample.rows('game/getGames', { ...basketball, start_date: today })
    const ids = rows.map(({ game_id }) => String(game_id))
    const history = (from: number, to: number) =>
      `{ games(ids: ${JSON.stringify(ids.slice(from, to))}) { odds { history { live } } } }`
    const graph = sample.graph({ clientBudgets })
    const [, b, c] = await ask(graph, [
      ['spent', history(0, 1)],
      ['b', history(0, 6)],
      ['c', history(1, 7)],
    ])
    expect(b && c && codesOf([b, c])).toEqual([[], []])
    expect(graph.calls.take()).toEqual(['odds/read 7'])
    const tokens = await booked(graph)
    expect(tokens['b']).toBeGreaterThan(0)
    expect(tokens['c']).toBeGreaterThan(0)
    expect(tokens['spent']).toBeUndefined()
  })

  test('leave each of the others its own call, if their limits do not cover a common one', async () => {
    const graph = sample.graph({ clientBudgets: new Map([['spent', 0]]) })
    const answers = await ask(graph, [
      ['spent', manyNames(teams.slice(8, 10)), 100],
      ['a', manyNames(teams.slice(0, 4)), 2],
      ['b', manyNames(teams.slice(4, 8)), 2],
    ])
    expect(codesOf(answers)).toEqual([spentBudget, [], []])
    expect(graph.calls.take()).toEqual(['team/read 4', 'team/read 4'])
  })

  test('that are spent let no other client wait for calls that are under way', async () => {
    let end = () => {}
    const hanging = new Promise<void>((resolve) => (end = resolve))
    let sent = 0
    const graph = sample.graph({
      clientBudgets: new Map([['spent', 0]]),
      between: async (request, service) => {
        if ((sent += 1) === 1) await hanging
        return await service(request)
      },
    })
    const first = graph.query(named(teams[0]), as('slow'))
    await expect.poll(() => sent).toBe(1)
    const answers = await ask(graph, [
      ['ok', named(teams[1])],
      ['spent', named(teams[2])],
    ])
    end()
    expect(codesOf([...answers, await first])).toEqual([[], spentBudget, []])
    expect(graph.calls.take()).toEqual(['team/read 1', 'team/read 1'])
  })

  test('that are spent fail no other client where a plan allows single rows only', async () => {
    const rows = await sample.rows('game/getGames', { ...basketball, start_date: today })
    const [other, game] = rows.map(({ game_id }) => String(game_id))
    const graph = sample.graph({ apiKey: 'sample-trial', clientBudgets: new Map([['spent', 0]]) })
    const boxscores = (id = '') => `{ game(id: "${id}") { boxscores { stat(name: "points") } } }`
    await graph.query(boxscores(other), as('ok'))
    await graph.query(`{ game(id: "${game}") { homeTeamId awayTeamId status } }`, as('ok'))
    const answers = await ask(graph, [
      ['spent', boxscores(game)],
      ['ok', boxscores(game)],
    ])
    expect(codesOf(answers)).toEqual([spentBudget, []])
  })

  test.each([
    ['one after the other', 1],
    ['at once', 100],
  ])('are kept in calls that others need too, %s', async (_, atOnce) => {
    const graph = sample.graph({ clientBudgets: new Map([['small', 10]]) })
    const all = await sample
      .graph()
      .query<{ league: { teams: { id: string }[] } }>('{ league { teams { id } } }')
    const ids = all.data.league.teams.map(({ id }) => id)
    const pairs = Math.floor(ids.length / 2)
    const pair = async (at: number) =>
      await Promise.all([
        graph.query(stats([ids[2 * at] ?? '']), as('small')),
        graph.query(stats([ids[2 * at + 1] ?? '']), as('large')),
      ])
    const answers = []
    for (let at = 0; at < pairs; at += atOnce) {
      const turn = Array.from({ length: Math.min(atOnce, pairs - at) }, (_one, nth) => pair(at + nth))
      answers.push(...(await Promise.all(turn)))
    }
    for (const [, large] of answers) expect(codes(large)).toEqual(new Set())
    expect(answers.flatMap(([small]) => [...codes(small)])).toContain('BUDGET_EXCEEDED')
    const { small = 0, large = 0 } = await booked(graph)
    expect(small).toBeGreaterThan(0)
    expect(small).toBeLessThanOrEqual(10)
    expect(small + large).toBe((await month(graph)).tokens)
  })

  test('know Apollo’s header too, and tell what remains', async () => {
    const graph = sample.graph({ clientBudgets: budgets, budget: 100 })
    const apollo = { headers: { 'apollographql-client-name': 'scoreboard' } }
    const { extensions } = await graph.query(named(teams[0]), apollo)
    expect(extensions.usage).toMatchObject({ tokens: 1, remaining: 0 })
  })

  test.each([
    ['a key’s', { budget: 100 }],
    ['a client’s', { clientBudgets: new Map([['scoreboard', 100]]) }],
  ])('near the end of %s, one call at most is dearer than what is left', async (_, limits) => {
    const times = 30
    const graph = sample.graph({
      ...limits,
      between: async (request, service) => dearer(times)(await service(request)),
    })
    const ask = async (at: number) => await graph.query(stats(teams.slice(at, at + 2)), as('scoreboard'))
    const answers = await Promise.all(teams.slice(0, 12).map((_team, at) => ask(at)))
    const bought = graph.calls.take().length
    const { tokens } = await month(graph)
    expect(answers.flatMap((answer) => [...codes(answer)])).toContain('BUDGET_EXCEEDED')
    // All cost the same: the budget was not yet spent before the last one.
    expect(tokens).toBeGreaterThanOrEqual(100 - times)
    expect(tokens - tokens / bought).toBeLessThanOrEqual(100)
  })

  test('are enough for a first call of its kind if they cover its usual size', async () => {
    const clientBudgets = new Map([['scoreboard', 60]])
    const graph = sample.graph({ clientBudgets, budget: 20_000 })
    const day = `{ league { games(date: "${today}") { homeScore homeTeam { name } } } }`
    const answer = await graph.query(day, as('scoreboard'))
    expect(codes(answer)).toEqual(new Set())
    const { tokens } = await month(graph)
    expect(answer.extensions.usage).toMatchObject({ calls: 1, tokens, remaining: 60 - tokens })
    expect(graph.calls.take()).toEqual(['game/getGames 1'])
  })

  test('stay within the total', async () => {
    const graph = sample.graph({ clientBudgets: new Map([['scoreboard', 1_000]]), budget: 0 })
    expect(codes(await graph.query(named(teams[0]), as('scoreboard')))).toEqual(new Set(['BUDGET_EXCEEDED']))
  })
})
