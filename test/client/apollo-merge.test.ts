import { setTimeout as wait } from 'node:timers/promises'
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client/core'
import { isObjectType } from 'graphql'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { cacheOptions } from '../../src/client/apollo-cache.ts'
import { schema } from '../../src/schema.ts'
import { season } from '../graph/harness.ts'
import { startServer } from '../server.ts'
import type { Server } from '../server.ts'
import { until } from './living.ts'

let server: Server
let [team, game, conference] = ['', '', '']

interface Ids {
  readonly league: {
    readonly games: readonly { readonly id: string; readonly homeTeam: { readonly id: string } }[]
    readonly conferences: readonly { readonly id: string }[]
  }
}

beforeAll(async () => {
  server = await startServer()
  const { data } = await server.sample
    .graph()
    .query<Ids>('{ league { games(date: "2026-02-12") { id homeTeam { id } } conferences { id } } }')
  const [first] = data.league.games
  game = first?.id ?? ''
  team = first?.homeTeam.id ?? ''
  conference = data.league.conferences[0]?.id ?? ''
})
beforeEach(() => {
  server.forget()
  server.calls.take()
})
afterAll(() => server.close())

it.each([
  [
    'a statistic',
    ['team/getStats 1'],
    () => `team(id: "${team}")`,
    `{ id stats(season: ${season}) { id points {`,
    ['value', 'rank'],
    '} } }',
  ],
  [
    'a record',
    ['game/getScores 1', 'game/getScores 1'],
    () => `team(id: "${team}")`,
    `{ id lineRecord(season: ${season}) { all {`,
    ['wins', 'losses'],
    '} } }',
  ],
  [
    'a result',
    ['game/read 1', 'odds/read 1'],
    () => `game(id: "${game}")`,
    '{ id lineResult {',
    ['spread', 'total'],
    '} }',
  ],
  [
    'a projection',
    ['conference/getConferencePrediction 1'],
    () => `conference(id: "${conference}")`,
    `{ id projection(season: ${season}) {`,
    ['hasAccess', 'standings { id }'],
    '} }',
  ],
  [
    'a search',
    ['search/search 1', 'search/search 1'],
    () => 'league',
    '{ search(name: "smith") {',
    ['teams { id }', 'players { relevanceScore }'],
    '} }',
  ],
])(
  'two mounted queries for different fields of %s send one request each',
  async (...[, calls, root, before, fields, after]) => {
    const warned = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn')]
    let requests = 0
    const fetch: typeof globalThis.fetch = async (...args) => {
      requests += 1
      return globalThis.fetch(...args)
    }
    const apollo = new ApolloClient({
      link: new HttpLink({ uri: `${server.url}/graphql`, fetch }),
      cache: new InMemoryCache(cacheOptions),
    })
    const shown = fields.map((part) => {
      const query = apollo.watchQuery({ query: gql(`{ ${root()} ${before} ${part} ${after} }`) })
      query.subscribe(() => {})
      return query
    })
    await until(() => shown.every((query) => query.getCurrentResult().dataState === 'complete'))
    await wait(100) // for requests that should not be
    expect(requests).toBe(2)
    expect(shown.map((query) => query.getCurrentResult().dataState)).toEqual(['complete', 'complete'])
    expect(server.calls.take().toSorted()).toEqual(calls)
    for (const console of warned) expect(console).not.toHaveBeenCalled()
    apollo.stop()
  },
)

it('merges every type without an id, apart from those of pages', () => {
  const without = Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type))
    .filter((type) => !('id' in type.getFields()))
    .map(({ name }) => name)
    .filter((name) => !/^_|^(Query|Subscription|PageInfo|Ranking(Connection|Edge))$/.test(name))
  const policies = cacheOptions.typePolicies ?? {}
  expect(without.filter((name) => !policies[name]?.merge)).toEqual([])
  expect(Object.keys(policies).filter((name) => !without.includes(name))).toEqual([])
})
