import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client/core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { cacheOptions } from '../../src/client/apollo-cache.ts'
import { MatchupDocument, ScoreboardDocument } from '../../src/client/generated/graphql.ts'
import { startServer } from '../server.ts'
import type { Server } from '../server.ts'

const date = '2026-02-14'
let server: Server

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

it('gives Apollo Client’s cache one object for a game, whichever page asked for it', async () => {
  const warned = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn')]
  const cache = new InMemoryCache(cacheOptions)
  const client = new ApolloClient({ link: new HttpLink({ uri: `${server.url}/graphql` }), cache })
  const { data: day } = await client.query({ query: ScoreboardDocument, variables: { date } })
  const [game] = day?.league?.games ?? []
  const keys = () => Object.keys(cache.extract())
  const [games, teams] = [
    keys().filter((key) => key.startsWith('Game:')),
    keys().filter((key) => key.startsWith('Team:')),
  ]
  expect(games).toHaveLength(day?.league?.games?.length ?? 0)
  await client.query({ query: MatchupDocument, variables: { gameId: game?.gameId ?? '' } })
  expect(keys().filter((key) => key.startsWith('Game:'))).toEqual(games)
  expect(keys().filter((key) => key.startsWith('Team:'))).toEqual(teams)
  expect(keys().filter((key) => key.startsWith('BasketballTeamBoxscore:'))).toHaveLength(2)
  for (const console of warned) expect(console).not.toHaveBeenCalled()
})
