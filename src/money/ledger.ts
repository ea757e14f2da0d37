import type { Bill } from './bill.ts'
import { monthOf } from './ledger-store.ts'
import type { Spending } from './ledger-store.ts'

export interface Totals {
  /** The calendar month, `YYYY-MM`, UTC. */
  readonly month: string
  readonly tokens: number
  readonly bytes: number
  readonly calls: number
}

interface Month {
  readonly name: string
  tokens: number
  /** Those of the tokens that the service did not report. */
  estimated: number
  bytes: number
  calls: number
  reserved: number
}

/** Tokens set aside for one request to the service. */
export interface Reservation {
  readonly tokens: number
  /** Books what the service reports in its headers, in place of the reservation. */
  book(tokens: number): void
  /** Ends the reservation with the whole bill, what was booked before included. */
  settle(bill: Bill): void
}

/**
 * What one key has spent this calendar month (UTC), and what it may still spend. Each request is reserved by its estimate before it
 * goes out and settled on its bill, so that requests side by side cannot overspend together.
 */
export class Ledger {
  readonly budget: number | null
  readonly #clock: () => number
  /** This month and the one before: a clock that is set back finds what its month had spent. */
  #months: Month[] = []

  constructor(budget: number | null, clock: () => number) {
    this.budget = budget
    this.#clock = clock
  }

  /** Whether that many tokens could be set aside. */
  bears(tokens: number): boolean {
    return tokens <= this.#left()
  }

  /** Whether `times` as much as is reserved, with so many tokens more, could still be paid. */
  bearsTimes(times: number, tokens: number): boolean {
    const { reserved } = this.#month()
    return times * (reserved + tokens) <= this.#left() + reserved
  }

  /** Sets an estimate aside; null where it does not fit the budget. */
  reserve(tokens: number): Reservation | null {
    if (!this.bears(tokens)) return null
    const month = this.#month()
    month.reserved += tokens
    let booked: number | null = null
    const book = (reported: number) => {
      if (booked === null) month.reserved -= tokens
      this.#month().tokens += reported - (booked ?? 0)
      booked = reported
    }
    return {
      tokens,
      book,
      settle: (bill) => {
        book(bill.tokens)
        const now = this.#month()
        now.bytes += bill.bytes
        if (bill.estimated) now.estimated += bill.tokens
      },
    }
  }

  /** Adds what was spent elsewhere: before a restart, or in another's call. */
  add({ tokens, bytes, estimated, calls }: Pick<Spending, 'tokens' | 'bytes' | 'estimated' | 'calls'>): void {
    const month = this.#month()
    month.tokens += tokens
    month.bytes += bytes
    month.estimated += estimated
    month.calls += calls
  }

  /** Counts one call, however many requests it took. */
  countCall(): void {
    this.#month().calls += 1
  }

  totals(): Totals {
    const { name: month, tokens, bytes, calls } = this.#month()
    return { month, tokens, bytes, calls }
  }

  /** Tokens that may still be spent, reserved ones included; null for no bound. */
  get remaining(): number | null {
    return this.budget === null ? null : Math.max(0, this.budget - this.#month().tokens)
  }

  /** Whether there are tokens of this month, or a request is under way. */
  get hasTokens(): boolean {
    const { tokens, reserved } = this.#month()
    return tokens > 0 || reserved > 0
  }

  /** Whether the service has reported any of them, or a request is under way. */
  get isReported(): boolean {
    const { tokens, estimated, reserved } = this.#month()
    return tokens > estimated || reserved > 0
  }

  #left(): number {
    const { tokens, reserved } = this.#month()
    return this.budget === null ? Number.POSITIVE_INFINITY : this.budget - tokens - reserved
  }

  #month(): Month {
    const name = monthOf(this.#clock())
    const known = this.#months.find((one) => one.name === name)
    if (known) return known
    const month = { name, tokens: 0, estimated: 0, bytes: 0, calls: 0, reserved: 0 }
    this.#months = [...this.#months.slice(-1), month]
    return month
  }
}
