import type { Arguments, Operation } from '../specification/operation.ts'
import type { ClientRequest } from '../account/client-request.ts'
import type { Waiters } from '../wire/waiters.ts'

/** A call, and who needs it. */
export interface Call {
  readonly operation: Operation
  readonly arguments: Arguments
  /**
   * The requests that need it, each once for every row that it needs. The first one is charged, the others
   * share.
   */
  readonly requests: readonly [ClientRequest, ...ClientRequest[]]
  /** The field that made it necessary. */
  readonly field: string
  /** Who waits for it, if others may join; by default `requests`. */
  readonly waiters?: Waiters
}

/** A request that needs the answer, and the number of rows that it needs. */
export interface RowUser {
  readonly request: ClientRequest
  readonly rows: number
}

/** The requests that need the answer. The first one pays. */
type Users = readonly [RowUser, ...RowUser[]]

/** A call to send. */
export interface Sent {
  readonly operation: Operation
  readonly arguments: Arguments
  readonly users: Users
  /** The field that made it necessary. */
  readonly field: string
  /** The requests that wait for it, also those that joined. */
  readonly waiters: Waiters
}
