import {
  indices,
  rankedCounts,
  unrankedCounts,
  unrankedPlayerStatistics,
} from '../../specification/statistics.ts'
import type { StatisticClass } from '../../specification/tables.ts'
import type { Line, Sport } from '../league/facts.ts'
import { basketballEfficiency, basketballPlayer, basketballTeam } from './basketball.ts'
import { footballEfficiency, footballPlayer, footballTeam } from './football.ts'
import type { Formulas, PlayerFormula, TeamFormula } from './formula.ts'

/** What sets one sport’s numbers apart from another’s. */
export interface SportNumbers {
  /** The averages of a team’s row in their order, and the formula of each but the adjusted rating. */
  readonly team: { readonly names: readonly string[]; readonly formulas: Formulas<TeamFormula> }
  /** The statistics of a player’s row but the games. */
  readonly player: Formulas<PlayerFormula>
  /** Points per 100 possessions (football: plays) in one game. */
  efficiency(line: Line): number | null
}

export const sportNumbers: Readonly<Record<Sport, SportNumbers>> = {
  basketball: { team: basketballTeam, player: basketballPlayer, efficiency: basketballEfficiency },
  football: { team: footballTeam, player: footballPlayer, efficiency: footballEfficiency },
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
  const { team, player } = sportNumbers[sport]
  return isPlayerClass(kind)
    ? { unranked: unrankedPlayerStatistics, ranked: Object.keys(player) }
    : { unranked: unrankedCounts, ranked: [...rankedCounts, ...indices, ...team.names] }
}
