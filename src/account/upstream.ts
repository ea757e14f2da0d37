import { Ledgers } from '../money/ledgers.ts'
import { Capabilities } from '../capabilities/capabilities.ts'
import { Inspector } from '../capabilities/inspect.ts'
import type { Bought } from './answer-store.ts'
import { defaultFreshFor } from '../rows/freshness.ts'
import type { FreshFor } from '../rows/freshness.ts'
import { Accounts } from './accounts.ts'
import { UsualCosts } from './prepayment.ts'
import { ParkedAnswers } from './parked.ts'
import { restore } from './restore.ts'
import type { PlanEntry } from './plan-entry.ts'
import { Rows } from '../rows/rows.ts'
import { ServiceHealth } from '../wire/service-health.ts'
import { Capacity } from '../rows/capacity.ts'
import { Account } from './account.ts'
import type { SharedByAccounts } from './account.ts'
import { LeagueDays } from '../rows/league-days.ts'
import type { UpstreamSettings } from './settings.ts'

/** Maximum keys that the service has never answered, so that wrong keys displace only each other. */
const mostUnanswered = 1_000

/**
 * Milliseconds for which expired slots are not evicted, because a running request may still use them, for
 * example a schedule whose games are being read.
 */
const longestStale = 10 * 60_000

/** If the clock goes back by more milliseconds than this, it was set. */
const clockSetBack = 1_000
/** The smallest difference between two times that a number can hold in this century. */
const leastStep = 2 ** -10

/** What all keys of the process share about the service. */
export class Upstream implements SharedByAccounts {
  readonly settings: UpstreamSettings
  readonly days: LeagueDays
  readonly ledgers: Ledgers
  readonly pauses = new Set<() => void>()
  readonly health: ServiceHealth
  /** What is known about the service. */
  readonly capabilities: Capabilities
  /** Inspects its answers for differences from the specification. */
  readonly inspector: Inspector
  readonly usualCosts = new UsualCosts()
  readonly #accounts: Accounts
  readonly #capacity: Capacity
  readonly #listeners: ((line: PlanEntry) => void)[] = []
  readonly #evictionListeners: ((lastUsedAt: number) => void)[] = []
  readonly #parked: ParkedAnswers
  #lastMoment = 0

  constructor(settings: UpstreamSettings, capacity = new Capacity()) {
    this.settings = settings
    this.#capacity = capacity
    this.#accounts = new Accounts(capacity)
    this.#parked = new ParkedAnswers(settings.mostParked)
    const { monthlyTokenBudget, clock, clientBudgets, ledger, isReplayed, timeZone } = settings
    this.days = new LeagueDays(timeZone)
    this.health = new ServiceHealth(clock, isReplayed ? Number.POSITIVE_INFINITY : undefined)
    this.capabilities = settings.capabilities ?? new Capabilities(clock)
    this.inspector = new Inspector(this.capabilities)
    this.ledgers = new Ledgers(monthlyTokenBudget, clock, {
      ...(clientBudgets && { clientBudgets }),
      ...ledger,
    })
  }

  get freshFor(): FreshFor {
    return this.settings.freshFor ?? defaultFreshFor
  }

  /** Today in the league's time zone, `YYYY-MM-DD`. */
  get today(): string {
    return this.days.at(this.settings.clock()).date
  }

  /**
   * The current time in milliseconds. Each call returns a later one, so that even within a millisecond a
   * purchase is later than the start of its request and earlier than the next request.
   */
  moment(): number {
    const now = this.settings.clock()
    const isSetBack = now < this.#lastMoment - clockSetBack
    if (isSetBack) this.#setBack(now)
    return (this.#lastMoment = isSetBack || now > this.#lastMoment ? now : this.#lastMoment + leastStep)
  }

  #setBack(moment: number): void {
    this.#parked.setBack(moment)
    for (const account of this.#accounts) account.setBack(moment)
  }

  /** The account of a key: everything paid for with it, and nothing paid for with another. */
  accountOf(apiKey: string): Account {
    const account = this.#accounts.find(apiKey) ?? this.#newAccount(apiKey)
    this.#accounts.use(account)
    account.visits += 1
    if (account.visits === 2) account.bought = null
    return account
  }

  /** A new account, with the parked answers if the key came once before. */
  #newAccount(apiKey: string): Account {
    if (this.#accounts.size >= mostUnanswered) this.#dropUnanswered()
    // Notices a clock that was set back, because the replay refuses times in the future.
    this.moment()
    const parked = this.#parked.take(apiKey)
    const account = new Account(this, apiKey, new Rows(this.#capacity), {
      estimates: this.settings.learned?.(apiKey),
      known: parked,
    })
    if (parked) {
      account.visits = 1
      // Before the replay, so that its rows count as used by this request.
      this.#accounts.use(account)
      this.restore(account, parked.bought)
    }
    return account
  }

  restore(account: Account, bought: readonly Bought[]): void {
    restore(account, bought)
  }

  /**
   * Ends a request. If it was the account's first one, its answers are parked as bytes until the key comes
   * again, and the account is dropped.
   */
  leave(account: Account): void {
    if (account.visits !== 1 || account.inFlight.size > 0 || this.#accounts.find(account.apiKey) !== account)
      return
    const { bought } = account
    if (bought === null || bought.length === 0) return
    if (!this.#parked.park(account.apiKey, bought, account.store?.position)) {
      // It stays in memory as rows. Its answers are of no use beside them.
      account.bought = null
      return
    }
    // The list may be old, and refer to the texts until the next full collection.
    bought.length = 0
    account.bought = null
    account.rows.clear()
    this.#accounts.drop(account)
  }

  /** The account if the key was used before. Does not count as use. */
  findAccount(apiKey: string): Account | undefined {
    return this.#accounts.find(apiKey)
  }

  #dropUnanswered(): void {
    for (const account of this.#accounts) if (!account.hasAnswers) return this.#drop(account)
  }

  #drop(account: Account): void {
    account.rows.drop()
    this.#accounts.drop(account)
  }

  /**
   * Evicts the least recently used rows and keys if the capacity is exceeded, until a quarter of it is free.
   */
  makeRoom(): void {
    if (this.#capacity.size <= this.#capacity.most) return
    const lastUsedAt = this.#accounts.lastToEvict()
    for (const listener of this.#evictionListeners) listener(lastUsedAt)
    const aged = this.settings.clock() - longestStale
    for (const account of this.#accounts) {
      const left = account.evict(lastUsedAt, aged)
      if (left === 0 && account.usedAt <= lastUsedAt && account.inFlight.size === 0) this.#drop(account)
    }
  }

  /**
   * Calls `listener` with each line of every request's bill at once, also of subscriptions and of clients
   * that have disconnected.
   */
  onLine(listener: (line: PlanEntry) => void): void {
    this.#listeners.push(listener)
  }

  /** Calls `listener` before rows are evicted, with the last use up to which they are. */
  onEvict(listener: (lastUsedAt: number) => void): void {
    this.#evictionListeners.push(listener)
  }

  tell(line: PlanEntry): void {
    for (const listener of this.#listeners) listener(line)
  }

  /** Ends all calls: those that are sent get no answer, and no others are sent. Resolves when they are billed. */
  async endCalls(): Promise<void> {
    await this.settings.transport.close?.()
    for (const end of this.pauses) end()
    const calls = [...this.#accounts].flatMap(({ inFlight }) => [...inFlight.values()])
    await Promise.allSettled(calls.map(({ answer }) => answer))
  }

  async close(): Promise<void> {
    await this.endCalls()
    await this.settings.answers?.close()
    await this.ledgers.books.close()
  }
}
