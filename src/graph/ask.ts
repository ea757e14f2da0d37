import type { Operation } from '../specification/operations.ts'
import type { Request } from '../upstream/request.ts'
import type { MaybePromise } from './maybe-promise.ts'

/** What is wanted of a loader. */
export interface Wanted {
  /**
   * Tells it from all else that is wanted of the loader: what has failed under this name is not asked for
   * again.
   */
  readonly what: string
}

/** Something wanted by one field of one request. */
export interface Ask<W extends Wanted, V = unknown> {
  readonly request: Request
  /** The field that wants it. */
  readonly field: string
  readonly wanted: W
  /** Names the value; an ask joins one of the same name that is under way for its request. */
  readonly joins?: string | undefined
  /** The operation that brings it, as the bill names it where another instance has brought it. */
  readonly operation?: Operation | undefined
  /** The value, where another call has brought it since it was found missing. */
  readonly atHand?: (() => V | null | undefined) | undefined
}

/** Splits the answer of one call among those who asked for it. */
export type Split<W extends Wanted, V> = (ask: Ask<W>) => MaybePromise<V | null>

/** What one call answers of a list of asks. */
export interface Branch<V> {
  /** Positions in the list of asks. */
  readonly indices: readonly number[]
  /** The values, in the order of the positions. Rejects with a CodedError where the call failed. */
  readonly values: Promise<readonly MaybePromise<V | null>[]>
}

/** Objects that one call answers, by position, and their values or errors. Never rejects. */
export interface Answered<R> {
  readonly indices: readonly number[]
  readonly values: Promise<readonly (MaybePromise<R> | Error)[]>
}

/** The calls for a list of asks, one for each ask; asks that one call answers have the same promise. */
export type Splits<W extends Wanted, V> = readonly Promise<Split<W, V>>[]
