import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basketball, season, startSample, today } from './harness.ts'
import type { Graph, Sample } from './harness.ts'
import { judged } from './spoiled.ts'
import { sampleNow } from '../sample.setup.ts'
import type { Json } from '../service/client.ts'

let sample: Sample
let games: Json[]

beforeAll(async () => {
  sample = await startSample()
  games = await sample.rows('game/getGames', { ...basketball, start_date: today })
})
afterAll(() => sample.close())

const second = 1_000
const minute = 60 * second
const year = 365 * 24 * 60 * minute

/** A graph whose clock is moved by hand, over a service in which every game of the day is in a state. */
function graphAt(change: Json = {}) {
  let now = sampleNow
  const between = judged((body) =>
    Object.fromEntries(
      Object.entries(body).map(([key, row]) => [
        key,
        (row as Json | null)?.['game_id'] === undefined ? row : { ...(row as Json), ...change }, // rows
      ]),
    ),
  )
  const graph = sample.graph({ clock: () => now, between })
  return { graph, pass: (time: number) => (now += time) }
}

async function costs(graph: Graph, text: string): Promise<string[]> {
  const { errors } = await graph.query(text)
  expect(errors).toBeUndefined()
  return graph.calls.take()
}

const game = (fields: string, nth = 0) =>
  `{ league { game(id: "${String(games[nth]?.['game_id'])}") { ${fields} } } }`

describe('what belongs to a game under way', () => {
  const live = { status: 'in_progress', final: 0 }

  test.each([
    ['its row', 'homeScore clock', ['game/read 1']],
    ['its boxscores', 'boxscores { points }', ['boxscore/readBoxscore 1']],
    ['its players’ boxscores', 'playerBoxscores { points }', ['player_boxscore/read 1']],
    ['its line’s history', 'odds { history { over } }', ['odds/read 1']],
    ['its current odds', 'odds { live { over } }', ['odds/read 1']],
  ])('%s is served for 15 seconds and no longer', async (_what, fields, calls) => {
    const { graph, pass } = graphAt(live)
    await costs(graph, game('status homeTeamId'))
    const text = game(fields)
    await costs(graph, text)
    pass(14 * second)
    expect(await costs(graph, text)).toEqual([])
    pass(2 * second)
    expect(await costs(graph, text)).toEqual(calls)
  })

  test('is told by its score, however long ago it started', async () => {
    const start_datetime = new Date(sampleNow - year).toISOString()
    const { graph, pass } = graphAt({ ...live, start_datetime, home_score: 2, away_score: 0 })
    const text = game('homeScore network')
    await costs(graph, text)
    pass(14 * second)
    expect(await costs(graph, text)).toEqual([])
    pass(2 * second)
    expect(await costs(graph, text)).toEqual(['game/read 1'])
  })

  test('a day with a game under way is asked for again, and only what moves in it', async () => {
    const { graph, pass } = graphAt(live)
    const text = `{ league { games(date: "${today}") { homeScore homeTeam { name } } } }`
    await costs(graph, text)
    pass(16 * second)
    const calls = await costs(graph, text)
    expect(calls).toHaveLength(1)
    expect(calls[0]).toMatch(/^game\//)
  })
})

test('a game to come is not kept past its start', async () => {
  const start_datetime = new Date(sampleNow + minute).toISOString()
  const { graph, pass } = graphAt({ status: 'scheduled', start_datetime })
  const text = game('status network')
  await costs(graph, text)
  pass(59 * second)
  expect(await costs(graph, text)).toEqual([])
  pass(second)
  expect(await costs(graph, text)).toEqual(['game/read 1'])
})

describe('what is over stays', () => {
  test.each([
    ['a game’s row', 'homeScore attendance'],
    ['its boxscores', 'boxscores { points }'],
    ['its players’ boxscores', 'playerBoxscores { points }'],
    ['its line’s history', 'odds { history { over } }'],
    ['its prediction', 'prediction { homePercentage }'],
  ])('%s', async (_what, fields) => {
    const { graph, pass } = graphAt()
    await costs(graph, game('status startDate homeTeamId'))
    const text = game(fields)
    await costs(graph, text)
    pass(year)
    expect(await costs(graph, text)).toEqual([])
  })

  test.each(['boxscores', 'playerBoxscores'])('%s whose flag is text', async (field) => {
    const { graph, pass } = graphAt({ final: '1' })
    const text = game(`${field} { points }`)
    await costs(graph, text)
    pass(year)
    expect(await costs(graph, text)).toEqual([])
  })

  test('a day long past, with all its games', async () => {
    const { graph, pass } = graphAt()
    const text = '{ league { games(date: "2026-01-22") { homeScore homeTeamId network } } }'
    expect(await costs(graph, text)).toEqual(['game/getGames 1'])
    pass(year)
    expect(await costs(graph, text)).toEqual([])
  })
})

describe('what moves from day to day is served for minutes', () => {
  const team = () => String(games[0]?.['home_team_id'])

  test.each([
    [
      'current statistics',
      () => `{ team(id: "${team()}") { stats(season: ${season}) { games } } }`,
      ['team/getStats 1'],
    ],
    ['current ratings', () => `{ league { elo(season: ${season}) { elo } } }`, ['elo/read 1']],
    [
      'a roster',
      () => `{ league { team(id: "${team()}") { roster(season: ${season}) { lastName } } } }`,
      ['team/getPlayers 1'],
    ],
    ['a search', () => '{ league { search(name: "an") { teams { name } } } }', ['search/search 1']],
    [
      'a team that is not there',
      () => '{ team(id: "00000000-0000-4000-8000-000000000000") { name } }',
      ['team/read 1'],
    ],
  ])('%s', async (_what, text, calls) => {
    const { graph, pass } = graphAt()
    expect(await costs(graph, text())).toEqual(calls)
    pass(minute)
    expect(await costs(graph, text())).toEqual([])
    pass(30 * minute)
    expect(await costs(graph, text())).toEqual(calls)
  })
})

test('keys never age: a link’s key is known for good', async () => {
  const { graph, pass } = graphAt({ status: 'in_progress' })
  await costs(graph, game('homeScore'))
  pass(year)
  expect(await costs(graph, game('homeTeam { teamId }'))).toEqual([])
})
