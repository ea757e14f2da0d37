import { describe, expect, it } from 'vitest'
import { usualLeague } from '../../../src/service/leagues/leagues.ts'
import { adjustedEfficiency } from '../../../src/service/numbers/adjusted.ts'
import { indicesOf } from '../../../src/service/numbers/indices.ts'
import { WinsAndLosses } from '../../../src/service/numbers/record.ts'
import type { Played } from '../../../src/service/numbers/result.ts'
import { TeamSeason } from '../../../src/service/numbers/team.ts'
import { daysOf, teamDays } from '../../../src/service/numbers/team-days.ts'

const played = (more: Partial<Played>): Played => ({
  game_id: 'g',
  season: 2026,
  day: '2026-01-01',
  starts: '2026-01-01T18:00:00.000Z',
  ended: '2026-01-01T20:00:00.000Z',
  home_team_id: 'a',
  away_team_id: 'b',
  home_score: 80,
  away_score: 70,
  neutral_site: false,
  conference: false,
  home_line: null,
  away_line: null,
  home_chance: 0.6,
  ...more,
})

describe('a record', () => {
  const record = new WinsAndLosses()
  record.add(played({}), 'home')
  record.add(played({ conference: true, home_score: 90 }), 'home')
  record.add(played({ conference: true }), 'away')
  record.add(played({ neutral_site: true, away_score: 95 }), 'home')

  it('counts wins and losses by place and conference', () => {
    expect(record.statistics()).toMatchObject({
      wins: 2,
      losses: 2,
      confwins: 1,
      conflosses: 1,
      homewins: 2,
      homelosses: 0,
      roadwins: 0,
      roadlosses: 1,
      neutralwins: 0,
      neutrallosses: 1,
    })
  })

  it('averages the margins of wins and losses separately, both positive', () => {
    expect(record.statistics()).toMatchObject({
      win_margin: 15,
      loss_margin: 12.5,
      confwin_margin: 20,
      confloss_margin: 10,
    })
  })

  it('counts a run of losses below zero, of wins above', () => {
    expect(record.statistics()['streak']).toBe(-2)
    record.add(played({}), 'home')
    expect(record.statistics()['streak']).toBe(1)
  })

  it('does not know neutral games where a site is unknown', () => {
    const unknown = new WinsAndLosses()
    unknown.add(played({ neutral_site: null }), 'home')
    expect(unknown.statistics()).toMatchObject({ homewins: 1, neutralwins: null, neutrallosses: null })
  })
})

describe('the indices', () => {
  it('count a game half for every three days since', () => {
    const games = [
      { day: '2026-01-01', won: 1, chance: 0.5 },
      { day: '2026-01-04', won: 1, chance: 0.5 },
    ]
    expect(indicesOf(games, '2026-01-04')['fatigue']).toBeCloseTo(1.5, 9)
    expect(indicesOf(games, '2026-01-07')['fatigue']).toBeCloseTo(0.75, 9)
  })

  it('set what was won against what the ratings promised', () => {
    const games = [1, 1, 1, 0].map((won) => ({ day: '2026-01-01', won, chance: 0.5 }))
    expect(indicesOf(games, '2026-01-02')).toMatchObject({ desperation: 0, over_confidence: 25 })
    const lost = games.map(({ day, chance }) => ({ day, chance, won: 0 }))
    expect(indicesOf(lost, '2026-01-02')).toMatchObject({ desperation: 50, over_confidence: 0 })
  })

  it('count a draw as half a win', () => {
    const season = (home_score: number, away_score: number) => {
      const team = new TeamSeason(usualLeague.basketball.rules, 1)
      team.play(played({ home_score, away_score, home_chance: 0.5 }), 'home')
      return team.statistics('2026-01-02', null)
    }
    expect([season(17, 17)('desperation'), season(17, 17)('over_confidence')]).toEqual([0, 0])
    expect(season(16, 17)('desperation')).toBe(50)
  })

  it('remember ten games', () => {
    const old = Array.from({ length: 20 }, () => ({ day: '2025-11-01', won: 0, chance: 0.5 }))
    const recent = Array.from({ length: 10 }, () => ({ day: '2026-01-01', won: 1, chance: 0.5 }))
    expect(indicesOf([...old, ...recent], '2026-01-02')['over_confidence']).toBe(50)
  })

  it('are unknown before the first game', () => {
    expect(indicesOf([], '2026-01-01')).toEqual({ fatigue: null, desperation: null, over_confidence: null })
  })
})

const meeting = (home: number, away: number, home_efficiency: number, away_efficiency: number) => ({
  home,
  away,
  home_efficiency,
  away_efficiency,
  neutral: true,
})

describe('adjusted efficiency', () => {
  it('rates the same margin higher against the better opponent', () => {
    const games = [
      meeting(0, 1, 110, 100),
      meeting(2, 3, 110, 100),
      meeting(1, 4, 130, 90),
      meeting(3, 5, 90, 130),
    ]
    const [overStrong, , overWeak] = adjustedEfficiency(6, games, 1.75)
    expect(overStrong).toBeGreaterThan(overWeak ?? Infinity)
  })

  it('draws one game towards the average by one game more: worked by hand', () => {
    // Mean 105. With o = (5 − d′) / 2 and d′ = (5 − o) / 2 for the winner’s attack and the loser’s defence: o
    // = d′ = 5 / 3.
    const [winner, loser] = adjustedEfficiency(2, [meeting(0, 1, 110, 100)], 1.75)
    expect(winner).toBeCloseTo(10 / 3, 3)
    expect(loser).toBeCloseTo(-10 / 3, 3)
  })

  it('takes the home edge out', () => {
    const edge = 1.75
    const [home, away] = adjustedEfficiency(
      2,
      [{ ...meeting(0, 1, 100 + edge, 100 - edge), neutral: false }],
      1.75,
    )
    expect(home).toBeCloseTo(0, 9)
    expect(away).toBeCloseTo(0, 9)
  })

  it('is unknown for a team without a game', () => {
    expect(adjustedEfficiency(3, [meeting(0, 1, 110, 100)], 1.75)[2]).toBeNull()
  })
})

describe('the days of a season', () => {
  const games = [
    played({ game_id: '1', day: '2025-12-30' }),
    played({ game_id: '2', day: '2026-01-02', home_team_id: 'b', away_team_id: 'c' }),
  ]
  const season = {
    rules: usualLeague.basketball.rules,
    season: 2026,
    teams: ['a', 'b', 'c'],
    scheduled: new Map([['a', 4]]),
    games,
  } as const

  it('are every calendar day from the first game to the last', () => {
    expect(daysOf(games)).toEqual(['2025-12-30', '2025-12-31', '2026-01-01', '2026-01-02'])
    expect(daysOf([])).toEqual([])
  })

  it('have a row for every team, those that have not played yet included', () => {
    const [first, , , last] = [...teamDays(season, daysOf(games))]
    expect([...(first?.teams.keys() ?? [])]).toEqual(['a', 'b', 'c'])
    const [before, after] = [first?.teams.get('c'), last?.teams.get('c')]
    expect(['games', 'wins', 'fatigue', 'points'].map((name) => before?.(name))).toEqual([0, 0, null, null])
    expect(['games', 'losses'].map((name) => after?.(name))).toEqual([1, 1])
    expect(last?.teams.get('a')?.('total_games')).toBe(4)
  })

  it('come out the same one by one as all together', () => {
    const together = [...teamDays(season, daysOf(games))].at(-1)
    const [alone] = teamDays(season, ['2026-01-02'])
    for (const name of ['games', 'fatigue', 'streak', 'over_confidence'])
      expect(alone?.teams.get('a')?.(name)).toBe(together?.teams.get('a')?.(name))
  })
})
