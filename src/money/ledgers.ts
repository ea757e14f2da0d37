import { noBill } from './bill.ts'
import { isRefusal } from './booked.ts'
import type { Booked, Refusal } from './booked.ts'
import { Books } from './books.ts'
import type { BooksOptions } from './books.ts'
import { Charge } from './charge.ts'
import { noClientBudgets } from './client-budgets.ts'
import { ClientLedgers } from './client-ledgers.ts'
import type { LedgerShare } from './client-ledgers.ts'
import { fingerprintOf } from './key-hash.ts'
import { KeyLedgers } from './key-ledgers.ts'
import { Ledger, largestRise } from './ledger.ts'
import type { Totals } from './ledger.ts'
import { monthOf } from './ledger-store.ts'
import type { Grant, Spending } from './ledger-store.ts'
import { Prepaid } from './prepaid.ts'
import type { Purpose } from './purpose.ts'
import { Separation } from './separation.ts'
import type { CallLater } from './separation.ts'
import type { SharedLedger, Sharing, Sums, Whose } from './shared-ledger.ts'

export interface LedgersOptions extends BooksOptions {
  /** Maximum keys with spending. */
  readonly most?: number
  /** The store, if several instances share it. */
  readonly shared?: SharedLedger
  /** By what it waits for the shared ledger to be back; timers, unless it is given. */
  readonly callLater?: CallLater
}

/** Whether a call is refused only because other instances hold tokens. */
const isHeld = (grants: readonly Grant[]) => grants.includes('HELD') && !grants.includes(false)

/** One ledger for each key, each with the whole budget, one for each client budget, and one for all. */
export class Ledgers implements Sharing {
  readonly budget: number | null
  readonly books: Books
  readonly #lastRefusals = { key: Number.NEGATIVE_INFINITY, client: Number.NEGATIVE_INFINITY }
  readonly #clock: () => number
  /** The month in which the spending of other processes was last counted. */
  #counted = ''
  readonly #ofKeys: KeyLedgers
  readonly #all: Ledger
  readonly #ofClients: ClientLedgers
  readonly #shared: SharedLedger | undefined
  readonly #separation: Separation

  constructor(budget: number | null, clock: () => number, options: LedgersOptions = {}) {
    this.budget = budget
    this.#clock = clock
    const onAlone = () => {
      for (const ledger of this.#limited()) ledger.goAlone()
    }
    this.#separation = new Separation(onAlone, options.callLater)
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
    const { among, isAlone } = this.#separation
    if (among !== null) ledger.leave(among)
    if (isAlone) ledger.goAlone()
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

  onAllotted({ kind, name, month }: Whose, tokens: number, until: number): void {
    const ledger = kind === 'client' ? this.#ofClients.named(name) : this.#ofKeys.kept(name)
    ledger?.noteAllotment(month, tokens, until)
  }

  onRenamed(names: ReadonlyMap<string, string>): void {
    this.#ofKeys.rename(names)
  }

  onAlone(instances: number, isSoon = false): void {
    if (this.#separation.among !== null) return
    for (const ledger of this.#limited()) ledger.leave(instances)
    this.#separation.begin(instances, isSoon)
  }

  onTogether(): void {
    this.#separation.end()
    for (const ledger of this.#limited()) ledger.rejoin()
  }

  /** Whether the shared ledger has never been reached. No budget has anything left then, as far as is known. */
  get isUnreached(): boolean {
    return this.#separation.among === Number.POSITIVE_INFINITY
  }

  #limited(): readonly Ledger[] {
    return [...this.#ofKeys.all(), ...this.#ofClients.all()]
  }

  /** The name of a key's ledger, of bounded length. */
  nameOf(apiKey: string): string {
    return this.books.store.nameOf(apiKey)
  }

  /** What is shown in logs of a key that spends nothing. Anyone can send any number of them. */
  passingFingerprint(apiKey: string): string {
    const { store } = this.books
    return fingerprintOf(store.hashOf?.(apiKey) ?? store.nameOf(apiKey))
  }

  /**
   * Reserves tokens of a key, and of each client budget the share of its users. Refused if one of these
   * budgets does not cover it, or if there is no room for the key's ledger.
   */
  reserve(name: string, tokens: number, purpose: Purpose, isGranted = false): Booked | Refusal {
    const charge = this.#charge(name, tokens, purpose, isGranted)
    return charge instanceof Charge
      ? this.#booked(charge, () => this.#charge(name, tokens, purpose, isGranted))
      : charge
  }

  #charge(name: string, tokens: number, purpose: Purpose, isGranted: boolean): Charge | Refusal {
    // The clock may be in a month of which this process knows nothing.
    if (this.#counted !== monthOf(this.#clock())) this.#count()
    const shares = this.#ofClients.sharesOf(purpose.users, tokens)
    const refused = shares.filter(({ ledger, tokens: own }) => ledger?.mayReserve(own) === false)
    if (refused.length > 0) return this.#refuse('client', refused)
    if (!this.#ofKeys.hasRoomFor(name)) return { refusedBy: 'key', budgets: [] }
    const ledger = this.of(name)
    const isAsked = this.#shared !== undefined && !isGranted
    const own = ledger.reserve(tokens, isAsked)
    const all = this.#all.reserve(tokens)
    if (!own || !all) return this.#refuse('key')
    const ofClients = shares.map(({ ledger: client, tokens: part }) => client?.reserve(part, isAsked))
    this.#ofKeys.bill(name, ledger)
    const booking = this.books.open(name, tokens, purpose, isGranted)
    const budgetNameOf = (client: string) => this.budgetNameOf(client)
    return new Charge({ own: ledger, shares, whole: [own, all], ofClients, booking, budgetNameOf })
  }

  /**
   * Reserves tokens for calls that are not planned yet. Null if the ledger is not shared, because other
   * reservations do not wait for a round trip, or if a budget is nearly spent: there each call is reserved
   * exactly. Resolves with null if the shared ledger refuses it.
   */
  prepay(name: string, tokens: number, purpose: Purpose): Promise<Prepaid | null> | null {
    if (!this.#shared || this.#separation.among !== null) return null
    if (!this.of(name).coversTimes(largestRise, tokens)) return null
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
    return Promise.resolve(booked.written).then((refusal) =>
      refusal ? null : new Prepaid(booked, purpose, { isOwn, cover }),
    )
  }

  /** `again` makes the same reservation once more, for when other instances have given back what they hold. */
  #booked(first: Charge, again: () => Charge | Refusal): Booked {
    let charge = first
    const afterRecall = async (): Promise<Refusal | null> => {
      charge.decided()
      charge.settle(noBill)
      await this.#shared?.recalled()
      const next = again()
      if (!(next instanceof Charge)) return next
      charge = next
      return this.#decide(charge, (await charge.written) ?? [])
    }
    return {
      tokens: first.tokens,
      written: first.written?.then((grants) =>
        isHeld(grants) ? afterRecall() : this.#decide(first, grants),
      ),
      book: (tokens) => charge.book(tokens),
      settle: (bill, settled) => charge.settle(bill, settled),
    }
  }

  /** What is refused is given back at once, so that the next call that waits may have it. */
  #decide(charge: Charge, grants: readonly Grant[]): Refusal | null {
    charge.decided()
    const refused = charge.refused(grants)
    if (refused.length === 0) return null
    const isClients = charge.fits && refused.every(({ budget }) => budget !== null)
    const refusal = isClients ? this.#refuse('client', refused) : this.#refuse('key')
    charge.settle(noBill)
    return isHeld(grants) ? { ...refusal, because: 'HELD' } : refusal
  }

  #refuse(refusedBy: Refusal['refusedBy'], shares: readonly LedgerShare[] = []): Refusal {
    const refusal = { refusedBy, budgets: shares.flatMap(({ budget }) => budget ?? []) }
    if (this.#separation.isInDoubt) return { ...refusal, because: 'IN_DOUBT' }
    if (this.isUnreached) return { ...refusal, because: 'UNREACHED' }
    this.#lastRefusals[refusedBy] = this.#clock()
    return refusal
  }

  /** When a budget of this kind last refused a call; -Infinity if none has. */
  lastRefusalBy(kind: Refusal['refusedBy']): number {
    return this.#lastRefusals[kind]
  }

  /**
   * Counts what other processes on the same ledger file have spent, without sharing it otherwise. What they have
   * left open is booked once they have ended.
   */
  countOthers(): void {
    this.books.bookLeft()
    this.#count()
  }

  #count(): void {
    this.#counted = monthOf(this.#clock())
    for (const spending of this.books.spentByOthers()) this.#continue(spending)
  }

  #continue(spending: Parameters<Ledger['add']>[0] & Pick<Spending, 'key' | 'client'>): void {
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

  /** Tokens that the smallest of these client budgets has left and has not reserved; null if there are none. */
  unreservedOf(budgets: readonly string[]): number | null {
    const left = budgets.flatMap((budget) => this.#ofClients.named(budget)?.unreserved ?? [])
    return left.length > 0 ? Math.min(...left) : null
  }

  /** Whether each client budget would cover `times` all its reservations and its share of these tokens. */
  clientsCoverTimes(times: number, users: Purpose['users'], tokens: number): boolean {
    return this.#ofClients.bearTimes(times, users, tokens)
  }

  /** Whether each client budget has its share of these tokens left, as far as is known here. */
  clientsCover(users: Purpose['users'], tokens: number): boolean {
    return this.#ofClients.bear(users, tokens)
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
