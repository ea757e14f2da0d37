import type { Transaction } from 'kysely'
import type { Schema } from '../store/schema.ts'
import type { LeagueKey } from './league-key.ts'
import type { Facts } from './facts.ts'

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
  const teams = new Set([
    ...later.games.flatMap((game) => [game.home_team_id, game.away_team_id]),
    ...later.members.map((row) => row.team_id),
  ])
  const conferences = new Set(later.members.map((row) => row.conference_id))
  const players = new Set(later.players.map((row) => row.player_id))
  const coaches = new Set(later.coaches.map((row) => row.coach_id))
  return {
    ...facts,
    teams: facts.teams.filter((row) => !teams.has(row.team_id)),
    conferences: facts.conferences.filter((row) => !conferences.has(row.conference_id)),
    players: facts.players.filter((row) => !players.has(row.player_id)),
    coaches: facts.coaches.filter((row) => row.coach_id === null || !coaches.has(row.coach_id)),
  }
}

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
