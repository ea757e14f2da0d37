import type { Entry } from './entry.ts'
import type { GameState } from './game-state.ts'
import type { Rows } from './rows.ts'
import type { SlotCache } from './slot.ts'

/** The part of an account that stores rows. */
export interface RowCache extends SlotCache {
  readonly rows: Rows
  /** What is known of the game of an entry. */
  stateOf(entry: Entry): GameState
}
