import { describe, expect, it } from 'vitest'
import { rankedTeamStatistics } from '../../../src/specification/statistics.ts'
import type { Line } from '../../../src/service/league/facts.ts'
import { meanOf, rankedColumns, rankedLines, unrankedColumns } from '../../../src/service/numbers/ranked.ts'
import { competitionRanks, lowerIsBetter, lowestFirst } from '../../../src/service/numbers/ranks.ts'
import { statisticNames } from '../../../src/service/numbers/sports.ts'

const of = (line: Line) => (name: string) => line[name] ?? null

describe('ranks', () => {
  it('are competition ranks: ties share one, the next is skipped', () => {
    expect(competitionRanks([5, 9, 9, 1], false)).toEqual([3, 1, 1, 4])
    expect(competitionRanks([5, 9, 9, 1], true)).toEqual([2, 3, 3, 1])
  })

  it('are null without a value', () => {
    expect(competitionRanks([null, 2, null, 3], false)).toEqual([null, 2, null, 1])
  })

  it('put the fewest turnovers first, and the most of the opponents’', () => {
    expect(lowestFirst('turnovers')).toBe(true)
    expect(lowestFirst('opponent_turnovers')).toBe(false)
    expect(lowestFirst('points')).toBe(false)
    expect(lowestFirst('opponent_points')).toBe(true)
    expect(lowestFirst('defensive_rating')).toBe(true)
    expect(lowestFirst('opponent_defensive_rating')).toBe(false)
  })

  it('name only statistics that some row has in the list of directions', () => {
    const names = new Set(
      (['basketball', 'football'] as const).flatMap((sport) => [
        ...statisticNames(sport, 'statistic_ranking').ranked,
        ...statisticNames(sport, 'player_statistic_ranking').ranked,
      ]),
    )
    expect([...lowerIsBetter].filter((name) => !names.has(name))).toEqual([])
  })

  it('tie where the served values are equal, however they differ beyond the third decimal', () => {
    const names = { unranked: ['games'], ranked: ['points'] }
    const subjects = [of({ games: 3, points: 70.12341 }), of({ games: 2, points: 70.1229 })]
    const lines = [...rankedLines([...rankedColumns(names, subjects)])]
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
      { games: 3, points: 70.123, points_rank: 1 },
      { games: 2, points: 70.123, points_rank: 1 },
    ])
  })

  it('are null in a single row', () => {
    const names = { unranked: ['games'], ranked: ['points'] }
    const [line = ''] = rankedLines([...unrankedColumns(names, of({ games: 3, points: 70 }))])
    expect(JSON.parse(line)).toEqual({ games: 3, points: 70, points_rank: null })
  })

  it('average what is known and nothing else', () => {
    const mean = meanOf([of({ points: 80 }), of({ points: null }), of({ points: 60 })])
    expect(mean('points')).toBe(70)
    expect(mean('steals')).toBeNull()
  })

  it('cover exactly the statistics that the specification lists for a basketball team', () => {
    expect(statisticNames('basketball', 'statistic_ranking').ranked).toEqual([...rankedTeamStatistics])
  })

  it('name no statistic twice', () => {
    for (const sport of ['basketball', 'football'] as const)
      for (const kind of ['statistic_ranking', 'player_statistic_ranking'] as const) {
        const { unranked, ranked } = statisticNames(sport, kind)
        expect(new Set([...unranked, ...ranked]).size).toBe(unranked.length + ranked.length)
      }
  })
})
