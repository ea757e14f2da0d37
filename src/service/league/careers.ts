import { playerStatistics } from '../numbers/players.ts'
import { rankedColumns, rankedLines } from '../numbers/ranked.ts'
import { statisticNames } from '../numbers/sports.ts'
import type { Tally } from '../numbers/tally.ts'
import type { Schema } from '../store/schema.ts'
import { playerColumns, rankingRow } from './rankings.ts'
import type { RankingScope } from './rankings.ts'
import { inTurns } from './turn.ts'

const kind = 'player_statistic_ranking'

/**
 * A row for each player who has played, over the whole career: totals and means over every season, ranked among all careers. `scope` is the latest season’s;
 * `day` the last played one.
 */
export async function careerRows(
  scope: RankingScope,
  tallies: ReadonlyMap<string, Tally>,
  day: string,
): Promise<Generator<Schema[typeof kind]>> {
  const numbers = [...tallies.values()].map((tally) => playerStatistics(scope.sport, tally))
  const columns = await inTurns(rankedColumns(statisticNames(scope.sport, kind), numbers))
  return rowsOf(scope, [...tallies.keys()], rankedLines(columns), day)
}

function* rowsOf(
  scope: RankingScope,
  players: readonly string[],
  lines: Iterable<string>,
  day: string,
): Generator<Schema[typeof kind]> {
  let next = 0
  for (const line of lines) {
    const columns = playerColumns(scope, day, players[next++] ?? '', null)
    yield rankingRow(kind, scope, { columns, line }, day, 1)
  }
}
