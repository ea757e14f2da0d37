import type { Transaction } from 'kysely'
import type { Forecast } from '../numbers/predictions.ts'
import { countAppearances } from '../numbers/players.ts'
import type { Tally } from '../numbers/tally.ts'
import { dayAfter, daysOf, teamDays } from '../numbers/team-days.ts'
import type { TeamDay } from '../numbers/team-days.ts'
import type { Schema } from '../store/schema.ts'
import { rewriteCareers } from './careers.ts'
import { insertRows } from './insert.ts'
import { forgetRanked, markRanked } from './ranked-day.ts'
import { statisticClasses } from '../../specification/tables.ts'
import { latestOnly, rankingRows } from './rankings.ts'
import type { RankingScope } from './rankings.ts'
import { seasonOf } from './seasons.ts'
import type { SeasonFacts } from './seasons.ts'
import { latestSeason, storedAppearances, storedScope } from './stored.ts'
import type { SeasonKey } from './league-key.ts'

type Tx = Transaction<Schema>

/**
 * Recomputes a season's statistics from the day of `first` on, or from the last stored day; the latest day
 * becomes current.
 */
export async function rerank(
  transaction: Tx,
  key: SeasonKey,
  facts: SeasonFacts,
  forecasts: ReadonlyMap<string, Forecast>,
  first: string,
): Promise<void> {
  const season = seasonOf(facts, forecasts)
  const from = await firstMissing(transaction, key, first)
  await clearDays(transaction, key, from)
  const days = daysOf(season.games).filter((day) => day >= from)
  const scope = await storedScope(transaction, key, facts.rules.sport)
  let last: TeamDay | undefined
  for (const day of teamDays(season, days)) {
    const numbers = { ...day, players: new Map() }
    const current = day.day === days.at(-1) ? 1 : 0
    const rows = await rankingRows('statistic_ranking', scope, numbers, current)
    await insertRows(transaction, 'statistic_ranking', rows)
    last = day
  }
  if (last) await rerankLatest(transaction, scope, last)
}

async function rerankLatest(transaction: Tx, scope: RankingScope, last: TeamDay): Promise<void> {
  const { organization_id, division_id, season } = scope
  const isLatest = (await latestSeason(transaction, scope)) === season
  // Careers need all seasons' boxscores, which include this season's: they are read once.
  const key = isLatest ? { organization_id, division_id } : scope
  const [players, careers] = [new Map<string, Tally>(), new Map<string, Tally>()]
  for await (const appearances of storedAppearances(transaction, key)) {
    const recent = appearances.filter((appearance) => appearance.season === season)
    countAppearances(players, recent)
    if (isLatest) countAppearances(careers, appearances)
  }
  const numbers = { ...last, players }
  for (const kind of latestOnly) {
    await insertRows(transaction, kind, await rankingRows<typeof kind>(kind, scope, numbers, 1))
    await markRanked(transaction, kind, scope, last.day)
  }
  if (isLatest) await rewriteCareers(transaction, scope, careers)
}

/** The day after the last day with rows, if it is before `first`: days without games have rows too. */
async function firstMissing(transaction: Tx, key: SeasonKey, first: string): Promise<string> {
  const row = await transaction
    .selectFrom('statistic_ranking')
    .select('date_of_rank')
    .where('organization_id', '=', key.organization_id)
    .where('division_id', '=', key.division_id)
    .where('season', '=', key.season)
    .where('current', '=', 1)
    .limit(1)
    .executeTakeFirst()
  const last = row?.date_of_rank?.slice(0, 10)
  return last !== undefined && last < first ? dayAfter(last) : first
}

async function clearDays(transaction: Tx, key: SeasonKey, from: string): Promise<void> {
  await forgetRanked(transaction, key, from)
  for (const kind of statisticClasses) {
    await transaction
      .deleteFrom(kind)
      .where('organization_id', '=', key.organization_id)
      .where('division_id', '=', key.division_id)
      .where('season', '=', key.season)
      .where('date_of_rank', '>=', from)
      .execute()
    await transaction
      .updateTable(kind)
      .set({ current: 0 })
      .where('organization_id', '=', key.organization_id)
      .where('division_id', '=', key.division_id)
      .where('season', '=', key.season)
      .where('current', '=', 1)
      .execute()
  }
}
