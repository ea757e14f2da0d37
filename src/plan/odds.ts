/** A game whose odds or prediction are wanted, by its id, with the day on which it is known to be played. */
export interface OddsWanted {
  readonly game: string
  readonly day: string | null
  readonly current: boolean
  readonly history: boolean
  readonly prediction: boolean
}

export interface OddsSizes {
  /** Bytes of one game's answer from `odds/read`. */
  readonly oddsOfGame: number
  /** Bytes of a day's answer from `getScores`. */
  readonly scoresOfDay: (day: string) => number
}

export interface OddsPlan {
  /** Games for one `odds/read`. */
  readonly odds: readonly string[]
  /** Days for one `getScores` each. */
  readonly days: readonly string[]
  /** Games whose day has to be learned before the rest can be planned. */
  readonly rows: readonly string[]
}

/**
 * The cheapest way to the odds and predictions of games known by id. History comes from `odds/read` alone, a prediction from the
 * scores of its day alone; current odds come with either, or from the cheaper of the two for all games of a day that are left.
 */
export function planOdds(games: readonly OddsWanted[], sizes: OddsSizes): OddsPlan {
  const rows = games.filter(({ prediction, day }) => prediction && day === null).map(({ game }) => game)
  const days = new Set(games.flatMap(({ prediction, day }) => (prediction && day !== null ? [day] : [])))
  const odds = new Set(games.filter(({ history }) => history).map(({ game }) => game))
  const left = games.filter(
    ({ game, day, current, prediction }) =>
      current && !prediction && !odds.has(game) && !(day !== null && days.has(day)),
  )
  for (const { game, day } of left) if (day === null) odds.add(game)
  for (const [day, those] of byDay(left)) {
    if (sizes.scoresOfDay(day) < those.length * sizes.oddsOfGame) days.add(day)
    else for (const { game } of those) odds.add(game)
  }
  return { odds: [...odds], days: [...days], rows }
}

function byDay(games: readonly OddsWanted[]): Map<string, OddsWanted[]> {
  const days = new Map<string, OddsWanted[]>()
  for (const game of games) {
    if (game.day === null) continue
    const same = days.get(game.day)
    if (same) same.push(game)
    else days.set(game.day, [game])
  }
  return days
}
