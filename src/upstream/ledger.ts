import { BudgetExceededError } from './errors.ts'
import type { Bill } from './bill.ts'

export interface Totals {
  /** The calendar month, `YYYY-MM`, UTC. */
  readonly month: string
  readonly tokens: number
  readonly bytes: number
  readonly calls: number
}

/**
 * What has been spent this calendar month (UTC), and what may still be. A call is reserved before it goes out, by its estimate, and
 * settled on its bill, so that queries side by side cannot overspend together.
 */
export class Ledger {
  readonly budget: number | null
  readonly #clock: () => number
  #month = ''
  #tokens = 0
  #bytes = 0
  #calls = 0
  #reserved = 0

  constructor(budget: number | null, clock: () => number) {
    this.budget = budget
    this.#clock = clock
  }

  /** Whether that many tokens could be set aside. */
  bears(estimate: number): boolean {
    this.#turn()
    return this.budget === null || this.#tokens + this.#reserved + estimate <= this.budget
  }

  /** Sets an estimate aside; the function that it returns settles it. Throws BudgetExceededError where it does not fit. */
  reserve(estimate: number): (bill: Bill) => void {
    if (!this.bears(estimate))
      throw new BudgetExceededError('This month’s token budget does not allow another call.')
    const month = this.#month
    this.#reserved += estimate
    return (bill) => {
      this.#turn()
      if (month === this.#month) this.#reserved -= estimate
      this.#add(bill)
    }
  }

  totals(): Totals {
    this.#turn()
    return { month: this.#month, tokens: this.#tokens, bytes: this.#bytes, calls: this.#calls }
  }

  #add({ tokens, bytes }: Bill): void {
    this.#tokens += tokens
    this.#bytes += bytes
    this.#calls += 1
  }

  #turn(): void {
    const month = new Date(this.#clock()).toISOString().slice(0, 7)
    if (month === this.#month) return
    this.#month = month
    this.#tokens = this.#bytes = this.#calls = this.#reserved = 0
  }
}
