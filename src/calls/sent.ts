import type { Account } from '../account/account.ts'
import type { ClientRequest } from '../account/client-request.ts'
import { idsOf, nameOf } from '../specification/operation.ts'
import type { Arguments, Operation } from '../specification/operation.ts'
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

/** A call to send. */
export interface Sent extends Call {
  readonly account: Account
  /** The requests that need the answer. The first one pays. */
  readonly users: readonly [RowUser, ...RowUser[]]
  /** The requests that wait for it, also those that joined. */
  readonly waiters: Waiters
}

/** A call without its values, for plans and spans. */
export const line = ({ operation, arguments: values, field }: Call) => ({
  operation: nameOf(operation),
  arguments: Object.keys(values),
  ids: idsOf(operation, values),
  field,
})

/** Notes in a request's plan that a call that another one pays for brings its rows. */
export function noteShared(request: ClientRequest, call: Call): void {
  const { operation, arguments: names, ids, field } = line(call)
  request.share(operation, names, ids, field)
}

/** Counts a cache hit for each request that needs the answer. */
export function noteRecalled(
  { operation, arguments: values, requests, field }: Call,
  source: 'MEMORY' | 'REDIS',
): void {
  for (const request of new Set(requests))
    request.hit(nameOf(operation), Object.keys(values), field, 1, source)
}
