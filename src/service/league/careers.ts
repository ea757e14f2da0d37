import type { Transaction } from 'kysely'
import { eligiblePlayers } from '../numbers/eligible.ts'
import { countAppearances, playerStatistics } from '../numbers/players.ts'
import { rankedColumns, rankedLines } from '../numbers/ranked.ts'
import { statisticNames } from '../numbers/sports.ts'
import type { Tally } from '../numbers/tally.ts'
import type { Schema } from '../store/schema.ts'
import type { LeagueKey } from './league-key.ts'
import { insertRows } from './insert.ts'
import { playerColumns, rankingRow } from './rankings.ts'
import type { RankingScope } from './rankings.ts'
import { storedAppearances } from './stored.ts'
import { collectYielding } from './yield-to-others.ts'

const kind = 'player_statistic_ranking'

/**
 * Writes a career row for each player who has played: totals and means over all seasons, ranked among all
 * careers. `scope` is the latest season’s.
 * @param tallies each player's totals; null to read them from the store
 * @returns how many
 */
export async function rewriteCareers(
  transaction: Transaction<Schema>,
  scope: RankingScope,
  tallies: ReadonlyMap<string, Tally> | null,
): Promise<number> {
  await transaction
    .deleteFrom(kind)
    .where('organization_id', '=', scope.organization_id)
    .where('division_id', '=', scope.division_id)
    .where('career', '=', 1)
    .execute()
  const day = await lastDay(transaction, scope)
  if (day === null) return 0
  const careers = tallies ?? (await storedTallies(transaction, scope))
  return insertRows(transaction, kind, await careerRows(scope, careers, day))
}

async function storedTallies(
  transaction: Transaction<Schema>,
  { organization_id, division_id }: LeagueKey,
): Promise<Map<string, Tally>> {
  const tallies = new Map<string, Tally>()
  for await (const appearances of storedAppearances(transaction, { organization_id, division_id }))
    countAppearances(tallies, appearances)
  return tallies
}

/** The day of the league’s last finished game; null before the first one. */
async function lastDay(transaction: Transaction<Schema>, league: LeagueKey): Promise<string | null> {
  const row = await transaction
    .selectFrom('game')
    .select((build) => build.fn.max('start_date').as('day'))
    .where('organization_id', '=', league.organization_id)
    .where('division_id', '=', league.division_id)
    .where('status', '=', 'final')
    .executeTakeFirst()
  return row?.day?.slice(0, 10) ?? null
}

/** Career rows. `day` is the last day with a game. */
export async function careerRows(
  scope: RankingScope,
  tallies: ReadonlyMap<string, Tally>,
  day: string,
): Promise<Generator<Schema[typeof kind]>> {
  const numbers = [...tallies.values()].map((tally) => playerStatistics(scope.sport, tally))
  const columns = await collectYielding(
    rankedColumns(statisticNames(scope.sport, kind), numbers, eligiblePlayers(scope.sport, numbers)),
  )
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

/** Marks players on the latest season’s rosters as active in all seasons’ rows. `scope` is that season's. */
export async function markActive(transaction: Transaction<Schema>, scope: RankingScope): Promise<void> {
  const onRoster = transaction
    .selectFrom('player_team_season')
    .innerJoin('membership', (join) =>
      join
        .onRef('membership.team_id', '=', 'player_team_season.team_id')
        .onRef('membership.season', '=', 'player_team_season.season'),
    )
    .select('player_id')
    .where('membership.organization_id', '=', scope.organization_id)
    .where('membership.division_id', '=', scope.division_id)
    .where('player_team_season.season', '=', scope.season)
    .where('player_team_season.deleted', '=', 0)
  for (const [from, to] of [
    [1, 0],
    [0, 1],
  ] as const)
    await transaction
      .updateTable(kind)
      .set({ career_active: to })
      .where('organization_id', '=', scope.organization_id)
      .where('division_id', '=', scope.division_id)
      .where('career_active', '=', from)
      .where('player_id', to === 1 ? 'in' : 'not in', onRoster)
      .execute()
}
