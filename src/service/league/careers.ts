import { playerStatistics } from '../numbers/players.ts'
import { rankedLines } from '../numbers/ranked.ts'
import { statisticNames } from '../numbers/sports.ts'
import type { Tally } from '../numbers/tally.ts'
import type { Schema } from '../store/schema.ts'
import { playerColumns, rankingRow } from './rankings.ts'
import type { RankingScope } from './rankings.ts'

const kind = 'player_statistic_ranking'

/**
 * A row for each player who has played, over the whole career: totals and means over every season, ranked among all careers. `scope` is the latest season’s;
 * `day` the last played one.
 */
export function careerRows(
  scope: RankingScope,
  tallies: ReadonlyMap<string, Tally>,
  day: string,
): Schema[typeof kind][] {
  const players = [...tallies]
  const lines = rankedLines(
    statisticNames(scope.sport, kind),
    players.map(([, tally]) => playerStatistics(scope.sport, tally)),
  )
  return players.map(([player], index) => {
    const columns = playerColumns(player, null, scope.active, 1)
    return rankingRow(kind, scope, { columns, line: lines[index] ?? '{}' }, day, 1)
  })
}
