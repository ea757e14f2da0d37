/** A team whose rest before a game is wanted, and the days on which its last game is looked for. */
export interface RestWanted {
  readonly team: string
  readonly days: readonly string[]
}

export interface RestSizes {
  /** Bytes of one team's games of a season; 0 where they are at hand. */
  readonly seasonOf: (team: string) => number
  /** Bytes of the games of a league's day; 0 where they are at hand. */
  readonly gamesOf: (day: string) => number
}

/**
 * The days whose games tell of several teams when they last played, where these cost less than the teams'
 * seasons; none where the seasons cost less. Either takes one round trip.
 */
export function planRest(wanted: readonly RestWanted[], { seasonOf, gamesOf }: RestSizes): readonly string[] {
  const teams = new Set(wanted.map(({ team }) => team))
  const days = new Set(wanted.flatMap((one) => one.days))
  const sum = (names: ReadonlySet<string>, bytesOf: (name: string) => number) =>
    [...names].reduce((bytes, name) => bytes + bytesOf(name), 0)
  return sum(days, gamesOf) < sum(teams, seasonOf) ? [...days] : []
}
