import { BudgetExceededError } from './errors.ts'
import type { Bill } from './bill.ts'

export interface Totals {
  /** The calendar month, `YYYY-MM`, UTC. */
  readonly month: string
  readonly tokens: number
  readonly bytes: number
  readonly calls: number
}

interface Month {
  tokens: number
  bytes: number
  calls: number
  reserved: number
}

/**
 * What has been spent this calendar month (UTC), and what may still be. A call is reserved before it goes out, by its estimate, and
 * settled on its bill, so that queries side by side cannot overspend together.
 */
export class Ledger {
  readonly budget: number | null
  readonly #clock: () => number
  /** Each on its own, so that a clock set back finds what its month had spent. */
  readonly #months = new Map<string, Month>()

  constructor(budget: number | null, clock: () => number) {
    this.budget = budget
    this.#clock = clock
  }

  /** Whether that many tokens could be set aside. */
  bears(estimate: number): boolean {
    const { tokens, reserved } = this.#monthOf(this.#now())
    return this.budget === null || tokens + reserved + estimate <= this.budget
  }

  /**
   * Sets an estimate aside; the function that it returns settles it, on no bill where the call never went out. Throws
   * BudgetExceededError where it does not fit.
   */
  reserve(estimate: number): (bill: Bill | null) => void {
    if (!this.bears(estimate))
      throw new BudgetExceededError('This month’s token budget does not allow another call.')
    const month = this.#monthOf(this.#now())
    month.reserved += estimate
    return (bill) => {
      month.reserved -= estimate
      if (bill) this.#add(bill)
    }
  }

  totals(): Totals {
    const month = this.#now()
    const { tokens, bytes, calls } = this.#monthOf(month)
    return { month, tokens, bytes, calls }
  }

  #add(bill: Bill): void {
    const month = this.#monthOf(this.#now())
    month.tokens += bill.tokens
    month.bytes += bill.bytes
    month.calls += 1
  }

  #now(): string {
    return new Date(this.#clock()).toISOString().slice(0, 7)
  }

  #monthOf(name: string): Month {
    let month = this.#months.get(name)
    if (!month) this.#months.set(name, (month = { tokens: 0, bytes: 0, calls: 0, reserved: 0 }))
    return month
  }
}
