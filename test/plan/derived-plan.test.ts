import { describe, expect, test } from 'vitest'
import { planRest } from '../../src/plan/rest.ts'
import { readsWholeLeague } from '../../src/plan/strength.ts'

describe('the ratings of opponents', () => {
  const league = {
    gamesOfTeam: 30,
    teamsOfLeague: 100,
    bytesOfGame: 700,
    bytesOfRating: 350,
    bytesPerToken: 1024,
  }

  test.each([
    ['of one team are read once they are known, which saves most of a league', 1, 1, league, false],
    ['of many teams are read with the whole league beside the schedules', 12, 12, league, true],
    [
      'of one team in a league as small as its schedule likewise',
      1,
      1,
      { ...league, teamsOfLeague: 30 },
      true,
    ],
    ['are not read before their schedule if that is at hand', 12, 0, league, false],
    [
      'are worth no round trip for less than two tokens',
      1,
      1,
      { ...league, teamsOfLeague: 34, bytesOfGame: 1 },
      true,
    ],
  ])('%s', (_what, teams, unread, sizes, whole) => {
    expect(readsWholeLeague({ ...sizes, teams, unread })).toBe(whole)
  })
})

describe('rest days', () => {
  const days = ['d0', 'd1', 'd2']
  const sizes = { seasonOf: () => 20, gamesOf: () => 30 }
  const teams = (count: number) => Array.from({ length: count }, (_, index) => ({ team: `t${index}`, days }))

  test('of a few teams are told by their seasons, of many by the days before', () => {
    expect(planRest(teams(4), sizes)).toEqual([])
    expect(planRest(teams(5), sizes)).toEqual(days)
  })

  test('of one team on both its games’ days cost each day and its season once', () => {
    const both = [
      { team: 't', days: ['d0', 'd1'] },
      { team: 't', days: ['d1', 'd2'] },
    ]
    expect(planRest(both, { seasonOf: () => 91, gamesOf: () => 30 })).toEqual(days)
    expect(planRest(both, { seasonOf: () => 89, gamesOf: () => 30 })).toEqual([])
  })

  test('are told by what is at hand', () => {
    expect(planRest(teams(1), { ...sizes, gamesOf: () => 0 })).toEqual(days)
    expect(planRest(teams(9), { ...sizes, seasonOf: () => 0 })).toEqual([])
  })
})
