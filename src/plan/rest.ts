/** A team whose rest before a game is needed, and the days in which its last game is searched. */
export interface RestWanted {
  readonly team: string
  readonly days: readonly string[]
}

export interface RestSizes {
  /** Bytes of a team's season of games; 0 if known. */
  readonly seasonOf: (team: string) => number
  /** Bytes of a day's games; 0 if known. */
  readonly gamesOf: (day: string) => number
}

/**
 * The days to load, if they are cheaper than the teams' seasons; none if the seasons are cheaper. Either
 * takes one round trip.
 */
export function planRest(wanted: readonly RestWanted[], { seasonOf, gamesOf }: RestSizes): readonly string[] {
  const teams = new Set(wanted.map(({ team }) => team))
  const days = new Set(wanted.flatMap((one) => one.days))
  const sum = (names: ReadonlySet<string>, bytesOf: (name: string) => number) =>
    [...names].reduce((bytes, name) => bytes + bytesOf(name), 0)
  return sum(days, gamesOf) < sum(teams, seasonOf) ? [...days] : []
}
