import { UpstreamError } from './errors.ts'
import type { Recorded } from './tape.ts'

/** The tape that is replayed lacks a call. Rows from its other calls are used instead. */
export class NotRecordedError extends UpstreamError {
  /** The answers that the tape has for the key's other calls. */
  readonly others: () => readonly Recorded[]

  constructor(message: string, others: () => readonly Recorded[]) {
    super(message)
    this.others = others
  }
}
