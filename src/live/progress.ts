import { globalId } from '../graph/ids.ts'
import type { Handle } from '../graph/handle.ts'
import type { GameSnapshot } from './game-snapshot.ts'
import { signOf } from './outage.ts'
import type { Outage } from './outage.ts'

/** How often a day is polled. */
export interface Interval {
  /** Null if there are no polls. */
  readonly intervalSeconds: number | null
  /** The factor by which they are slowed down to save tokens. */
  readonly slowedBy?: number
}

/** An event of a subscription: the value of its field, and the game after the change. */
export interface LiveEvent {
  /** Null of an event that brings an error alone. */
  readonly row: Handle | null
  /** The game after the change: one object for all subscribers. */
  readonly snapshot: GameSnapshot | null
  /** Whether the game has left: then its row is the last known one. */
  readonly isLast: boolean
  /** Why the rows are not current; null if they are. */
  readonly outage: Outage | null
  /** The error that a query would get in place of the row. */
  readonly error: Error | null
  readonly live: Interval & {
    /** Whether the reader has all of the first state. */
    readonly complete: boolean
    /** The global ids of games that the subscription follows no longer. */
    readonly left: readonly string[]
  }
}

/** An event before it is read. */
export interface PendingEvent {
  readonly row: Handle | null
  readonly snapshot: GameSnapshot | null
  readonly isLast: boolean
  /** Whether it tells of an outage or of its end, not of a change. */
  readonly isNotice: boolean
}

/** The global id of a game. */
export const idOf = ({ game }: GameSnapshot): string => globalId('Game', game.entry.key)

/** What a reader has been told of the first state, of games that have left, and of outages. */
export class Progress {
  /** Why the rows are not current; null if they are. */
  outage: Outage | null = null
  /** What the last event that was read says of an outage. */
  #reported = signOf(null)
  /** The topics of the first state that are unread; null before it is known. */
  #unread: Set<string> | null = null
  /** Games that have left, and that no event has named yet. */
  #left: readonly string[] = []

  /** Whether the reader knows whether there is an outage. */
  get isReported(): boolean {
    return this.#reported === signOf(this.outage)
  }

  /**
   * A first state with these topics is put, in place of games that have left. Of a state of which nothing was read,
   * nothing has left.
   */
  begin(topics: readonly string[], left: readonly string[]): void {
    this.#unread = new Set(topics)
    if (this.#left.length === 0) this.#left = left
  }

  /** The event, now that it is read. */
  read(topic: string, { row, snapshot, isLast, isNotice }: PendingEvent, interval: Interval): LiveEvent {
    const { outage } = this
    const error = isNotice && outage?.stale === null ? outage.error : null
    // The last row of a game is never marked as stale.
    this.#reported = signOf(error || (outage?.stale && !isLast) ? outage : null)
    this.#unread?.delete(topic)
    const own = snapshot ? [idOf(snapshot)] : []
    const others = this.#left.filter((id) => !own.includes(id))
    const left = isLast ? [...others, ...own] : others
    this.#left = []
    const complete = this.#unread?.size === 0
    return { row, snapshot, isLast, outage, error, live: { ...interval, complete, left } }
  }
}
