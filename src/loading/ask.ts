import type { Operation } from '../specification/operation.ts'
import type { Entry } from '../rows/entry.ts'
import type { Account } from '../account/account.ts'
import type { ClientRequest } from '../account/client-request.ts'
import type { MaybePromise } from './maybe-promise.ts'

/** What an ask wants from a loader. */
export interface Wanted {
  /** Its name within the loader. A request does not ask again for a name that failed. */
  readonly what: string
}

/** Where a value is stored. */
export interface Kept {
  readonly owner: Entry
  readonly slot: { readonly name: string }
}

/** One thing that a field of a request needs. */
export interface Ask<W extends Wanted, V = unknown> {
  readonly request: ClientRequest
  /** The field that needs it. */
  readonly field: string
  readonly wanted: W
  /** The operation that would load it. The plan shows it if another instance has already bought the value. */
  readonly operation?: Operation | undefined
  /** Where the value is stored, alone or as a part of another: a call under way for either brings it. */
  readonly kept?: readonly Kept[] | undefined
  /** Returns what is pending and may bring the value too. The ask is planned after it. */
  readonly after?: (() => Promise<unknown> | undefined) | undefined
  /** Returns the value if another call has loaded it in the meantime. */
  readonly cached?: (() => V | null | undefined) | undefined
  /** Returns the value when the call for it has ended: what is stored then. */
  readonly value: () => V | null
}

/** The part of a list of asks that one call answers. */
export interface Branch<V> {
  /** Indices in the list of asks. */
  readonly indices: readonly number[]
  /** The values, in the order of `indices`. Rejects with a CodedError if the call failed. */
  readonly values: Promise<readonly MaybePromise<V | null>[]>
}

/** The objects that one call answers, by index, with their values or errors. Never rejects. */
export interface ObjectBranch<R> {
  readonly indices: readonly number[]
  readonly values: Promise<readonly (MaybePromise<R> | Error)[]>
}

/** One promise for each ask: of the call that stores its value. Asks of the same call have the same promise. */
export type Calls = readonly Promise<unknown>[]

/** Plans the calls for asks. */
export type Plan<W extends Wanted> = (account: Account, asks: readonly Ask<W>[]) => Calls
