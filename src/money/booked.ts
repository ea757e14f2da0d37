import type { Bill } from './bill.ts'
import type { Purpose } from './purpose.ts'
import type { Reservation } from './ledger.ts'

/** A reservation in all budgets, and its record. */
export interface Booked extends Reservation {
  /**
   * Resolves when the reservation is recorded, with null if the request may be sent, or with the refusal, after
   * which nothing is reserved; undefined if the request may be sent at once.
   */
  readonly written: Promise<Refusal | null> | undefined
  /** Ends the reservation with the complete bill, divided among the users of `purpose`. */
  settle(bill: Bill, purpose?: Purpose): void
}

/** The budgets that do not cover a reservation. */
export interface Refusal {
  readonly refusedBy: 'key' | 'client'
  /** The names of the client budgets; none if the key's refuses. */
  readonly budgets: readonly string[]
  /**
   * Set if tokens may be left nevertheless. `UNREACHED`: the shared ledger has never been reached. `IN_DOUBT`: it cannot
   * be reached, and may be back in seconds. `HELD`: another instance holds them that does not give them back, which
   * ends in seconds too.
   */
  readonly because?: 'UNREACHED' | 'IN_DOUBT' | 'HELD'
}

/** Whether a reservation was refused. */
export const isRefusal = (one: Booked | Refusal): one is Refusal => 'refusedBy' in one
