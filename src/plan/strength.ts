import { isWorthRoundTrip } from './round-trip.ts'

export interface StrengthSizes {
  /** Teams whose schedules are wanted, and those of them whose schedules have to be read. */
  readonly teams: number
  readonly unread: number
  /** Games that a team is expected to have, and the teams that its league is. */
  readonly gamesOfTeam: number
  readonly teamsOfLeague: number
  readonly bytesOfGame: number
  readonly bytesOfRating: number
  readonly bytesPerToken: number
}

/**
 * Whether the ratings of a whole league are read beside schedules, or those of the opponents alone once the
 * schedules tell who they are: a round trip more.
 */
export function readsWholeLeague(sizes: StrengthSizes): boolean {
  const { teams, unread, gamesOfTeam, teamsOfLeague, bytesOfGame, bytesOfRating, bytesPerToken } = sizes
  if (unread === 0) return false
  const opponents = Math.min(teams * gamesOfTeam, teamsOfLeague)
  const saved = (teamsOfLeague - opponents) * bytesOfRating
  const bytes = unread * gamesOfTeam * bytesOfGame + teamsOfLeague * bytesOfRating
  return !isWorthRoundTrip(saved, bytes, bytesPerToken)
}
