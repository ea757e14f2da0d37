import { noBill } from './bill.ts'
import type { Bill } from './bill.ts'
import { isRefusal } from './booked.ts'
import type { Booked, Refusal } from './booked.ts'
import { Books } from './books.ts'
import type { Booking, BooksOptions } from './books.ts'
import { noClientBudgets } from './client-budgets.ts'
import { ClientLedgers } from './client-ledgers.ts'
import type { LedgerShare } from './client-ledgers.ts'
import { KeyLedgers } from './key-ledgers.ts'
import { Ledger, largestRise } from './ledger.ts'
import type { Reservation, Totals } from './ledger.ts'
import type { Grant, Spending } from './ledger-store.ts'
import { Prepaid } from './prepaid.ts'
import type { Purpose } from './purpose.ts'
import type { SharedLedger, Sharing, Sums, Whose } from './shared-ledger.ts'
import { split } from './split.ts'

export interface LedgersOptions extends BooksOptions {
  /** Maximum keys with spending. */
  readonly most?: number
  /** The spending of this month in the store. */
  readonly month?: readonly Spending[]
  /** The store, if several instances share it. */
  readonly shared?: SharedLedger
}

/** The ledgers that a request is charged to: the key's, and that of each client budget. */
interface Charged {
  readonly own: Ledger
  readonly shares: readonly LedgerShare[]
}

/** A call that did not fit a budget. */
interface Refused {
  readonly by: 'key' | 'client'
  readonly at: number
}

/** One ledger for each key, each with the whole budget, one for each client budget, and one for all. */
export class Ledgers implements Sharing {
  readonly budget: number | null
  readonly books: Books
  /** The last refusal by a budget; null if there was none. */
  lastRefusal: Refused | null = null
  readonly #clock: () => number
  readonly #ofKeys: KeyLedgers
  readonly #all: Ledger
  readonly #ofClients: ClientLedgers
  readonly #shared: SharedLedger | undefined
  /** While the shared ledger cannot be reached: the number of instances. */
  #aloneAmong: number | null = null

  constructor(budget: number | null, clock: () => number, options: LedgersOptions = {}) {
    this.budget = budget
    this.#clock = clock
    this.#ofKeys = new KeyLedgers(() => this.#new(), options.most)
    this.#ofClients = new ClientLedgers(options.clientBudgets ?? noClientBudgets, clock)
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
    if (kind === 'client') return this.#ofClients.named(name)?.noteElsewhere(month, sums)
    const ledger = this.of(name)
    ledger.noteElsewhere(month, sums)
    if (ledger.hasTokens && this.#ofKeys.hasRoomFor(name)) this.#ofKeys.bill(name, ledger)
  }

  onRenamed(names: ReadonlyMap<string, string>): void {
    this.#ofKeys.rename(names)
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
    return [...this.#ofKeys.all(), ...this.#ofClients.all()]
  }

  /** The name of a key's ledger, of bounded length. */
  nameOf(apiKey: string): string {
    return this.books.store.nameOf(apiKey)
  }

  /**
   * Reserves tokens of a key, and of each client budget the share of its users. Refused if one of these
   * budgets does not cover it, or if there is no room for the key's ledger.
   */
  reserve(name: string, tokens: number, purpose: Purpose, isGranted = false): Booked | Refusal {
    const shares = this.#ofClients.sharesOf(purpose.users, tokens)
    const refused = shares.filter(({ ledger, tokens: own }) => ledger?.mayReserve(own) === false)
    if (refused.length > 0) return this.#refuse('client', refused)
    if (!this.#ofKeys.hasRoomFor(name)) return { refusedBy: 'key', budgets: [] }
    const ledger = this.of(name)
    const own = ledger.reserve(tokens)
    const all = this.#all.reserve(tokens)
    if (!own || !all) return this.#refuse('key')
    this.#ofKeys.bill(name, ledger)
    const booking = this.books.open(name, tokens, purpose, isGranted)
    return this.#booked([own, all], booking, { own: ledger, shares })
  }

  /**
   * Reserves tokens for calls that are not planned yet. Null if the ledger is not shared, because other
   * reservations do not wait for a round trip, or if a budget is nearly spent: there each call is reserved
   * exactly. Resolves with null if the shared ledger refuses it.
   */
  prepay(name: string, tokens: number, purpose: Purpose): Promise<Prepaid | null> | null {
    if (!this.#shared || this.#aloneAmong !== null) return null
    if (!this.of(name).bearsTimes(largestRise, tokens)) return null
    if (!this.#ofClients.bearTimes(largestRise, purpose.users, tokens)) return null
    const booked = this.reserve(name, tokens, purpose)
    if (isRefusal(booked)) return null
    const budget = this.budgetNameOf(purpose.users[0].client)
    const isOwn = (of: Purpose) => of.users.every(({ client }) => this.budgetNameOf(client) === budget)
    const cover = (part: number, of: Purpose) => {
      // The reservation was granted for this client budget only.
      if (!this.#ofClients.bearTimes(largestRise, of.users, part, budget)) return null
      const covered = this.reserve(name, part, of, true)
      return isRefusal(covered) ? null : { ...covered, written: undefined }
    }
    return Promise.resolve(booked.written).then((refusal) => {
      if (!refusal) return new Prepaid(booked, purpose, { isOwn, cover })
      booked.settle(noBill)
      return null
    })
  }

  /**
   * The budgets that refused their shares; null if all are granted. If the shared ledger cannot be reached,
   * this instance's knowledge decides.
   */
  #refusalOf(grants: readonly Grant[], { own, shares }: Charged): Refusal | null {
    const fits = ({ ledger }: LedgerShare) => own.fits && (ledger?.fits ?? true)
    const refused = shares.filter((share, at) => !(grants[at] ?? fits(share)))
    if (refused.length === 0) return null
    const isClients = own.fits && refused.every(({ budget }) => budget !== null)
    return isClients ? this.#refuse('client', refused) : this.#refuse('key')
  }

  /**
   * Client budgets are charged as the recorded bill is divided, so that they are the same after a restart.
   */
  #booked(whole: readonly [Reservation, Reservation], booking: Booking, charged: Charged): Booked {
    const { shares } = charged
    const ofClients = shares.map(({ ledger, tokens }) => ledger?.reserve(tokens))
    const weights = shares.map(({ tokens }) => tokens)
    return {
      tokens: whole[0].tokens,
      written: booking.written?.then((grants) => this.#refusalOf(grants, charged)),
      book: (tokens) => {
        booking.date()
        for (const one of whole) one.book(tokens)
        const parts = split(tokens, weights)
        ofClients.forEach((one, at) => one?.book(parts[at] ?? 0))
      },
      settle: (bill, settled) => {
        for (const one of whole) one.settle(bill)
        const spent = booking.settle(bill, settled)
        shares.forEach(({ budget }, at) => {
          const own = spent.filter(({ client }) => this.budgetNameOf(client) === budget)
          ofClients[at]?.settle(sumOf(own, bill))
        })
      },
    }
  }

  #refuse(refusedBy: Refusal['refusedBy'], shares: readonly LedgerShare[] = []): Refusal {
    this.lastRefusal = { by: refusedBy, at: this.#clock() }
    return { refusedBy, budgets: shares.flatMap(({ budget }) => budget ?? []) }
  }

  #continue(spending: Spending): void {
    const ledger = this.of(spending.key)
    ledger.add(spending)
    this.#ofKeys.bill(spending.key, ledger)
    this.#all.add(spending)
    this.#ofClients.of(spending.client)?.add(spending)
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
    return this.#ofClients.of(client)?.remaining ?? null
  }

  /** Whether each client budget would cover `times` all its reservations and its share of these tokens. */
  clientsBearTimes(times: number, users: Purpose['users'], tokens: number): boolean {
    return this.#ofClients.bearTimes(times, users, tokens)
  }

  /** Whether any client has a budget. */
  get hasClientBudgets(): boolean {
    return this.#ofClients.size > 0
  }

  /** The name of a client's budget; null if it has none. */
  budgetNameOf(client: string): string | null {
    return this.#ofClients.budgetNameOf(client)
  }

  /** The number of client budgets that are spent. */
  get spentClientBudgets(): number {
    return [...this.#ofClients.all()].filter(({ remaining }) => remaining === 0).length
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
