import { createHash } from 'node:crypto'
import { budgetNameOf, noClientBudgets } from './client-budgets.ts'
import type { ClientBudgets } from './client-budgets.ts'
import { Ledger } from './ledger.ts'
import type { Reservation, Totals } from './ledger.ts'
import type { Bill } from './bill.ts'

/** Keys with tokens on their ledgers that are kept at once, some 500 bytes each. */
const mostBilled = 100_000

/** Keys without a token that are kept at once, for the number of their calls. */
const mostUnbilled = 1_000

/** The name that a key's ledger is kept by: of bounded length, whatever a client sends as its key. */
export const ledgerName = (apiKey: string) => createHash('sha256').update(apiKey).digest('base64url')

export interface LedgersOptions {
  /** Keys with tokens that are kept at once. */
  readonly most?: number
  readonly clientBudgets?: ClientBudgets | undefined
}

/**
 * A ledger for each key, with the whole budget each. A key that was billed is not forgotten within its month: beyond the bound,
 * ledgers with estimated tokens alone are dropped, and if there is none, calls of new keys are refused. Made-up keys, which the service
 * never bills, push out only each other.
 */
export class Ledgers {
  readonly budget: number | null
  readonly #clock: () => number
  readonly #most: number
  readonly #billed = new Map<string, Ledger>()
  readonly #unbilled = new Map<string, Ledger>()
  readonly #all: Ledger
  readonly #clientBudgets: ClientBudgets
  /** Of each client with a budget of its own, and of the others together. */
  readonly #ofClients: ReadonlyMap<string, Ledger>

  constructor(budget: number | null, clock: () => number, options: LedgersOptions = {}) {
    this.budget = budget
    this.#clock = clock
    this.#most = options.most ?? mostBilled
    this.#clientBudgets = options.clientBudgets ?? noClientBudgets
    this.#ofClients = new Map(
      [...this.#clientBudgets].map(([name, tokens]) => [name, new Ledger(tokens, clock)]),
    )
    this.#all = new Ledger(null, clock)
  }

  /** A key's ledger as it stands. Not to be held across an await: it may be dropped while nothing is reserved. */
  of(name: string): Ledger {
    return this.#billed.get(name) ?? this.#unbilled.get(name) ?? new Ledger(this.budget, this.#clock)
  }

  /** Sets tokens of a key aside; null where they do not fit its budget or the client's, or its ledger does not fit here. */
  reserve(name: string, tokens: number, client = ''): Reservation | null {
    const ofClient = this.#ofClient(client)
    if (ofClient && !ofClient.bears(tokens)) return null
    if (!this.#billed.has(name) && !this.#hasRoom()) return null
    const ledger = this.of(name)
    const own = ledger.reserve(tokens)
    const all = this.#all.reserve(tokens)
    if (!own || !all) return null
    this.#billed.set(name, ledger)
    this.#unbilled.delete(name)
    const third = ofClient?.reserve(tokens)
    return sumOf(third ? [own, all, third] : [own, all])
  }

  /** Counts a call of a key that is over, however many requests it took. */
  countCall(name: string): void {
    this.#all.countCall()
    const ledger = this.of(name)
    ledger.countCall()
    if (ledger.hasTokens) return
    this.#billed.delete(name)
    this.#unbilled.set(name, ledger)
    for (const oldest of this.#unbilled.keys()) {
      if (this.#unbilled.size <= mostUnbilled) break
      this.#unbilled.delete(oldest)
    }
  }

  /** What all keys together have spent this month. */
  totals(): Totals {
    return this.#all.totals()
  }

  /** Tokens that a client may still spend, under whatever key; null where its name has no budget. */
  remainingOfClient(client: string): number | null {
    return this.#ofClient(client)?.remaining ?? null
  }

  #ofClient(client: string): Ledger | undefined {
    return this.#ofClients.get(budgetNameOf(this.#clientBudgets, client) ?? '')
  }

  get size(): number {
    return this.#billed.size + this.#unbilled.size
  }

  #hasRoom(): boolean {
    if (this.#billed.size < this.#most) return true
    for (const [name, ledger] of this.#billed) {
      if (ledger.isReported) continue
      this.#billed.delete(name)
      return true
    }
    return false
  }
}

/** The same reservation in several ledgers. */
const sumOf = (all: readonly [Reservation, ...Reservation[]]): Reservation => ({
  tokens: all[0].tokens,
  book(tokens: number) {
    for (const one of all) one.book(tokens)
  },
  settle(bill: Bill) {
    for (const one of all) one.settle(bill)
  },
})
