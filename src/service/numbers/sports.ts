import {
  indices,
  rankedCounts,
  unrankedCounts,
  unrankedPlayerStatistics,
} from '../../specification/statistics.ts'
import type { StatisticClass } from '../../specification/tables.ts'
import type { Line, Sport } from '../league/facts.ts'
import {
  basketballAverages,
  basketballAveragesOf,
  basketballEfficiency,
  basketballPlayerStatistics,
  basketballPlayerStatisticsOf,
} from './basketball.ts'
import {
  footballAverages,
  footballAveragesOf,
  footballEfficiency,
  footballPlayerStatistics,
  footballPlayerStatisticsOf,
} from './football.ts'
import type { Tally } from './tally.ts'

/** What sets one sport’s numbers apart from another’s. */
export interface SportNumbers {
  /** The names of a team’s averages, and of those its opponents have too. */
  readonly averages: { readonly own: readonly string[]; readonly opponent: readonly string[] }
  /** One side’s averages from what it and its opponents have counted, all but the adjusted rating. */
  averagesOf(own: Tally, opponent: Tally): Line
  /** Points per 100 possessions (football: plays) in one game. */
  efficiency(line: Line): number | null
  readonly playerStatistics: readonly string[]
  playerStatisticsOf(tally: Tally): Line
}

export const sportNumbers: Readonly<Record<Sport, SportNumbers>> = {
  basketball: {
    averages: basketballAverages,
    averagesOf: basketballAveragesOf,
    efficiency: basketballEfficiency,
    playerStatistics: basketballPlayerStatistics,
    playerStatisticsOf: basketballPlayerStatisticsOf,
  },
  football: {
    averages: footballAverages,
    averagesOf: footballAveragesOf,
    efficiency: footballEfficiency,
    playerStatistics: footballPlayerStatistics,
    playerStatisticsOf: footballPlayerStatisticsOf,
  },
}

/** The statistics of a row: those with a `_rank` companion, and those without. */
export interface StatisticNames {
  readonly unranked: readonly string[]
  readonly ranked: readonly string[]
}

const playerClasses: ReadonlySet<StatisticClass> = new Set<StatisticClass>([
  'player_statistic_ranking',
  'conference_player_statistic_ranking',
  'league_player_statistic_ranking',
])

export const isPlayerClass = (kind: StatisticClass) => playerClasses.has(kind)

/** Every statistic that a class of rows has in a sport, in the order it is served. */
export function statisticNames(sport: Sport, kind: StatisticClass): StatisticNames {
  const { averages, playerStatistics } = sportNumbers[sport]
  if (isPlayerClass(kind)) return { unranked: unrankedPlayerStatistics, ranked: playerStatistics }
  const opponents = averages.opponent.map((name) => `opponent_${name}`)
  return { unranked: unrankedCounts, ranked: [...rankedCounts, ...indices, ...averages.own, ...opponents] }
}
