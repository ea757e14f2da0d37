import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { textOf } from '../../src/client/document.ts'
import { GameFormDocument, GameSummaryDocument, MatchupDocument } from '../../src/client/generated/graphql.ts'
import { decodeGlobalId } from '../../src/graph/ids.ts'
import { football, season, startSample } from './harness.ts'
import type { Graph, Sample } from './harness.ts'
import { within } from '../service/client.ts'
import type { Json } from '../service/client.ts'

const pastSeason = season - 1
let sample: Sample
let team: string
let [past, present] = ['', '']

beforeAll(async () => {
  sample = await startSample()
  const gamesOf = async (year: number) => {
    const games = await sample.rows('game/read', { season: year, ...(team && { home_team_id: team }) })
    return games.find(({ status }) => status === 'final') ?? {}
  }
  const last = await gamesOf(pastSeason)
  team = String(last['home_team_id'])
  past = String(last['game_id'])
  present = String((await gamesOf(season))['game_id'])
})
afterAll(() => sample.close())

async function ask(graph: Graph, text: string): Promise<Json> {
  const { data, errors } = await graph.query<Json>(text)
  expect(errors).toBeUndefined()
  return data
}

const partsOf = (id: unknown) => decodeGlobalId(String(id))?.scope
const inLeague = ({ organization_id, division_id }: typeof football) =>
  `league(organizationId: "${organization_id}", divisionId: "${division_id}")`

/** What differs between objects with one id. A field is known by its name in the answer. */
function conflictsIn(data: unknown): string[] {
  const known = new Map<string, Map<string, string>>()
  const conflicts: string[] = []
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit)
    if (typeof value !== 'object' || value === null) return value
    const fields = Object.entries(value).map(([name, inner]) => [name, visit(inner)] as const)
    const { id } = value as Json
    if (typeof id !== 'string') return Object.fromEntries(fields)
    const before = known.get(id) ?? new Map<string, string>()
    known.set(id, before)
    for (const [name, inner] of fields) {
      const text = JSON.stringify(inner)
      if (before.has(name) && before.get(name) !== text)
        conflicts.push(`${Buffer.from(id, 'base64').toString()} ${name}: ${before.get(name)} and ${text}`)
      before.set(name, text)
    }
    return { id }
  }
  visit(data)
  return conflicts
}

describe('an id carries the season and the league on which fields depend', () => {
  const stats = 'stats { id season points { value } }'

  test('so one team of games of two seasons is two objects, for the calls that it took before', async () => {
    const graph = sample.graph()
    const data = await ask(
      graph,
      `{ games(ids: ["${past}", "${present}"]) { id season homeTeam { id teamId ${stats} } } }`,
    )
    const [one = {}, other = {}] = data['games'] as Json[]
    expect([
      within(one, 'homeTeam', 'stats')['season'],
      within(other, 'homeTeam', 'stats')['season'],
    ]).toEqual([pastSeason, season])
    expect(conflictsIn(data)).toEqual([])
    expect(within(one, 'homeTeam')['teamId']).toBe(within(other, 'homeTeam')['teamId'])
    expect(partsOf(within(one, 'homeTeam')['id'])).toEqual({ season: pastSeason })
    expect(graph.calls.take()).toEqual(['game/read 2', 'team/getStats 1', 'team/getStats 1'])
  })

  test('`node` returns the object in that scope, with the same id, fields and bill', async () => {
    const found = within(
      await ask(sample.graph(), `{ game(id: "${past}") { homeTeam { id ${stats} } } }`),
      'game',
    )
    const team = found['homeTeam'] as Json
    const graph = sample.graph()
    const again = await ask(graph, `{ node(id: "${String(team['id'])}") { id ... on Team { ${stats} } } }`)
    expect(again['node']).toEqual(team)
    expect(graph.calls.take()).toEqual(['team/getStats 1'])
    const byField = await ask(graph, `{ team(id: "${String(team['id'])}") { id ${stats} } }`)
    expect(byField['team']).toEqual(team)
    expect(graph.calls.take()).toEqual([])
  })

  test('an id alone costs nothing, and is plain in the default league without a season', async () => {
    const graph = sample.graph()
    const plain = Buffer.from(`Team:${team}`).toString('base64')
    const data = await ask(
      graph,
      `{ league { team(id: "${team}") { id elo(season: ${season}) { id } } } node(id: "${plain}") { id ... on Team { teamId } } }`,
    )
    expect(within(data, 'league', 'team')['id']).toBe(plain)
    expect(data['node']).toEqual({ id: plain, teamId: team })
    expect(graph.calls.take()).toEqual(['elo/read 1', 'team/read 1'])
  })

  test('of another league than the default one, the id names that', async () => {
    const graph = sample.graph()
    const data = await ask(graph, `{ ${inLeague(football)} { search(name: "a") { teams { id name } } } }`)
    const [found] = within(data, 'league', 'search')['teams'] as Json[]
    const { organization_id, division_id } = football
    expect(partsOf(found?.['id'])).toEqual({ organization_id, division_id })
    graph.calls.take()
    const text = 'id stats(season: 2025) { id columns }'
    const again = await ask(graph, `{ node(id: "${String(found?.['id'])}") { id ... on Team { ${text} } } }`)
    expect(within(again, 'node')['id']).toBe(found?.['id'])
    expect(within(again, 'node', 'stats', 'columns')).toHaveProperty('total_yards')
    expect(graph.calls.take()).toEqual(['team/getStats 1'])
  })

  test('a projected row is another object than the row of today', async () => {
    const graph = sample.graph()
    const data = await ask(
      graph,
      `{ league { conferences { id projection(season: ${season}) { standings { id wins { value } } }
          standings(season: ${season}) { team { id } stats { id wins { value } } } } } }`,
    )
    expect(conflictsIn(data)).toEqual([])
  })
})

describe('two objects with one id have the same fields', () => {
  const roster = `roster { id stats { id games } }`
  const wide = `id name ${'stats { id season wins { value } }'} ${roster} conference { id stats { id season } }`

  test('along every path between seasons and leagues', async () => {
    const data = await ask(
      sample.graph(),
      `{ games(ids: ["${past}", "${present}"]) { id homeTeam { ${wide} } awayTeam { ${wide} }
            playerBoxscores { ... on Node { id } player { id stats { id season } gameLog { ... on Node { id } } } } }
         team(id: "${team}") { ${wide} }
         league { team(id: "${team}") { ${wide} } elo { id team { id stats { id season } } } } }`,
    )
    expect(conflictsIn(data)).toEqual([])
  })

  test('in every document of the client that a page of a past game sends', async () => {
    const variables = { gameId: past }
    const graph = sample.graph()
    for (const document of [GameFormDocument, GameSummaryDocument, MatchupDocument]) {
      const text = textOf(document)
      const now = await graph.query<Json>(text, { variables: { gameId: present } })
      const then = await graph.query<Json>(text, { variables })
      expect([now.errors, then.errors]).toEqual([undefined, undefined])
      expect(conflictsIn([now.data, then.data])).toEqual([])
    }
  })
})
