import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client/core'
import { isObjectType } from 'graphql'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cacheOptions } from '../../src/client/apollo-cache.ts'
import { LeaderboardDocument } from '../../src/client/generated/graphql.ts'
import type { LeaderboardQuery, LeaderboardQueryVariables } from '../../src/client/generated/graphql.ts'
import { schema } from '../../src/schema.ts'
import { season } from '../graph/harness.ts'
import { startServer } from '../server.ts'
import type { Server } from '../server.ts'
import { until } from './living.ts'

let server: Server
beforeAll(async () => {
  server = await startServer()
})
beforeEach(() => {
  server.forget()
  server.calls.take()
})
afterAll(() => server.close())

type Variables = LeaderboardQueryVariables
const points: Variables = { subject: 'TEAM', season, orderBy: 'points', first: 5 }

const page = () =>
  new ApolloClient({
    link: new HttpLink({ uri: `${server.url}/graphql` }),
    cache: new InMemoryCache(cacheOptions),
  })

/** A list as a hook shows it, from the cache. */
async function shown(apollo: ApolloClient, variables: Variables = points) {
  const query = apollo.watchQuery<LeaderboardQuery, Variables>({ query: LeaderboardDocument, variables })
  const watching = query.subscribe(() => {})
  await query.refetch()
  const list = () => {
    const { data } = query.getCurrentResult()
    return (data as LeaderboardQuery | undefined)?.league?.ranking // the query asks for all of it
  }
  return {
    query,
    list,
    cursors: () => list()?.edges.map(({ cursor }) => cursor) ?? [],
    more: () => query.fetchMore({ variables: { after: list()?.pageInfo.endCursor ?? null } }),
    leave: () => watching.unsubscribe(),
  }
}

describe('a list in Apollo Client’s cache', () => {
  it('has each page that fetchMore brings, once and in order, at no further bill', async () => {
    const list = await shown(page())
    expect(list.cursors()).toHaveLength(5)
    expect(server.calls.take()).toContain('ranking/download 1')
    await list.more()
    await until(() => list.cursors().length === 10)
    await list.more()
    await until(() => list.cursors().length === 15)
    const all = list.cursors()
    expect(new Set(all).size).toBe(15)
    expect(list.list()?.edges.map(({ node }) => node?.stat?.rank)).toEqual(
      list
        .list()
        ?.edges.map(({ node }) => node?.stat?.rank)
        .toSorted((one, other) => Number(one) - Number(other)),
    )
    expect(list.list()?.pageInfo.hasNextPage).toBe(true)
    // The names of further teams are all that may be bought.
    expect(server.calls.take().filter((call) => !call.startsWith('team/read'))).toEqual([])
    list.leave()
  })

  it('has a page once that is fetched twice', async () => {
    const list = await shown(page())
    const after = list.list()?.pageInfo.endCursor ?? null
    await Promise.all([
      list.query.fetchMore({ variables: { after } }),
      list.query.fetchMore({ variables: { after } }),
    ])
    await until(() => list.cursors().length === 10)
    expect(new Set(list.cursors()).size).toBe(10)
    list.leave()
  })

  it('ends with the last page', async () => {
    const list = await shown(page(), { ...points, first: 500 })
    expect(list.list()?.pageInfo.hasNextPage).toBe(false)
    expect(list.cursors()).toHaveLength(list.list()?.totalCount ?? 0)
    list.leave()
  })

  it('is another list with other arguments', async () => {
    const apollo = page()
    const one = await shown(apollo)
    const other = await shown(apollo, { ...points, orderBy: 'assists' })
    const players = await shown(apollo, { ...points, subject: 'PLAYER' })
    await one.more()
    await until(() => one.cursors().length === 10)
    expect([one, other, players].map((list) => list.cursors().length)).toEqual([10, 5, 5])
    expect(one.list()?.edges[0]?.node?.__typename).toBe('TeamStatRanking')
    expect(players.list()?.edges[0]?.node?.__typename).toBe('PlayerStatRanking')
    for (const list of [one, other, players]) list.leave()
  })
})

it('every list of the schema that has pages has a policy, by all arguments that make another list', () => {
  const paged = Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type)
      ? Object.values(type.getFields())
          .filter(({ args }) => args.some(({ name }) => name === 'after'))
          .map((field) => [`${type.name}.${field.name}`, field.args.map(({ name }) => name)] as const)
      : [],
  )
  expect(paged.map(([name]) => name)).toEqual(['League.ranking'])
  const policy = Object(cacheOptions.typePolicies?.['League']?.fields)['ranking'] as { keyArgs: string[] }
  expect([...policy.keyArgs, 'after'].toSorted()).toEqual(paged[0]?.[1].toSorted())
})
