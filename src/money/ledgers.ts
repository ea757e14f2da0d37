import { budgetNameOf, noClientBudgets } from './client-budgets.ts'
import type { ClientBudgets } from './client-budgets.ts'
import { Books } from './books.ts'
import type { Booking, BooksOptions, Purpose } from './books.ts'
import { Ledger } from './ledger.ts'
import type { Reservation, Totals } from './ledger.ts'
import type { Bill } from './bill.ts'
import type { Grant, Spending } from './ledger-store.ts'
import type { SharedLedger, Sharing, Sums, Whose } from './shared-ledger.ts'

/** Keys with tokens on their ledgers that are kept at once, some 500 bytes each. */
const mostBilled = 100_000

/** Keys without a token that are kept at once, for the number of their calls. */
const mostUnbilled = 1_000

export interface LedgersOptions extends BooksOptions {
  /** Keys with tokens that are kept at once. */
  readonly most?: number
  /** What the store has of this month. */
  readonly month?: readonly Spending[]
  /** The store, where other instances write it too. */
  readonly shared?: SharedLedger
}

/** Tokens set aside in all budgets, and written down. */
export interface Booked extends Reservation {
  /**
   * When it is written, before which the request may not go out, and whether it may; undefined where nothing
   * has to be waited for.
   */
  readonly written: Promise<boolean> | undefined
}

/** The ledgers that a request is charged to. */
interface Charged {
  readonly own: Ledger
  readonly client: Ledger | undefined
}

/** A call that did not fit a budget. */
interface Refused {
  readonly by: 'key' | 'client'
  readonly at: number
}

/**
 * A ledger for each key, with the whole budget each. A key that was billed is not forgotten within its month:
 * beyond the bound, ledgers with estimated tokens alone are dropped, and if there is none, calls of new keys
 * are refused. Made-up keys, which the service never bills, push out only each other.
 */
export class Ledgers implements Sharing {
  readonly budget: number | null
  readonly books: Books
  /** When a call last did not fit a budget, and whose; null where all have fitted. */
  lastRefusal: Refused | null = null
  readonly #clock: () => number
  readonly #most: number
  readonly #billed = new Map<string, Ledger>()
  readonly #unbilled = new Map<string, Ledger>()
  readonly #all: Ledger
  readonly #clientBudgets: ClientBudgets
  /** Of each client with a budget of its own, and of the others together. */
  readonly #ofClients: ReadonlyMap<string, Ledger>
  readonly #shared: SharedLedger | undefined
  /** While the shared ledger is away: how many instances there were. */
  #aloneAmong: number | null = null

  constructor(budget: number | null, clock: () => number, options: LedgersOptions = {}) {
    this.budget = budget
    this.#clock = clock
    this.#most = options.most ?? mostBilled
    this.#clientBudgets = options.clientBudgets ?? noClientBudgets
    this.#ofClients = new Map(
      [...this.#clientBudgets].map(([name, tokens]) => [name, new Ledger(tokens, clock)]),
    )
    this.#all = new Ledger(null, clock)
    this.books = new Books(clock, options)
    for (const spending of options.month ?? []) this.#continue(spending)
    this.#shared = options.shared
    this.#shared?.share(this)
  }

  /**
   * A key's ledger as it stands. Not to be held across an await: it may be dropped while nothing is reserved.
   */
  of(name: string): Ledger {
    return this.#billed.get(name) ?? this.#unbilled.get(name) ?? this.#new()
  }

  #new(): Ledger {
    const ledger = new Ledger(this.budget, this.#clock)
    if (this.#aloneAmong !== null) ledger.goAlone(this.#aloneAmong)
    return ledger
  }

  /** Changes when keys get other names. */
  get naming(): number {
    return this.books.store.naming ?? 0
  }

  /** Hears what other instances have spent of a key, where they share a ledger. */
  async refresh(name: string): Promise<void> {
    await this.#shared?.refresh(name)
  }

  onElsewhere({ kind, name, month }: Whose, sums: Sums): void {
    if (kind === 'all') return this.#all.noteElsewhere(month, sums)
    if (kind === 'client') return this.#ofClients.get(name)?.noteElsewhere(month, sums)
    const ledger = this.of(name)
    ledger.noteElsewhere(month, sums)
    if (ledger.hasTokens && (this.#billed.has(name) || this.#hasRoom())) this.#billed.set(name, ledger)
  }

  onAlone(instances: number): void {
    if (this.#aloneAmong !== null) return
    this.#aloneAmong = instances
    for (const ledger of this.#limited()) ledger.goAlone(instances)
  }

  onTogether(): void {
    this.#aloneAmong = null
    for (const ledger of this.#limited()) ledger.rejoin()
  }

  #limited(): readonly Ledger[] {
    return [...this.#billed.values(), ...this.#unbilled.values(), ...this.#ofClients.values()]
  }

  /** The name that a key's ledger is kept by: of bounded length, whatever a client sends as its key. */
  nameOf(apiKey: string): string {
    return this.books.store.nameOf(apiKey)
  }

  /**
   * Sets tokens of a key aside; null where they do not fit its budget or the client's, or its ledger does not
   * fit here.
   */
  reserve(name: string, tokens: number, purpose: Purpose): Booked | null {
    const ofClient = this.#ofClient(purpose.users[0].client)
    if (ofClient && !ofClient.bears(tokens)) return this.#refuse('client')
    if (!this.#billed.has(name) && !this.#hasRoom()) return null
    const ledger = this.of(name)
    const own = ledger.reserve(tokens)
    const all = this.#all.reserve(tokens)
    if (!own || !all) return this.#refuse('key')
    this.#billed.set(name, ledger)
    this.#unbilled.delete(name)
    return this.#booked(
      [own, all],
      ofClient?.reserve(tokens) ?? null,
      this.books.open(name, tokens, purpose),
      purpose,
      { own: ledger, client: ofClient },
    )
  }

  /** While the shared ledger cannot tell, what is known here decides. */
  #isGranted(granted: Grant, { own, client }: Charged): boolean {
    const isGranted = granted ?? (own.fits && (client?.fits ?? true))
    if (!isGranted) this.#refuse(own.fits ? 'client' : 'key')
    return isGranted
  }

  /**
   * The budgets of clients are charged as the ledger splits the bill, so that they are the same after a
   * restart.
   */
  #booked(
    whole: readonly [Reservation, Reservation],
    ofClient: Reservation | null,
    booking: Booking,
    { users: [payer] }: Purpose,
    of: Charged,
  ): Booked {
    const all = ofClient ? [...whole, ofClient] : whole
    return {
      tokens: whole[0].tokens,
      written: booking.written?.then((granted) => this.#isGranted(granted, of)),
      book: (tokens) => all.forEach((one) => one.book(tokens)),
      settle: (bill) => {
        for (const one of whole) one.settle(bill)
        const spent = booking.settle(bill)
        const own = spent.filter(({ client }) => this.#ofClient(client) === this.#ofClient(payer.client))
        ofClient?.settle(sumOf(own, bill))
        for (const one of spent) if (!own.includes(one)) this.#ofClient(one.client)?.add(one)
      },
    }
  }

  #refuse(by: Refused['by']): null {
    this.lastRefusal = { by, at: this.#clock() }
    return null
  }

  #continue(spending: Spending): void {
    const ledger = this.of(spending.key)
    ledger.add(spending)
    this.#billed.set(spending.key, ledger)
    this.#all.add(spending)
    this.#ofClient(spending.client)?.add(spending)
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

  /** How many budgets of clients are spent. */
  get spentClientBudgets(): number {
    return [...this.#ofClients.values()].filter(({ remaining }) => remaining === 0).length
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

const sumOf = (spent: readonly Spending[], { estimated }: Bill): Bill => ({
  tokens: spent.reduce((sum, { tokens }) => sum + tokens, 0),
  bytes: spent.reduce((sum, { bytes }) => sum + bytes, 0),
  estimated,
})
