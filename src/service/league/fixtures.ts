import type { Row } from '../../specification/tables.ts'
import type { Fixture, Result } from '../numbers/result.ts'

type Game = Row<'game'>

/** A game that lacks what every game must have: its key, its teams, its season and its day. */
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

/** States of a game that will never have a winner. */
const off: ReadonlySet<string | null> = new Set(['canceled', 'cancelled', 'forfeit', 'abandoned'])

/** Whether a game has been played or will be: only then is it predicted, and one of a team’s games. */
export const isOn = ({ status }: Pick<Game, 'status'>): boolean => !off.has(status)

/** The game’s result; null while it is not final. */
export function resultOf(game: Game): Result | null {
  const { status, home_score, away_score } = game
  if (status !== 'final' || home_score === null || away_score === null) return null
  return { ...fixtureOf(game), ended: endOf(game), home_score, away_score }
}

/** When a game’s end was known: what came of it is dated by that. */
export const endOf = (game: Game): string =>
  game.clock_last_updated_at ?? game.updated_at ?? game.start_datetime ?? game.start_date ?? ''

/** When a game begins: its day’s midnight where nobody knows. */
export const startOf = (game: Game): string => game.start_datetime ?? game.start_date ?? ''

/** Games in the order they begin; those of one moment by their source’s id, so that the order of its rows does not matter. */
export const byTime = (a: Game, b: Game): number =>
  compare(startOf(a), startOf(b)) || compare(sourceId(a), sourceId(b))

const sourceId = ({ guid, game_id }: Game): string => guid ?? game_id ?? ''

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
