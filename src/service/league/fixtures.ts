import type { Row } from '../../specification/tables.ts'
import type { Fixture, Result } from '../numbers/result.ts'

type Game = Row<'game'>

/** A game without its key, teams, season or day. */
export class GameIncomplete extends Error {
  readonly code = 'GAME_INCOMPLETE'
}

export function fixtureOf(game: Game): Fixture {
  const { game_id, season, start_date, home_team_id, away_team_id } = game
  if (!game_id || season === null || !start_date || !home_team_id || !away_team_id)
    throw new GameIncomplete(`game ${game_id ?? 'without a key'} lacks its season, day or teams`)
  return {
    game_id,
    season,
    day: start_date.slice(0, 10),
    starts: startOf(game),
    home_team_id,
    away_team_id,
    neutral_site: game.neutral_site === null ? null : game.neutral_site === 1,
    conference: game.is_conf_game === 1,
  }
}

/** States of games that will have no winner. */
const off: ReadonlySet<string | null> = new Set(['canceled', 'cancelled', 'forfeit', 'abandoned'])

/** Whether a game was played or will be. Other games have no prediction and do not count for their teams. */
export const isOn = ({ status }: Pick<Game, 'status'>): boolean => !off.has(status)

/** The game’s result; null while it is not final. */
export function resultOf(game: Game): Result | null {
  const { status, home_score, away_score } = game
  if (status !== 'final' || home_score === null || away_score === null) return null
  return { ...fixtureOf(game), ended: endOf(game), home_score, away_score }
}

/** The time at which a game’s end was known, which dates its results. */
export const endOf = (game: Game): string =>
  game.clock_last_updated_at ?? game.updated_at ?? game.start_datetime ?? game.start_date ?? ''

/** The start of a game; its day’s midnight if unknown. */
export const startOf = (game: Game): string => game.start_datetime ?? game.start_date ?? ''

/**
 * Games by start; simultaneous ones by their source’s id, so the order of the source's rows does not matter.
 */
export const byTime = (a: Game, b: Game): number =>
  compare(startOf(a), startOf(b)) || compare(sourceId(a), sourceId(b))

const sourceId = ({ guid, game_id }: Game): string => guid ?? game_id ?? ''

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
