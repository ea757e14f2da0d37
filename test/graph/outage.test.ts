import { getNamedType, isAbstractType, isCompositeType, isLeafType } from 'graphql'
import type { GraphQLField, GraphQLNamedType, GraphQLObjectType } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { schema } from '../../src/schema.ts'
import { sampleNow } from '../sample.setup.ts'
import { basketball, football, footballSeason, season, startSample, today } from './harness.ts'
import type { Sample } from './harness.ts'
import { answerOf } from './spoiled.ts'
import { nameOf } from '../../src/specification/operation.ts'
import type { AnswerStore, Bought } from '../../src/account/answer-store.ts'
import type { Json } from '../service/client.ts'

/** An answer that means the service is away. It costs nothing and is not repeated. */
const away = answerOf({ error: 'Service unavailable.' }, { headers: { 'x-request-usage': '0' } })
const day = 86_400_000

let sample: Sample
let home: string
beforeAll(async () => {
  sample = await startSample()
  const [game] = await sample.rows('game/getGames', { ...basketball, start_date: today })
  home = String(game?.['home_team_id'])
})
afterAll(() => sample.close())

type Marked = { readonly extensions: { readonly stale?: { readonly rows: number } } }

/** A graph, and a switch that lets everything expire and takes the service away. */
function untilAway(passed: number, began = sampleNow) {
  let now = began
  let isAway = false
  const bought: Bought[] = []
  const start = () =>
    sample.graph({
      clock: () => now,
      apiKey: sample.apiKey,
      freshFor: { staleIfError: 2 * day },
      between: async (request, service) => (isAway ? away : service(request)),
      answers: keptIn(bought),
    })
  const pass = (time: number) => (now += time)
  const leave = () => {
    pass(passed)
    isAway = true
  }
  return { ...start(), pass, leave, restarted: start }
}

/** Keeps answers in a list, and gives them to each graph that is started later. */
const keptIn = (bought: Bought[]): AnswerStore => ({
  open(_apiKey, replay) {
    replay([...bought])
    return { keep: (one) => void bought.push(one) }
  },
  close: async () => {},
})

/** Values of arguments that a field needs, or that keep its answer the same when time passes. */
const values = (year: number): Readonly<Record<string, string>> => ({
  season: String(year),
  date: `"${today}"`,
  around: `"${today}"`,
  days: '5',
  games: '3',
  name: '"points"',
  names: '["points"]',
  orderBy: '"points"',
  side: 'HOME',
  subject: 'TEAM',
})

/** A field's call with arguments; null if it needs another one. */
function callOf({ name, args }: GraphQLField<unknown, unknown>, year: number): string | null {
  const given = args.filter((one) => one.name === 'season' || String(one.type).endsWith('!'))
  const written = given.map((one) => `${one.name}: ${values(year)[one.name]}`)
  if (given.some((one) => values(year)[one.name] === undefined)) return null
  return written.length > 0 ? `${name}(${written.join(', ')})` : name
}

/** A type's fields without fields of their own, under names that no other type has. */
const leaves = (type: GraphQLObjectType, year: number): string =>
  Object.values(type.getFields())
    .filter((field) => isLeafType(getNamedType(field.type)) && callOf(field, year))
    .map((field) => `${type.name}_${field.name}: ${callOf(field, year)}`)
    .join(' ')

const inside = (type: GraphQLNamedType, year: number): string =>
  isAbstractType(type)
    ? `__typename ${schema
        .getPossibleTypes(type)
        .map((one) => `... on ${one.name} { ${leaves(one, year)} }`)
        .join(' ')}`
    : `__typename ${leaves(type as GraphQLObjectType, year)}` // what has fields is one or the other

/** Each field of a type with everything that it has. */
const fieldsOf = (type: string, year: number): string[] =>
  Object.values((schema.getType(type) as GraphQLObjectType).getFields()).flatMap((field) => {
    const called = callOf(field, year)
    const under = getNamedType(field.type)
    if (called === null || field.name.startsWith('_') || field.name === 'usage') return []
    return isCompositeType(under) ? `${called} { ${inside(under, year)} }` : called
  })

describe.each([
  ['basketball', basketball, season, 'BasketballTeamBoxscore'],
  ['football', football, footballSeason, 'FootballTeamBoxscore'],
])('while the service is away, with rows of %s', (_sport, league, year, boxscoreType) => {
  let game: Json
  let ways: Readonly<Record<string, string>>

  beforeAll(async () => {
    const games = await sample.rows('game/read', { ...league, season: year })
    game = games.find(({ status, boxscore }) => status === 'final' && boxscore === 1) ?? {}
    const [line] = await sample.rows('player_boxscore/read', { game_id: game['game_id'] })
    const [coach] = await sample.rows('coach/read')
    const [conference] = await sample.rows('conference/read', league)
    const within = (fields: string) =>
      `{ league(organizationId: "${league.organization_id}", divisionId: "${league.division_id}") { ${fields} } }`
    ways = {
      Query: '{ % }',
      League: within('%'),
      Game: within(`game(id: "${String(game['game_id'])}") { % }`),
      Team: within(`team(id: "${String(game['home_team_id'])}") { % }`),
      Player: within(`player(id: "${String(line?.['player_id'])}") { % }`),
      Coach: `{ coach(id: "${String(coach?.['coach_id'])}") { % } }`,
      Conference: `{ conference(id: "${String(conference?.['conference_id'])}") { % } }`,
    }
  })

  test.each(['Query', 'League', 'Game', 'Team', 'Player', 'Coach', 'Conference'])(
    'each field of %s is served as it was, marked',
    async (type) => {
      for (const field of fieldsOf(type, year)) {
        // Without a date these are of today, which is another day by then.
        if (type === 'League' && /^games\b/.test(field)) continue
        const graph = untilAway(day + 60_000)
        const text = (ways[type] ?? '').replace('%', field)
        await graph.query('{ organizations { name } }') // of a key that came once nothing is kept as rows
        const { data, errors } = await graph.query(text)
        expect({ text, errors }).toEqual({ text, errors: undefined })
        graph.leave()
        graph.calls.take()
        const again = await graph.query(text)
        expect({ text, data: again.data, errors: again.errors }).toEqual({ text, data, errors: undefined })
        const isIdAlone = / (id|\w+Id) \}+/.test(text)
        if (graph.calls.take().length > 0 && !isIdAlone)
          expect({ text, stale: (again as Marked).extensions.stale }, text).toMatchObject({
            stale: { rows: expect.any(Number) },
          })
        const restarted = await graph.restarted().query(text)
        expect
          .soft({ text, data: restarted.data, errors: restarted.errors })
          .toEqual({ text, data, errors: undefined })
      }
    },
  )

  test.each([
    ['of the same time', 0],
    ['of which one is still fresh', day / 2],
  ])('both sides of a game that were bought one by one, %s, are served together', async (_what, later) => {
    const graph = untilAway(day + 60_000 - later)
    const of = (fields: string) => `{ game(id: "${String(game['game_id'])}") { ${fields} } }`
    const ids = async (text: string) => {
      const { data, errors } = await graph.query<{ game: Record<string, Json | Json[]> }>(text)
      expect(errors).toBeUndefined()
      const rows = Object.values(data.game).flat()
      return rows.map((row) => String(row['id'])).toSorted()
    }
    const oneSide = (side: string) =>
      ids(of(`playerBoxscores(side: ${side}) { id } boxscore(side: ${side}) { id }`))
    const home = await oneSide('HOME')
    graph.pass(later)
    const away = await oneSide('AWAY')
    graph.leave()
    graph.calls.take()
    expect(await ids(of('playerBoxscores { id } boxscores { id }'))).toEqual([...home, ...away].toSorted())
    expect(graph.calls.take()).toEqual(['boxscore/readBoxscore 1', 'player_boxscore/read 1'])
  })

  test('a boxscore keeps its sport and its id, and costs one call in vain for each list', async () => {
    const graph = untilAway(day + 60_000)
    const text = `{ game(id: "${String(game['game_id'])}") {
      boxscores { __typename id points stat(name: "points") columns }
      playerBoxscores(side: HOME) { __typename id points stat(name: "points") columns }
    } }`
    const { data } = await graph.query<{ game: { boxscores: readonly Json[] } }>(text)
    expect(data.game.boxscores[0]).toMatchObject({ __typename: boxscoreType, points: expect.any(Number) })
    graph.leave()
    graph.calls.take()
    const again = await graph.query(text)
    expect({ data: again.data, errors: again.errors }).toEqual({ data, errors: undefined })
    expect(graph.calls.take()).toEqual(['boxscore/readBoxscore 1', 'game/read 1', 'player_boxscore/read 1'])
  })
})

describe('while the service is away, a game that is known to have no boxscores has none', () => {
  const side = 'boxscore(side: HOME) { points }'
  const both = 'boxscores { points }'
  const sidePlayers = 'playerBoxscores(side: AWAY) { points }'
  const players = 'playerBoxscores { points }'
  const [gameRead, boxscoreRead, playersRead] = [
    'game/read 1',
    'boxscore/readBoxscore 1',
    'player_boxscore/read 1',
  ]
  let id: string

  beforeAll(async () => {
    const games = await sample.rows('game/read', { ...basketball, season })
    const game = games.find(({ status, boxscore }) => status === 'scheduled' && boxscore === 0)
    id = String(game?.['game_id'])
  })

  test.each([
    ['its row', 'status homeTeamId', side, { boxscore: null }, [boxscoreRead, gameRead]],
    ['its row', 'status homeTeamId', both, { boxscores: [] }, [boxscoreRead]],
    ['its row', 'status homeTeamId', sidePlayers, { playerBoxscores: [] }, [gameRead, playersRead]],
    ['its row', 'status homeTeamId', players, { playerBoxscores: [] }, [playersRead]],
    ['itself', side, side, { boxscore: null }, [boxscoreRead, gameRead]],
    ['both sides', both, side, { boxscore: null }, [boxscoreRead, gameRead]],
    ['both sides', players, sidePlayers, { playerBoxscores: [] }, [gameRead]],
    ['both sides', `status ${players}`, sidePlayers, { playerBoxscores: [] }, [gameRead, playersRead]],
  ])('by %s: { %s }, then { %s }', async (_what, first, then, game, calls) => {
    const graph = untilAway(day + 60_000)
    const of = (fields: string) => `{ league { game(id: "${id}") { ${fields} } } }`
    await graph.query('{ organizations { name } }') // of a key that came once nothing is kept as rows
    expect((await graph.query(of(first))).errors).toBeUndefined()
    graph.leave()
    graph.calls.take()
    const { data, errors, extensions } = await graph.query(of(then))
    expect([errors, data]).toEqual([undefined, { league: { game } }])
    expect(graph.calls.take()).toEqual(calls)
    expect((extensions as unknown as Marked['extensions']).stale).toEqual({ rows: 1, seconds: 86_460 })
  })

  test('by its row, which was read because its league had no boxscores of it', async () => {
    const graph = untilAway(day + 60_000)
    const of = (fields: string) => `{ league { game(id: "${id}") { ${fields} } } }`
    await graph.query('{ organizations { name } }')
    await graph.query(of(both))
    expect(graph.calls.take()).toContain(gameRead)
    graph.leave()
    const { data, errors } = await graph.query(of(players))
    expect([errors, data]).toEqual([undefined, { league: { game: { playerBoxscores: [] } } }])
    expect(graph.calls.take()).toEqual([playersRead])
  })
})

test('while the service is away, a player that a known season of transfers lacks has none', async () => {
  const graph = untilAway(day + 60_000)
  const [line] = await sample.rows('player_boxscore/read', { season })
  const moved = await sample.rows('cbb_transfer_player_season/read', { season })
  const id = line?.['player_id']
  expect(moved.map((row) => row['player_id'])).not.toContain(id)
  await graph.query(`{ league { transfers(season: ${season}) { committed } } }`)
  graph.leave()
  graph.calls.take()
  const one = `{ player(id: "${String(id)}") { transfers(season: ${season}) { committed } } }`
  const { data, errors, extensions } = await graph.query(one)
  expect([errors, data]).toEqual([undefined, { player: { transfers: [] } }])
  expect(graph.calls.take()).toEqual(['cbb_transfer_player_season/read 1'])
  expect(extensions).toMatchObject({ stale: { rows: 1, seconds: 86_460 } })
})

describe('while the service is away, with lists of leagues that have expired', () => {
  const league = 'organization { organizationId } division { divisionId }'
  const lists = ['division/read 1', 'organization/read 1']
  const seasons = ['elo/get 1', 'elo/get 1']

  test.each([
    ['its code', `{ league(code: "CBB") { ${league} } }`, lists],
    ['the codes of both', `{ league(code: "cbb/d1") { ${league} } }`, lists],
    [
      'its code, with its season',
      `{ league(code: "CBB") { currentSeason } }`,
      [...lists, ...seasons].toSorted(),
    ],
    [
      'the code of an organization with several divisions',
      `{ league(code: "CFB") { ${league} } }`,
      [...lists, ...seasons].toSorted(),
    ],
  ])('a league is found by %s', async (_what, text, calls) => {
    const graph = untilAway(day + 60_000)
    await graph.query('{ organizations { name } }')
    const { data, errors } = await graph.query(text)
    expect([errors, data]).toEqual([undefined, { league: expect.any(Object) }])
    graph.leave()
    graph.calls.take()
    for (const one of [graph, graph.restarted()]) {
      const again = await one.query(text)
      expect([again.errors, again.data]).toEqual([undefined, data])
      expect(one.calls.take()).toEqual(calls)
      expect(again.extensions).toMatchObject({ stale: { seconds: 86_460 }, usage: { tokens: 0 } })
    }
  })

  test('a code that none of them has is unknown, and the message has theirs', async () => {
    const graph = untilAway(day + 60_000)
    await graph.query('{ organizations { code } divisions { code } }')
    graph.leave()
    const { errors } = await graph.query('{ league(code: "NONE") { currentSeason } }')
    expect(errors).toMatchObject([
      { message: expect.stringContaining('Known: CFB, CBB'), extensions: { code: 'BAD_USER_INPUT' } },
    ])
  })
})

test('while the service is away, the last season of a league that is long over is served as it was', async () => {
  const graph = untilAway(day + 60_000, Date.parse('2031-01-20T12:00:00Z'))
  const text = '{ league { currentSeason } }'
  await graph.query('{ organizations { name } }')
  expect((await graph.query(text)).data).toEqual({ league: { currentSeason: season } })
  graph.leave()
  graph.calls.take()
  const { data, errors, extensions } = await graph.query(text)
  expect([errors, data]).toEqual([undefined, { league: { currentSeason: season } }])
  expect(graph.calls.take()).toEqual(['elo/get 1', 'elo/get 1', 'league_statistic_ranking/getStats 1'])
  expect(extensions).toMatchObject({ stale: { rows: 1, seconds: 86_460 } })
})

test('while the service is away, a row that was missing is not marked as old as the calendar', async () => {
  let now = sampleNow
  let isAway = false
  let isGone = false
  const graph = sample.graph({
    clock: () => now,
    async between(request, service) {
      if (isAway) return away
      return isGone ? answerOf({}) : service(request)
    },
  })
  const text = `{ team(id: "${home}") { name } }`
  expect((await graph.query<Json>(text)).data).toMatchObject({ team: { name: expect.any(String) } })
  now += 3 * day
  isGone = true
  expect((await graph.query<Json>(text)).data).toEqual({ team: null })
  now += 600_000
  isAway = true
  const { extensions } = await graph.query(text)
  expect(extensions).toMatchObject({ stale: { rows: 1, seconds: 3 * 86_400 + 600 } })
})

describe('while some operations of the service are away, what is served as it was is marked with its own age', () => {
  const games = (columns: string) => `{ league { games(date: "${today}") { gameId ${columns} } } }`
  const team = (id: string, fields: string) => `{ league { team(id: "${id}") { ${fields} } } }`

  test.each([
    [
      'a column that the row’s newest answer lacks',
      () => games('network'),
      90_000,
      () => games('homeScore'),
      'game/read',
    ],
    ['a column, beside columns bought anew', () => games('network status'), 400, null, 'game/read'],
    [
      'statistics, beside their team bought anew',
      () => team(home, `name stats(season: ${season}) { games }`),
      90_000,
      null,
      'team/getStats',
    ],
    [
      'a list, beside its owner bought anew',
      () => team(home, `name roster(season: ${season}) { playerId }`),
      90_000,
      null,
      'team/getPlayers',
    ],
  ])('%s', async (_what, query, seconds, between, operation) => {
    let now = sampleNow
    let isAway = false
    const graph = sample.graph({
      clock: () => now,
      freshFor: { staleIfError: 3 * day },
      between: async (request, service) =>
        isAway && nameOf(request.operation) === operation ? away : service(request),
    })
    const first = await graph.query(query())
    await graph.query(query()) // of a key that came once nothing is kept as rows
    now += 1_000 * seconds
    if (between) await graph.query(between())
    isAway = true
    const { data, errors, extensions } = await graph.query(query())
    expect([errors, data]).toEqual([undefined, first.data])
    expect(extensions).toMatchObject({ stale: { seconds } })
  })
})
