import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startServer } from '../server.ts'
import type { Server } from '../server.ts'
import { missing, packageOf } from './packages.ts'
import type { TraceNode } from './packages.ts'

const asking = { 'apollo-federation-include-trace': 'ftv1' }
const day =
  '{ league { day: games(date: "2026-02-14") { gameId homeTeam { name stats { points { value } } } } } }'

interface Answer {
  readonly data: unknown
  readonly errors?: unknown
  readonly extensions: { readonly ftv1?: string; readonly usage: { readonly calls: number } }
}

interface Day {
  readonly league: { readonly day: readonly unknown[] }
}

describe.skipIf(missing)(`a federated trace${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let server: Server
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.close())
  beforeEach(() => {
    server.forget()
    server.calls.take()
    server.down.clear()
  })

  async function ask(query: string, headers: Record<string, string> = asking): Promise<Answer> {
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query }),
    })
    return (await response.json()) as Answer
  }

  /** A trace as Apollo's gateway reads it. */
  function read(ftv1 = '') {
    const { Trace } = packageOf('@apollo/usage-reporting-protobuf')
    return Trace.toObject(Trace.decode(Buffer.from(ftv1, 'base64')), {
      longs: Number,
      defaults: true,
      arrays: true,
    })
  }

  const childOf = ({ child }: TraceNode, name: string | number) =>
    child.find(({ responseName, index }) =>
      typeof name === 'string' ? responseName === name : index === name,
    )

  const at = (root: TraceNode, ...path: (string | number)[]) =>
    path.reduce<TraceNode | undefined>((node, name) => node && childOf(node, name), root)

  it('tells Apollo’s own reader when each field was resolved, of the same answer at the same cost', async () => {
    const plain = await ask(day, {})
    const calls = server.calls.take()
    server.forget()
    const began = Date.now()
    const { data, extensions } = await ask(day)
    const ended = Date.now()
    expect(data).toEqual(plain.data)
    expect(server.calls.take()).toEqual(calls)
    expect(extensions.usage).toEqual(plain.extensions.usage)

    const { root, startTime, endTime, durationNs } = read(extensions.ftv1)
    const moment = (time: typeof startTime) => time.seconds * 1000 + time.nanos / 1e6
    expect(moment(startTime)).toBeGreaterThanOrEqual(began - 1)
    expect(moment(endTime)).toBeLessThanOrEqual(ended + 1)
    expect(Math.abs(moment(endTime) - moment(startTime) - durationNs / 1e6)).toBeLessThan(1)
    const games = at(root, 'league', 'day')
    expect(games).toMatchObject({ originalFieldName: 'games', parentType: 'League', type: '[Game!]' })
    expect(games?.child.map(({ index }) => index)).toEqual((data as Day).league.day.map((_, index) => index))
    const value = at(root, 'league', 'day', 2, 'homeTeam', 'stats', 'points', 'value')
    expect(value).toMatchObject({ originalFieldName: '', parentType: 'Stat', type: 'Float', error: [] })
    const took = (node: TraceNode | undefined) => (node ? node.endTime - node.startTime : 0)
    const stats = at(root, 'league', 'day', 2, 'homeTeam', 'stats')
    expect(took(stats)).toBeGreaterThan(100_000) // it is a call
    for (const node of [games, stats, value]) expect(node?.endTime).toBeLessThanOrEqual(durationNs)
    expect(stats?.startTime).toBeGreaterThanOrEqual(games?.endTime ?? Number.NaN)
  })

  it('has each error at its path, masked as for clients', async () => {
    server.down.add('team/getStats')
    const { extensions } = await ask(day)
    const stats = at(read(extensions.ftv1).root, 'league', 'day', 0, 'homeTeam', 'stats')
    expect(stats?.error).toHaveLength(1)
    expect(stats?.error[0]?.message).toBe('The statistics service cannot be reached.')
    expect(JSON.parse(stats?.error[0]?.json ?? '')).toMatchObject({
      path: ['league', 'day', 0, 'homeTeam', 'stats'],
      extensions: { code: 'UPSTREAM_UNAVAILABLE' },
    })
  })

  it('reaches into entities', async () => {
    const { data } = (await ask('{ league { games(date: "2026-02-14") { gameId } } }')) as {
      data: { league: { games: { gameId: string }[] } }
    }
    const [game] = data.league.games
    const query = `{ _entities(representations: [{ __typename: "Game", gameId: "${game?.gameId}" }]) { ... on Game { homeScore } } }`
    const answer = await ask(query)
    expect(answer.errors).toBeUndefined()
    expect(at(read(answer.extensions.ftv1).root, '_entities', 0, 'homeScore')).toMatchObject({
      parentType: 'Game',
    })
  })

  it('is not there unless it is asked for', async () => {
    expect((await ask(day, {})).extensions).not.toHaveProperty('ftv1')
    expect((await ask(day, { 'apollo-federation-include-trace': 'ftv2' })).extensions).not.toHaveProperty(
      'ftv1',
    )
  })
})
