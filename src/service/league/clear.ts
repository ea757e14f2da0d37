import type { Transaction } from 'kysely'
import type { Schema } from '../store/schema.ts'
import { forgetRanked } from './rankedday.ts'

/** A division of an organization: what is published, and published again, as one. */
export interface LeagueKey {
  readonly organization_id: string
  readonly division_id: string
}

const ownTables = [
  'elo',
  'conference',
  'boxscore',
  'player_boxscore',
  'statistic_ranking',
  'player_statistic_ranking',
  'coach_statistic_ranking',
  'conference_statistic_ranking',
  'league_statistic_ranking',
  'conference_player_statistic_ranking',
  'league_player_statistic_ranking',
] as const

/** Removes every row of a league, its teams and people included. */
export async function clearLeague(transaction: Transaction<Schema>, league: LeagueKey): Promise<void> {
  for (const table of ownTables) await clearTable(transaction, table, league)
  const games = gamesOf(transaction, league).select('game_id')
  await transaction.deleteFrom('prediction').where('game_id', 'in', games).execute()
  await transaction.deleteFrom('odds').where('game_id', 'in', games).execute()
  await clearPeople(transaction, await teamsOf(transaction, league))
  await clearTable(transaction, 'game', league)
  await clearTable(transaction, 'membership', league)
  await forgetRanked(transaction, league)
}

async function clearTable(
  transaction: Transaction<Schema>,
  table: (typeof ownTables)[number] | 'game' | 'membership',
  { organization_id, division_id }: LeagueKey,
): Promise<void> {
  await transaction
    .deleteFrom(table)
    .where('organization_id', '=', organization_id)
    .where('division_id', '=', division_id)
    .execute()
}

const gamesOf = (transaction: Transaction<Schema>, { organization_id, division_id }: LeagueKey) =>
  transaction
    .selectFrom('game')
    .where('organization_id', '=', organization_id)
    .where('division_id', '=', division_id)

/** The teams of the league and the outsiders they have met. */
async function teamsOf(transaction: Transaction<Schema>, league: LeagueKey): Promise<string[]> {
  const met = await gamesOf(transaction, league).select(['home_team_id', 'away_team_id']).execute()
  const members = await transaction
    .selectFrom('membership')
    .select('team_id')
    .where('organization_id', '=', league.organization_id)
    .where('division_id', '=', league.division_id)
    .execute()
  const teams = [
    ...met.flatMap((game) => [game.home_team_id, game.away_team_id]),
    ...members.map((row) => row.team_id),
  ]
  return [...new Set(teams)].filter((team) => team !== null)
}

const teamsAStatement = 500

async function clearPeople(transaction: Transaction<Schema>, teams: readonly string[]): Promise<void> {
  for (let next = 0; next < teams.length; next += teamsAStatement) {
    const some = teams.slice(next, next + teamsAStatement)
    const players = transaction
      .selectFrom('player_team_season')
      .select('player_id')
      .where('team_id', 'in', some)
    const coaches = transaction.selectFrom('coach_season').select('coach_id').where('team_id', 'in', some)
    await transaction.deleteFrom('cbb_transfer_player_season').where('player_id', 'in', players).execute()
    await transaction.deleteFrom('player').where('player_id', 'in', players).execute()
    await transaction.deleteFrom('coach').where('coach_id', 'in', coaches).execute()
    await transaction.deleteFrom('player_team_season').where('team_id', 'in', some).execute()
    await transaction.deleteFrom('coach_season').where('team_id', 'in', some).execute()
    await transaction.deleteFrom('team').where('team_id', 'in', some).execute()
  }
}
