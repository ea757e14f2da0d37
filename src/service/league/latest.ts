import type { Transaction } from 'kysely'
import { tablesColliding } from '../store/schema.ts'
import type { CollidingTable, Schema } from '../store/schema.ts'
import { storedTables } from '../store/tables.ts'
import type { LeagueKey } from './league-key.ts'
import type { FactName, Facts } from './facts.ts'

/**
 * The facts without the teams, people and conferences that a season after `last` names too: one row serves
 * all seasons, and the latest season's counts, in any order of publication.
 */
export async function withoutLater(
  transaction: Transaction<Schema>,
  league: LeagueKey,
  facts: Facts,
  last: number,
): Promise<Facts> {
  const later = await laterRows(transaction, league, last)
  if (later.games.length === 0 && later.members.length === 0) return facts
  const known = keysIn(later)
  const earlier = (table: Latest): [FactName, readonly object[]] => {
    const { facts: name } = storedTables[table]
    const rows: readonly Readonly<Record<string, unknown>>[] = facts[name]
    return [name, rows.filter((row) => !known[table].has(row[`${table}_id`]))]
  }
  // The lists above, each without some of its rows.
  const lists = Object.fromEntries(tablesColliding('latest').map(earlier)) as Partial<Facts>
  return { ...facts, ...lists }
}

type Latest = CollidingTable<'latest'>

/** The keys of each table that later seasons name. */
const keysIn = (
  later: Awaited<ReturnType<typeof laterRows>>,
): Readonly<Record<Latest, ReadonlySet<unknown>>> => ({
  team: new Set([
    ...later.games.flatMap((game) => [game.home_team_id, game.away_team_id]),
    ...later.members.map((row) => row.team_id),
  ]),
  conference: new Set(later.members.map((row) => row.conference_id)),
  player: new Set(later.players.map((row) => row.player_id)),
  coach: new Set(later.coaches.map((row) => row.coach_id)),
})

async function laterRows(transaction: Transaction<Schema>, league: LeagueKey, last: number) {
  const { organization_id, division_id } = league
  const games = await transaction
    .selectFrom('game')
    .select(['home_team_id', 'away_team_id'])
    .where('organization_id', '=', organization_id)
    .where('division_id', '=', division_id)
    .where('season', '>', last)
    .execute()
  const members = await transaction
    .selectFrom('membership')
    .select(['team_id', 'conference_id'])
    .where('organization_id', '=', organization_id)
    .where('division_id', '=', division_id)
    .where('season', '>', last)
    .execute()
  // Ids of people belong to one league; another league's are not in these facts.
  const players = await transaction
    .selectFrom('player_team_season')
    .select('player_id')
    .where('season', '>', last)
    .execute()
  const coaches = await transaction
    .selectFrom('coach_season')
    .select('coach_id')
    .where('season', '>', last)
    .execute()
  return { games, members, players, coaches }
}
