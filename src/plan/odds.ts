import { isWorthRoundTrip } from './round-trip.ts'

/** A game whose odds or prediction are needed, and its day if known. */
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
  /** The same, before it is known which day. */
  readonly scoresOfAnyDay: number
  /** Bytes of a game's row from `game/read`; 0 if it is being read anyway. */
  readonly rowOf: (game: string) => number
  readonly bytesPerToken: number
}

export interface OddsPlan {
  /** Games for one `odds/read`. */
  readonly odds: readonly string[]
  /** Days for one `getScores` each. */
  readonly days: readonly string[]
  /** Games whose rows are read first. Their days then decide what is called for them. */
  readonly rows: readonly string[]
}

/**
 * The cheapest calls for odds and predictions of games known by id. The history comes only from `odds/read`,
 * a prediction only from the scores of its day. Current odds come with either; for the other games of a day,
 * the cheaper of the two is chosen. If the day is unknown, the game's row is read first, which takes one more
 * round trip.
 */
export function planOdds(games: readonly OddsWanted[], sizes: OddsSizes): OddsPlan {
  const rows = games.filter(({ prediction, day }) => prediction && day === null).map(({ game }) => game)
  const days = new Set(games.flatMap(({ prediction, day }) => (prediction && day !== null ? [day] : [])))
  const odds = new Set(games.filter(({ history }) => history).map(({ game }) => game))
  const left = games.filter(
    ({ game, day, current, prediction }) =>
      current && !prediction && !odds.has(game) && !(day !== null && days.has(day)),
  )
  for (const [day, those] of byDay(left)) {
    if (sizes.scoresOfDay(day) < those.length * sizes.oddsOfGame) days.add(day)
    else for (const { game } of those) odds.add(game)
  }
  const dayless = left.filter(({ day }) => day === null).map(({ game }) => game)
  const { later, saved } = readFirst(dayless, sizes)
  const others = bytesOf({ odds: [...odds, ...dayless], days: [...days], rows }, sizes)
  const isLater = rows.length > 0 || isWorthRoundTrip(saved, others, sizes.bytesPerToken)
  const first = new Set(isLater ? later : [])
  for (const game of dayless) if (!first.has(game)) odds.add(game)
  return { odds: [...odds], days: [...days], rows: [...rows, ...first] }
}

/** The number of days that games requested together are assumed to be spread over. */
export const expectedDays = 2

/** The games whose rows should be read first, and the bytes that this is expected to save. */
function readFirst(games: readonly string[], { oddsOfGame, scoresOfAnyDay, rowOf }: OddsSizes) {
  const cheapestFirst = games.toSorted((a, b) => rowOf(a) - rowOf(b))
  let best = { count: 0, saved: 0 }
  let bytes = 0
  for (const [index, game] of cheapestFirst.entries()) {
    const count = index + 1
    bytes += rowOf(game)
    const scores = Math.min(expectedDays, count) * scoresOfAnyDay
    const saved = count * oddsOfGame - bytes - Math.min(scores, count * oddsOfGame)
    if (saved > best.saved) best = { count, saved }
  }
  return { later: cheapestFirst.slice(0, best.count), saved: best.saved }
}

const bytesOf = ({ odds, days, rows }: OddsPlan, { oddsOfGame, scoresOfDay, rowOf }: OddsSizes): number =>
  odds.length * oddsOfGame +
  days.reduce((sum, day) => sum + scoresOfDay(day), 0) +
  rows.reduce((sum, game) => sum + rowOf(game), 0)

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
