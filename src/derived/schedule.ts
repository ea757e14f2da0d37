import { isCalledOff, isFinalStatus } from '../specification/game-status.ts'
import type { Row } from '../specification/tables.ts'

/** The columns needed of a game. */
export const scheduleColumns = [
  'game_id',
  'home_team_id',
  'away_team_id',
  'start_date',
  'start_datetime',
  'status',
  'home_score',
  'away_score',
  'deleted',
] as const
export type ScheduledGame = Pick<Row<'game'>, (typeof scheduleColumns)[number]>

const dayLength = 86_400_000

const dayOf = (game: ScheduledGame): string | null => game.start_date?.slice(0, 10) ?? null
const has = (game: ScheduledGame, team_id: string) =>
  game.deleted !== 1 && (game.home_team_id === team_id || game.away_team_id === team_id)
const opponentOf = (game: ScheduledGame, team_id: string) =>
  game.home_team_id === team_id ? game.away_team_id : game.home_team_id

/** Games by start time. A game without a time counts as starting at midnight of its day. */
const byStart = (one: ScheduledGame, other: ScheduledGame) => compare(startOf(one), startOf(other))
const startOf = (game: ScheduledGame) => game.start_datetime ?? game.start_date ?? ''
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

export const isFinal = (game: ScheduledGame) =>
  isFinalStatus(game.status) && game.home_score !== null && game.away_score !== null

/**
 * Whole days without a game before this one; 0 if the last game was the day before, or the same day. Null for
 * the first of `games`. Called-off and later games do not count.
 */
export function restDays(
  team_id: string,
  game: ScheduledGame,
  games: readonly ScheduledGame[],
): number | null {
  const day = dayOf(game)
  if (day === null) return null
  const earlier = games
    .filter((other) => other.game_id !== game.game_id && has(other, team_id) && isToBePlayed(other))
    .filter((other) => byStart(other, game) < 0)
    .flatMap((other) => dayOf(other) ?? [])
  if (earlier.length === 0) return null
  const last = earlier.reduce((latest, each) => (each > latest ? each : latest))
  return Math.max(0, Math.round((Date.parse(day) - Date.parse(last)) / dayLength) - 1)
}

export interface StrengthOfSchedule {
  /**
   * The mean of the opponents' current ratings; an opponent counts once for each meeting. Null if none has a
   * rating.
   */
  readonly played: number | null
  readonly remaining: number | null
}

/**
 * The strength of a team's opponents by their current ratings. Opponents without a rating (from outside the
 * division) are left out.
 */
export function strengthOfSchedule(
  team_id: string,
  games: readonly ScheduledGame[],
  elos: ReadonlyMap<string, number>,
): StrengthOfSchedule {
  const ratings = (some: readonly ScheduledGame[]) =>
    mean(some.flatMap((game) => elos.get(opponentOf(game, team_id) ?? '') ?? []))
  const own = games.filter((game) => has(game, team_id))
  return {
    played: ratings(own.filter(isFinal)),
    remaining: ratings(own.filter((game) => !isFinal(game) && isToBePlayed(game))),
  }
}

export const isToBePlayed = (game: ScheduledGame) => !isCalledOff(game.status)

export interface Stretch {
  readonly games: number
  readonly wins: number
  readonly losses: number
  /** Mean points scored and allowed, and the mean margin; null without games. */
  readonly points: number | null
  readonly allowed: number | null
  readonly margin: number | null
}

/** The games on a day or before it; all of them if there is no day. */
export const until = (day: string | null, games: readonly ScheduledGame[]): readonly ScheduledGame[] =>
  day === null ? games : games.filter((game) => (dayOf(game) ?? '~') <= day)

/** A team's last `count` finished games, or as many as there are. */
export function lastGames(team_id: string, games: readonly ScheduledGame[], count: number): Stretch {
  const results = games
    .filter((game) => has(game, team_id) && isFinal(game))
    .toSorted(byStart)
    .slice(-count)
    .map((game) => scoresOf(team_id, game))
  return {
    games: results.length,
    wins: results.filter(({ points, allowed }) => points > allowed).length,
    losses: results.filter(({ points, allowed }) => points < allowed).length,
    points: mean(results.map(({ points }) => points)),
    allowed: mean(results.map(({ allowed }) => allowed)),
    margin: mean(results.map(({ points, allowed }) => points - allowed)),
  }
}

/** The points by which a team won a final game; negative if it lost. */
export function marginOf(team_id: string, game: ScheduledGame): number {
  const { points, allowed } = scoresOf(team_id, game)
  return points - allowed
}

function scoresOf(team_id: string, game: ScheduledGame) {
  const [home, away] = [game.home_score ?? 0, game.away_score ?? 0]
  return game.home_team_id === team_id ? { points: home, allowed: away } : { points: away, allowed: home }
}

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
