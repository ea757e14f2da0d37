import { budgetNameOf, noClientBudgets } from './client-budgets.ts'
import type { ClientBudgets } from './client-budgets.ts'
import { Books } from './books.ts'
import type { Booking, BooksOptions, Purpose } from './books.ts'
import { KeyLedgers } from './key-ledgers.ts'
import { Ledger, largestRise } from './ledger.ts'
import type { Reservation, Totals } from './ledger.ts'
import { noBill } from './bill.ts'
import type { Bill } from './bill.ts'
import type { Grant, Spending } from './ledger-store.ts'
import { Prepaid } from './prepaid.ts'
import type { Booked } from './prepaid.ts'
import type { SharedLedger, Sharing, Sums, Whose } from './shared-ledger.ts'

export interface LedgersOptions extends BooksOptions {
  /** Maximum keys with spending. */
  readonly most?: number
  /** The spending of this month in the store. */
  readonly month?: readonly Spending[]
  /** The store, if several instances share it. */
  readonly shared?: SharedLedger
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

/** One ledger for each key, each with the whole budget, one for each client with a budget, and one for all. */
export class Ledgers implements Sharing {
  readonly budget: number | null
  readonly books: Books
  /** The last refusal by a budget; null if there was none. */
  lastRefusal: Refused | null = null
  readonly #clock: () => number
  readonly #ofKeys: KeyLedgers
  readonly #all: Ledger
  readonly #clientBudgets: ClientBudgets
  /** Ledgers of clients with a budget, and one for all others together. */
  readonly #ofClients: ReadonlyMap<string, Ledger>
  readonly #shared: SharedLedger | undefined
  /** While the shared ledger cannot be reached: the number of instances. */
  #aloneAmong: number | null = null

  constructor(budget: number | null, clock: () => number, options: LedgersOptions = {}) {
    this.budget = budget
    this.#clock = clock
    this.#ofKeys = new KeyLedgers(() => this.#new(), options.most)
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

  /** A key's current ledger. Do not hold it across an await: it may be dropped while nothing is reserved. */
  of(name: string): Ledger {
    return this.#ofKeys.of(name)
  }

  #new(): Ledger {
    const ledger = new Ledger(this.budget, this.#clock)
    if (this.#aloneAmong !== null) ledger.goAlone(this.#aloneAmong)
    return ledger
  }

  /** Changes when key names change. */
  get naming(): number {
    return this.books.store.naming ?? 0
  }

  /** Fetches what other instances have spent with a key, if they share a ledger. */
  async refresh(name: string): Promise<void> {
    await this.#shared?.refresh(name)
  }

  onElsewhere({ kind, name, month }: Whose, sums: Sums): void {
    if (kind === 'all') return this.#all.noteElsewhere(month, sums)
    if (kind === 'client') return this.#ofClients.get(name)?.noteElsewhere(month, sums)
    const ledger = this.of(name)
    ledger.noteElsewhere(month, sums)
    if (ledger.hasTokens && this.#ofKeys.hasRoomFor(name)) this.#ofKeys.bill(name, ledger)
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
    return [...this.#ofKeys.all(), ...this.#ofClients.values()]
  }

  /** The name of a key's ledger, of bounded length. */
  nameOf(apiKey: string): string {
    return this.books.store.nameOf(apiKey)
  }

  /**
   * Reserves tokens of a key; null if they exceed its budget or the client's, or there is no room for its
   * ledger.
   */
  reserve(name: string, tokens: number, purpose: Purpose, isGranted = false): Booked | null {
    const ofClient = this.#ofClient(purpose.users[0].client)
    if (ofClient && !ofClient.mayReserve(tokens)) return this.#refuse('client')
    if (!this.#ofKeys.hasRoomFor(name)) return null
    const ledger = this.of(name)
    const own = ledger.reserve(tokens)
    const all = this.#all.reserve(tokens)
    if (!own || !all) return this.#refuse('key')
    this.#ofKeys.bill(name, ledger)
    return this.#booked(
      [own, all],
      ofClient?.reserve(tokens) ?? null,
      this.books.open(name, tokens, purpose, isGranted),
      purpose,
      { own: ledger, client: ofClient },
    )
  }

  /**
   * Reserves tokens for calls that are not planned yet. Null if the ledger is not shared, because other
   * reservations do not wait for a round trip, or if a budget is nearly spent: there each call is reserved
   * exactly. Resolves with null if the shared ledger refuses it.
   */
  prepay(name: string, tokens: number, purpose: Purpose): Promise<Prepaid | null> | null {
    if (!this.#shared || this.#aloneAmong !== null) return null
    const limited = [this.of(name), this.#ofClient(purpose.users[0].client)]
    if (limited.some((one) => one?.bearsTimes(largestRise, tokens) === false)) return null
    const booked = this.reserve(name, tokens, purpose)
    if (!booked) return null
    const cover = (part: number, of: Purpose) => {
      const covered = this.reserve(name, part, of, true)
      return covered && { ...covered, written: undefined }
    }
    return Promise.resolve(booked.written).then((isGranted) => {
      if (isGranted !== false) return new Prepaid(booked, purpose, cover)
      booked.settle(noBill)
      return null
    })
  }

  /** If the shared ledger cannot be reached, this instance's knowledge decides. */
  #isGranted(granted: Grant, { own, client }: Charged): boolean {
    const isGranted = granted ?? (own.fits && (client?.fits ?? true))
    if (!isGranted) this.#refuse(own.fits ? 'client' : 'key')
    return isGranted
  }

  /**
   * Client budgets are charged as the recorded bill is divided, so that they are the same after a restart.
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
      settle: (bill, settled) => {
        for (const one of whole) one.settle(bill)
        const spent = booking.settle(bill, settled)
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
    this.#ofKeys.bill(spending.key, ledger)
    this.#all.add(spending)
    this.#ofClient(spending.client)?.add(spending)
  }

  /** Counts a finished call of a key, including its retries. */
  countCall(name: string): void {
    this.#all.countCall()
    const ledger = this.of(name)
    ledger.countCall()
    if (!ledger.hasTokens) this.#ofKeys.unbill(name, ledger)
  }

  /** What all keys together have spent this month. */
  totals(): Totals {
    return this.#all.totals()
  }

  /** Tokens that a client may still spend, with any key; null if its name has no budget. */
  remainingOfClient(client: string): number | null {
    return this.#ofClient(client)?.remaining ?? null
  }

  /** Whether a client's budget would cover `times` all its reservations and this one; true without a budget. */
  clientBearsTimes(client: string, times: number, tokens: number): boolean {
    return this.#ofClient(client)?.bearsTimes(times, tokens) ?? true
  }

  /** The number of client budgets that are spent. */
  get spentClientBudgets(): number {
    return [...this.#ofClients.values()].filter(({ remaining }) => remaining === 0).length
  }

  #ofClient(client: string): Ledger | undefined {
    return this.#ofClients.get(budgetNameOf(this.#clientBudgets, client) ?? '')
  }

  /** The number of keys with a ledger. */
  get size(): number {
    return this.#ofKeys.size
  }
}

const sumOf = (spent: readonly Spending[], { estimated }: Bill): Bill => ({
  tokens: spent.reduce((sum, { tokens }) => sum + tokens, 0),
  bytes: spent.reduce((sum, { bytes }) => sum + bytes, 0),
  estimated,
})
