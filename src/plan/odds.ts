import { isWorthRoundTrip } from './round-trip.ts'

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
  /** The same, before it is known which day. */
  readonly scoresOfAnyDay: number
  /** Bytes of a game's row from `game/read`; none where it is being read anyway. */
  readonly rowOf: (game: string) => number
  readonly bytesPerToken: number
}

export interface OddsPlan {
  /** Games for one `odds/read`. */
  readonly odds: readonly string[]
  /** Days for one `getScores` each. */
  readonly days: readonly string[]
  /** Games whose rows are read first: the day in them decides what is called for the rest. */
  readonly rows: readonly string[]
}

/**
 * The cheapest way to the odds and predictions of games known by id. History comes from `odds/read` alone, a
 * prediction from the scores of its day alone. Current odds come with either, or from the cheaper of the two
 * for all games of a day that are left. Where the day is not known, reading the game's row first is a round
 * trip more.
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

/** Days on which games that are asked for together are expected to be played. */
export const expectedDays = 2

/** The games whose rows are best read first, and the bytes that this is expected to save. */
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
