import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { Capabilities } from '../../src/capabilities/capabilities.ts'
import { operations } from '../../src/specification/operations.ts'
import { firstOfAnArray } from '../service/variants/first-of-an-array.ts'
import { sampleNow } from '../sample.setup.ts'
import { graphOver, startSample, teamsOfToday } from './harness.ts'
import type { Sample } from './harness.ts'
import { answerOf } from './spoiled.ts'

let sample: Sample
beforeAll(async () => {
  sample = await startSample()
})
afterAll(() => sample.close())
afterEach(() => void vi.restoreAllMocks())

const page = `{
  league { games(date: "2026-02-14") {
    status
    homeTeam { name stats { points { rank } } roster { lastName college } elo { elo } }
    odds { history { spreadHome } }
    boxscores { points }
  } }
}`

interface Dry {
  readonly tokens: { readonly from: number; readonly to: number }
  readonly calls: { readonly from: number; readonly to: number }
}

test('a dry request tells the plan and its price from least to most, and spends nothing', async () => {
  const graph = sample.graph()
  const { data, errors, extensions } = await graph.query(page, { extensions: { explain: 'dry' } })
  const { estimate } = extensions as unknown as { readonly estimate: Dry }
  expect(data).toBeNull()
  expect(errors).toBeUndefined()
  expect(graph.calls.take()).toEqual([])
  expect(extensions.usage).toEqual({ tokens: 0, bytes: 0, calls: 0, cacheHits: 0 })
  expect(new Set(extensions.plan?.map(({ operation }) => operation))).toEqual(
    new Set([
      'game/getGames',
      'team/getStats',
      'team/getPlayers',
      'player/read',
      'elo/read',
      'odds/read',
      'boxscore/readBoxscore',
    ]),
  )
  expect(estimate.tokens.from).toBeGreaterThan(0)

  const { extensions: real } = await graph.query(page)
  expect(real.usage.tokens).toBeGreaterThanOrEqual(estimate.tokens.from)
  expect(real.usage.tokens).toBeLessThanOrEqual(estimate.tokens.to)
})

test.each([['Dry'], ['yes'], [1], [{}]])(
  'an explain of %j is refused: the query could spend what it was only to tell',
  async (explain) => {
    const graph = sample.graph()
    const { errors } = await graph.query(page, { extensions: { explain } })
    expect(errors).toMatchObject([
      {
        message: 'extensions.explain must be true, false or "dry".',
        extensions: { code: 'BAD_USER_INPUT' },
      },
    ])
    expect(graph.calls.take()).toEqual([])
  },
)

test.each([
  ['a key that is missing', '{ league { games(date: "2026-02-14") { status } } }', 'UNAUTHENTICATED'],
  ['an id that is none', '{ team(id: "nonsense") { name } }', 'BAD_USER_INPUT'],
  ['a variable that is missing', 'query ($id: ID!) { team(id: $id) { name } }', 'BAD_USER_INPUT'],
  ['an event’s key', 'subscription { scores(date: "2026-02-14") { status } }', 'UNAUTHENTICATED'],
])('a dry request tells what the query itself is at fault for: %s', async (_what, query, code) => {
  const graph = sample.graph({ apiKey: null })
  const { errors, extensions } = await graph.query(query, { extensions: { explain: 'dry' } })
  expect(errors?.map((error) => error.extensions?.code)).toEqual([code])
  expect(extensions.usage.tokens).toBe(0)
  expect(graph.calls.take()).toEqual([])
})

test('a dry request prices a league by its code before any league is known', async () => {
  const graph = sample.graph()
  const query = (code: string) => `{ league(code: ${JSON.stringify(code)}) { teams(season: 2026) { name } } }`
  const dry = async (code: string) => await graph.query(query(code), { extensions: { explain: 'dry' } })
  for (const code of ['CBB', 'cbb/d1']) {
    const { errors, extensions } = await dry(code)
    expect(errors).toBeUndefined()
    expect(tokensIn(extensions.plan)).toBeGreaterThan(10)
  }
  expect(graph.calls.take()).toEqual([])
  const { errors, extensions } = await graph.query(query('CBB'))
  expect(errors).toBeUndefined()
  const { estimate } = (await sample.graph().query(query('CBB'), { extensions: { explain: 'dry' } }))
    .extensions as unknown as { readonly estimate: Dry }
  expect(estimate.tokens.from).toBeLessThanOrEqual(extensions.usage.tokens)
  expect(estimate.tokens.to).toBeGreaterThanOrEqual(extensions.usage.tokens)
  // Once the codes are known, one that none has is the query's own fault.
  const { errors: faults } = await dry('XYZ')
  expect(faults).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }])
})

test('a dry subscription is priced in full on a machine that is busy', async () => {
  const graph = sample.graph()
  const text = `subscription { scores(date: "2026-02-14") { homeTeam { name roster { firstName } } } }`
  let isBusy = true
  const work = () => {
    const end = performance.now() + 600
    while (performance.now() < end);
    if (isBusy) setImmediate(work)
  }
  setImmediate(work)
  const { extensions } = await graph.query(text, { extensions: { explain: 'dry' } })
  isBusy = false
  const operations = extensions.plan?.map(({ operation }) => operation)
  expect(operations).toEqual(['game/getScores', 'game/getGames', 'team/getPlayers'])
  const { estimate } = extensions as unknown as { readonly estimate: Dry }
  expect(estimate.calls).toEqual({ from: 3, to: 3 })
})

test('a dry request knows what has been paid for', async () => {
  const graph = sample.graph()
  await graph.query(page)
  graph.calls.take()
  const { extensions } = await graph.query(page, { extensions: { explain: 'dry' } })
  const { estimate } = extensions as unknown as { readonly estimate: Dry }
  expect(graph.calls.take()).toEqual([])
  expect(estimate.calls).toEqual({ from: 0, to: 0 })
  expect(extensions.plan?.every(({ source }) => source === 'MEMORY')).toBe(true)
})

describe('made-up rows', () => {
  const names = 'query Names($ids: [ID!]!) { teams(ids: $ids) { name } }'
  const known = () => new Capabilities(() => sampleNow)
  const dryOrLimited = [
    ['a dry request', { explain: 'dry' }],
    ['a limit', { maxTokens: 50 }],
    ['a refusal', { maxTokens: 1 }],
  ] as const

  test.each(dryOrLimited)('tell the graph nothing about the service: %s', async (_what, extensions) => {
    const capabilities = known()
    let learned = 0
    capabilities.onChange(() => (learned += 1))
    const graph = graphOver(async () => answerOf({}), { capabilities })
    const variables = { ids: (await teamsOfToday(sample)).slice(0, 5) }
    await graph.query(names, { variables, extensions })
    await graph.query(page, { extensions })
    expect([learned, capabilities.findings]).toEqual([0, {}])
    expect(capabilities.drift.lines).toEqual([])
  })

  test('let no row be lost where the service reads only the first of several values', async () => {
    const variables = { ids: (await teamsOfToday(sample)).slice(0, 5) }
    const bought = async (dryRuns: number, limit = {}) => {
      const graph = sample.graph({ capabilities: known(), between: firstOfAnArray.answer })
      for (let nth = 0; nth < dryRuns; nth += 1)
        await graph.query(names, { variables, extensions: { explain: 'dry' } })
      expect(graph.calls.take()).toEqual([])
      const answer = await graph.query<{ teams: unknown[] }>(names, { variables, extensions: limit })
      expect(answer.errors).toBeUndefined()
      expect(answer.data.teams).toEqual(variables.ids.map(() => ({ name: expect.any(String) })))
      return [answer.extensions.usage, graph.calls.take()]
    }
    const first = await bought(0)
    expect(await bought(1)).toEqual(first)
    expect(await bought(0, { maxTokens: 50 })).toEqual(first)
  })
})

/** The seven days around the sample's day, as the scoreboard asks for a week. */
const weekOf = (fields: string) => {
  const days = Array.from(
    { length: 7 },
    (_, at) => `day${at}: games(date: "2026-02-${11 + at}") { ${fields} }`,
  )
  return `{ league { ${days.join(' ')} } }`
}
const tokensIn = (plan: readonly { readonly tokens: number }[] = []) =>
  plan.reduce((sum, { tokens }) => sum + tokens, 0)

test('a week’s price comes near its bill once the number of games a day is known, by any operation', async () => {
  const graph = sample.graph()
  const week = weekOf('homeTeam { name conference { name } } awayTeam { name conference { name } }')
  const { extensions: cold } = await graph.query(week, { extensions: { explain: 'dry' } })
  // A league has a few conferences, however many teams play.
  const conferences = cold.plan?.find(({ operation }) => operation === 'conference/read')
  expect(conferences?.ids).toBe(3)
  // Scores show how many games a day has, and `getGames` is then estimated for as many.
  await graph.query(weekOf('homeScore'))
  graph.calls.take()
  const { extensions: dry } = await graph.query(week, { extensions: { explain: 'dry' } })
  expect(graph.calls.take()).toEqual([])
  const { tokens } = (await graph.query(week)).extensions.usage
  const expected = tokensIn(dry.plan)
  expect(expected / tokens).toBeGreaterThan(0.8)
  expect(expected / tokens).toBeLessThan(1.25)
  expect(tokensIn(cold.plan)).toBeGreaterThan(2 * expected)
})

test('operations that bring the same games are rehearsed with the same games', async () => {
  const graph = sample.graph()
  const scoreboard = `{ league { games(date: "2026-02-14") {
    startDatetime homeTeam { name } prediction { homePercentage } odds { pre { over } }
  } } }`
  const { extensions } = await graph.query(scoreboard, { extensions: { explain: 'dry' } })
  const { extensions: real } = await graph.query(scoreboard, { extensions: { explain: true } })
  const operations = (plan: typeof real.plan) => plan?.map(({ operation }) => operation).toSorted()
  expect(operations(extensions.plan)).toEqual(['game/getGames', 'game/getScores'])
  expect(operations(real.plan)).toEqual(['game/getGames', 'game/getScores'])
})

test.each([
  'elo(season: 2026) { elo }',
  'elo(season: 2026, current: false) { elo }',
  'transfers(season: 2026) { committed }',
  'ranking(subject: TEAM, season: 2026, orderBy: "points") { totalCount }',
  'ranking(subject: PLAYER, season: 2026, orderBy: "points") { totalCount }',
  'ranking(subject: CONFERENCE, season: 2026, orderBy: "points") { totalCount }',
])('a whole league is rehearsed with as many rows as one may have: %s', async (fields) => {
  const graph = sample.graph()
  const text = `{ league { ${fields} } }`
  const { extensions } = await graph.query(text, { extensions: { explain: 'dry' } })
  const { estimate } = extensions as unknown as { readonly estimate: Dry }
  const { extensions: real } = await graph.query(text)
  expect(real.usage.tokens).toBeGreaterThanOrEqual(estimate.tokens.from)
  expect(real.usage.tokens).toBeLessThanOrEqual(estimate.tokens.to)
})

test('a dry request for all seasons of a league comes to an end, at the price of a few', async () => {
  const graph = sample.graph()
  const { extensions } = await graph.query('{ league { seasons } }', { extensions: { explain: 'dry' } })
  const { estimate } = extensions as unknown as { readonly estimate: Dry }
  expect(graph.calls.take()).toEqual([])
  expect(estimate.calls.to).toBeLessThan(20)
  const { extensions: real } = await graph.query('{ league { seasons } }')
  expect(real.usage.calls).toBeLessThanOrEqual(estimate.calls.to)
})

test('a service that has ratings of every season that it is asked for is asked for two hundred at most', async () => {
  const any = {
    elo_id: '00000000-0000-4000-8000-000000000001',
    team_id: '00000000-0000-4000-8000-000000000002',
  }
  const graph = graphOver(async ({ operation, arguments: { season } }) =>
    answerOf(operation === operations.getAnyElo ? { [any.elo_id]: { ...any, season } } : {}),
  )
  const { data, extensions } = await graph.query<{ league: { seasons: number[] } }>('{ league { seasons } }')
  expect(data.league.seasons.length).toBeLessThanOrEqual(201)
  expect(extensions.usage.calls).toBeLessThanOrEqual(203)
})

test('a dry request that is cut off tells the least alone, and no most that no service could bill', async () => {
  const [begun, ended] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')]
  // A tenth of it is a time that no other test has.
  const graph = sample.graph({ timeoutMs: 777_770 })
  const text = `{ league { elo(season: 2026, current: false) { team { roster { seasons { team { roster { stats { games } } } } } } } } }`
  const { extensions } = await graph.query(text, { extensions: { explain: 'dry' } })
  const { estimate } = extensions as unknown as { readonly estimate: Dry }
  expect(estimate).toMatchObject({ tokens: { to: null }, bytes: { to: null }, calls: { to: null } })
  expect(estimate.tokens.from).toBeGreaterThan(0)
  expect(graph.calls.take()).toEqual([])
  // What the run would have done then never ends, but has no timers.
  const timers = begun.mock.calls.flatMap(([, ms], nth) =>
    ms === 77_777 ? [begun.mock.results[nth]?.value] : [],
  )
  const cleared = new Set<unknown>(ended.mock.calls.map(([timer]) => timer))
  expect(timers.filter((timer) => !cleared.has(timer))).toEqual([])
})

test.each([
  ['ranking/download', 'denied', `ranking(subject: TEAM, orderBy: "points", season: 2026) { totalCount }`],
  ['plan', 'no bulk reads', `elo(season: 2026) { elo }`],
] as const)(
  'a query that the plan denies, as the doctor has found (%s: %s), is no matter of its limit',
  async (question, found, field) => {
    const capabilities = new Capabilities(() => sampleNow, { [question]: { found, at: sampleNow } })
    const graph = sample.graph({
      apiKey: 'sample-trial',
      capabilities,
      queryLimits: { maxTokens: 5, maxCalls: null },
    })
    for (const calls of [[], []]) {
      const { data, errors, extensions } = await graph.query(`{ league { ${field} } }`)
      expect(errors?.map((error) => error.extensions?.code)).toEqual(['ACCESS_DENIED'])
      expect(data).toEqual({ league: { [field.split('(')[0] ?? '']: null } })
      expect(extensions.usage.tokens).toBe(0)
      expect(graph.calls.take()).toEqual(calls)
    }
  },
)

test('a query that is too expensive is that, while nothing is known of the plan', async () => {
  const graph = sample.graph({ apiKey: 'sample-trial', queryLimits: { maxTokens: 5, maxCalls: null } })
  const { errors } = await graph.query(
    `{ league { ranking(subject: TEAM, orderBy: "points", season: 2026) { totalCount } } }`,
  )
  expect(errors?.map(({ extensions }) => extensions?.code)).toEqual(['QUERY_TOO_EXPENSIVE'])
  expect(graph.calls.take()).toEqual([])
})
