import type { Span } from '@opentelemetry/api'
import type { Selection } from '../plan/selection.ts'
import type { ClientRequest } from '../account/client-request.ts'
import type { GameSnapshot } from './game-snapshot.ts'
import type { Outage } from './outage.ts'

/** A subscription that receives a day's changes. */
export interface Listener {
  /** The request that pays for polls while this listener is the first. */
  readonly clientRequest: ClientRequest
  /** The subscription's field, to which its polls belong in plans. */
  readonly field: string
  /** The subscription's selection on games. */
  readonly selection: Selection
  /** Runs a poll that this listener pays for, in a span linked to its subscription's. */
  readonly traced: <T>(poll: (span: Span) => T) => T
  /** The only game that the listener wants; null for all. */
  readonly game: string | null
  /** Whether the listener named no date: it follows the current day. */
  readonly isToday: boolean
  /** Called with what has changed, and after a poll of its games with what the poll has found. */
  onUpdate(update: Update): void
  /** Called after each poll that finds the listener's game on another day, or not at all, or that the day is over. */
  onMissing(): void
}

/** What a poll, or the first read of another listener, has found. */
export interface Update {
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
