import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createClient as createEventClient } from 'graphql-sse'
import { createClient } from 'graphql-ws'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { fakedTimers, until } from '../client/living.ts'
import { basketball, season } from '../graph/harness.ts'
import { startLiving } from '../server/living.ts'
import { startServer } from '../server.ts'
import type { Server } from '../server.ts'
import { run } from '../suite.ts'
import { compiled, missing, packageOf } from './packages.ts'

const bin = join(import.meta.dirname, 'node_modules/.bin')
const schema = resolve(import.meta.dirname, '../../schema/schema.graphql')
const date = '2026-02-14'
let server: Server

interface Day {
  readonly league: {
    readonly games: readonly { readonly homeTeam: { readonly id: string; readonly name: string } }[]
  }
}

async function aTeam() {
  const { data } = await server.sample
    .graph()
    .query<Day>(`{ league { games(date: "${date}") { homeTeam { id name } } } }`)
  const [game] = data.league.games
  if (!game) throw new Error('The sample day has no games.')
  return game.homeTeam
}

describe.skipIf(missing)(`by the suites of others${missing ? ` (skipped: ${missing})` : ''}`, () => {
  beforeAll(async () => {
    server = await startServer()
  })

  afterAll(() => server?.close())

  /** Audits that want 400 where the specification of September 2026 says 422: of variables that cannot be coerced. */
  const of422 = new Set(['86EE'])

  it('passes every audit of GraphQL over HTTP', async () => {
    const results = await packageOf('graphql-http').auditServer({ url: `${server.url}/graphql` })
    expect(results.length).toBeGreaterThan(50)
    const notOk = results.filter(({ id, status }) => status !== 'ok' && !of422.has(id))
    expect(notOk.map(({ id, name, status, reason }) => `${status} ${id} ${name}: ${reason}`)).toEqual([])
  })

  it('has a schema that describes everything and keeps to the conventions', async () => {
    const rules = [
      'arguments-have-descriptions',
      'defined-types-are-used',
      'deprecations-have-a-reason',
      'descriptions-are-capitalized',
      'enum-values-all-caps',
      'enum-values-have-descriptions',
      'fields-are-camel-cased',
      'fields-have-descriptions',
      'input-object-values-are-camel-cased',
      'input-object-values-have-descriptions',
      'relay-connection-arguments-spec',
      'relay-connection-types-spec',
      'relay-page-info-spec',
      'types-are-capitalized',
      'types-have-descriptions',
    ]
    const linted = await run(
      import.meta.dirname,
      join(bin, 'graphql-schema-linter'),
      '--rules',
      rules.join(','),
      schema,
    )
    expect(linted.output).toContain('0 errors')
    expect(linted.code).toBe(0)
  })

  describe('a cache of objects by their ids', () => {
    interface Seasons {
      readonly games: readonly { readonly homeTeam: { readonly id: string; readonly stats: Stats } }[]
    }
    interface Stats {
      readonly season: number
      readonly wins: { readonly value: number }
    }
    const text =
      'query ($ids: [ID!]!) { games(ids: $ids) { id homeTeam { id stats { id season wins { value } } } } }'

    /** A finished game of the last season and one of this season, of one home team. */
    async function twoGames(): Promise<{ readonly ids: string[]; readonly expected: Seasons['games'] }> {
      const rows = (year: number, more: object = {}) =>
        server.sample.rows('game/read', { season: year, ...more })
      const isFinal = ({ status }: { status?: unknown }) => status === 'final'
      const past = (await rows(season - 1)).find(isFinal)
      const now = (await rows(season, { home_team_id: past?.['home_team_id'] })).find(isFinal)
      const ids = [String(past?.['game_id']), String(now?.['game_id'])]
      const { data } = await server.sample.graph().query<Seasons>(text, { variables: { ids } })
      const expected = data.games.map(({ homeTeam: { id, stats } }) => ({
        homeTeam: { id, stats: { season: stats.season, wins: { value: stats.wins.value } } },
      }))
      expect(expected.map(({ homeTeam }) => homeTeam.stats.season)).toEqual([season - 1, season])
      return { ids, expected }
    }

    it('of urql, Graphcache, shows a team in each of two seasons', async () => {
      const { ids, expected } = await twoGames()
      const { Client: Urql, fetchExchange } = packageOf('@urql/core')
      const { cacheExchange } = packageOf('@urql/exchange-graphcache')
      const keyless = Object.fromEntries(['League', 'Stat'].map((name) => [name, () => null]))
      const exchanges = [cacheExchange({ keys: keyless }), fetchExchange]
      const client = new Urql({ url: `${server.url}/graphql`, exchanges, preferGetMethod: false })
      const { error } = await client.query(text, { ids }).toPromise()
      expect(error).toBeUndefined()
      server.calls.take()
      expect(client.readQuery(text, { ids })?.data).toMatchObject({ games: expected })
      expect(server.calls.take()).toEqual([])
    })

    it('of Relay shows a team in each of two seasons', async () => {
      const { ids, expected } = await twoGames()
      const project = join(import.meta.dirname, 'relay')
      mkdirSync(join(project, '__generated__'), { recursive: true })
      const { code, output } = await run(project, join(bin, 'relay-compiler'))
      expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' })
      const { createOperationDescriptor, Environment, fetchQuery, Network, RecordSource, Store } =
        packageOf('relay-runtime')
      const network = Network.create(async ({ text: query }, variables) => {
        const response = await fetch(`${server.url}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query, variables }),
        })
        return response.json()
      })
      const environment = new Environment({ network, store: new Store(new RecordSource()) })
      const query = compiled('pagesSeasonsQuery')
      await fetchQuery(environment, query, { ids }).toPromise()
      const { fragment } = createOperationDescriptor(query, { ids })
      expect(environment.lookup(fragment).data).toMatchObject({ games: expected })
    })
  })

  describe('Relay', () => {
    const project = join(import.meta.dirname, 'relay')

    beforeAll(() => void mkdirSync(join(project, '__generated__'), { recursive: true }))

    it('compiles a refetchable fragment and a paginated leaderboard', async () => {
      const { code, output } = await run(project, join(bin, 'relay-compiler'))
      expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' })
    })

    /** A page that asks through Relay, with nothing kept yet. */
    function page() {
      const { Environment, Network, RecordSource, Store, fetchQuery } = packageOf('relay-runtime')
      const network = Network.create(async ({ text }, variables) => {
        const response = await fetch(`${server.url}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query: text, variables }),
        })
        return response.json()
      })
      const environment = new Environment({ network, store: new Store(new RecordSource()) })
      return {
        ask: (name: string, variables: unknown) =>
          fetchQuery(environment, compiled(name), variables).toPromise(),
        records: () => environment.getStore().getSource(),
      }
    }

    it('keeps one record for a team, and finds it again by its global id', async () => {
      const { ask, records } = page()
      const team = await aTeam()
      await ask('pagesDayQuery', { date })
      expect(records().get(team.id)?.['name']).toBe(team.name)
      server.forget()
      server.calls.take()
      await ask('pagesTeamRefetchQuery', { id: team.id })
      expect(records().get(team.id)).toMatchObject({ __typename: 'Team', name: team.name })
      expect(server.calls.take()).toEqual(['team/read 1'])
    })

    describe('live, by the network function of its documentation', () => {
      beforeEach(() => void vi.useFakeTimers(fakedTimers))
      afterEach(() => vi.useRealTimers())

      it.each([
        [
          'graphql-ws',
          (url: string) => createClient({ url: url.replace('http', 'ws'), webSocketImpl: WebSocket }),
        ],
        ['graphql-sse', (url: string) => createEventClient({ url, retryAttempts: 0 })],
      ])(
        'hears of every game and of what changes, over %s, and keeps one record for each',
        async (_name, connect) => {
          const { Environment, Network, Observable, RecordSource, requestSubscription, Store } =
            packageOf('relay-runtime')
          const living = await startLiving(server.sample)
          const client = connect(`${living.url}/graphql`)
          const network = Network.create(
            () => Promise.reject(new Error('Nothing is queried.')),
            ({ text }, variables) =>
              Observable.create((sink) => client.subscribe({ query: text, variables }, sink)),
          )
          const environment = new Environment({ network, store: new Store(new RecordSource()) })
          const heard: unknown[] = []
          const following = requestSubscription(environment, {
            subscription: compiled('pagesLiveSubscription'),
            variables: { date },
            onNext: (data) => heard.push(data),
          })
          const source = () => environment.getStore().getSource()
          const records = () =>
            source()
              .getRecordIDs()
              .filter((id) => source().get(id)?.['__typename'] === 'Game')
          const games = (await server.sample.rows('game/getGames', { ...basketball, start_date: date }))
            .length
          expect(games).toBeGreaterThan(5)
          await until(() => heard.length === games)
          expect(records()).toHaveLength(games)
          living.graph.calls.take()
          living.score(48)
          await living.pass(16_000)
          await until(() => records().some((id) => source().get(id)?.['homeScore'] === 48))
          expect(records()).toHaveLength(games)
          expect(living.graph.calls.take()).toEqual(['game/getScores 1'])
          following.dispose()
          void client.dispose()
          await living.close()
        },
      )
    })

    it('turns the pages of a leaderboard, all for one download', async () => {
      server.forget()
      server.calls.take()
      const { ask, records } = page()
      const suffix = `__pages_ranking_connection(orderBy:"points",season:${season},subject:"TEAM")`
      const connection = () => {
        const key = records()
          .getRecordIDs()
          .find((id) => id.endsWith(suffix))
        // As Relay keeps a list, and an object.
        return records().get(key ?? '') as { edges: { __refs: string[] }; pageInfo: { __ref: string } }
      }
      const edges = () => connection().edges.__refs
      const pageInfo = () => records().get(connection().pageInfo.__ref)
      await ask('pagesLeadersQuery', { season, count: 5, cursor: null })
      expect(edges()).toHaveLength(5)
      expect(pageInfo()).toMatchObject({ hasNextPage: true })
      await ask('pagesLeadersQuery', { season, count: 5, cursor: pageInfo()?.['endCursor'] })
      expect(new Set(edges()).size).toBe(10)
      expect(server.calls.take()).toEqual(['ranking/download 1'])
    })
  })
})
