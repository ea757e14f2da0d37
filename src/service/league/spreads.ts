import type { Kysely } from 'kysely'
import type { Row } from '../../specification/tables.ts'
import type { Schema } from '../store/schema.ts'
import type { LeagueKey } from './league-key.ts'

/** The home team's closing spread by game; negative if it is the favourite. */
export type Spreads = ReadonlyMap<string, number>

type Line = Pick<Row<'odds'>, 'game_id' | 'spread_home' | 'spread_away' | 'live' | 'current' | 'deleted'>

/**
 * The closing spreads of games: of the lines before a game the current one. A line may name one side's alone.
 */
export function closingSpreads(odds: readonly Line[]): Spreads {
  const spreads = new Map<string, number>()
  for (const { game_id, spread_home, spread_away, live, current, deleted } of odds) {
    const spread = spread_home ?? (spread_away === null ? null : 0 - spread_away)
    if (live === 0 && current === 1 && deleted === 0 && game_id !== null && spread !== null)
      spreads.set(game_id, spread)
  }
  return spreads
}

const metaKey = ({ organization_id, division_id }: LeagueKey, season: number) =>
  `spreads ${organization_id} ${division_id} ${season}`

/** Stores whether the predictions of seasons use closing spreads. */
export async function keepUse(
  db: Kysely<Schema>,
  league: LeagueKey,
  seasons: readonly number[],
  isUsed: boolean,
): Promise<void> {
  const keys = seasons.map((season) => metaKey(league, season))
  if (keys.length === 0) return
  await db.deleteFrom('meta').where('key', 'in', keys).execute()
  if (!isUsed) return
  const rows = keys.map((key) => ({ key, value: 'used' }))
  await db.insertInto('meta').values(rows).execute()
}

/** The stored spreads of a season; undefined if its predictions do without. */
export async function storedSpreads(
  db: Kysely<Schema>,
  key: LeagueKey & { readonly season: number },
): Promise<Spreads | undefined> {
  const used = await db
    .selectFrom('meta')
    .select('value')
    .where('key', '=', metaKey(key, key.season))
    .executeTakeFirst()
  if (!used) return undefined
  const rows = await db
    .selectFrom('odds')
    .innerJoin('game', 'game.game_id', 'odds.game_id')
    .select(['odds.game_id', 'spread_home', 'spread_away', 'live', 'current', 'odds.deleted'])
    .where('game.organization_id', '=', key.organization_id)
    .where('game.division_id', '=', key.division_id)
    .where('game.season', '=', key.season)
    .where('live', '=', 0)
    .where('current', '=', 1)
    .execute()
  return closingSpreads(rows)
}
