import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import { clearNameParts } from '../store/name-parts.ts'
import { tablesCleared } from '../store/schema.ts'
import type { ClearedTable, NamedTable, Schema, Table } from '../store/schema.ts'
import type { LeagueKey } from './league-key.ts'

/** The participants of removed seasons. Some may appear in no other season. */
export type Participants = Readonly<Record<NamedTable, readonly string[]>>

/** The seasons with teams or games of a league, the earliest first. */
export async function storedSeasons(db: Transaction<Schema>, league: LeagueKey): Promise<number[]> {
  const found = new Set<number>()
  for (const table of ['membership', 'game'] as const) {
    const rows = await db
      .selectFrom(table)
      .select('season')
      .distinct()
      .where('organization_id', '=', league.organization_id)
      .where('division_id', '=', league.division_id)
      .execute()
    for (const { season } of rows) if (season !== null) found.add(season)
  }
  return [...found].toSorted((a, b) => a - b)
}

/**
 * Removes the rows of some seasons of a league. Teams, people and conferences stay: `clearUnused` removes
 * those that no other season has.
 *
 * @returns who took part in them
 */
export async function clearSeasons(
  transaction: Transaction<Schema>,
  league: LeagueKey,
  seasons: readonly number[],
): Promise<Participants> {
  if (seasons.length === 0) return { team: [], player: [], coach: [] }
  const team = await teamsOf(transaction, league, seasons)
  const player = await peopleOf(transaction, 'player_team_season', 'player_id', team, seasons)
  const coach = await peopleOf(transaction, 'coach_season', 'coach_id', team, seasons)
  const games = seasonRows(transaction, 'game', league, seasons).select('game_id')
  for (const table of tablesCleared('game'))
    await transaction.deleteFrom<ClearedTable<'game'>>(table).where('game_id', 'in', games).execute()
  await clearRosters(transaction, team, player, seasons)
  for (const table of tablesCleared('season'))
    await transaction
      .deleteFrom<ClearedTable<'season'>>(table)
      .where('organization_id', '=', league.organization_id)
      .where('division_id', '=', league.division_id)
      .where('season', 'in', seasons)
      .execute()
  return { team, player, coach }
}

const seasonRows = <T extends 'game' | 'membership'>(
  transaction: Transaction<Schema>,
  table: T,
  league: LeagueKey,
  seasons: readonly number[],
) =>
  transaction
    .selectFrom<'game' | 'membership'>(table)
    .where('organization_id', '=', league.organization_id)
    .where('division_id', '=', league.division_id)
    .where('season', 'in', seasons)

/** The league's teams of these seasons, and their opponents from outside. */
async function teamsOf(
  transaction: Transaction<Schema>,
  league: LeagueKey,
  seasons: readonly number[],
): Promise<string[]> {
  const met = await transaction
    .selectFrom('game')
    .select(['home_team_id', 'away_team_id'])
    .where('organization_id', '=', league.organization_id)
    .where('division_id', '=', league.division_id)
    .where('season', 'in', seasons)
    .execute()
  const members = await transaction
    .selectFrom('membership')
    .select('team_id')
    .where('organization_id', '=', league.organization_id)
    .where('division_id', '=', league.division_id)
    .where('season', 'in', seasons)
    .execute()
  const teams = [
    ...met.flatMap((game) => [game.home_team_id, game.away_team_id]),
    ...members.map((row) => row.team_id),
  ]
  return [...new Set(teams)].filter((team) => team !== null)
}

const idsAStatement = 500

function* chunks(ids: readonly string[]): Generator<string[]> {
  for (let next = 0; next < ids.length; next += idsAStatement) yield ids.slice(next, next + idsAStatement)
}

async function peopleOf(
  transaction: Transaction<Schema>,
  table: 'player_team_season' | 'coach_season',
  column: 'player_id' | 'coach_id',
  teams: readonly string[],
  seasons: readonly number[],
): Promise<string[]> {
  const people = new Set<string>()
  for (const some of chunks(teams)) {
    const rows = await transaction
      .selectFrom<'player_team_season' | 'coach_season'>(table)
      .select(sql<string | null>`${sql.ref(column)}`.as('id'))
      .where('team_id', 'in', some)
      .where('season', 'in', seasons)
      .execute()
    for (const { id } of rows) if (id !== null) people.add(id)
  }
  return [...people]
}

async function clearRosters(
  transaction: Transaction<Schema>,
  teams: readonly string[],
  players: readonly string[],
  seasons: readonly number[],
): Promise<void> {
  for (const some of chunks(players))
    for (const table of tablesCleared('player'))
      await transaction
        .deleteFrom<ClearedTable<'player'>>(table)
        .where('player_id', 'in', some)
        .where('season', 'in', seasons)
        .execute()
  for (const some of chunks(teams))
    for (const table of tablesCleared('team'))
      await transaction
        .deleteFrom<ClearedTable<'team'>>(table)
        .where('team_id', 'in', some)
        .where('season', 'in', seasons)
        .execute()
}

/** The columns in which a team or person may still be used. */
const uses: Readonly<Record<NamedTable, readonly (readonly [table: Table, column: string])[]>> = {
  team: [
    ['membership', 'team_id'],
    ['game', 'home_team_id'],
    ['game', 'away_team_id'],
  ],
  player: [['player_team_season', 'player_id']],
  coach: [['coach_season', 'coach_id']],
}

/** What was removed, and what stays all the same. */
interface Removed {
  readonly league: LeagueKey
  readonly participants: Participants
  /** Conferences that stay, though they may have no member. */
  readonly named: readonly (string | null)[]
}

type Clear = (transaction: Transaction<Schema>, removed: Removed) => Promise<void>

/** How unused rows of each table are found, in the order in which they are removed. */
const clearing: { readonly [T in ClearedTable<'unused'>]: Clear } = {
  team: (transaction, { participants }) => clearParticipants(transaction, 'team', participants),
  player: (transaction, { participants }) => clearParticipants(transaction, 'player', participants),
  coach: (transaction, { participants }) => clearParticipants(transaction, 'coach', participants),
  conference: clearConferences,
  name_part: (transaction) => clearNameParts(transaction),
}

/** Removes the participants that no season uses any more, and the league’s conferences without a member. */
export async function clearUnused(transaction: Transaction<Schema>, removed: Removed): Promise<void> {
  for (const clear of Object.values(clearing)) await clear(transaction, removed)
}

async function clearParticipants(
  transaction: Transaction<Schema>,
  kind: NamedTable,
  participants: Participants,
): Promise<void> {
  for (const some of chunks(participants[kind])) {
    const key = sql.ref(`${kind}.${kind}_id`)
    const unused = uses[kind].map(
      ([table, column]) =>
        sql`not exists (select 1 from ${sql.table(table)} as used where used.${sql.ref(column)} = ${key})`,
    )
    await sql`delete from ${sql.table(kind)}
      where ${key} in (${sql.join(some)}) and ${sql.join(unused, sql` and `)}`.execute(transaction)
  }
}

async function clearConferences(transaction: Transaction<Schema>, { league, named }: Removed): Promise<void> {
  const inUse = transaction
    .selectFrom('membership')
    .select('conference_id')
    .where('organization_id', '=', league.organization_id)
    .where('division_id', '=', league.division_id)
    .where('conference_id', 'is not', null)
  await transaction
    .deleteFrom('conference')
    .where('organization_id', '=', league.organization_id)
    .where('division_id', '=', league.division_id)
    .where('conference_id', 'not in', inUse)
    .where((on) => (named.length === 0 ? on.lit(true) : on('conference_id', 'not in', [...named])))
    .execute()
}
