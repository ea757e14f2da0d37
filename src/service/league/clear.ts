import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import { clearNameParts } from '../store/name-parts.ts'
import { linedTables } from '../store/schema.ts'
import type { Schema } from '../store/schema.ts'
import type { LeagueKey } from './league-key.ts'
import { forgetRanked } from './ranked-day.ts'

const seasonTables = ['elo', ...linedTables, 'game', 'membership'] as const

type SeasonTable = (typeof seasonTables)[number]

/** The participants of removed seasons. Some may appear in no other season. */
export interface Participants {
  readonly team: readonly string[]
  readonly player: readonly string[]
  readonly coach: readonly string[]
}

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
  await transaction.deleteFrom('prediction').where('game_id', 'in', games).execute()
  await transaction.deleteFrom('odds').where('game_id', 'in', games).execute()
  await clearRosters(transaction, team, player, seasons)
  for (const table of seasonTables)
    await transaction
      .deleteFrom<SeasonTable>(table)
      .where('organization_id', '=', league.organization_id)
      .where('division_id', '=', league.division_id)
      .where('season', 'in', seasons)
      .execute()
  for (const season of seasons) await forgetRanked(transaction, { ...league, season })
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
    await transaction
      .deleteFrom('cbb_transfer_player_season')
      .where('player_id', 'in', some)
      .where('season', 'in', seasons)
      .execute()
  for (const some of chunks(teams))
    for (const table of ['player_team_season', 'coach_season'] as const)
      await transaction
        .deleteFrom<'player_team_season' | 'coach_season'>(table)
        .where('team_id', 'in', some)
        .where('season', 'in', seasons)
        .execute()
}

/** The tables in which a team or person may still be used. */
const uses = {
  team: [
    ['membership', 'team_id'],
    ['game', 'home_team_id'],
    ['game', 'away_team_id'],
  ],
  player: [['player_team_season', 'player_id']],
  coach: [['coach_season', 'coach_id']],
} as const

/** Removes the participants that no season uses any more, and the league’s conferences without a member. */
export async function clearUnused(
  transaction: Transaction<Schema>,
  league: LeagueKey,
  participants: Participants,
  named: readonly (string | null)[],
): Promise<void> {
  for (const kind of ['team', 'player', 'coach'] as const)
    for (const some of chunks(participants[kind])) {
      const key = sql.ref(`${kind}.${kind}_id`)
      const unused = uses[kind].map(
        ([table, column]) =>
          sql`not exists (select 1 from ${sql.table(table)} as used where used.${sql.ref(column)} = ${key})`,
      )
      await sql`delete from ${sql.table(kind)}
        where ${key} in (${sql.join(some)}) and ${sql.join(unused, sql` and `)}`.execute(transaction)
    }
  await clearConferences(transaction, league, named)
  await clearNameParts(transaction)
}

/** @param named conferences that stay, though they may have no member */
async function clearConferences(
  transaction: Transaction<Schema>,
  league: LeagueKey,
  named: readonly (string | null)[],
): Promise<void> {
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
