import { isWorthRoundTrip } from './round-trip.ts'

export interface StrengthSizes {
  /** The teams whose strength of schedule is needed, and those whose games have to be read. */
  readonly teams: number
  readonly unread: number
  /** The assumed number of a team's games, and of a league's teams. */
  readonly gamesOfTeam: number
  readonly teamsOfLeague: number
  readonly bytesOfGame: number
  readonly bytesOfRating: number
  readonly bytesPerToken: number
}

/**
 * Whether to read the ratings of the whole league in parallel with the schedules, instead of the opponents'
 * ratings after them, which takes one more round trip.
 */
export function readsWholeLeague(sizes: StrengthSizes): boolean {
  const { teams, unread, gamesOfTeam, teamsOfLeague, bytesOfGame, bytesOfRating, bytesPerToken } = sizes
  if (unread === 0) return false
  const opponents = Math.min(teams * gamesOfTeam, teamsOfLeague)
  const saved = (teamsOfLeague - opponents) * bytesOfRating
  const bytes = unread * gamesOfTeam * bytesOfGame + teamsOfLeague * bytesOfRating
  return !isWorthRoundTrip(saved, bytes, bytesPerToken)
}
