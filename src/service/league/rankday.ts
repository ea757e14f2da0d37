import type { Kysely } from 'kysely'
import type { StatisticClass } from '../../specification/tables.ts'
import { playerTallies } from '../numbers/players.ts'
import { isPlayerClass } from '../numbers/sports.ts'
import { teamDays } from '../numbers/teamdays.ts'
import type { Schema } from '../store/schema.ts'
import type { Sport } from './facts.ts'
import { insertRows } from './insert.ts'
import { rankingRows } from './rankings.ts'
import type { DayNumbers } from './rankings.ts'
import { seasonOf } from './seasons.ts'
import { storedForecasts, storedScope, storedSeason, storedSport, storedAppearances } from './stored.ts'
import type { SeasonKey } from './stored.ts'

type Db = Kysely<Schema>

/**
 * Sees to it that a class has its rows of one day of a season. The rows of teams, and of every class on the latest day, are always there;
 * the others are computed when they are first asked for. A day on which a season has no rows stays without.
 *
 * @param date `YYYY-MM-DD`
 */
export async function rankDay(db: Db, kind: StatisticClass, key: SeasonKey, date: string): Promise<void> {
  if (kind === 'statistic_ranking') return
  if (await hasDay(db, kind, key, date)) return
  if (!(await hasDay(db, 'statistic_ranking', key, date))) return
  await db.transaction().execute(async (transaction) => {
    // Another request may have had the same wish meanwhile.
    if (await hasDay(transaction, kind, key, date)) return
    const sport = await storedSport(transaction, key)
    if (!sport) return
    const scope = await storedScope(transaction, key, sport)
    const numbers = await numbersOf(transaction, kind, { ...key, sport }, date)
    // Without a single boxscore of players, nobody knows what they had done by then.
    if (isPlayerClass(kind) && numbers.players.size === 0) return
    await insertRows(transaction, kind, rankingRows(kind, scope, numbers, 0), 'keep')
  })
}

async function hasDay(db: Db, kind: StatisticClass, key: SeasonKey, date: string): Promise<boolean> {
  const row = await db
    .selectFrom<StatisticClass>(kind)
    .select('current')
    .where('organization_id', '=', key.organization_id)
    .where('division_id', '=', key.division_id)
    .where('season', '=', key.season)
    .where('current', 'in', [0, 1])
    .where('date_of_rank', '=', `${date}T00:00:00.000Z`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

async function numbersOf(
  db: Db,
  kind: StatisticClass,
  key: SeasonKey & { readonly sport: Sport },
  day: string,
): Promise<DayNumbers> {
  if (isPlayerClass(kind))
    return { day, teams: new Map(), players: playerTallies(await storedAppearances(db, key, day)) }
  const season = seasonOf(await storedSeason(db, key, key.sport), await storedForecasts(db, key))
  const [numbers] = teamDays(season, [day])
  return { day, teams: numbers?.teams ?? new Map(), players: new Map() }
}
