import { resolve } from 'node:path'
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client/core'
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { cacheOptions } from '../../src/client/apollo-cache.ts'
import { MatchupDocument, ScoreboardDocument } from '../../src/client/generated/graphql.ts'
import { hashOf } from '../../src/client/hash.ts'
import { createApp } from '../../src/server/app.ts'
import { readDocuments } from '../../src/server/documents.ts'
import type { Arguments } from '../../src/specification/operation.ts'
import { basketball, season } from '../graph/harness.ts'
import type { Json } from '../service/client.ts'
import { startServer } from '../server.ts'
import type { Server } from '../server.ts'

const date = '2026-02-14'
const manifest = resolve(import.meta.dirname, '../../src/client/generated/persisted-documents.json')
let server: Server

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

/** A graph that answers only documents of the manifest, and what it receives. */
function trustingGraph() {
  const { upstream } = server.sample.graph()
  const documents = readDocuments(manifest, true)
  const app = createApp({ upstream, apiKey: 'sample-paid', defaults: basketball, documents })
  const sent: string[] = []
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    sent.push(String(init?.body))
    return app.fetch('http://statline.test/graphql', { ...init, signal: null } as RequestInit) // a signal of another realm is not taken
  }
  return { sent, link: new HttpLink({ uri: 'http://statline.test/graphql', fetch }) }
}

/** What a page keeps that shows a day, and then a game of it. */
async function keptOf(link: ApolloLink): Promise<string[]> {
  const cache = new InMemoryCache(cacheOptions)
  const client = new ApolloClient({ link, cache })
  const { data: day } = await client.query({ query: ScoreboardDocument, variables: { date } })
  const games = day?.league?.games ?? []
  const keys = () => Object.keys(cache.extract())
  const keptFor = (type: string) => keys().filter((key) => key.startsWith(`${type}:`))
  const [gamesKept, teamsKept] = [keptFor('Game'), keptFor('Team')]
  expect(games.length).toBeGreaterThan(5)
  expect(gamesKept).toHaveLength(games.length)
  await client.query({ query: MatchupDocument, variables: { gameId: games[0]?.gameId ?? '' } })
  expect(keptFor('Game')).toEqual(gamesKept)
  expect(keptFor('Team')).toEqual(teamsKept)
  expect(keptFor('BasketballTeamBoxscore')).toHaveLength(2)
  return keys()
}

it('keeps a team in each season of its games, and shows each game’s own from Apollo Client’s cache', async () => {
  const rows = (year: number, more: Arguments = {}) =>
    server.sample.rows('game/read', { season: year, ...more })
  const isFinal = ({ status }: Json) => status === 'final'
  const past = (await rows(season - 1)).find(isFinal)
  const now = (await rows(season, { home_team_id: String(past?.['home_team_id']) })).find(isFinal)
  const variables = { ids: [past?.['game_id'], now?.['game_id']] }
  const query = gql('query ($ids: [ID!]!) { games(ids: $ids) { id homeTeam { id stats { id season } } } }')
  const cache = new InMemoryCache(cacheOptions)
  const link = new HttpLink({ uri: `${server.url}/graphql` })
  await new ApolloClient({ link, cache }).query({ query, variables })
  server.calls.take()
  const seasons = [season - 1, season].map((year) => ({ homeTeam: { stats: { season: year } } }))
  expect(cache.readQuery({ query, variables })).toMatchObject({ games: seasons })
  expect(server.calls.take()).toEqual([])
})

it('gives Apollo Client’s cache one object for a game on all pages, also if documents are sent by their hash', async () => {
  const warned = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn')]
  const kept = await keptOf(new HttpLink({ uri: `${server.url}/graphql` }))
  const { link, sent } = trustingGraph()
  const trusted = ApolloLink.from([new PersistedQueryLink({ generateHash: hashOf }), link])
  expect(await keptOf(trusted)).toEqual(kept)
  expect(sent.filter((body) => body.includes('query Scoreboard') || body.includes('query Matchup'))).toEqual(
    [],
  )
  expect(sent).toHaveLength(2)
  for (const console of warned) expect(console).not.toHaveBeenCalled()
})
