import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { basketball, season, startSample, today, teamsOfToday } from './harness.ts'
import type { Answer, Graph, Sample } from './harness.ts'
import { answerOf, operationOf } from './spoiled.ts'
import { TimeoutError, UnavailableError } from '../../src/errors/errors.ts'
import { sampleNow } from '../sample.setup.ts'
import { within } from '../service/client.ts'
import type { Json } from '../service/client.ts'

let sample: Sample
let teams: string[]

beforeAll(async () => {
  sample = await startSample()
  teams = await teamsOfToday(sample)
})
afterAll(() => sample.close())
afterEach(() => vi.useRealTimers())

interface Totals {
  readonly month: string
  readonly tokens: number
  readonly bytes: number
  readonly calls: number
  readonly budget: number | null
  readonly remaining: number | null
}

async function totals(graph: Graph): Promise<Totals> {
  const { data, extensions } = await graph.query<{ usage: Totals }>(
    '{ usage { month tokens bytes calls budget remaining } }',
  )
  expect(extensions.usage).toMatchObject({ tokens: 0, bytes: 0, calls: 0 })
  return data.usage
}

const codes = ({ errors = [] }: Answer<unknown>) =>
  errors.map(({ path, extensions }) => [path?.join('.'), extensions?.code])
const named = (id: string | undefined) => `{ team(id: "${id}") { name } }`

describe('the month’s totals', () => {
  test('begin at nothing, without a bound', async () => {
    expect(await totals(sample.graph())).toEqual({
      month: '2026-02',
      tokens: 0,
      bytes: 0,
      calls: 0,
      budget: null,
      remaining: null,
    })
  })

  test('are the sum of what each request was told, and of what was sent', async () => {
    const graph = sample.graph({ budget: 1_000 })
    const answers = await Promise.all([
      graph.query(named(teams[0])),
      graph.query(`{ league { games(date: "${today}") { homeTeam { name elo { elo } } } } }`),
      graph.query(`{ team(id: "${teams[0]}") { stats(season: ${season}) { games } } }`),
    ])
    const tokens = answers.reduce((sum, { extensions }) => sum + extensions.usage.tokens, 0)
    const bytes = graph.calls.sent.reduce((sum, call) => sum + call.bytes, 0)
    expect(await totals(graph)).toEqual({
      month: '2026-02',
      tokens,
      bytes,
      calls: graph.calls.sent.length,
      budget: 1_000,
      remaining: 1_000 - tokens,
    })
  })
})

describe('a budget', () => {
  test('of nothing lets nothing through but what costs nothing', async () => {
    const graph = sample.graph({ budget: 0 })
    const answer = await graph.query<Json>(
      `{ league { organization { organizationId } games(date: "${today}") { status } } team(id: "${teams[0]}") { teamId name } }`,
    )
    expect(codes(answer).toSorted()).toEqual([
      ['league.games', 'BUDGET_EXCEEDED'],
      ['team.name', 'BUDGET_EXCEEDED'],
    ])
    expect(answer.data).toMatchObject({
      league: { organization: { organizationId: basketball.organization_id }, games: null },
      team: { teamId: teams[0], name: null },
    })
    expect(graph.calls.take()).toEqual([])
  })

  test('that is spent fails only the fields that would cost, and what is at hand is still served', async () => {
    const graph = sample.graph({ budget: 8 })
    const before = await graph.query<Json>(named(teams[0]))
    expect(before.errors).toBeUndefined()
    await graph.query(`{ league { elo(season: ${season}) { elo } } }`)
    graph.calls.take()
    const answer = await graph.query<Json>(
      `{ team(id: "${teams[0]}") { name primaryColor } league { ranking(subject: TEAM, season: ${season}, orderBy: "points") { totalCount } } }`,
    )
    expect(codes(answer)).toEqual([['league.ranking', 'BUDGET_EXCEEDED']])
    expect(answer.data['team']).toMatchObject({ name: within(before.data, 'team')['name'] })
    expect(graph.calls.take()).toEqual([])
  })

  test('that is smaller than a guess still gets its first call, whose bill shows its size', async () => {
    const graph = sample.graph({
      budget: 10,
      between: async (request, service) => {
        const day = Object.entries(JSON.parse((await service(request)).body) as Json)
        return answerOf(Object.fromEntries(day.slice(0, 3)), { headers: { 'x-request-usage': '3' } })
      },
    })
    const scores = (date: string) => `{ league { games(date: "${date}") { homeScore } } }`
    for (const date of [today, '2026-02-07', '2026-02-01']) {
      const { errors, extensions } = await graph.query(scores(date))
      expect([errors, extensions.usage.tokens]).toEqual([undefined, 3])
      expect(graph.calls.take()).toEqual(['game/getScores 1'])
    }
    expect(codes(await graph.query(scores('2026-01-31')))).toEqual([['league.games', 'BUDGET_EXCEEDED']])
    expect(graph.calls.take()).toEqual([])
    expect(await totals(graph)).toMatchObject({ tokens: 9, remaining: 1 })
  })

  test('that does not cover a call is told with what was needed and what remains', async () => {
    const elo = `{ league { elo(season: ${season}) { elo } } }`
    const shortage = { needed: expect.any(Number), remaining: 3 }
    const ofKey = sample.graph({ budget: 3 })
    const { data, errors = [] } = await ofKey.query(elo)
    expect(data).toEqual({ league: { elo: null } })
    expect(errors[0]?.extensions).toEqual({ code: 'BUDGET_EXCEEDED', ...shortage })
    expect(errors[0]?.extensions?.needed).toBeGreaterThan(3)
    expect(ofKey.calls.take()).toEqual([])
    const ofClient = sample.graph({ budget: 1_000, clientBudgets: new Map([['*', 3]]) })
    expect((await ofClient.query(elo)).errors?.[0]?.extensions).toEqual({
      code: 'BUDGET_EXCEEDED',
      ...shortage,
    })
    expect(ofClient.calls.take()).toEqual([])
  })

  test('is never overspent by queries side by side', async () => {
    for (const budget of [5, 20, 60]) {
      const graph = sample.graph({ budget })
      const texts = teams.flatMap((id) => [
        named(id),
        `{ league { team(id: "${id}") { roster(season: ${season}) { lastName } } } }`,
        `{ league { team(id: "${id}") { stats(season: ${season}) { games } eloHistory(season: ${season}) { elo } } } }`,
        `{ league { games(date: "${today}") { homeTeam { name } odds { history { over } } } } }`,
      ])
      const answers = await Promise.all(texts.map((text) => graph.query(text)))
      const { tokens, remaining } = await totals(graph)
      expect(tokens).toBeLessThanOrEqual(budget)
      expect(remaining).toBe(budget - tokens)
      expect(tokens).toBeGreaterThan(0)
      const refused = new Set(
        answers.flatMap(({ errors = [] }) => errors.map(({ extensions }) => extensions?.code)),
      )
      expect(refused).toEqual(new Set(['BUDGET_EXCEEDED']))
    }
  })

  test.each([
    ['every team’s rating', `elo(season: ${season}) { elo }`],
    [
      'a leaderboard of players',
      `ranking(subject: PLAYER, season: ${season}, orderBy: "points") { totalCount }`,
    ],
    ['a season of transfers', `transfers(season: ${season}) { committed }`],
  ])('is not overspent by one call for a whole league: %s', async (_name, fields) => {
    const graph = sample.graph({ budget: 5 })
    expect((await graph.query(`{ league { ${fields} } }`)).errors).toHaveLength(1)
    expect(await totals(graph)).toMatchObject({ tokens: 0, remaining: 5 })
    const rich = sample.graph({ budget: 10_000 })
    expect((await rich.query(`{ league { ${fields} } }`)).errors).toBeUndefined()
  })

  test('is not overspent by answers side by side that are larger than usual', async () => {
    const graph = sample.graph({
      budget: 80,
      between: async (request, service) => {
        const answer = await service(request)
        if (operationOf(request) !== 'team/getPlayers') return answer
        return { ...answer, bytes: 9 * 1024, headers: { 'x-request-usage': '9' } }
      },
    })
    await graph.query(`{ league { games(date: "${today}") { startDatetime } } }`)
    const { tokens: before } = await totals(graph)
    await Promise.all(
      teams.map((id) =>
        graph.query(`{ league { team(id: "${id}") { roster(season: ${season}) { lastName } } } }`),
      ),
    )
    const { tokens } = await totals(graph)
    expect(tokens).toBeGreaterThan(before)
    expect(tokens).toBeLessThanOrEqual(80)
  })

  test('is kept to at a price that nobody expected, learned from the first bill', async () => {
    const graph = sample.graph({
      budget: 25,
      between: async (request, service) => ({
        ...(await service(request)),
        headers: { 'x-request-usage': '10' },
      }),
    })
    const answers = await Promise.all(
      teams
        .slice(0, 10)
        .map((id) => graph.query(`{ team(id: "${id}") { stats(season: ${season}) { games } } }`)),
    )
    expect(answers.filter(({ errors }) => !errors)).toHaveLength(2)
    expect(await totals(graph)).toMatchObject({ tokens: 20, calls: 2, remaining: 5 })
  })

  test('is not taken for spent where answers with nothing in them cost a token each', async () => {
    const graph = sample.graph({ budget: 1_000 })
    const day = (date: string) => graph.query<Json>(`{ league { games(date: "${date}") { network } } }`)
    for (const date of ['2026-07-01', '2026-07-02']) expect((await day(date)).extensions.usage.tokens).toBe(1)
    const answer = await day(today)
    expect(answer.errors).toBeUndefined()
    expect(answer.extensions.usage).toMatchObject({ calls: 1 })
    expect(graph.calls.take()).toEqual(Array(3).fill('game/getGames 1'))
    expect((await totals(graph)).tokens).toBe(2 + answer.extensions.usage.tokens)
  })

  test('gets back what was set aside for a call that failed', async () => {
    let broken = true
    const graph = sample.graph({
      budget: 3,
      between: async (request, service) => {
        if (broken) throw new UnavailableError('no connection')
        return service(request)
      },
    })
    for (let nth = 0; nth < 5; nth += 1) expect((await graph.query(named(teams[nth]))).errors).toHaveLength(1)
    expect(await totals(graph)).toMatchObject({ tokens: 0, remaining: 3 })
    broken = false
    expect((await graph.query(named(teams[0]))).errors).toBeUndefined()
  })

  test('is settled on the bill and not on the estimate', async () => {
    const graph = sample.graph({
      budget: 100,
      between: async (request, service) => ({
        ...(await service(request)),
        headers: { 'x-request-usage': '40' },
      }),
    })
    await graph.query(named(teams[0]))
    expect(await totals(graph)).toMatchObject({ tokens: 40, remaining: 60 })
  })

  test('makes nobody wait in a row for a service that does not answer', async () => {
    const graph = sample.graph({
      budget: 1_000,
      timeoutMs: 1_000,
      between: ({ deadline }) =>
        new Promise((_, reject) => deadline.onOver(() => reject(new TimeoutError('late')))),
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const answered = Promise.all(
      teams
        .slice(0, 8)
        .map((id) => graph.query(`{ team(id: "${id}") { stats(season: ${season}) { games } } }`)),
    )
    const end = vi.fn()
    void answered.then(end)
    for (let ms = 0; ms < 5_900 && end.mock.calls.length === 0; ms += 100)
      await vi.advanceTimersByTimeAsync(100)
    expect(end).toHaveBeenCalled()
    vi.useRealTimers()
    const answers = await answered
    for (const answer of answers) expect(codes(answer)).toEqual([['team.stats', 'UPSTREAM_TIMEOUT']])
    // What was sent may have been billed. What only waited was not.
    const sent = graph.calls.take().length
    const { tokens, remaining } = await totals(graph)
    expect(tokens).toBe(answers.reduce((sum, { extensions }) => sum + extensions.usage.tokens, 0))
    expect(tokens).toBeGreaterThanOrEqual(sent)
    expect(remaining).toBe(1_000 - tokens)
  })

  test('tells with each answer what is left of it', async () => {
    const graph = sample.graph({ budget: 100 })
    const first = await graph.query(named(teams[0]))
    expect(first.extensions.usage).toMatchObject({ tokens: 1, remaining: 99 })
    const second = await graph.query(named(teams[1]))
    expect(second.extensions.usage).toMatchObject({ tokens: 1, remaining: 98 })
    const free = await sample.graph().query(named(teams[0]))
    expect(free.extensions.usage).not.toHaveProperty('remaining')
  })

  test('begins anew with the month', async () => {
    let now = sampleNow
    const graph = sample.graph({ budget: 2, clock: () => now })
    await graph.query(named(teams[0]))
    await graph.query(named(teams[1]))
    expect(codes(await graph.query(named(teams[2])))).toEqual([['team.name', 'BUDGET_EXCEEDED']])
    now = Date.parse('2026-02-28T23:59:59.999Z')
    expect((await totals(graph)).month).toBe('2026-02')
    expect(codes(await graph.query(named(teams[2])))).toEqual([['team.name', 'BUDGET_EXCEEDED']])
    now = Date.parse('2026-03-01T00:00:00.000Z')
    expect(await totals(graph)).toMatchObject({ month: '2026-03', tokens: 0, calls: 0, remaining: 2 })
    expect((await graph.query(named(teams[2]))).errors).toBeUndefined()
  })

  test('is not had twice by a clock that is set back into the month before and on again', async () => {
    let now = sampleNow
    let asked = 0
    const graph = sample.graph({ budget: 3, clock: () => now })
    /** Asks for one team after the other until the budget is spent: how many were answered. */
    const spendAt = async (moment: string) => {
      now = Date.parse(moment)
      for (let answered = 0; ; answered += 1) {
        const { errors } = await graph.query(named(teams[(asked += 1)]))
        if (errors?.[0]?.extensions?.code === 'BUDGET_EXCEEDED') return answered
      }
    }
    expect(await spendAt('2026-02-28T12:00:00Z')).toBeGreaterThan(0)
    expect(await spendAt('2026-03-01T12:00:00Z')).toBeGreaterThan(0)
    const { length } = graph.calls.take()
    expect(length).toBeLessThanOrEqual(6)
    expect(await spendAt('2026-02-28T12:00:00Z')).toBe(0)
    expect(await spendAt('2026-03-01T12:00:00Z')).toBe(0)
    expect(graph.calls.take()).toEqual([])
    expect((await totals(graph)).tokens).toBeGreaterThan(0)
  })

  test('that the service itself sets is BUDGET_EXCEEDED too, and costs nothing here', async () => {
    const graph = sample.graph({
      between: async () =>
        answerOf(
          { error: { code: 'quota_exceeded', message: 'spent' } },
          { headers: { 'x-request-usage': '0' } },
        ),
    })
    expect(codes(await graph.query(named(teams[0])))).toEqual([['team.name', 'BUDGET_EXCEEDED']])
    expect(await totals(graph)).toMatchObject({ tokens: 0, calls: 1 })
  })
})
