import { noBill } from '../money/bill.ts'
import type { Bill } from '../money/bill.ts'
import type { Ledgers } from '../money/ledgers.ts'
import { nameOf } from '../specification/operations.ts'
import type { Operation } from '../specification/operations.ts'

/**
 * Sets tokens aside before a call goes out. Answers with what writes its bill in their place; null where a
 * budget does not bear them.
 */
export type Book = (operation: Operation, tokens: number) => Promise<((bill: Bill) => Promise<void>) | null>

/** For what no ledger counts. */
export const unbooked: Book = async () => async () => {}

/** The client and the GraphQL operation that calls of the doctor are booked under. */
const user = { client: 'statline doctor', operation: 'doctor', rows: 1 }

/** Books the doctor's calls in the ledger of the graph, and within its budgets. */
export const bookedIn =
  (ledgers: Ledgers, apiKey: string): Book =>
  async (operation, tokens) => {
    const key = ledgers.nameOf(apiKey)
    const booked = ledgers.reserve(key, tokens, { service: nameOf(operation), users: [user], calls: 1 })
    if (!booked) return null
    if (booked.written && !(await booked.written)) {
      booked.settle(noBill)
      return null
    }
    return async (bill) => {
      booked.settle(bill)
      ledgers.countCall(key)
      await ledgers.books.written
    }
  }
