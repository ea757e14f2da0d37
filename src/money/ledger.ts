import type { Bill } from './bill.ts'
import { monthOf, monthOfDay } from './ledger-store.ts'
import type { Spending } from './ledger-store.ts'
import { rounded } from './rounded.ts'
import type { Sums } from './shared-ledger.ts'

/**
 * Under a budget, calls of one operation go out in parallel only while the budget covers this many times
 * their estimates. Otherwise they go out one at a time, and each bill is known before the next call. So a
 * rise of the price by up to this factor overspends by at most one call of each operation.
 */
export const largestRise = 64

/**
 * Months kept in memory. Where several processes write the store, it tells only what is new of a month, so a month
 * that is dropped counts from zero if the clock comes back to it.
 */
const mostMonths = 13

export interface Totals {
  /** The calendar month, `YYYY-MM`, UTC. */
  readonly month: string
  readonly tokens: number
  readonly bytes: number
  readonly calls: number
}

/** What other instances have spent and reserved. */
const nothing: Sums = { tokens: 0, estimated: 0, bytes: 0, calls: 0, reserved: 0 }

type Added = Pick<Spending, 'day' | 'tokens' | 'bytes' | 'estimated' | 'calls'>

interface Month {
  readonly name: string
  elsewhere: Sums
  tokens: number
  /** The part of the tokens that is estimated. */
  estimated: number
  bytes: number
  calls: number
  reserved: number
}

interface Ceiling {
  readonly month: string
  readonly tokens: number
  readonly ofLaterMonths: number
}

/** Tokens that the shared ledger grants to nobody else, until a time by `performance.now()`. */
interface Allotment {
  readonly month: string
  readonly tokens: number
  readonly until: number
}

/** Tokens reserved for one request to the service. */
export interface Reservation {
  readonly tokens: number
  /** Books the tokens reported in the answer's headers, in place of the reservation. */
  book(tokens: number): void
  /** Ends the reservation with the complete bill. */
  settle(bill: Bill): void
}

/** A reservation of one ledger. */
export interface LedgerReservation extends Reservation {
  /** The shared ledger was asked for it, and it is known whether the request may be sent. */
  decided(): void
}

/**
 * What one key has spent this calendar month (UTC), and what it may still spend. Each request reserves its
 * estimate before it is sent, and is settled by its bill, so parallel requests cannot overspend together.
 */
export class Ledger {
  readonly budget: number | null
  readonly #clock: () => number
  /** By name. Those before this one are kept, in case the clock was ahead and is set back. */
  readonly #months = new Map<string, Month>()
  /**
   * While the shared ledger cannot be reached: how much all instances may spend and reserve in a month, in
   * this instance's view.
   */
  #ceiling: Ceiling | null = null
  /** The ceiling that will hold if the shared ledger is not back in time. */
  #nextCeiling: Ceiling | null = null
  #allotment: Allotment | null = null
  /** Whether anything was allotted when the shared ledger went away. */
  #isAllotted = false
  #isShared = false
  /** Reserved tokens on which the shared ledger has not decided yet. */
  #asked = 0

  constructor(budget: number | null, clock: () => number) {
    this.budget = budget
    this.#clock = clock
  }

  /** Takes over what other instances have spent in a month. */
  noteElsewhere(name: string, sums: Sums): void {
    this.#isShared = true
    const month = this.#monthOf(name)
    const ceiling = this.#ceiling
    // What others spend meanwhile takes nothing of an allotment, and what they give back adds nothing to it.
    if (ceiling?.month === name && this.isInDoubt)
      this.#ceiling = { ...ceiling, tokens: ceiling.tokens + used(sums) - used(month.elsewhere) }
    month.elsewhere = sums
  }

  /** Notes what this instance may spend of a month at once if the shared ledger goes away. */
  noteAllotment(month: string, tokens: number, until: number): void {
    // After midnight on the first, both months are renewed. A later month has ended if the clock was set back.
    const before = this.#allotment
    if (before && month < before.month && performance.now() < before.until) return
    this.#allotment = { month, tokens, until }
  }

  /**
   * The shared ledger cannot be reached: this instance may spend what is allotted to it. Notes its share of what is
   * left, for later.
   */
  leave(instances: number): void {
    if (this.budget === null) return
    this.#ceiling = null
    const month = this.#month().name
    // What nobody has granted yet is part of both.
    const left = this.#left() + this.#asked
    const spent = this.budget - left
    const own = this.#allotted(month)
    this.#isAllotted = own > 0
    this.#ceiling = {
      month,
      tokens: spent + Math.min(own, Math.max(0, left)),
      ofLaterMonths: 0,
    }
    this.#nextCeiling = {
      month,
      tokens: spent + Math.floor(Math.max(0, left) / instances),
      ofLaterMonths: Math.floor(this.budget / instances),
    }
  }

  /** The shared ledger is not back in time: this instance may spend the share that it had when it left. */
  goAlone(): void {
    this.#ceiling = this.#nextCeiling
  }

  /** The shared ledger can be reached again, and decides again. */
  rejoin(): void {
    this.#ceiling = null
    this.#nextCeiling = null
    this.#allotment = null
  }

  #allotted(month: string): number {
    const allotment = this.#allotment
    return allotment?.month === month && performance.now() < allotment.until ? allotment.tokens : 0
  }

  /** Whether the shared ledger has gone away, and may still be back in time. */
  get isInDoubt(): boolean {
    return this.#nextCeiling !== this.#ceiling
  }

  /** Whether spending and reservations are within the budget. */
  get fits(): boolean {
    return this.covers(0)
  }

  /**
   * Whether the budget has this many tokens left, as far as is known here. Where nothing was allotted, for example
   * because the key is new, the share of this instance has to cover many such reservations.
   */
  covers(tokens: number): boolean {
    if (tokens <= this.#left()) return true
    return this.isInDoubt && !this.#isAllotted && this.coversTimes(largestRise, tokens)
  }

  /**
   * Whether the budget would cover `times` all reservations and this one. While the shared ledger cannot be
   * reached, the share of this instance has to.
   */
  coversTimes(times: number, tokens: number): boolean {
    const { reserved, elsewhere } = this.#month()
    const all = reserved + elsewhere.reserved
    return times * (all + tokens) <= this.#left(this.#nextCeiling) + all
  }

  /** Tokens that are neither spent nor reserved, as far as is known here; null without a budget. */
  get unreserved(): number | null {
    return this.budget === null ? null : Math.max(0, rounded(this.#left()))
  }

  /** Whether to try a reservation. The shared ledger knows what others still reserve, and decides. */
  mayReserve(tokens: number): boolean {
    const isDecidedThere = this.#isShared && this.#ceiling === null
    if (isDecidedThere) return tokens <= this.#left() + this.#month().elsewhere.reserved
    return this.covers(tokens)
  }

  /** Reserves an estimate; null if it exceeds the budget. `isAsked`: whether the shared ledger decides on it. */
  reserve(tokens: number, isAsked = false): LedgerReservation | null {
    if (!this.mayReserve(tokens)) return null
    const month = this.#month()
    month.reserved += tokens
    let asked = isAsked ? tokens : 0
    this.#asked += asked
    let booked: { readonly month: Month; readonly tokens: number } | null = null
    // Everything is booked in the month of the headers, also if the body arrives in the next one.
    const book = (reported: number) => {
      if (booked === null) month.reserved -= tokens
      const billedIn = booked?.month ?? this.#month()
      billedIn.tokens += reported - (booked?.tokens ?? 0)
      booked = { month: billedIn, tokens: reported }
      return billedIn
    }
    return {
      tokens,
      decided: () => {
        this.#asked -= asked
        asked = 0
      },
      book,
      settle: (bill) => {
        const billedIn = book(bill.tokens)
        billedIn.bytes += bill.bytes
        if (bill.estimated) billedIn.estimated += bill.tokens
      },
    }
  }

  /** Adds spending from before a restart, or of another process, to its month. */
  add({ day, tokens, bytes, estimated, calls }: Added): void {
    const month = this.#monthOf(monthOfDay(day))
    month.tokens += tokens
    month.bytes += bytes
    month.estimated += estimated
    month.calls += calls
  }

  /** Counts one call, including its retries. */
  countCall(): void {
    this.#month().calls += 1
  }

  totals(): Totals {
    const { name: month, tokens, bytes, calls, elsewhere } = this.#month()
    return {
      month,
      tokens: rounded(tokens + elsewhere.tokens),
      bytes: bytes + elsewhere.bytes,
      calls: calls + elsewhere.calls,
    }
  }

  /** Tokens that may still be spent, reservations included; null without a budget. */
  get remaining(): number | null {
    return this.budget === null ? null : Math.max(0, rounded(this.budget - this.totals().tokens))
  }

  /** Whether any tokens were spent this month, or a request is pending, here or elsewhere. */
  get hasTokens(): boolean {
    const { tokens, reserved, elsewhere } = this.#month()
    return tokens + elsewhere.tokens > 0 || reserved + elsewhere.reserved > 0
  }

  /** Whether the service has reported any tokens this month, or a request is pending. */
  get isReported(): boolean {
    const { tokens, estimated, reserved } = this.#month()
    return tokens > estimated || reserved > 0
  }

  #left(ceiling = this.#ceiling): number {
    if (this.budget === null) return Number.POSITIVE_INFINITY
    const { name, tokens, reserved, elsewhere } = this.#month()
    return mostIn(name, this.budget, ceiling) - tokens - reserved - elsewhere.tokens - elsewhere.reserved
  }

  #month(): Month {
    return this.#monthOf(monthOf(this.#clock()))
  }

  #monthOf(name: string): Month {
    const known = this.#months.get(name)
    if (known) return known
    const month = { name, elsewhere: nothing, tokens: 0, estimated: 0, bytes: 0, calls: 0, reserved: 0 }
    this.#months.set(name, month)
    if (this.#months.size > mostMonths) this.#dropFirst(name)
    return month
  }

  /** Drops the month that came first, but neither this one nor the one that was just added. */
  #dropFirst(added: string): void {
    const current = monthOf(this.#clock())
    const first = [...this.#months.keys()].find((name) => name !== added && name !== current)
    if (first !== undefined) this.#months.delete(first)
  }
}

const used = ({ tokens, reserved }: Sums) => tokens + reserved

/** The tokens of a month that all instances together may spend, in this instance's view. */
function mostIn(month: string, budget: number, ceiling: Ceiling | null): number {
  if (ceiling === null) return budget
  return Math.min(budget, ceiling.month === month ? ceiling.tokens : ceiling.ofLaterMonths)
}
