import type { Kysely } from 'kysely'
import { teamDays } from '../numbers/team-days.ts'
import type { Schema } from '../store/schema.ts'
import type { SeasonKey } from './league-key.ts'
import { storedRules } from './league-rules.ts'
import { rankingRows } from './rankings.ts'
import { seasonOf } from './seasons.ts'
import { storedScope, storedSeason } from './stored.ts'

/** The teams' rows of a season before its first result: no record, null averages, dated by its first day. */
export async function unplayedRows(
  db: Kysely<Schema>,
  key: SeasonKey,
): Promise<Schema['statistic_ranking'][]> {
  const rules = await storedRules(db, key)
  if (!rules) return []
  const facts = await storedSeason(db, key, rules)
  const day = facts.games[0]?.start_date?.slice(0, 10)
  if (day === undefined) return []
  const scope = await storedScope(db, key, rules.sport)
  const season = { ...seasonOf(facts, new Map()), games: [] }
  const rows: Schema['statistic_ranking'][] = []
  for (const numbers of teamDays(season, [day]))
    rows.push(...(await rankingRows('statistic_ranking', scope, { ...numbers, players: new Map() }, 1)))
  return rows
}
