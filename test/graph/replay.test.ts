import { afterAll, beforeAll, expect, test } from 'vitest'
import { basketball, season, startSample } from './harness.ts'
import type { Sample } from './harness.ts'
import { sampleNow } from '../sample.setup.ts'
import type { operations } from '../../src/specification/operations.ts'
import type { AnswerStore, Bought } from '../../src/account/answer-store.ts'

let sample: Sample
let game: string
let team: string

const yesterday = '2026-02-13'

beforeAll(async () => {
  sample = await startSample()
  const [row] = await sample.rows('game/getGames', { ...basketball, start_date: yesterday })
  game = String(row?.['game_id'])
  team = String(row?.['home_team_id'])
})
afterAll(() => sample.close())

/** A store that hands over what the test says was bought elsewhere. */
function elsewhere() {
  let hand = (_bought: readonly Bought[]): void => {}
  const answers: AnswerStore = {
    open(_apiKey, replay) {
      hand = replay
      return { keep() {} }
    },
    async close() {},
  }
  const replay = (
    operation: keyof typeof operations,
    values: Record<string, string | number>,
    body: unknown,
    boughtAt: number,
  ) =>
    hand([
      {
        kind: 'answer',
        operation,
        arguments: values,
        boughtAt,
        bill: { tokens: 1, bytes: 100, estimated: false },
        isRandomized: false,
        text: JSON.stringify(body),
      },
    ])
  return { answers, replay }
}

const minute = 60_000

test('that a row was missing earlier does not hide the row that has come since', async () => {
  const { answers, replay } = elsewhere()
  const graph = sample.graph({ answers })
  await graph.query('{ organizations { name } }') // of a key that came once nothing is kept as rows
  await graph.query(`{ league { games(date: "${yesterday}") { gameId homeScore } } }`)
  expect(graph.calls.take()).toEqual(['game/getScores 1', 'organization/read 1'])
  replay('readGames', { game_id: game }, {}, sampleNow - minute)
  const { data } = await graph.query(`{ league { game(id: "${game}") { homeScore startDate } } }`)
  expect(data).toMatchObject({ league: { game: { homeScore: expect.any(Number), startDate: yesterday } } })
  expect(graph.calls.take()).toEqual(['game/read 1'])
})

test('an older list does not take the place of the one that is known', async () => {
  const { answers, replay } = elsewhere()
  const graph = sample.graph({ answers })
  const roster = `{ league { team(id: "${team}") { roster(season: ${season}) { lastName } } } }`
  const { data } = await graph.query<{ league: { team: { roster: unknown[] } } }>(roster)
  await graph.query(roster) // of a key that came once nothing is kept as rows
  expect(graph.calls.take()).toEqual(['team/getPlayers 1'])
  const values = { organization_id: basketball.organization_id, team_id: team, season }
  const [first, ...others] = Object.entries(await sample.row('team/getPlayers', values))
  expect(others.length).toBeGreaterThan(1)
  const shorter = Object.fromEntries(first ? [first] : [])
  replay('getPlayers', values, shorter, sampleNow - minute)
  expect((await graph.query(roster)).data).toEqual(data)
  replay('getPlayers', values, shorter, sampleNow + 1)
  expect((await graph.query<typeof data>(roster)).data.league.team.roster).toHaveLength(1)
  expect(graph.calls.take()).toEqual([])
})

test('a player’s name in an older boxscore does not take the place of the one that is known', async () => {
  const { answers, replay } = elsewhere()
  const graph = sample.graph({ answers })
  const [line] = await sample.rows('player_boxscore/read', { game_id: game })
  const player = `{ player(id: "${String(line?.['player_id'])}") { firstName lastName college } }`
  const { data } = await graph.query(player)
  await graph.query(player) // of a key that came once nothing is kept as rows
  expect(graph.calls.take()).toEqual(['player/read 1'])
  const before = { [String(line?.['player_boxscore_id'])]: { ...line, last_name: 'Maiden-Name' } }
  replay('readPlayerBoxscores', { game_id: game }, before, sampleNow - minute)
  expect((await graph.query(player)).data).toEqual(data)
  expect(graph.calls.take()).toEqual([])
})
