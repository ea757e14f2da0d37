import { UpstreamError } from '../errors/errors.ts'
import type { Incoming } from './transport.ts'

/**
 * One answer with its bill, a line of the tape. It contains neither the key nor an address. Its status is 0 if the
 * request failed before any headers came.
 */
export interface Recorded extends Pick<Incoming, 'status' | 'headers' | 'body' | 'bytes' | 'failure'> {
  readonly call: string
  /** The operation's name in `specification/operations.ts`. Tapes of earlier versions do not have it. */
  readonly operation?: string
  /** The number of its key, from 0 in the order of their first answers. */
  readonly key: number
}

/** The tape that is replayed lacks a call. Rows from its other calls are used instead. */
export class NotRecordedError extends UpstreamError {
  /** The answers that the tape has for the key's other calls. */
  readonly others: () => readonly Recorded[]

  constructor(message: string, others: () => readonly Recorded[]) {
    super(message)
    this.others = others
  }
}
