import type { Bill } from './bill.ts'
import type { Booking } from './books.ts'
import type { LedgerShare } from './client-ledgers.ts'
import type { Ledger, LedgerReservation } from './ledger.ts'
import type { Grant, Spending } from './ledger-store.ts'
import type { Purpose } from './purpose.ts'
import { split } from './split.ts'

interface Parts {
  /** The ledger of the key. */
  readonly own: Ledger
  /** The call's part of each client budget. */
  readonly shares: readonly LedgerShare[]
  /** The reservations of all tokens: the key's, and that of all keys together. */
  readonly whole: readonly [LedgerReservation, LedgerReservation]
  /** The reservation of each share. */
  readonly ofClients: readonly (LedgerReservation | null | undefined)[]
  /** The record of the call. */
  readonly booking: Booking
  readonly budgetNameOf: (client: string) => string | null
}

/** What one call has reserved, in all ledgers that it is charged to. */
export class Charge {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  get tokens(): number {
    return this.#parts.whole[0].tokens
  }

  /** Resolves when it is recorded, with the grants of a shared ledger; undefined if nothing has to be awaited. */
  get written(): Booking['written'] {
    return this.#parts.booking.written
  }

  /** Whether the key's budget still covers everything that is reserved. */
  get fits(): boolean {
    return this.#parts.own.fits
  }

  /** The shares that are not granted. Where the shared ledger cannot be reached, what is known here decides. */
  refused(grants: readonly Grant[]): readonly LedgerShare[] {
    const fits = ({ ledger }: LedgerShare) => this.fits && (ledger?.fits ?? true)
    return this.#parts.shares.filter((share, at) => (grants[at] ?? fits(share)) !== true)
  }

  /** Notes that the shared ledger, or what is known here, has decided on it. */
  decided(): void {
    const { whole, ofClients } = this.#parts
    for (const one of [...whole, ...ofClients]) one?.decided()
  }

  /** Books the tokens of the answer's headers. */
  book(tokens: number): void {
    const { booking, whole, ofClients, shares } = this.#parts
    booking.date()
    for (const one of whole) one.book(tokens)
    const weights = shares.map(({ tokens: own }) => own)
    const parts = split(tokens, weights)
    ofClients.forEach((one, at) => one?.book(parts[at] ?? 0))
  }

  /**
   * Replaces the reservations by the bill. Client budgets are charged as the recorded bill is divided, so that
   * they are the same after a restart.
   */
  settle(bill: Bill, settled?: Purpose): void {
    const { booking, whole, ofClients, shares, budgetNameOf } = this.#parts
    for (const one of whole) one.settle(bill)
    const spent = booking.settle(bill, settled)
    shares.forEach(({ budget }, at) => {
      const own = spent.filter(({ client }) => budgetNameOf(client) === budget)
      ofClients[at]?.settle(sumOf(own, bill))
    })
  }
}

const sumOf = (spent: readonly Spending[], { estimated }: Bill): Bill => ({
  tokens: spent.reduce((sum, { tokens }) => sum + tokens, 0),
  bytes: spent.reduce((sum, { bytes }) => sum + bytes, 0),
  estimated,
})
