import type { BettingLine, CfbGame } from './football-tables.ts'
import { gameStatus } from './status.ts'
import type { GameStatus } from './status.ts'

/** A game and its state. */
export interface StandingGame extends CfbGame {
  readonly status: GameStatus
  /** The number of boxscores. */
  readonly sides: number
}

/** @param boxed how many boxscores a game has */
export function standing(game: CfbGame, boxed: ReadonlyMap<string, number>): StandingGame {
  const sides = boxed.get(game.game_id) ?? 0
  return { ...game, sides, status: gameStatus(game.said, game.home_score, game.away_score, sides) }
}

/** A real line of a bookmaker, not a placeholder. */
export const isOffered = (line: BettingLine): boolean =>
  !line.filler && (line.home_spread !== null || line.total !== null)
