import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basketball, season, startSample, today } from './harness.ts'
import type { Answer, Sample } from './harness.ts'
import { answerOf } from './spoiled.ts'
import type { Json } from '../service/client.ts'

let sample: Sample
let teams: string[]

beforeAll(async () => {
  sample = await startSample()
  const games = await sample.rows('game/getGames', { ...basketball, start_date: today })
  teams = games.map((game) => String(game['home_team_id']))
})
afterAll(() => sample.close())

const paid = { 'x-api-key': 'sample-paid' }
const trial = { 'x-api-key': 'sample-trial' }
const codes = ({ errors = [] }: Answer<unknown>) =>
  errors.map(({ path, extensions }) => [path?.join('.'), extensions?.code])

describe('where each client brings its own key', () => {
  const passing = (more = {}) => sample.graph({ apiKey: null, ...more })
  const named = () => `{ team(id: "${teams[0]}") { name } }`

  test('a query without a key is UNAUTHENTICATED and costs nothing', async () => {
    const graph = passing()
    for (const headers of [undefined, { 'x-api-key': '' }, { 'x-api-key': '   ' }]) {
      const answer = await graph.query<Json>(named(), headers && { headers })
      expect(codes(answer)).toEqual([['team.name', 'UNAUTHENTICATED']])
      expect(answer.extensions.usage).toMatchObject({ tokens: 0, bytes: 0, calls: 0 })
    }
    expect(graph.calls.take()).toEqual([])
  })

  test('a query without a key still has what costs nothing', async () => {
    const graph = passing()
    const { data, errors } = await graph.query<Json>(
      '{ __typename league { organization { organizationId } } }',
    )
    expect(errors).toBeUndefined()
    expect(data).toEqual({
      __typename: 'Query',
      league: { organization: { organizationId: basketball.organization_id } },
    })
  })

  test('a key that cannot be sent as a header is UNAUTHENTICATED, and is not told', async () => {
    const graph = passing()
    const answer = await graph.query<Json>(named(), { headers: { 'x-api-key': 'clé-é' } })
    expect(codes(answer)).toEqual([['team.name', 'UNAUTHENTICATED']])
    expect(JSON.stringify(answer)).not.toContain('cl')
  })

  test('each call carries the key of the client that asked', async () => {
    const graph = passing()
    await graph.query(named(), { headers: paid })
    await graph.query('{ organizations { name } }', { headers: trial })
    expect(graph.calls.sent.map(({ operation, apiKey }) => [operation, apiKey])).toEqual([
      ['team/read', 'sample-paid'],
      ['organization/read', 'sample-trial'],
    ])
  })

  test('what one key paid for is never served to another: rows, lists, statistics, searches', async () => {
    const graph = passing()
    const text = `{ league {
      games(date: "${today}") { homeScore homeTeam { name } odds { pre { over } } }
      team(id: "${teams[0]}") { name stats(season: ${season}) { games } roster(season: ${season}) { lastName } }
      search(name: "an") { teams { name } }
    } organizations { name } }`
    const first = await graph.query(text, { headers: paid })
    expect(first.errors).toBeUndefined()
    const calls = graph.calls.take()
    const second = await graph.query(text, { headers: trial })
    expect(second.errors).toBeUndefined()
    expect(second.data).toEqual(first.data)
    expect(second.extensions.usage.cacheHits).toBe(0)
    const again = graph.calls.take()
    // The team is read alone unless its game has brought it before the refusal of `team/read` came.
    expect(again.filter((call) => call !== 'team/get 1')).toEqual(calls)
    expect(new Set(graph.calls.sent.slice(calls.length).map(({ apiKey }) => apiKey))).toEqual(
      new Set(['sample-trial']),
    )
    await graph.query(text, { headers: paid })
    await graph.query(text, { headers: trial })
    expect(graph.calls.take()).toEqual([])
  })

  test('an unknown key gets nothing of what others paid for', async () => {
    const graph = passing()
    await graph.query(named(), { headers: paid })
    const answer = await graph.query<Json>(named(), { headers: { 'x-api-key': 'nobody' } })
    expect(codes(answer)).toEqual([['team.name', 'UNAUTHENTICATED']])
    expect(answer.data).toEqual({ team: { name: null } })
  })

  test('calls under way for one key are not shared with another', async () => {
    const graph = passing()
    await Promise.all([
      graph.query(named(), { headers: paid }),
      graph.query(named(), { headers: paid }),
      graph.query(named(), { headers: trial }),
    ])
    expect(graph.calls.take()).toEqual(['team/get 1', 'team/read 1', 'team/read 1'])
  })

  test('what one key is refused is not refused to another', async () => {
    const graph = passing()
    const text = `{ league { team(id: "${teams[0]}") { boxscores(season: ${season}) { points } } } }`
    const refused = await graph.query(text, { headers: trial })
    expect(codes(refused)).toEqual([['league.team.boxscores', 'ACCESS_DENIED']])
    const answered = await graph.query(text, { headers: paid })
    expect(answered.errors).toBeUndefined()
    expect(graph.calls.take()).toEqual(['boxscore/readBoxscore 1', 'boxscore/readBoxscore 1'])
    await graph.query(text, { headers: trial })
    expect(graph.calls.take()).toEqual([])
  })

  test('a refused key is asked about again: it may have been let in', async () => {
    let known = false
    const graph = passing({
      between: async (request: Parameters<typeof sample.transport>[0]) =>
        known ? sample.transport(request) : answerOf({ error: 'Invalid API key' }),
    })
    expect(codes(await graph.query(named(), { headers: paid }))).toEqual([['team.name', 'UNAUTHENTICATED']])
    known = true
    expect((await graph.query(named(), { headers: paid })).errors).toBeUndefined()
  })
})

test('where the graph has a key of its own, a client’s key is not looked at', async () => {
  const graph = sample.graph()
  await graph.query(`{ team(id: "${teams[0]}") { name } }`, { headers: { 'x-api-key': 'nobody' } })
  expect(graph.calls.sent.map(({ apiKey }) => apiKey)).toEqual(['sample-paid'])
})
