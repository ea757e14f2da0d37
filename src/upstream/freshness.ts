import type { RawRow } from './entry.ts'

/** How long each class of row may be served before it is asked for again, in milliseconds. */
export const freshFor = {
  /** What belongs to a game under way. */
  live: 15_000,
  /** Schedules, current rows and whatever else moves from day to day. */
  current: 5 * 60_000,
  /** Who teams, players and leagues are. */
  reference: 60 * 60_000,
} as const

const day = 86_400_000

/** What decides how fast a game's rows age. */
export interface GameState {
  readonly status: unknown
  /** Unix milliseconds; null where unknown. */
  readonly start: number | null
  /** Whether anybody has scored. */
  readonly hasBegun: boolean
}

/** The state of a game by its columns. */
export function gameState(column: (name: string) => unknown): GameState {
  const startDatetime = column('start_datetime')
  const start = typeof startDatetime === 'string' ? Date.parse(startDatetime) : Number.NaN
  const hasBegun = Number(column('home_score')) > 0 || Number(column('away_score')) > 0
  return { status: column('status'), start: Number.isNaN(start) ? null : start, hasBegun }
}

/** When what belongs to a game is to be asked for again: never once it is over, and a game to come not past its start. */
export function gameFreshUntil({ status, start, hasBegun }: GameState, now: number): number {
  if (typeof status === 'string' && status.toLowerCase() === 'final') return Number.POSITIVE_INFINITY
  if (start !== null && start > now) return Math.min(now + freshFor.current, start)
  if (start !== null && start < now - 2 * day && !hasBegun) return now + freshFor.current
  return now + freshFor.live
}

const currentTables = /_ranking$|^elo$|^prediction$|^cbb_transfer/

/** When a row is to be asked for again, judged by its table, by what it says of itself, and by the state of the game it belongs to. */
export function rowFreshUntil(table: string, row: RawRow, game: GameState | null, now: number): number {
  if (table === 'boxscore' || table === 'player_boxscore')
    return Number(row['final']) === 1 ? Number.POSITIVE_INFINITY : now + freshFor.live
  if (table === 'game' || table === 'odds') return game ? gameFreshUntil(game, now) : now + freshFor.live
  if (table === 'prediction') return Math.max(now + freshFor.current, game ? gameFreshUntil(game, now) : 0)
  if (currentTables.test(table))
    return row['current'] === 0 ? Number.POSITIVE_INFINITY : now + freshFor.current
  return now + freshFor.reference
}
