/**
 * A boxscore wanted: of a game, and of one team where one is named; then its opponent too, as far as it is
 * known.
 */
export interface BoxscoreWanted {
  readonly game: string
  readonly team: string | null
  readonly opponent: string | null
}

/** Games and teams for one `readBoxscore`; both teams of each game where no team is named. */
export interface BoxscoreCall {
  readonly games: ReadonlySet<string>
  readonly teams: ReadonlySet<string>
}

/**
 * The calls that bring the boxscores wanted and no others. `readBoxscore` answers with every pair of the
 * games and teams that it is given: a game both of whose teams are wanted goes whole, with all others of its
 * kind; the rest go in as few calls as bring no opponent along.
 */
export function planBoxscores(wanted: readonly BoxscoreWanted[]): readonly BoxscoreCall[] {
  const asked = new Map<string, Set<string | null>>()
  for (const { game, team } of wanted) asked.set(game, (asked.get(game) ?? new Set()).add(team))
  const isWhole = (game: string) => (asked.get(game)?.has(null) ?? false) || (asked.get(game)?.size ?? 0) > 1
  const whole = new Set(wanted.map(({ game }) => game).filter(isWhole))
  const sided = splitBySide(wanted.filter(({ game }) => !whole.has(game)).toSorted(byGame))
  return whole.size > 0 ? [{ games: whole, teams: new Set() }, ...sided] : sided
}

/** In any order of asking the calls are the same. */
const byGame = (a: BoxscoreWanted, b: BoxscoreWanted) => (a.game < b.game ? -1 : a.game > b.game ? 1 : 0)

interface Bucket {
  readonly games: Set<string>
  readonly teams: Set<string>
  readonly opponents: Set<string | null>
}

function splitBySide(wanted: readonly BoxscoreWanted[]): readonly BoxscoreCall[] {
  const buckets: Bucket[] = []
  for (const { game, team, opponent } of wanted) {
    if (team === null) continue
    let bucket = buckets.find(
      ({ teams, opponents }) => !opponents.has(team) && !(opponent && teams.has(opponent)),
    )
    if (!bucket) buckets.push((bucket = { games: new Set(), teams: new Set(), opponents: new Set() }))
    bucket.games.add(game)
    bucket.teams.add(team)
    bucket.opponents.add(opponent)
  }
  return buckets
}
