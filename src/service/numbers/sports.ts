import {
  indices,
  rankedCounts,
  unrankedCounts,
  unrankedPlayerStatistics,
} from '../../specification/statistics.ts'
import { sportStatistics } from '../../specification/sport-statistics.ts'
import type { StatisticClass } from '../../specification/tables.ts'
import { basketballEfficiency, basketballPlayer, basketballTeam } from './basketball.ts'
import { isPlayerClass } from './classes.ts'
import { footballEfficiency, footballPlayer, footballTeam } from './football.ts'
import type { Formulas, PlayerFormula, TeamFormula } from './formula.ts'
import type { Line } from './line.ts'
import type { LeagueRules, Sport } from './rules.ts'

/** The statistics and formulas of a sport. */
interface SportNumbers {
  /** The averages of a team’s row, without the adjusted rating. */
  team(rules: LeagueRules): Formulas<TeamFormula>
  /** The statistics of a player’s row but the games. */
  readonly player: Formulas<PlayerFormula>
  /** Points per 100 possessions (football: plays) in one game. */
  efficiency(line: Line, rules: LeagueRules): number | null
}

export const sportNumbers: Readonly<Record<Sport, SportNumbers>> = {
  basketball: {
    team: basketballTeam,
    player: basketballPlayer,
    efficiency: basketballEfficiency,
  },
  football: {
    team: () => footballTeam,
    player: footballPlayer,
    efficiency: footballEfficiency,
  },
}

/** The statistics of a row: with a rank, and without. */
export interface StatisticNames {
  readonly unranked: readonly string[]
  readonly ranked: readonly string[]
}

/** Every statistic that a class of rows has in a sport, in the order it is served. */
export function statisticNames(sport: Sport, kind: StatisticClass): StatisticNames {
  const { teams, players } = sportStatistics[sport]
  return isPlayerClass(kind)
    ? { unranked: unrankedPlayerStatistics, ranked: players }
    : { unranked: unrankedCounts, ranked: [...rankedCounts, ...indices, ...teams] }
}
