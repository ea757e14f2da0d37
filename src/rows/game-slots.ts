import type { GameState } from './game-state.ts'
import { slot } from './slot.ts'
import type { Entry } from './entry.ts'
import type { SlotCache, Keys } from './slot.ts'

/** A game's state, usually from its own entry. */
const stateOf = (cache: SlotCache, game: Entry): GameState => game.game ?? cache.game(game.key)

/**
 * The keys of rows that other operations supply for a game: its current prediction and odds (one or none),
 * and the odds' history.
 */
export const gameSlots = {
  /** The pre-game prediction does not change while the game is played. */
  prediction: slot<Keys>('prediction', (cache, game) => stateOf(cache, game).prediction, 'prediction'),
  pre: slot<Keys>('pre', (cache, game) => stateOf(cache, game), 'odds'),
  live: slot<Keys>('live', (cache, game) => stateOf(cache, game), 'odds'),
  /** Oldest first. */
  history: slot<Keys>('history', (cache, game) => stateOf(cache, game), 'odds'),
} as const

export type GameSlot = keyof typeof gameSlots
