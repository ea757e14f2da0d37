import { describe, expect, test } from 'vitest'
import {
  conferenceGames,
  conferenceRecords,
  isOpen,
  titleChances,
} from '../../src/derived/conference-title.ts'
import { game } from './rows.ts'

const record = (team_id: string, confwins: number, conflosses: number) => ({ team_id, confwins, conflosses })
const meet = (home_team_id: string, away_team_id: string, home_percentage: number | null) => ({
  home_team_id,
  away_team_id,
  home_percentage,
})
const sum = (chances: ReadonlyMap<string, number>) => [...chances.values()].reduce((a, b) => a + b, 0)

describe('the chance of winning a conference', () => {
  test('is certain where nothing is left to play', () => {
    const chances = titleChances([record('a', 5, 1), record('b', 4, 2)], [])
    expect([...chances]).toEqual([
      ['a', 1],
      ['b', 0],
    ])
  })

  test('is shared by those who finish level', () => {
    const chances = titleChances([record('a', 4, 2), record('b', 4, 2), record('c', 1, 5)], [])
    expect([...chances.values()]).toEqual([0.5, 0.5, 0])
  })

  test('is that of the deciding game', () => {
    const chances = titleChances([record('a', 4, 1), record('b', 4, 1)], [meet('a', 'b', 0.7)])
    expect(chances.get('a')).toBeCloseTo(0.7, 1)
    expect(sum(chances)).toBeCloseTo(1, 9)
  })

  test('goes by the share of games won, where teams play different numbers of games', () => {
    expect(titleChances([record('a', 4, 0), record('b', 5, 2)], []).get('a')).toBe(1)
  })

  test('counts a game without a prediction as even, and one against another conference for the own team alone', () => {
    const even = titleChances([record('a', 4, 1), record('b', 4, 1)], [meet('a', 'b', null)])
    expect(even.get('a')).toBeCloseTo(0.5, 1)
    const outside = titleChances([record('a', 4, 1), record('b', 4, 1)], [meet('a', 'elsewhere', 1)])
    expect(outside.get('a')).toBe(1)
  })

  test('of three teams with two games to go, worked by hand', () => {
    // a is first unless it loses to b, and then level with it: 0.5 + 0.5 × 0.5.
    const records = [record('a', 3, 0), record('b', 2, 1), record('c', 0, 3)]
    const chances = titleChances(records, [meet('a', 'b', 0.5), meet('c', 'a', 0)])
    expect(chances.get('a')).toBe(1)
    const level = titleChances([record('a', 3, 0), record('b', 2, 1)], [meet('a', 'b', 0.5)])
    expect(level.get('a')).toBeCloseTo(0.75, 1)
  })

  test('is the same for the same rows', () => {
    const records = Array.from({ length: 10 }, (_, at) => record(String(at), at, 9 - at))
    const games = records.flatMap(({ team_id }, at) =>
      at < 9 ? [meet(team_id, String(at + 1), 0.4 + at / 50)] : [],
    )
    expect(titleChances(records, games)).toEqual(titleChances(records, games))
    expect(sum(titleChances(records, games))).toBeCloseTo(1, 9)
  })
})

describe('a conference’s games', () => {
  const teams = ['a', 'b']
  const own = game({ game_id: 'own', is_conf_game: 1, home_score: 70, away_score: 80 })

  test('are those between its teams that count, each once', () => {
    const others = [
      game({ game_id: 'friendly', is_conf_game: 0 }),
      game({ game_id: 'outside', is_conf_game: 1, away_team_id: 'c' }),
      game({ game_id: 'withdrawn', is_conf_game: 1, deleted: 1 }),
    ]
    expect(conferenceGames(teams, [own, ...others, own])).toEqual([own])
  })

  test('are in the same order in whatever order they came', () => {
    const games = ['d', 'b', 'c'].map((id) => game({ game_id: id, is_conf_game: 1 }))
    expect(conferenceGames(teams, games.toReversed())).toEqual(conferenceGames(teams, games))
  })

  test('that end in a draw are won by nobody', () => {
    const draw = game({ game_id: 'draw', is_conf_game: 1, home_score: 17, away_score: 17 })
    const records = conferenceRecords(teams, [draw])
    expect(records).toEqual([record('a', 0, 0), record('b', 0, 0)])
    expect([...titleChances(records, []).values()]).toEqual([0.5, 0.5])
  })

  test('make the records of its teams, those still open apart', () => {
    const open = game({ game_id: 'open', is_conf_game: 1, status: 'scheduled' })
    const off = game({ game_id: 'off', is_conf_game: 1, status: 'postponed' })
    expect(conferenceRecords(teams, [own, open, off])).toEqual([record('a', 0, 1), record('b', 1, 0)])
    expect([own, open, off].filter(isOpen)).toEqual([open])
  })
})
