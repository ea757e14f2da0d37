import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startServer } from '../server.ts'
import type { Server } from '../server.ts'
import { example, missing, packageOf } from './packages.ts'

const date = '2026-02-14'
const day = `{ league { games(date: "${date}") { gameId homeTeam { name } tickets { sold } } } }`
const best = '{ bestSelling(first: 20) { gameId tickets { sold } homeScore homeTeam { name } } }'
const rated = 'query ($ids: [ID!]!) { players(ids: $ids) { playerId lastName fanRating { stars votes } } }'

interface Ticketed {
  readonly gameId: string
  readonly homeScore: number
  readonly homeTeam: { readonly name: string }
  readonly tickets: { readonly sold: number }
}

interface Answer {
  readonly data?: unknown
  readonly errors?: readonly { readonly message: string }[]
}

type Ask = (query: string, variables?: Record<string, unknown>) => Promise<Answer>

/** The example, started by its one command; the addresses that it prints. */
async function startExample(statline: string) {
  const env = { ...process.env, STATLINE_URL: statline, TICKETS_PORT: '0', PORT: '0' }
  const running = spawn(process.execPath, ['start.js'], {
    cwd: example,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const urls: string[] = []
  for await (const line of createInterface(running.stdout)) {
    const url = /listens on (\S+)/.exec(line)?.[1]
    if (url) urls.push(url)
    if (urls.length === 2) break
  }
  const [tickets = '', supergraph = ''] = urls
  return {
    tickets,
    supergraph,
    async close() {
      running.kill()
      await once(running, 'exit')
    },
  }
}

const over =
  (url: string): Ask =>
  async (query, variables) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    })
    return (await response.json()) as Answer
  }

interface Live {
  readonly data: { readonly scores: Pick<Ticketed, 'gameId' | 'tickets'> & { readonly status: string } }
}

/** The first events of a subscription, over SSE. */
async function firstOf(url: string, query: string, count: number): Promise<readonly Live[]> {
  const leaving = new AbortController()
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query }),
    signal: leaving.signal,
  })
  let read = ''
  const events = () => [...read.matchAll(/^data: (\{.*\})$/gm)].map(([, data]) => JSON.parse(data ?? ''))
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    read += chunk
    if (events().length >= count) break
  }
  leaving.abort()
  return events().slice(0, count)
}

async function sdlOf(url: string): Promise<string> {
  const { data } = await over(url)('{ _service { sdl } }')
  return (data as { _service: { sdl: string } })._service.sdl // what the query asks for
}

let server: Server
let running: Awaited<ReturnType<typeof startExample>>
let subgraphs: { name: string; url: string; sdl: string }[]

describe.skipIf(missing)(`in a supergraph${missing ? ` (skipped: ${missing})` : ''}`, () => {
  beforeAll(async () => {
    server = await startServer()
    const statline = `${server.url}/graphql`
    running = await startExample(statline)
    subgraphs = await Promise.all(
      Object.entries({ statline, tickets: running.tickets }).map(async ([name, url]) => ({
        name,
        url,
        sdl: await sdlOf(url),
      })),
    )
  })

  afterAll(async () => {
    await running?.close()
    await server?.close()
  })

  const services = () => {
    const { parse } = packageOf('graphql')
    return subgraphs.map(({ name, url, sdl }) => ({ name, url, typeDefs: parse(sdl) }))
  }

  it.each(['@apollo/composition', '@theguild/federation-composition'] as const)('composes by %s', (name) => {
    const { supergraphSdl, errors } = packageOf(name).composeServices(services())
    expect(errors ?? []).toEqual([])
    expect(supergraphSdl).toMatch(/type Game[^{]*@join__type\(graph: TICKETS, key: "gameId"/)
  })

  it('composes by @wundergraph/composition', () => {
    const { success, errors } = packageOf('@wundergraph/composition').federateSubgraphs({
      subgraphs: services().map(({ typeDefs, ...rest }) => ({ ...rest, definitions: typeDefs })),
    })
    expect(errors ?? []).toEqual([])
    expect(success).toBe(true)
  })

  it('live scores reach subscribers through Hive Gateway, with the other subgraph’s tickets, for one call', async () => {
    server.forget()
    server.calls.take()
    const query = `subscription { scores(date: "${date}") { gameId status tickets { sold } } }`
    const live = await firstOf(running.supergraph, query, 5)
    expect(new Set(live.map(({ data }) => data.scores.gameId)).size).toBe(5)
    for (const { data } of live) expect(data.scores.tickets.sold).toBeTypeOf('number')
    expect(server.calls.take()).toEqual(['game/getScores 1'])
  })

  describe.each(['Hive Gateway', 'Apollo Gateway'])('behind %s', (gateway) => {
    let ask: Ask
    let stop = async () => {}

    beforeAll(async () => {
      if (gateway === 'Hive Gateway') {
        ask = over(running.supergraph)
        return
      }
      const { ApolloGateway } = packageOf('@apollo/gateway')
      const { supergraphSdl = '' } = packageOf('@apollo/composition').composeServices(services())
      const apollo = new ApolloGateway({ supergraphSdl })
      const { executor } = await apollo.load()
      const { parse } = packageOf('graphql')
      ask = (query, variables = {}) =>
        executor({
          request: { query, variables },
          document: parse(query),
          operationName: null,
          queryHash: query,
          context: {},
          metrics: {},
          overallCachePolicy: {},
        })
      stop = () => apollo.stop()
    })

    afterAll(() => stop())

    beforeEach(() => {
      server.forget()
      server.calls.take()
    })

    it('a day’s games carry the other subgraph’s tickets for one call', async () => {
      const { data, errors } = await ask(day)
      expect(errors ?? []).toEqual([])
      const { games } = (data as { league: { games: Ticketed[] } }).league
      expect(games.length).toBeGreaterThan(5)
      for (const { homeTeam, tickets } of games) {
        expect(homeTeam.name).toMatch(/\w/)
        expect(tickets.sold).toBeTypeOf('number')
      }
      expect(server.calls.take()).toEqual(['game/getGames 1'])
    })

    it('references to n games are one read of n ids', async () => {
      const { data } = await ask(day)
      const { games } = (data as { league: { games: Ticketed[] } }).league
      for (const [at, { gameId }] of games.entries())
        await ask(`mutation { sellTickets(gameId: "${gameId}", seats: ${at + 1}, price: 20) { gameId } }`)
      server.forget()
      server.calls.take()
      const { data: sold, errors } = await ask(best)
      expect(errors ?? []).toEqual([])
      const { bestSelling } = sold as { bestSelling: Ticketed[] }
      expect(bestSelling.map(({ gameId }) => gameId)).toEqual(games.map(({ gameId }) => gameId).toReversed())
      expect(new Set(bestSelling.map(({ homeTeam }) => homeTeam.name))).toEqual(
        new Set(games.map(({ homeTeam }) => homeTeam.name)),
      )
      const [read, ...rest] = server.calls.take()
      expect([read, ...rest.map((call) => call.split(' ')[0])]).toEqual([
        `game/read ${games.length}`,
        'team/read',
      ])
    })

    it('players carry the votes of fans', async () => {
      const ids = (await server.sample.rows('player/read'))
        .slice(0, 3)
        .map(({ player_id }) => String(player_id))
      await ask(`mutation { ratePlayer(playerId: "${ids[0]}", stars: 4) { playerId } }`)
      const { data, errors } = await ask(rated, { ids })
      expect(errors ?? []).toEqual([])
      const { players } = data as { players: { playerId: string; fanRating: { stars: number } | null }[] }
      expect(players.map(({ playerId, fanRating }) => [playerId, fanRating?.stars ?? null])).toEqual([
        [ids[0], 4],
        [ids[1], null],
        [ids[2], null],
      ])
      expect(server.calls.take()).toEqual(['player/read 3'])
    })
  })
})
