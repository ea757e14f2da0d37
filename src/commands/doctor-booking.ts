import type { Bill } from '../money/bill.ts'
import { isRefusal } from '../money/booked.ts'
import type { Ledgers } from '../money/ledgers.ts'
import { nameOf } from '../specification/operation.ts'
import type { Operation } from '../specification/operation.ts'

/**
 * Reserves tokens for a call. Returns a function that replaces the reservation by the bill; null if a budget
 * is too small.
 */
export type Book = (operation: Operation, tokens: number) => Promise<((bill: Bill) => Promise<void>) | null>

/** For calls that no ledger records. */
export const unbooked: Book = async () => async () => {}

/** The client and the operation that the doctor's calls are booked under. */
const user = { client: 'statline doctor', operation: 'doctor', rows: 1 }

/** Books the doctor's calls in the graph's ledger and within its budgets. */
export const bookedIn =
  (ledgers: Ledgers, apiKey: string): Book =>
  async (operation, tokens) => {
    const key = ledgers.nameOf(apiKey)
    const booked = ledgers.reserve(key, tokens, { service: nameOf(operation), users: [user], calls: 1 })
    if (isRefusal(booked)) return null
    if (booked.written && (await booked.written)) return null
    return async (bill) => {
      booked.settle(bill)
      ledgers.countCall(key)
      await ledgers.books.written
    }
  }
