/** A team's record from its row of statistics; a part is null if the column is missing. */
export interface Recorded {
  readonly wins: number | null
  readonly losses: number | null
  readonly conferenceWins: number | null
  readonly conferenceLosses: number | null
  readonly streak: number | null
}

export interface Standing extends Recorded {
  /** 1 for the best; teams with equal records share a place. */
  readonly place: number
  /** Share of games won, 0 to 1; null before the first game. */
  readonly percentage: number | null
  readonly conferencePercentage: number | null
  /** Games behind the conference's first team. Negative if it has won a smaller share of more games. */
  readonly gamesBehind: number
}

const share = (wins: number | null, losses: number | null): number | null => {
  const games = (wins ?? 0) + (losses ?? 0)
  return games === 0 ? null : (wins ?? 0) / games
}

/**
 * A conference's table, ordered by share of conference games won, then share of all games won, then
 * conference wins. Before the first conference game, all games count instead.
 */
export function standingsOf<T extends Recorded>(teams: readonly T[]): readonly (T & Standing)[] {
  const rated = teams.map((team) => ({
    ...team,
    percentage: share(team.wins, team.losses),
    conferencePercentage: share(team.conferenceWins, team.conferenceLosses),
  }))
  const sorted = rated.toSorted((a, b) => compare(a, b) || (b.conferenceWins ?? 0) - (a.conferenceWins ?? 0))
  const [first] = sorted
  return sorted.map((team) => ({
    ...team,
    place: 1 + sorted.findIndex((other) => compare(other, team) === 0),
    gamesBehind: first ? (lead(first) - lead(team)) / 2 : 0,
  }))
}

type Rated = Recorded & Pick<Standing, 'percentage' | 'conferencePercentage'>

const compare = (a: Rated, b: Rated): number =>
  (b.conferencePercentage ?? 0) - (a.conferencePercentage ?? 0) || (b.percentage ?? 0) - (a.percentage ?? 0)

const lead = ({ conferenceWins, conferenceLosses }: Recorded) =>
  (conferenceWins ?? 0) - (conferenceLosses ?? 0)
