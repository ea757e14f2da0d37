/**
 * A boxscore to load: of a game, and of one team and its opponent if known, or of both teams if `team` is
 * null.
 */
export interface BoxscoreWanted {
  readonly game: string
  readonly team: string | null
  readonly opponent: string | null
}

/** Games and teams of one `readBoxscore`. Without teams, it returns both sides of each game. */
export interface BoxscoreCall {
  readonly games: ReadonlySet<string>
  readonly teams: ReadonlySet<string>
}

/**
 * The calls that bring the requested boxscores and no others. `readBoxscore` returns every combination of its
 * games and teams. Games with both sides go together without teams; the rest go in as few calls as bring no
 * unwanted opponent.
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
