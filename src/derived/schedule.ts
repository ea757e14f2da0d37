import type { Row } from '../specification/tables.ts'

/** What is read of a game. */
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

/** Games in the order in which they begin. Those without a time stand at their day's midnight. */
const byStart = (one: ScheduledGame, other: ScheduledGame) => compare(startOf(one), startOf(other))
const startOf = (game: ScheduledGame) => game.start_datetime ?? game.start_date ?? ''
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

export const isFinal = (game: ScheduledGame) =>
  game.status === 'final' && game.home_score !== null && game.away_score !== null

/**
 * Whole days between a team's game and the one before it in `games`: 0 is a game on the next day, and on the
 * same one. Null for its first game of `games`. Games that were called off do not count, nor those of a later
 * day.
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
   * The mean of the opponents' current ratings, an opponent as often as the team meets it. Null without an
   * opponent that has one.
   */
  readonly played: number | null
  readonly remaining: number | null
}

/**
 * How strong a team's opponents are by their ratings of today. Opponents without a rating (from outside the
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

const unplayable = /^(cancel|postpon|forfeit|abandon)/i

/** The specification shows no status but `final`: a game that is called off says so in its own words. */
export const isToBePlayed = (game: ScheduledGame) => !unplayable.test(game.status ?? '')

export interface Stretch {
  readonly games: number
  readonly wins: number
  readonly losses: number
  /** Mean points scored and allowed, and the mean margin; null without a game. */
  readonly points: number | null
  readonly allowed: number | null
  readonly margin: number | null
}

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

function scoresOf(team_id: string, game: ScheduledGame) {
  const [home, away] = [game.home_score ?? 0, game.away_score ?? 0]
  return game.home_team_id === team_id ? { points: home, allowed: away } : { points: away, allowed: home }
}

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
