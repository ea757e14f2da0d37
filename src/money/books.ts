import { randomBytes } from 'node:crypto'
import type { Bill } from './bill.ts'
import { sharesOf } from './budget-shares.ts'
import type { BudgetShare } from './budget-shares.ts'
import { budgetNameOf, noClientBudgets } from './client-budgets.ts'
import type { ClientBudgets } from './client-budgets.ts'
import { Journal } from './journal.ts'
import { addedBy, KnownSpending } from './known-spending.ts'
import { MemoryLedger } from './ledger-memory.ts'
import { dayOf, hourOf, monthOf } from './ledger-store.ts'
import type { Change, Grant, LedgerStore, Opened, Spending } from './ledger-store.ts'
import { Names } from './names.ts'
import type { Purpose, User } from './purpose.ts'
import { split } from './split.ts'

/** A request to the service, recorded before it is sent. */
export interface Booking {
  /**
   * Resolves when it is recorded, with whether each share fits the budgets of all instances; undefined if
   * nothing has to be awaited.
   */
  readonly written: Promise<readonly Grant[]> | undefined
  /** Dates the bill: its headers have arrived. Without them, it is dated when it is settled. */
  date(): void
  /** Replaces the reservation by the bill. Returns how it was divided: among the users of `purpose`. */
  settle(bill: Bill, purpose?: Purpose): readonly Spending[]
}

/** The reservation for one client budget. */
interface OpenShare {
  readonly budget: string | null
  readonly opened: Opened
}

/** Maximum pairs of client and GraphQL operation that are counted separately in a day. */
const mostPairs = 1_000

export interface BooksOptions {
  readonly store?: LedgerStore
  readonly clientBudgets?: ClientBudgets
  /** The spending of this month in the store. */
  readonly month?: readonly Spending[]
  /** Called once when writing begins to fail. */
  readonly onFailure?: (error: unknown) => void
  /** Called at the end with what could not be written. */
  readonly onLost?: (lost: readonly Spending[]) => void
}

/** Records every request to the service and its bill in a ledger store, by day, key, client and operation. */
export class Books {
  readonly store: LedgerStore
  readonly #journal: Journal
  /** Set if other processes may write the store too. */
  readonly #known: KnownSpending | null
  readonly #clock: () => number
  readonly #budgets: ClientBudgets
  readonly #pairs: Names
  readonly #onLost: (lost: readonly Spending[]) => void
  readonly #process: string
  readonly #listeners: ((spending: Spending) => void)[] = []
  /** The number of pending reservations of each key that has any. */
  readonly #pending = new Map<string, number>()
  #day = ''
  #count = 0

  constructor(clock: () => number, options: BooksOptions = {}) {
    this.store = options.store ?? new MemoryLedger()
    this.#process = this.store.process ?? randomBytes(9).toString('base64url')
    this.#clock = clock
    this.#budgets = options.clientBudgets ?? noClientBudgets
    this.#pairs = new Names(mostPairs, this.#budgets)
    this.#journal = new Journal(this.store, options.onFailure ?? (() => {}))
    this.#onLost = options.onLost ?? (() => {})
    this.#known = this.store.changedElsewhere ? new KnownSpending() : null
    this.#known?.add(options.month ?? [])
  }

  /** Resolves when all bills so far are recorded; undefined if they are. An answer is sent after that. */
  get written(): Promise<unknown> | undefined {
    return this.#journal.write()
  }

  /**
   * Writes the bills of a key early if none of its calls is pending any more, because its answer will wait
   * for them. Resolves when they have been sent, but not yet written: the last call's rows are read
   * meanwhile. Undefined if there is nothing to send.
   */
  writeEarly(key: string): Promise<void> | undefined {
    return this.#pending.has(key) ? undefined : this.#journal.writeEarly()
  }

  /** Whether the store cannot be written at the moment. */
  get isFailing(): boolean {
    return this.#journal.isFailing
  }

  /** What was spent from one day to another, inclusive, also what could not be written yet. */
  async spending(from: string, to: string): Promise<readonly Spending[]> {
    return [...(await this.store.spending(from, to)), ...this.#journal.spending(from, to)]
  }

  /** Reports all spending as soon as its bill is known. */
  onSpent(listener: (spending: Spending) => void): void {
    this.#listeners.push(listener)
  }

  /** Records one reservation for each client budget. `isGranted` if a larger reservation covers them. */
  open(key: string, tokens: number, purpose: Purpose, isGranted = false): Booking {
    const now = this.#clock()
    const shares = sharesOf(this.#budgets, purpose.users, tokens)
    const reserved = shares.map((share) => ({
      budget: share.budget,
      opened: this.#opened(key, share, purpose, now),
    }))
    this.#pending.set(key, (this.#pending.get(key) ?? 0) + 1)
    const granted = isGranted && { isGranted }
    const add = ({ opened }: OpenShare) => this.#add({ kind: 'open', opened, ...granted })
    let dated: number | null = null
    return {
      written: this.store.isDurable ? Promise.all(reserved.map(add)) : undefined,
      date: () => void (dated ??= this.#clock()),
      settle: (bill, settled = purpose) => {
        this.#end(key)
        const spent = this.#split(key, settled, bill, dated ?? this.#clock())
        for (const listener of this.#listeners) spent.forEach(listener)
        for (const change of this.#settled(reserved, spent))
          if (this.store.isDurable) void this.#add(change)
          else void this.store.write([change])
        return spent
      },
    }
  }

  #add(change: Change): Promise<Grant> {
    this.#known?.add(addedBy(change))
    return this.#journal.add(change)
  }

  #changedElsewhere(month: string): readonly Spending[] | null {
    try {
      return this.store.changedElsewhere?.(`${month}-01`, `${month}-31`) ?? null
    } catch {
      // It cannot be read now. The next call tries again.
      return null
    }
  }

  /** Books as estimated what other processes on the same store have left open, if they have ended. */
  bookLeft(): void {
    try {
      this.store.bookLeft?.()
    } catch {
      // It cannot be written now. The next call tries again.
    }
  }

  /**
   * What other processes on the same store have added to this month since the last call, and corrected. If the
   * month is another one since, everything in it that is not known yet.
   */
  spentByOthers(): ReturnType<KnownSpending['learn']> {
    const month = monthOf(this.#clock())
    const rows = this.#changedElsewhere(month)
    if (!rows || !this.#known) return []
    // What waits here is known, but not in the store yet.
    return this.#known.learn(month, [...rows, ...this.#journal.waiting.flatMap(addedBy)])
  }

  #opened(
    key: string,
    { user, tokens }: BudgetShare,
    { service, users, calls }: Purpose,
    now: number,
  ): Opened {
    const day = dayOf(now)
    const hour = hourOf(now)
    const { client, operation } = this.#named(user, day)
    const id = `${this.#process} ${(this.#count += 1)}`
    const sums = { tokens, estimated: tokens, bytes: 0, calls: user === users[0] ? calls : 0 }
    return { id, client, operation, service, day, hour, key, ...sums }
  }

  /** Ends each reservation by the spending of its own client budget. */
  #settled(reserved: readonly OpenShare[], spent: readonly Spending[]): readonly Change[] {
    if (reserved.length === 1) return reserved.map(({ opened }) => ({ kind: 'settle', opened, spent }))
    const ofBudget = (budget: string | null) =>
      spent.filter(({ client }) => budgetNameOf(this.#budgets, client) === budget)
    return reserved.map(({ budget, opened }) => ({ kind: 'settle', opened, spent: ofBudget(budget) }))
  }

  #end(key: string): void {
    const left = (this.#pending.get(key) ?? 0) - 1
    if (left > 0) this.#pending.set(key, left)
    else this.#pending.delete(key)
  }

  async close(): Promise<void> {
    await this.#journal.flush()
    await this.store.close()
    const lost = [...this.#journal.unwritten, ...(this.store.lost ?? [])]
    if (lost.length > 0) this.#onLost(lost)
  }

  /** Calls without tokens are not recorded, because anyone can make them with any key. */
  #split(key: string, { service, users, calls }: Purpose, bill: Bill, now: number): readonly Spending[] {
    if (bill.tokens === 0) return []
    const day = dayOf(now)
    const hour = hourOf(now)
    const weights = users.map(({ rows }) => rows)
    const tokens = split(bill.tokens, weights)
    const bytes = split(bill.bytes, weights)
    return users.map((user, index) => {
      const { client, operation } = this.#named(user, day)
      const own = tokens[index] ?? 0
      const sums = { tokens: own, estimated: bill.estimated ? own : 0, bytes: bytes[index] ?? 0 }
      return { client, operation, service, day, hour, key, ...sums, calls: index === 0 ? calls : 0 }
    })
  }

  /** The names to record for a user. */
  #named(user: User, day: string): Pick<User, 'client' | 'operation'> {
    if (day !== this.#day) this.#pairs.clear()
    this.#day = day
    return this.#pairs.of(user)
  }
}
