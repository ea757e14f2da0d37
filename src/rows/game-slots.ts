import type { GameState } from './game-state.ts'
import { slot } from './slot.ts'
import type { Entry } from './entry.ts'
import type { Judge, Keys } from './slot.ts'

/** A game's state, usually from its own entry. */
const stateOf = (judge: Judge, game: Entry): GameState => game.game ?? judge.game(game.key)

/**
 * The keys of rows that other operations supply for a game: its current prediction and odds (one or none),
 * and the odds' history.
 */
export const gameSlots = {
  /** The pre-game prediction does not change while the game is played. */
  prediction: slot<Keys>('prediction', (judge, game) => stateOf(judge, game).prediction, 'prediction'),
  pre: slot<Keys>('pre', (judge, game) => stateOf(judge, game), 'odds'),
  live: slot<Keys>('live', (judge, game) => stateOf(judge, game), 'odds'),
  /** Oldest first. */
  history: slot<Keys>('history', (judge, game) => stateOf(judge, game), 'odds'),
} as const

export type GameSlot = keyof typeof gameSlots
