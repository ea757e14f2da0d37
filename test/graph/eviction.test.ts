import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basketball, startSample, today, teamsOfToday } from './harness.ts'
import type { Sample } from './harness.ts'
import { answerOf } from './spoiled.ts'
import { loadColumns } from '../../src/loading/row-loader.ts'
import { ClientRequest } from '../../src/account/client-request.ts'
import { Rows } from '../../src/rows/rows.ts'
import { Capacity } from '../../src/rows/capacity.ts'
import { nameOf } from '../../src/specification/operation.ts'
import type { Outgoing } from '../../src/wire/transport.ts'
import { AnswerFile } from '../../src/store/answers/answer-file.ts'
import { sampleNow } from '../sample.setup.ts'
import type { Json } from '../service/client.ts'

let sample: Sample
let teams: string[]
/** A game that is over. */
let game: unknown

beforeAll(async () => {
  sample = await startSample()
  const [over] = await sample.rows('game/getGames', { ...basketball, start_date: '2026-02-13' })
  game = over?.['game_id']
  teams = await teamsOfToday(sample)
})
afterAll(() => sample.close())

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void // what the flag exposes

const named = (id: string | undefined) => `{ team(id: "${id}") { name } }`
const madeUp = (nth: number) => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`

test('what is asked for again and again stays, however much else comes and goes', async () => {
  const graph = sample.graph({ mostKept: 20_000 })
  const { data } = await graph.query<Json>(named(teams[0]))
  for (let nth = 0; nth < 40; nth += 1) {
    const ids = Array.from({ length: 5 }, (_, index) => `"${madeUp(5 * nth + index)}"`)
    await graph.query(`{ teams(ids: [${ids.join()}]) { name } }`)
    expect((await graph.query<Json>(named(teams[0]))).data).toEqual(data)
  }
  expect(graph.calls.take()).toEqual(['team/read 1', ...Array<string>(40).fill('team/read 5')])
})

test('a row that nobody asks for any more is paid for again once there was no room for it', async () => {
  const graph = sample.graph({ mostKept: 20_000 })
  const first = await graph.query<Json>(named(teams[0]))
  for (let nth = 0; nth < 20; nth += 1) {
    const ids = Array.from({ length: 5 }, (_, index) => `"${madeUp(5 * nth + index)}"`)
    await graph.query(`{ teams(ids: [${ids.join()}]) { name } }`)
  }
  await new Promise((resolve) => setTimeout(resolve, 20)) // what a turn has looked up stays until its end
  collectGarbage()
  graph.calls.take()
  const again = await graph.query<Json>(named(teams[0]))
  expect(again.data).toEqual(first.data)
  expect(graph.calls.take()).toEqual(['team/read 1'])
})

describe('a list whose rows were evicted is paid for again, although its owner was used', () => {
  const season = 2026
  const yesterday = '2026-02-13'
  test.each([
    [
      'the type of a game’s boxscores',
      () => `{ game(id: "${game}") { awayTeamId boxscores { __typename teamId } } }`,
      () => `{ game(id: "${game}") { clock } }`,
      ['boxscore/readBoxscore 1'],
    ],
    [
      'the type of a player’s boxscores',
      () => `{ game(id: "${game}") { playerBoxscores { __typename playerId } } }`,
      () => `{ game(id: "${game}") { clock } }`,
      ['player_boxscore/read 1'],
    ],
    [
      'the order of a day’s games',
      () => `{ league { games(date: "${yesterday}") { gameId } } }`,
      () => '{ league { conferences { name } } }',
      ['game/getScores 1'],
    ],
    [
      'the order of a team’s games',
      () => `{ league { team(id: "${teams[0]}") { games(season: ${season}) { gameId } } } }`,
      () => named(teams[0]),
      ['game/read 1', 'game/read 1'],
    ],
    [
      'a league’s averages',
      () => `{ league { averages(season: ${season}) { dateOfRank stat(name: "points") { value } } } }`,
      () => '{ league { conferences { name } } }',
      ['league_statistic_ranking/getStats 1'],
    ],
    [
      'a team’s statistics',
      () => `{ league { team(id: "${teams[0]}") { stats(season: ${season}) { games points { value } } } } }`,
      () => named(teams[0]),
      ['team/getStats 1'],
    ],
    [
      'a game’s prediction',
      () => `{ league { games(date: "${today}") { prediction { homePercentage } } } }`,
      () => `{ league { games(date: "${today}") { homeScore } } }`,
      ['game/getScores 1'],
    ],
  ])('%s', async (_what, query, owner, calls) => {
    // Room for the rows of the query, but not beside all of those that follow.
    const graph = sample.graph({ mostKept: 400_000 })
    const first = await graph.query<Json>(query())
    expect(first.errors).toBeUndefined()
    for (let nth = 0; nth < 60; nth += 1) {
      const ids = Array.from({ length: 25 }, (_, index) => `"${madeUp(25 * nth + index)}"`)
      await graph.query(`{ teams(ids: [${ids.join()}]) { name } }`)
      await graph.query(owner())
    }
    await new Promise((resolve) => setTimeout(resolve, 20)) // what a turn has looked up stays until its end
    collectGarbage()
    graph.calls.take()
    const again = await graph.query<Json>(query())
    expect(again.data).toEqual(first.data)
    expect(graph.calls.take()).toEqual(calls)
  })
})

describe('what a league’s list tells of one of its owners is not forgotten with the owner', () => {
  test.each([
    [
      'a team’s rating',
      '{ league { elo { elo } } }',
      async () => `{ league { team(id: "${teams[0]}") { elo { elo } } } }`,
    ],
    [
      'a team’s ratings of a season',
      '{ league { elo(current: false) { elo } } }',
      async () => `{ league { team(id: "${teams[0]}") { eloHistory { elo } elo { elo } } } }`,
    ],
    [
      'a player’s transfers',
      '{ league { transfers(season: 2026) { committed } } }',
      async () => {
        const [transfer] = await sample.rows('cbb_transfer_player_season/read', { season: 2026 })
        return `{ player(id: "${String(transfer?.['player_id'])}") { transfers(season: 2026) { committed } } }`
      },
    ],
  ])('%s', async (_what, list, queryOf) => {
    const query = await queryOf()
    const { data } = await sample.graph().query<Json>(query)
    const capacity = new Capacity()
    const first = sample.graph({ capacity })
    for (const _visit of ['parked', 'kept']) await first.query(list)
    const graph = sample.graph({ mostKept: 1.5 * capacity.size })
    await graph.query(list)
    // The owners are no longer used, but the list and its rows are.
    for (let nth = 0; nth < 60; nth += 1) {
      const ids = Array.from({ length: 100 }, (_, index) => `"${madeUp(100 * nth + index)}"`)
      await graph.query(`{ teams(ids: [${ids.join()}]) { name } }`)
      await graph.query(list)
    }
    await new Promise((resolve) => setTimeout(resolve, 20)) // what a turn has looked up stays until its end
    collectGarbage()
    graph.calls.take()
    const again = await graph.query<Json>(query)
    expect(again.data).toEqual(data)
    expect(graph.calls.take()).toEqual([])
  })
})

describe('a row that the service has deleted stays out of a list after it was evicted', () => {
  test.each([
    ['conferences', '{ league { conferences { name } } }', '{ league { elo { elo } } }'],
    [
      'organizations',
      '{ organizations(active: null) { name } }',
      '{ organizations { name } league { elo { elo } } }',
    ],
  ])('%s', async (name, query, others) => {
    const graph = sample.graph({
      mostKept: 400_000,
      async between(request, service) {
        const answer = await service(request)
        if (nameOf(request.operation) !== `${name.slice(0, -1)}/read`) return answer
        const rows = Object.entries(JSON.parse(answer.body) as Record<string, Json>)
        const last = rows.at(-1)?.[1]
        if (last) Object.assign(last, { deleted: 1, inactive: 1 })
        return { ...answer, body: JSON.stringify(Object.fromEntries(rows)) }
      },
    })
    const first = await graph.query<Json>(query)
    for (let nth = 0; nth < 60; nth += 1) {
      const ids = Array.from({ length: 25 }, (_, index) => `"${madeUp(25 * nth + index)}"`)
      await graph.query(`{ teams(ids: [${ids.join()}]) { name } }`)
      await graph.query(others)
    }
    await new Promise((resolve) => setTimeout(resolve, 20)) // what a turn has looked up stays until its end
    collectGarbage()
    graph.calls.take()
    const again = await graph.query<Json>(query)
    expect(again.data).toEqual(first.data)
    expect(graph.calls.take()).toEqual([`${name.slice(0, -1)}/read 1`])
  })
})

describe('with a file, rows for which there was no room', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kept-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const day = `{ league { games(date: "${today}") { homeTeam { name } awayTeam { name } } } }`
  const yesterday = `{ league { games(date: "2026-02-13") { gameId homeScore } } }`

  test.each([
    ['a team', () => named(teams[0]), ['team/read 1']],
    ['a day whose games are over', () => yesterday, ['game/getScores 1']],
    ['a day, and its teams', () => day, ['game/getGames 1']],
  ])(
    'are read back while they are fresh, and bought when they have expired: %s',
    async (name, query, bill) => {
      let now = sampleNow
      const clock = () => now
      const warn = (message: string) => expect(message).toBe('')
      const file = new AnswerFile(join(folder, name), {
        clock,
        keptFor: 2 * 86_400_000,
        service: 'test',
        warn,
      })
      const graph = sample.graph({ mostKept: 20_000, answers: file, clock })
      const { data } = await graph.query<Json>(query())
      expect(graph.calls.take()).toEqual(bill)
      const evict = async () => {
        for (let nth = 0; nth < 20; nth += 1) {
          const ids = Array.from({ length: 5 }, (_, index) => `"${madeUp(5 * nth + index)}"`)
          await graph.query(`{ teams(ids: [${ids.join()}]) { name } }`)
        }
        await expect.poll(() => file.waiting).toBe(0)
        await new Promise((resolve) => setTimeout(resolve, 20)) // forgotten by the turn that looked it up
        collectGarbage()
        graph.calls.take()
      }
      await evict()
      const again = await graph.query<Json>(query(), { extensions: { explain: true } })
      expect(again.data).toEqual(data)
      expect(graph.calls.take()).toEqual([])
      expect(again.extensions.usage).toMatchObject({ tokens: 0, calls: 0 })
      expect(again.extensions.plan?.map(({ source }) => source)).toContain('MEMORY')

      now += 25 * 3_600_000
      await evict()
      expect((await graph.query<Json>(query())).data).toEqual(data)
      expect(graph.calls.take()).toEqual(bill)
      await file.close()
    },
  )
})

test('a query under way gets its rows, though there was no room for them meanwhile', async () => {
  let answer = () => {}
  const waiting = new Promise<void>((resolve) => (answer = resolve))
  const isHeld = ({ path, body }: Outgoing) => `${path}${body}`.includes(String(teams[0]))
  const graph = sample.graph({
    mostKept: 8_000,
    between: async (request, service) => {
      if (isHeld(request)) await waiting
      return service(request)
    },
  })
  const asked = graph.query<Json>(named(teams[0]))
  await expect.poll(() => graph.calls.sent.length).toBe(1)
  for (let nth = 0; nth < 40; nth += 1) await graph.query(`{ team(id: "${madeUp(nth)}") { name } }`)
  answer()
  expect((await asked).data).toEqual({ team: { name: expect.stringMatching(/./) } })
  expect(graph.calls.take()).toEqual(Array(41).fill('team/read 1'))
})

test('a query under way gets a list in two parts, though the first was evicted before the second came', async () => {
  const query = `{ league { team(id: "${teams[0]}") { games(season: 2026) { gameId homeScore } } } }`
  const { data } = await sample.graph().query<Json>(query)
  let answer = () => {}
  const waiting = new Promise<void>((resolve) => (answer = resolve))
  let comeHome = () => {}
  const home = new Promise<void>((resolve) => (comeHome = resolve))
  const graph = sample.graph({
    mostKept: 100_000,
    async between(request, service) {
      const text = `${request.path}${request.body}`
      const answered = await service(request)
      if (text.includes('home_team_id')) comeHome()
      if (text.includes('away_team_id')) await waiting
      return answered
    },
  })
  const asked = graph.query<Json>(query)
  await home
  for (let nth = 0; nth < 40; nth += 1) {
    const ids = Array.from({ length: 25 }, (_, index) => `"${madeUp(25 * nth + index)}"`)
    await graph.query(`{ teams(ids: [${ids.join()}]) { name } }`)
    // The list's owner stays.
    await graph.query(named(teams[0]))
  }
  answer()
  const { data: got, errors } = await asked
  expect(errors).toBeUndefined()
  expect(got).toEqual(data)
})

test('a query under way gets ratings in two parts, though there was no room for the first meanwhile', async () => {
  const four = teams.slice(0, 4)
  const each = (fields: string) =>
    `{ league { ${four.map((id, nth) => `t${nth}: team(id: "${id}") { ${fields} }`).join(' ')} } }`
  const query = each('elo(season: 2026) { elo }')
  const { data } = await sample.graph().query<Json>(query)
  let answer = () => {}
  const waiting = new Promise<void>((resolve) => (answer = resolve))
  let come = () => {}
  const first = new Promise<void>((resolve) => (come = resolve))
  const graph = sample.graph({
    mostKept: 60_000,
    batchSize: 2,
    async between(request, service) {
      const isOfLast = `${request.path}${request.body}`.includes(four.toSorted().at(-1) ?? '')
      const isElo = nameOf(request.operation) === 'elo/read'
      const answered = await service(request)
      if (isElo && !isOfLast) come()
      if (isElo && isOfLast) await waiting
      return answered
    },
  })
  const asked = graph.query<Json>(query)
  await first
  for (let nth = 0; nth < 60; nth += 1) {
    const ids = Array.from({ length: 10 }, (_, index) => `"${madeUp(10 * nth + index)}"`)
    await graph.query(`{ teams(ids: [${ids.join()}]) { name } }`)
    // The lists' owners stay.
    await graph.query(each('name'))
  }
  answer()
  const { data: got, errors } = await asked
  expect(errors).toBeUndefined()
  expect(got).toEqual(data)
})

test('a request that is answered is not kept by the key that it came with', async () => {
  const { upstream, calls } = sample.graph()
  const account = upstream.accountOf('sample-paid')
  const ask = async () => {
    const request = new ClientRequest(account)
    await loadColumns(request, 'team', String(teams[0]), ['name'], 'Query.team')
    return new WeakRef(request)
  }
  const request = await ask()
  expect(calls.take()).toEqual(['team/read 1'])
  await new Promise((resolve) => setTimeout(resolve, 20)) // a WeakRef is strong until its turn ends
  collectGarbage()
  expect(request.deref()).toBeUndefined()
  expect(upstream.accountOf('sample-paid')).toBe(account)
})

const until = (moment: number) => ({ until: () => moment })

test('what is kept is counted in bytes, and what is evicted or replaced is subtracted', () => {
  const capacity = new Capacity()
  const rows = new Rows(capacity)
  const held = rows.entry('team', 'held')
  const empty = capacity.size
  held.put({ team_id: 'held' }, new Set(), until(1_000), 0, 100_000)
  held.putSlot('roster 2025', { value: Array(1_000).fill('key'), freshness: until(1_000), boughtAt: 0 })
  expect(capacity.size).toBeGreaterThan(150_000)
  held.put({ team_id: 'held' }, new Set(), until(1_000), 0, 10)
  held.putSlot('roster 2025', { value: [], freshness: until(1_000), boughtAt: 0 })
  expect(capacity.size).toBeLessThan(2_000)
  capacity.uses += 1
  const used = rows.entry('team', 'used')
  used.putSlot('roster 2025', { value: Array(1_000).fill('key'), freshness: until(1_000), boughtAt: 0 })
  used.putSlot('roster 2026', { value: [], freshness: until(Number.POSITIVE_INFINITY), boughtAt: 0 })
  expect(rows.evict(0, 2_000)).toBe(1)
  expect([used.last('roster 2025'), used.last('roster 2026')]).toEqual([undefined, []])
  expect(capacity.size).toBe(used.size)
  held.put({ team_id: 'held' }, new Set(), until(1_000), 0, 100_000)
  expect(capacity.size).toBe(used.size)
  expect(rows.entry('team', 'held')).toBe(held)
  expect(capacity.size).toBeGreaterThan(100_000)
  rows.drop()
  expect(capacity.size).toBe(0)
  rows.entry('team', 'other')
  expect([capacity.size, empty > 0]).toEqual([0, true])
})

test('a conference’s projection counts with all its rows', async () => {
  const day = await sample.rows('game/getGames', { ...basketball, start_date: today })
  const [team] = Object.values(day[0]?.['teams'] ?? {}) as Json[]
  const capacity = new Capacity()
  const { query, calls } = sample.graph({ capacity })
  for (const _visit of ['parked', 'kept']) await query(named(teams[0]))
  const before = capacity.size
  const { extensions } = await query(
    `{ conference(id: "${String(team?.['conference_id'])}") { projection(season: 2026) { hasAccess } } }`,
  )
  expect(calls.take()).toEqual(['conference/getConferencePrediction 1', 'team/read 1'])
  expect(capacity.size - before).toBeGreaterThan(extensions.usage.bytes)
})

test('keys that hold next to nothing count too, and those unused for longest are forgotten', async () => {
  const capacity = new Capacity(1_000_000)
  const { upstream, query } = sample.graph({
    apiKey: null,
    capacity,
    between: async () => answerOf({}),
  })
  const ask = (nth: number) =>
    query(`{ team(id: "${madeUp(1)}") { name } }`, { headers: { 'x-api-key': `key-${nth}` } })
  await ask(0)
  const first = upstream.accountOf('key-0')
  for (let nth = 1; nth < 1_000; nth += 1) {
    await ask(nth)
    // A key that came once has no account.
    upstream.accountOf(`key-${nth}`)
    expect(capacity.size).toBeLessThan(1_010_000)
  }
  expect(capacity.size).toBeGreaterThan(700_000)
  expect(upstream.accountOf('key-999')).toBe(upstream.accountOf('key-999'))
  expect(upstream.accountOf('key-0')).not.toBe(first)
})

test('thousands of wrong keys do not make a good one pay again', async () => {
  const graph = sample.graph({
    apiKey: null,
    between: async (request, service) =>
      request.apiKey.startsWith('wrong') ? answerOf({ error: 'Invalid API key' }) : service(request),
  })
  const headers = { 'x-api-key': 'sample-paid' }
  await graph.query(named(teams[0]), { headers })
  for (let nth = 0; nth < 1_100; nth += 1)
    await graph.query(named(teams[0]), { headers: { 'x-api-key': `wrong-${nth}` } })
  expect(graph.calls.take()).toHaveLength(1_101)
  const again = await graph.query(named(teams[0]), { headers })
  expect(again.errors).toBeUndefined()
  expect(graph.calls.take()).toEqual([])
})
