import { Kind, parse, print } from 'graphql'
import type { ConstDirectiveNode, ObjectTypeDefinitionNode, TypeNode } from 'graphql'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { printedSchema, printedSubgraph } from '../../src/schema.ts'
import type { Json } from '../service/client.ts'
import { basketball, season, startSample, today } from './harness.ts'
import type { Answer, Graph, Sample } from './harness.ts'
import { unspecified } from './specified.ts'
import { answerOf, instead } from './spoiled.ts'

let sample: Sample
let graph: Graph
let games: Json[]

beforeAll(async () => {
  sample = await startSample()
  games = await sample.rows('game/getGames', { ...basketball, start_date: today })
})
afterAll(() => sample.close())
afterEach(() => expect(unspecified(graph.calls.sent)).toEqual([]))

type Representation = Readonly<Record<string, unknown>>
interface Entities {
  readonly _entities: readonly (Record<string, unknown> | null)[]
}

/** The answer to a gateway that requests entities by their representations. */
async function ask(representations: readonly Representation[], fragments: string): Promise<Answer<Entities>> {
  return graph.query<Entities>(
    `query ($representations: [_Any!]!) { _entities(representations: $representations) { ${fragments} } }`,
    { variables: { representations } },
  )
}

function cold(options?: Parameters<Sample['graph']>[0]): void {
  graph = sample.graph(options)
}

const ids = (column: string) => games.map((game) => String(game[column]))
const teamsOf = () => [...ids('home_team_id'), ...ids('away_team_id')]
const references = (typename: string, key: string, keys: readonly string[]) =>
  keys.map((one) => ({ __typename: typename, [key]: one }))
type Directed = { readonly directives?: readonly ConstDirectiveNode[] | undefined }
const nobody = '00000000-0000-4000-8000-000000000000'

describe('references from other subgraphs', () => {
  test('to n teams cost one read, whatever the order, and are answered in that order', async () => {
    cold()
    const teams = teamsOf().toReversed()
    const { data, errors } = await ask(references('Team', 'teamId', teams), '... on Team { teamId name }')
    const rows = new Map(
      (await sample.rows('team/read', { team_id: teams })).map((row) => [row['team_id'], row]),
    )
    expect(errors).toBeUndefined()
    expect(data._entities).toEqual(teams.map((teamId) => ({ teamId, name: rows.get(teamId)?.['name'] })))
    expect(graph.calls.take()).toEqual([`team/read ${new Set(teams).size}`])
  })

  test('to several classes at once cost one read for each class', async () => {
    cold()
    const { data } = await ask(
      [
        ...references('Game', 'gameId', ids('game_id')),
        ...references('Team', 'teamId', teamsOf()),
        { __typename: 'Organization', organizationId: basketball.organization_id },
      ],
      '... on Game { season } ... on Team { name } ... on Organization { name }',
    )
    expect(data._entities.slice(0, games.length)).toEqual(games.map(() => ({ season })))
    expect(data._entities.every((entity) => entity !== null)).toBe(true)
    expect(graph.calls.take()).toEqual([
      `game/read ${games.length}`,
      'organization/read 1',
      `team/read ${new Set(teamsOf()).size}`,
    ])
  })

  test('that want links alone call the links alone, also beside a class that wants columns', async () => {
    cold()
    const [teamId = ''] = teamsOf()
    const [gameId = ''] = ids('game_id')
    const { data, errors } = await ask(
      [
        { __typename: 'Team', teamId },
        { __typename: 'Game', gameId },
      ],
      `... on Team { teamId elo(season: ${season}) { elo } } ... on Game { network }`,
    )
    expect(errors).toBeUndefined()
    expect(data._entities[0]).toMatchObject({ teamId, elo: { elo: expect.any(Number) } })
    expect(graph.calls.take()).toEqual(['elo/read 1', 'game/read 1'])
  })

  test('share one read with whatever else the query asks of the class', async () => {
    cold()
    const [first = '', second = '', third = ''] = teamsOf()
    const { errors } = await graph.query(
      `query ($a: [_Any!]!, $b: [_Any!]!) {
        a: _entities(representations: $a) { ... on Team { name } }
        b: _entities(representations: $b) { ... on Team { code } }
        team(id: "${third}") { name }
      }`,
      {
        variables: {
          a: references('Team', 'teamId', [first, second]),
          b: references('Team', 'teamId', [second]),
        },
      },
    )
    expect(errors).toBeUndefined()
    expect(graph.calls.take()).toEqual(['team/read 3'])
  })

  test('cost nothing where their rows are fresh', async () => {
    cold()
    const teams = references('Team', 'teamId', teamsOf())
    await ask(teams, '... on Team { name }')
    graph.calls.take()
    const { extensions } = await ask(teams, '... on Team { name primaryColor }')
    expect(graph.calls.take()).toEqual([])
    expect(extensions.usage).toMatchObject({ tokens: 0, calls: 0 })
  })

  test('are read one by one for a key that may not read in bulk', async () => {
    cold({ apiKey: 'sample-trial' })
    const [first = '', second = ''] = teamsOf()
    const { data } = await ask(references('Team', 'teamId', [first, second]), '... on Team { teamId name }')
    expect(data._entities).toEqual([
      { teamId: first, name: expect.any(String) },
      { teamId: second, name: expect.any(String) },
    ])
    expect(graph.calls.take()).toEqual(['team/get 1', 'team/get 1', 'team/read 2'])
  })

  test('are priced by a dry run, which spends nothing', async () => {
    cold()
    const { extensions } = await graph.query(
      'query ($all: [_Any!]!) { _entities(representations: $all) { ... on Team { name } } }',
      {
        variables: { all: references('Team', 'teamId', ids('home_team_id')) },
        extensions: { explain: 'dry' },
      },
    )
    const plan = extensions.plan?.map(({ operation, ids: collapsed, field }) => ({
      operation,
      collapsed,
      field,
    }))
    const collapsed = new Set(ids('home_team_id')).size
    expect(plan).toEqual([{ operation: 'team/read', collapsed, field: 'Query._entities' }])
    expect(graph.calls.take()).toEqual([])
  })

  test('that want nothing but the key read the row, to learn whether it is there', async () => {
    cold()
    const { data } = await ask(references('Team', 'teamId', [nobody]), '... on Team { teamId }')
    expect(data._entities).toEqual([null])
    expect(graph.calls.take()).toEqual(['team/read 1'])
  })

  test('to rows that are not there are null and harm no others', async () => {
    cold()
    const [first = '', second = ''] = teamsOf()
    const { data, errors } = await ask(
      references('Team', 'teamId', [first, nobody, second]),
      '... on Team { teamId name }',
    )
    expect(errors).toBeUndefined()
    const team = (teamId: string) => ({ teamId, name: expect.any(String) as string })
    expect(data._entities).toEqual([team(first), null, team(second)])
    expect(graph.calls.take()).toEqual(['team/read 3'])
  })

  test.each([
    ['a key that is no id', { __typename: 'Team', teamId: 'Duke' }],
    ['no key', { __typename: 'Team' }],
    ['the key of another type', { __typename: 'Team', gameId: nobody }],
    ['a type that is no entity', { __typename: 'Elo', eloId: nobody }],
    ['a type that the graph has not', { __typename: 'Stadium', stadiumId: nobody }],
    ['no type', { teamId: nobody }],
    ['the name of what every object has', { __typename: 'constructor' }],
  ])('with %s are an error in their place and harm no others', async (_what, wrong) => {
    cold()
    const [teamId = ''] = teamsOf()
    const { data, errors } = await ask(
      [wrong, ...references('Team', 'teamId', [teamId])],
      '... on Team { name }',
    )
    expect(data._entities).toEqual([null, { name: expect.any(String) }])
    expect(errors).toMatchObject([{ path: ['_entities', 0], extensions: { code: 'BAD_USER_INPUT' } }])
    expect(graph.calls.take()).toEqual(['team/read 1'])
  })

  test.each([
    ['Organization', 'organizationId', () => basketball.organization_id],
    ['Division', 'divisionId', () => basketball.division_id],
    ['Game', 'gameId', () => ids('game_id')[0]],
    ['Team', 'teamId', () => teamsOf()[0]],
    ['Player', 'playerId', async () => (await someone('players'))?.['player_id']],
    ['Coach', 'coachId', async () => (await someone('coaches'))?.['coach_id']],
    ['Conference', 'conferenceId', async () => (await sample.rows('conference/read'))[0]?.['conference_id']],
  ])('reach a %s by its %s', async (typename, key, some) => {
    cold()
    const value = String(await some())
    const { data, errors } = await ask(
      references(typename, key, [value]),
      `... on ${typename} { __typename ${key} id deleted }`,
    )
    expect(errors).toBeUndefined()
    const id = Buffer.from(`${typename}:${value}`).toString('base64')
    expect(data._entities).toEqual([{ __typename: typename, [key]: value, id, deleted: false }])
  })

  test('keep the object, its key and its links where the row cannot be read', async () => {
    cold({ between: instead('team/read', () => answerOf({ error: 'out of order' })) })
    const [teamId = ''] = teamsOf()
    const { data, errors } = await ask(
      references('Team', 'teamId', [teamId]),
      `... on Team { teamId name elo(season: ${season}) { elo } }`,
    )
    expect(data._entities).toEqual([{ teamId, name: null, elo: { elo: expect.any(Number) } }])
    expect(errors?.map(({ path }) => path)).toEqual([['_entities', 0, 'name']])
  })
})

test('a node’s links alone are called where another type’s fragment wants columns', async () => {
  cold()
  const [teamId = ''] = teamsOf()
  const id = Buffer.from(`Team:${teamId}`).toString('base64')
  await graph.query(
    `{ node(id: "${id}") { ... on Team { elo(season: ${season}) { elo } } ... on Player { firstName } } }`,
  )
  expect(graph.calls.take()).toEqual(['elo/read 1'])
})

describe('the subgraph’s schema', () => {
  const definitions = parse(printedSubgraph()).definitions.filter(
    (one): one is ObjectTypeDefinitionNode => one.kind === Kind.OBJECT_TYPE_DEFINITION,
  )
  const fieldsOf = (type: string) => definitions.find(({ name }) => name.value === type)?.fields ?? []
  const typeOf = (type: string, field: string) => {
    const found = fieldsOf(type).find(({ name }) => name.value === field)
    if (!found) throw new Error(`There is no ${type}.${field}.`)
    return found.type
  }
  const scalars = new Set(['ID', 'String', 'Float', 'Int', 'Boolean'])

  test('is what `_service` answers, at no cost', async () => {
    cold()
    const { data } = await graph.query<{ _service: { sdl: string } }>('{ _service { sdl } }')
    expect(data._service.sdl.trim()).toBe(printedSubgraph().trim())
    expect(graph.calls.take()).toEqual([])
  })

  test('names the key of each entity, and no others', () => {
    const keys = [...printedSubgraph().matchAll(/^type (\w+)[^{]*@key\(fields: "([^"]*)"\)/gm)]
    expect(Object.fromEntries(keys.map(([, type, key]) => [type, key]))).toEqual({
      Organization: 'organizationId',
      Division: 'divisionId',
      Game: 'gameId',
      Team: 'teamId',
      Player: 'playerId',
      Coach: 'coachId',
      Conference: 'conferenceId',
    })
  })

  test('shares the one type that other subgraphs have too', () => {
    const shared = [...printedSubgraph().matchAll(/^type (\w+)[^{]*@shareable/gm)]
    expect(shared.map(([, type]) => type)).toEqual(['PageInfo'])
  })

  test('shares the ids and the columns of entities, which neighbours key on and provide', () => {
    const sharedIn = (type: string) =>
      fieldsOf(type).flatMap((field) => (has(field, 'shareable') ? field.name.value : []))
    expect(sharedIn('Team')).toEqual(expect.arrayContaining(['id', 'name', 'primaryColor', 'teamId']))
    expect(sharedIn('Game')).toEqual(expect.arrayContaining(['homeScore', 'homeTeamId', 'id', 'startDate']))
    // What is computed, or takes a call of its own, is only ours.
    for (const type of ['Team', 'Game', 'Player'])
      for (const name of sharedIn(type))
        expect(scalars.has(named(typeOf(type, name))) || named(typeOf(type, name)).startsWith('Date')).toBe(
          true,
        )
    expect(sharedIn('Team')).not.toContain('stats')
    expect(
      definitions.filter(({ name }) => sharedIn(name.value).length > 0).map(({ name }) => name.value),
    ).toEqual(['Coach', 'Conference', 'Division', 'Game', 'Organization', 'Player', 'Team'])
  })

  test('has nothing of what belongs to a server of its own', async () => {
    expect(fieldsOf('Query').map(({ name }) => name.value)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(node|nodes|usage)$/)]),
    )
    expect(printedSubgraph()).not.toMatch(/^(type Usage|interface Node)\b|implements[^{]*\bNode\b|: Node\b/m)
    cold()
    const { data } = await graph.query('{ usage { tokens } nodes(ids: []) { id } }')
    expect(data).toEqual({ usage: { tokens: 0 }, nodes: [] })
    expect(graph.calls.take()).toEqual([])
  })

  test('tells gateways the length of every list of rows', () => {
    const isFree = (type: string) =>
      definitions.some((one) => one.name.value === type && has(one, 'cost', '0'))
    const untold = definitions.flatMap(({ name, fields = [] }) =>
      fields
        .filter(
          ({ type }) => print(type).startsWith('[') && !scalars.has(named(type)) && !isFree(named(type)),
        )
        .filter((field) => !has(field, 'listSize'))
        .map((field) => `${name.value}.${field.name.value}`),
    )
    expect(untold).toEqual([])
  })

  test('weighs a row of statistics as the service bills it', async () => {
    cold()
    const [teamId = ''] = teamsOf()
    const { extensions } = await graph.query(
      `{ league { team(id: "${teamId}") { stats(season: ${season}) { games } } } }`,
    )
    const weight = definitions.find(({ name }) => name.value === 'TeamStatRanking')
    expect(weight && has(weight, 'cost', String(extensions.usage.tokens))).toBe(true)
    expect(graph.calls.take()).toEqual(['team/getStats 1'])
  })

  test('leaves federation out of what clients see', () => {
    expect(printedSubgraph()).toMatch(/@key|@link/)
    expect(printedSchema()).not.toMatch(/@key|@link|\b_entities\b|\b_Any\b|\b_service\b/)
  })
})

async function someone(group: 'players' | 'coaches'): Promise<Json | undefined> {
  for (const name of ['a', 'e', 'o']) {
    const found = (await sample.row('search/search', { ...basketball, name }))[group] as Json[]
    if (found[0]) return found[0]
  }
  return undefined
}

function has({ directives = [] }: Directed, name: string, value?: string): boolean {
  const isThere = (one: ConstDirectiveNode) =>
    value === undefined || one.arguments?.some((argument) => print(argument.value) === value)
  return directives.some((one) => one.name.value === name && isThere(one))
}

function named(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : named(type.type)
}
