import type { GameSnapshot } from './game-snapshot.ts'
import type { Outage } from './outage.ts'

/** What a listener hears. */
export interface News {
  /** The games whose state has changed. */
  readonly changes: readonly GameSnapshot[]
  /** The games that are no longer of the day, as they last were. */
  readonly left: readonly GameSnapshot[]
  /** Why the rows are not current; null if they are, undefined if nothing new is known. */
  readonly outage?: Outage | null
}

/** What is known when a listener joins. */
export interface FirstState {
  readonly snapshots: readonly GameSnapshot[]
  readonly outage: Outage | null
}
