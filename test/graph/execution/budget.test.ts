import { getIntrospectionQuery, parse } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defaultExecutionLimits, ExecutionBudget } from '../../../src/graph/execution/budget.ts'
import { schema } from '../../../src/schema.ts'
import { createApp } from '../../../src/server/app.ts'
import { executeAny, jsonOf } from '../../../src/server/execution.ts'
import { ClientRequest } from '../../../src/account/client-request.ts'
import { basketball, season, startSample, teamsOfToday } from '../harness.ts'
import type { Answer, Graph, GraphOptions, Sample } from '../harness.ts'

let sample: Sample
let teams: string[]

beforeAll(async () => {
  sample = await startSample()
  teams = await teamsOfToday(sample)
})
afterAll(() => sample.close())

const graphWith = (limits: Partial<typeof defaultExecutionLimits>, options: GraphOptions = {}) =>
  sample.graph({ ...options, executionLimits: { ...defaultExecutionLimits, ...limits } })

/** The games of all teams, and the games of their home teams, so many times. */
const nested = (times: number): string => {
  const games = (depth: number): string =>
    depth === 0 ? 'teamId' : `games(season: ${season}) { homeTeam { ${games(depth - 1)} } }`
  return `{ league { teams(season: ${season}) { ${games(times)} } } }`
}

const refusals = ({ data, errors }: Answer<unknown>) => ({
  data,
  errors: errors?.map(({ path, extensions }) => ({ path, ...extensions })),
})

const unknownId = (nth: number) => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`

/** Fragments of nine levels, of which each has the next one several times. */
const fragmentsThatMultiply = () => {
  const again = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const parts = Array.from({ length: 9 }, (_, nth) => {
    const below = nth === 8 ? 'teamId' : `...F${nth + 1}`
    return `fragment F${nth} on Team { ${again.map((name) => `${name}: games(season: ${season}, last: 1) { homeTeam { ${below} } }`).join(' ')} }`
  })
  return `{ team(id: "${teams[0]}") { ...F0 } } ${parts.join(' ')}`
}

const tooManyValues = {
  data: null,
  errors: [{ path: undefined, code: 'QUERY_TOO_EXPENSIVE', limit: 'MAX_VALUES', most: 500_000 }],
}

/** The calls that bring all teams and their games. */
const callsForGames = async (graph: Graph) => {
  await graph.query(nested(1))
  return graph.calls.take()
}

describe('MAX_VALUES', () => {
  test('ends a query of a hundred characters whose answer would be gigabytes, when it has its games', async () => {
    const graph = sample.graph()
    const calls = await callsForGames(sample.graph())
    expect(refusals(await graph.query(nested(8)))).toEqual(tooManyValues)
    expect(graph.calls.take()).toEqual(calls)
  })

  test('holds for a query that is priced before, by a limit of tokens or as a dry run', async () => {
    const graph = sample.graph()
    await graph.query(nested(1))
    graph.calls.take()
    const extensions = { maxTokens: 1_000_000 }
    expect(refusals(await graph.query(nested(8), { extensions }))).toEqual(tooManyValues)
    const cold = sample.graph()
    expect(refusals(await cold.query(nested(8), { extensions: { explain: 'dry' } }))).toEqual(tooManyValues)
    expect([...graph.calls.take(), ...cold.calls.take()]).toEqual([])
  })

  test('holds for a query with a federated trace', async () => {
    const graph = sample.graph()
    const headers = { 'apollo-federation-include-trace': 'ftv1' }
    expect(refusals(await graph.query(nested(1), { headers })).errors).toBeUndefined()
    graph.calls.take()
    expect(refusals(await graph.query(nested(8), { headers }))).toEqual(tooManyValues)
    expect(graph.calls.take()).toEqual([])
  })

  test('holds for ids under many names, and for fragments that are used again and again', async () => {
    const graph = sample.graph()
    const aliases = Array.from({ length: 100 }, (_, nth) => `a${nth}: teams(ids: $ids) { name }`).join(' ')
    const ids = Array.from({ length: 2_000 }, (_, nth) => unknownId(nth))
    const many = await graph.query(`query ($ids: [ID!]!) { ${aliases} }`, { variables: { ids } })
    expect(refusals(many)).toEqual(tooManyValues)
    expect(refusals(await graph.query(fragmentsThatMultiply()))).toEqual(tooManyValues)
    expect(graph.calls.take()).toEqual([])
  })

  test.each([
    ['a query', {}],
    ['a query with a federated trace', { headers: { 'apollo-federation-include-trace': 'ftv1' } }],
    ['a dry run', { extensions: { explain: 'dry' } }],
  ])('lets %s wait for 5,000 rows that are read by their ids, and no more', async (_what, options) => {
    const graph = sample.graph()
    const ids = Array.from({ length: 2_000 }, (_, nth) => unknownId(nth))
    const query = (names: number) => {
      const fields = Array.from({ length: names }, (_, nth) => `a${nth}: teams(ids: $ids) { name }`)
      return graph.query(`query ($ids: [ID!]!) { ${fields.join(' ')} }`, { variables: { ids }, ...options })
    }
    expect(refusals(await query(3))).toEqual(tooManyValues)
    expect(graph.calls.take()).toEqual([])
    expect(refusals(await query(2)).errors).toBeUndefined()
  })

  test('holds for fragments of introspection with more fields than can be compiled', async () => {
    const graph = sample.graph()
    const parts = Array.from({ length: 100 }, (_, nth) => {
      const below = nth === 99 ? 'name' : `...F${nth + 1}`
      return `fragment F${nth} on __Type { a: ofType { ${below} } b: ofType { ${below} } }`
    })
    const text = `{ __type(name: "Team") { ...F0 } } ${parts.join(' ')}`
    expect(refusals(await graph.query(text))).toEqual(tooManyValues)
    expect(graph.calls.take()).toEqual([])
  })

  test('counts values once more for a parent that comes after their object was executed', async () => {
    const home = await sample.rows('game/read', { season, home_team_id: teams[0] })
    const [known, unknown] = home.map(({ game_id }) => String(game_id))
    const columns = 'gameId status homeScore awayScore startDatetime season homeTeamId awayTeamId'
    const text = `{ games(ids: ["${known}", "${unknown}"]) { homeTeam { games(season: ${season}) { ${columns} } } } }`
    const ask = async (most: number) => {
      const graph = graphWith({ MAX_VALUES: most })
      await graph.query(`{ game(id: "${known}") { homeTeamId } }`)
      graph.calls.take()
      // The team of the known game is executed at once, and is that of the unknown one as well.
      const answer = await graph.query<{ games: { homeTeam: { games: unknown[] } }[] }>(text)
      return { answer, calls: graph.calls.take().toSorted() }
    }
    const { answer, calls } = await ask(500_000)
    expect(answer.errors).toBeUndefined()
    expect(calls).toEqual(['game/read 1', 'game/read 1', 'game/read 1'])
    const { length } = answer.data.games[0]?.homeTeam.games ?? []
    const printed = 1 + 2 * (1 + 1 + 1 + length * (1 + columns.split(' ').length))
    expect(refusals((await ask(printed - 1)).answer)).toEqual({
      data: null,
      errors: [{ ...tooManyValues.errors[0], most: printed - 1 }],
    })
  })

  test('counts each value as often as it is printed', async () => {
    const { upstream, ...graph } = sample.graph()
    const answer = await graph.query<{ league: { teams: { games: unknown[] }[] } }>(nested(1))
    const { teams: all } = answer.data.league
    // League, list, and for each team its list of games; for each game its home team and that one's id.
    const printed = 1 + 1 + all.length + all.reduce((sum, { games }) => sum + games.length * 3, all.length)
    // Each field of the five levels is compiled. With kept rows, nothing is waited for.
    const values = printed + 5 * 10
    const within = async (most: number) => {
      const executionLimits = { ...defaultExecutionLimits, MAX_VALUES: most }
      const app = createApp({ upstream, apiKey: 'sample-paid', defaults: basketball, executionLimits })
      const response = await app.fetch('http://statline.test/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: nested(1) }),
      })
      return refusals((await response.json()) as Answer<unknown>)
    }
    expect(await within(values)).toEqual({ data: answer.data, errors: undefined })
    expect(await within(values - 1)).toEqual({
      data: null,
      errors: [{ ...tooManyValues.errors[0], most: values - 1 }],
    })
  })

  test('holds for introspection', async () => {
    const times = (count: number, what: string) =>
      Array.from({ length: count }, (_, nth) => `a${nth}: ${what}`).join(' ')
    const graph = sample.graph()
    const text = `{ __schema { types { ${times(50, `fields { type { ${times(20, 'fields { name }')} } }`)} } } }`
    expect(refusals(await graph.query(text))).toEqual(tooManyValues)
    expect(graph.calls.take()).toEqual([])
  })
})

describe('MAX_IDS', () => {
  const wrong = Array.from({ length: 2_001 }, (_, nth) => `wrong ${nth}`)
  const over = { code: 'QUERY_TOO_EXPENSIVE', limit: 'MAX_IDS', most: 2_000 }

  test.each([
    ['teams', 'query ($ids: [ID!]!) { teams(ids: $ids) { name } }'],
    ['nodes', 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }'],
  ])('refuses more ids in %s(ids:), before one is looked at', async (field, text) => {
    const graph = sample.graph()
    expect(refusals(await graph.query(text, { variables: { ids: wrong } }))).toEqual({
      data: null,
      errors: [{ path: [field], ...over }],
    })
    expect(graph.calls.take()).toEqual([])
  })

  test('refuses more names in stats(names:), and more representations', async () => {
    const graph = sample.graph()
    const text = `query ($names: [String!]!) {
      team(id: "${teams[0]}") { stats(season: ${season}) { games some: stats(names: $names) { value } } }
    }`
    const named = await graph.query(text, { variables: { names: wrong } })
    expect(refusals(named)).toEqual({
      data: { team: { stats: null } },
      errors: [{ path: ['team', 'stats', 'some'], ...over }],
    })
    const representations = wrong.map((teamId) => ({ __typename: 'Team', teamId }))
    const entities = await graph.query(
      'query ($of: [_Any!]!) { _entities(representations: $of) { __typename } }',
      {
        variables: { of: representations },
      },
    )
    expect(refusals(entities)).toEqual({ data: null, errors: [{ path: ['_entities'], ...over }] })
    expect(graph.calls.take()).toEqual(['team/getStats 1'])
  })

  test('lets as many ids pass as it names', async () => {
    const graph = graphWith({ MAX_IDS: 2 })
    const text = 'query ($ids: [ID!]!) { teams(ids: $ids) { teamId name } }'
    const ask = (count: number) => graph.query(text, { variables: { ids: teams.slice(0, count) } })
    expect((await ask(2)).data).toEqual({
      teams: teams.slice(0, 2).map((teamId) => ({ teamId, name: expect.any(String) })),
    })
    expect(refusals(await ask(3))).toEqual({ data: null, errors: [{ path: ['teams'], ...over, most: 2 }] })
    expect(graph.calls.take()).toEqual(['team/read 2'])
  })
})

describe('MAX_EXECUTION_MS', () => {
  const tooLong = { path: undefined, code: 'QUERY_TOO_EXPENSIVE', limit: 'MAX_EXECUTION_MS' }

  /** Executes a query by a clock that goes on with each look at it, which is after each step. */
  async function executed(graph: Graph, text: string, ms: number, most: number) {
    let now = 0
    const clocks = { wall: () => (now += ms), cpu: () => now, values: 0 }
    const limits = { ...defaultExecutionLimits, MAX_EXECUTION_MS: most }
    const budget = new ExecutionBudget(limits, 100, clocks)
    const clientRequest = new ClientRequest(graph.upstream.accountOf('sample-paid'))
    let turns = 0
    const turn = () => {
      turns += 1
      timer = setImmediate(turn)
    }
    let timer = setImmediate(turn)
    const result = await executeAny({
      schema,
      document: parse(text),
      contextValue: { clientRequest, defaults: basketball, budget },
    })
    clearImmediate(timer)
    return { result, turns, now }
  }

  test('counts the time of each slice; between two of 10 ms, others go on', async () => {
    const graph = sample.graph()
    const { data } = await graph.query(nested(2))
    graph.calls.take()
    const { result, turns, now } = await executed(graph, nested(2), 1, 1_000_000)
    expect(jsonOf(result)).toBe(JSON.stringify({ data }))
    expect(turns).toBeGreaterThan(now / 20)
    expect(graph.calls.take()).toEqual([])
  })

  test('gives way in introspection, too', async () => {
    const graph = sample.graph()
    const { result, turns, now } = await executed(graph, getIntrospectionQuery(), 1, 1_000_000)
    expect(result.errors).toBeUndefined()
    expect(now).toBeGreaterThan(100)
    expect(turns).toBeGreaterThan(now / 20)
    expect(graph.calls.take()).toEqual([])
  })

  test('gives nothing away to others if it takes less than 10 ms', async () => {
    const graph = sample.graph()
    await graph.query(nested(2))
    const { turns } = await executed(graph, nested(2), 0, 1_000_000)
    expect(turns).toBe(0)
  })

  test.each([
    ['asked', 30, []],
    ['bought', 120, ['elo/read 1']],
  ])('ends an execution, which buys nothing more than it has %s', async (_what, most, calls) => {
    const graph = sample.graph()
    const { result } = await executed(graph, nested(2), 10, most)
    expect(result.data).toBeNull()
    expect(result.errors?.map(({ originalError }) => originalError)).toEqual([
      expect.objectContaining({ code: 'QUERY_TOO_EXPENSIVE', limit: 'MAX_EXECUTION_MS', most }),
    ])
    expect(graph.calls.take()).toEqual(calls)
  })

  test.each([
    ['a query', {}],
    ['a dry run', { extensions: { explain: 'dry' } }],
    ['a query that is priced before', { extensions: { maxTokens: 1_000 } }],
  ])('holds for %s', async (_what, options) => {
    const graph = graphWith({ MAX_EXECUTION_MS: 0 }, { executionClocks: undefined })
    expect(refusals(await graph.query(nested(1), options))).toEqual({
      data: null,
      errors: [{ ...tooLong, most: 0 }],
    })
    expect(graph.calls.take()).toEqual([])
  })

  test('holds for introspection', async () => {
    const graph = graphWith({ MAX_EXECUTION_MS: 0 }, { executionClocks: undefined })
    expect(refusals(await graph.query('{ __schema { types { name } } }'))).toEqual({
      data: null,
      errors: [{ ...tooLong, most: 0 }],
    })
  })
})

describe('a federated trace', () => {
  const headers = { 'apollo-federation-include-trace': 'ftv1' }
  const text = 'query ($ids: [ID!]!) { teams(ids: $ids) { name } }'
  const wrong = (count: number) => Array.from({ length: count }, (_, nth) => `wrong ${nth}`)

  test('does not lift MAX_IDS', async () => {
    const graph = sample.graph()
    expect(refusals(await graph.query(text, { headers, variables: { ids: wrong(2_001) } }))).toEqual({
      data: null,
      errors: [{ path: ['teams'], code: 'QUERY_TOO_EXPENSIVE', limit: 'MAX_IDS', most: 2_000 }],
    })
    expect(graph.calls.take()).toEqual([])
  })

  test('does not lift MAX_VALUES for ids under many names', async () => {
    const graph = graphWith({ MAX_VALUES: 50_000 })
    const aliases = Array.from({ length: 6 }, (_, nth) => `a${nth}: teams(ids: $ids) { name }`).join(' ')
    const many = `query ($ids: [ID!]!) { ${aliases} }`
    expect(refusals(await graph.query(many, { headers, variables: { ids: wrong(1_000) } }))).toEqual({
      data: null,
      errors: [{ ...tooManyValues.errors[0], most: 50_000 }],
    })
    expect(graph.calls.take()).toEqual([])
  })

  test('does not lift MAX_VALUES for fragments that multiply, which are refused before a call', async () => {
    const graph = sample.graph()
    expect(refusals(await graph.query(fragmentsThatMultiply(), { headers }))).toEqual(tooManyValues)
    expect(graph.calls.take()).toEqual([])
  })

  test('of more than 10,000 fields has none of them, and a refused query has none', async () => {
    const graph = sample.graph()
    const ask = async (text: string) => {
      const { data, errors, extensions } = await graph.query<unknown>(text, { headers })
      graph.calls.take()
      const { ftv1 = '' } = extensions as { ftv1?: string } // which only this header brings
      return { data, errors, trace: Buffer.from(ftv1, 'base64') }
    }
    const short = await ask('{ league { teams { name } } }')
    expect([short.errors, short.trace.includes('teams')]).toEqual([undefined, true])
    const names = Array.from({ length: 10 }, (_, nth) => `a${nth}: teamId`).join(' ')
    const many = nested(1).replace('teamId', names)
    const long = await ask(many)
    expect([long.errors, long.trace.includes('teams')]).toEqual([undefined, false])
    const { data } = await graph.query<unknown>(many)
    expect(long.data).toEqual(data)
    const refused = await ask(nested(8))
    expect([refused.data, refused.trace.includes('teams')]).toEqual([null, false])
  })

  test('does not turn a dry run into a query that is paid for', async () => {
    const graph = sample.graph()
    const { extensions } = await graph.query(nested(1), { headers, extensions: { explain: 'dry' } })
    expect(extensions).toHaveProperty('estimate')
    expect(graph.calls.take()).toEqual([])
  })

  test('does not lift a limit of tokens', async () => {
    const graph = sample.graph()
    expect(
      refusals(await graph.query(nested(1), { headers, extensions: { maxTokens: 1 } })).errors,
    ).toMatchObject([{ code: 'QUERY_TOO_EXPENSIVE' }])
    expect(graph.calls.take()).toEqual([])
  })
})

test('of many errors a hundred are listed, and the last one says how many are not', async () => {
  const graph = sample.graph()
  const ids = Array.from({ length: 1_000 }, (_, nth) => `wrong ${nth}`)
  const text = 'query ($ids: [ID!]!) { teams(ids: $ids) { name } }'
  const { data, errors = [] } = await graph.query<{ teams: unknown[] }>(text, { variables: { ids } })
  expect(data.teams).toEqual(ids.map(() => null))
  expect(errors).toHaveLength(101)
  expect(errors.slice(0, 100).map(({ path }) => path)).toEqual(
    ids.slice(0, 100).map((_, nth) => ['teams', nth]),
  )
  expect(errors[100]).toEqual({
    message: '900 more errors are not listed.',
    path: ['teams', 99],
    extensions: { code: 'BAD_USER_INPUT', more: 900 },
  })
  expect(graph.calls.take()).toEqual([])
})

test('an error of an object that several others lead to stands at each of its paths', async () => {
  const graph = sample.graph({
    between: async (request, service) => {
      const answer = await service(request)
      return request.operation.class === 'team' ? { ...answer, body: '{"error":"broken"}' } : answer
    },
  })
  const text = `{ team(id: "${teams[0]}") { games(season: ${season}) { homeTeamId homeTeam { stats { games } } } } }`
  const { data, errors = [] } = await graph.query<{ team: { games: { homeTeamId: string }[] } }>(text)
  const { games } = data.team
  expect(new Set(games.map(({ homeTeamId }) => homeTeamId)).size).toBeLessThan(games.length)
  const failed = errors.flatMap(({ path = [] }) => (path.at(-1) === 'stats' ? [path[2]] : []))
  expect(failed.toSorted((a, b) => Number(a) - Number(b))).toEqual(games.map((_, nth) => nth))
})
