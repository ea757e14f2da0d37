import type { ClientBudgets } from '../money/client-budgets.ts'
import type { Purpose } from '../money/books.ts'
import type { Ledger } from '../money/ledger.ts'
import type { Booked } from '../money/ledgers.ts'
import type { OpenLedger } from '../money/open-ledger.ts'
import { fingerprintOf } from '../money/key-hash.ts'
import { Ledgers } from '../money/ledgers.ts'
import { Capabilities } from '../capabilities/capabilities.ts'
import { Inspector } from '../capabilities/inspect.ts'
import type { AccountStore, AnswerStore, Bought } from './answer-store.ts'
import type { Answered } from './call.ts'
import type { Arguments, Operation } from '../specification/operations.ts'
import { after, defaultFreshFor, longestFresh } from '../rows/freshness.ts'
import type { FreshFor } from '../rows/freshness.ts'
import { GameState } from '../rows/game-state.ts'
import { Refusals } from '../rows/refusals.ts'
import { RowFreshness } from '../rows/row-freshness.ts'
import type { Put } from '../rows/slot.ts'
import type { Entry } from '../rows/entry.ts'
import { Estimates } from './estimates.ts'
import { ConcurrencyLimiter } from './concurrency-limiter.ts'
import { Accounts } from './accounts.ts'
import { asOf, ParkedAnswers } from './parked.ts'
import { replay } from './replay.ts'
import type { PlanEntry, Request } from './request.ts'
import { Rows } from '../rows/rows.ts'
import { ServiceHealth } from './service-health.ts'
import { Capacity } from '../rows/capacity.ts'
import type { Transport } from './transport.ts'

export interface UpstreamSettings {
  readonly transport: Transport
  /** Tokens that each key may spend in a calendar month; null for no limit. */
  readonly monthlyTokenBudget: number | null
  /**
   * Tokens that each client name may spend in a calendar month, within its key's budget. By default no limit.
   */
  readonly clientBudgets?: ClientBudgets
  /** Where spending is stored, and this month's spending so far. By default in memory. */
  readonly ledger?: OpenLedger
  /** Time for a complete answer in milliseconds, retries included. */
  readonly timeoutMs: number
  /** Milliseconds before each retry of a failed request. Its length is the number of retries. */
  readonly retryPauses?: readonly number[]
  /** Maximum ids in one call. */
  readonly batchSize: number
  /** Maximum parallel calls of one key. */
  readonly concurrency: number
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** How long rows are served. Optional. */
  readonly freshFor?: FreshFor
  /** Where answers are stored beyond this process. By default nowhere. */
  readonly answers?: AnswerStore
  /** The sizes and prices of a key's answers that were learned before; none by default. */
  readonly learned?: (apiKey: string) => Estimates | undefined
  /** What is known about the service. By default nothing. */
  readonly capabilities?: Capabilities
  /** Maximum bytes of answers kept for accounts that came once. By default a share of the heap. */
  readonly mostParked?: number
}

/** Maximum keys that the service has never answered, so that wrong keys displace only each other. */
const mostUnanswered = 1_000

/** Bytes of an account without rows: its maps, loaders and limits. */
const accountBytes = 4_096

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
export class Upstream {
  readonly settings: UpstreamSettings
  readonly ledgers: Ledgers
  readonly service: ServiceHealth
  /** What is known about the service. */
  readonly capabilities: Capabilities
  /** Inspects its answers for differences from the specification. */
  readonly inspector: Inspector
  readonly #accounts = new Accounts()
  readonly #capacity: Capacity
  readonly #listeners: ((line: PlanEntry) => void)[] = []
  readonly #evictionListeners: ((lastUsedAt: number) => void)[] = []
  readonly #parked: ParkedAnswers
  #lastMoment = 0

  constructor(settings: UpstreamSettings, capacity = new Capacity()) {
    this.settings = settings
    this.#capacity = capacity
    this.#parked = new ParkedAnswers(settings.mostParked)
    const { monthlyTokenBudget, clock, clientBudgets, ledger } = settings
    this.service = new ServiceHealth(clock)
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
    account.usedAt = this.#capacity.moment += 1
    account.visits += 1
    if (account.visits === 2) account.bought = null
    return account
  }

  /** A new account, with the parked answers if the key came once before. */
  #newAccount(apiKey: string): Account {
    this.#capacity.size += accountBytes
    if (this.#accounts.size >= mostUnanswered) this.#dropUnanswered()
    // Notices a clock that was set back, because the replay refuses times in the future.
    this.moment()
    const bought = this.#parked.take(apiKey)
    const account = new Account(this, apiKey, new Rows(this.#capacity), {
      estimates: this.settings.learned?.(apiKey),
      hasAll: bought !== undefined,
    })
    if (bought) {
      account.visits = 1
      replay(account, bought)
    }
    return account
  }

  /**
   * Ends a request. If it was the account's first one, its answers are parked as bytes until the key comes
   * again, and the account is dropped.
   */
  leave(account: Account): void {
    if (account.visits !== 1 || account.inFlight.size > 0 || this.#accounts.find(account.apiKey) !== account)
      return
    const { bought } = account
    if (bought === null || bought.length === 0 || !this.#parked.park(account.apiKey, bought)) return
    account.bought = null
    account.rows.clear()
    this.#accounts.drop(account)
    this.#capacity.size -= accountBytes
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
    this.#capacity.size -= accountBytes
  }

  /**
   * Evicts the least recently used rows and keys if the capacity is exceeded, until a quarter of it is free.
   */
  makeRoom(): void {
    if (this.#capacity.size <= this.#capacity.most) return
    const lastUsedAt = this.#lastToEvict()
    for (const listener of this.#evictionListeners) listener(lastUsedAt)
    const aged = this.settings.clock() - longestStale
    for (const account of this.#accounts) {
      const left = account.rows.evict(lastUsedAt, aged)
      if (left === 0 && account.usedAt <= lastUsedAt && account.inFlight.size === 0) this.#drop(account)
    }
  }

  /** Rows and keys that were last used at this moment or before have to be evicted. */
  #lastToEvict(): number {
    const bytesAt = new Map<number, number>()
    const count = (moment: number, bytes: number) => bytesAt.set(moment, (bytesAt.get(moment) ?? 0) + bytes)
    for (const account of this.#accounts) {
      count(account.usedAt, accountBytes)
      for (const { usedAt, size } of account.rows.kept()) count(usedAt, size)
    }
    let excess = this.#capacity.size - 0.75 * this.#capacity.most
    for (const moment of [...bytesAt.keys()].toSorted((a, b) => a - b)) {
      excess -= bytesAt.get(moment) ?? 0
      if (excess <= 0) return moment
    }
    return this.#capacity.moment
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

  async close(): Promise<void> {
    await this.settings.transport.close?.()
    await this.settings.answers?.close()
    await this.ledgers.books.close()
  }
}

const least = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : Math.min(a, b))

// Stored in the account. In a global WeakMap, a request with all its rows would survive every minor garbage
// collection.
interface CallInFlight {
  readonly answer: Promise<Answered>
  /** The request that is charged for the call. */
  readonly payer: Request
  /** Whether it reads rows by several keys. */
  readonly isKeyRead: boolean
  readonly operation: Operation
  readonly arguments: Arguments
}

interface RowInFlight {
  readonly row: Promise<void>
  /** The request that is charged for the call. */
  readonly payer: Request
}

/** `RANDOMIZED`: the service says so. `MAY_BE_RANDOMIZED`: the specification says so of the key's plan. */
export type DataQuality = 'RANDOMIZED' | 'MAY_BE_RANDOMIZED'

/** What an account begins with, beside its rows. */
interface AccountStart {
  readonly refusals?: Refusals
  readonly estimates?: Estimates | undefined
  /** Whether all its answers are about to be replayed, so that none have to be read from the store. */
  readonly hasAll?: boolean
}

/** Everything known through one upstream key: rows, calls in flight, refusals. Accounts share nothing. */
export class Account {
  readonly upstream: Upstream
  readonly apiKey: string
  readonly rows: Rows
  /** Pending calls, by their canonical form. */
  readonly inFlight = new Map<string, CallInFlight>()
  /** Rows that a pending call will bring, by table and key. */
  readonly rowsInFlight = new Map<string, RowInFlight>()
  /** Operations that the key's plan does not allow. */
  readonly refusals: Refusals
  /** Decides how long rows are served. */
  readonly fresh: RowFreshness
  /** The batches of this turn, by loader. */
  readonly loaders = new Map<object, unknown>()
  readonly limiter: ConcurrencyLimiter
  /** Sizes and prices of the answers to this key. */
  readonly estimates: Estimates
  #named: { readonly naming: number; readonly name: string } | null = null
  /** Whether the service has ever answered the key. */
  hasAnswers = false
  /** Whether the service refused the key when it was last called. */
  isRefused = false
  /** Whether the key's token limit at the service was reached when it was last called. */
  isSpent = false
  /** When the service last reported randomized values; -Infinity if never. */
  #randomizedAt = Number.NEGATIVE_INFINITY
  /** Whether rows being stored are old, so that newer ones stay. */
  isReplaying = false
  /** If set, collects the freshness of everything that is stored. */
  puts: Put[] | null = null
  /** What is stored of the account beyond this process; undefined if nothing is. */
  readonly store: AccountStore | undefined
  /** The capacity's count when a request last used the key. */
  usedAt = 0
  /** The number of requests with the key. Only none, one and several are distinguished. */
  visits = 0
  /** The answers of the first request; null after the second has come. */
  bought: Bought[] | null = []

  constructor(upstream: Upstream, apiKey: string, rows = new Rows(), start: AccountStart = {}) {
    this.upstream = upstream
    this.apiKey = apiKey
    this.rows = rows
    this.refusals = start.refusals?.copy() ?? new Refusals(upstream.settings.clock)
    this.fresh = new RowFreshness(upstream.freshFor)
    this.limiter = new ConcurrencyLimiter(upstream.settings.concurrency)
    this.estimates = start.estimates ?? new Estimates()
    // Without a key nothing can be bought.
    if (apiKey === '') return
    const recall = (bought: readonly Bought[]) => this.#recall(bought)
    this.store = upstream.settings.answers?.open(apiKey, recall, start.hasAll)
  }

  /** Takes over answers that an earlier process or another instance bought. */
  #recall(bought: readonly Bought[]): void {
    this.bought?.push(...bought)
    replay(this, bought)
  }

  /** The key's name in the ledger. It changes once instances share a secret. */
  get #ledgerName(): string {
    const { ledgers } = this.upstream
    const { naming } = ledgers
    if (this.#named?.naming !== naming) this.#named = { naming, name: ledgers.nameOf(this.apiKey) }
    return this.#named.name
  }

  /** What the key has spent and may spend now. */
  get ledger(): Ledger {
    return this.upstream.ledgers.of(this.#ledgerName)
  }

  /** Fetches what other instances have spent with the key, if they share a ledger. */
  async refreshLedger(): Promise<void> {
    await this.upstream.ledgers.refresh(this.#ledgerName)
  }

  /** Reserves tokens for a request; null if they exceed the key's budget or the client's. */
  reserve(tokens: number, purpose: Purpose): Booked | null {
    return this.upstream.ledgers.reserve(this.#ledgerName, tokens, purpose)
  }

  /** Tokens that a client's requests may still spend; null for no limit. */
  remainingFor(client: string): number | null {
    return least(this.ledger.remaining, this.upstream.ledgers.remainingOfClient(client))
  }

  /** The key's fingerprint for logs; null without a key. */
  get fingerprint(): string | null {
    return this.apiKey === '' ? null : fingerprintOf(this.#ledgerName)
  }

  /** Notes that an answer bought at that time has randomized values. */
  noteRandomized(boughtAt: number): void {
    this.#randomizedAt = Math.max(this.#randomizedAt, boughtAt)
  }

  /**
   * Whether rows with randomized values may still be served. After an upgrade, the service sends real ones.
   */
  get isRandomized(): boolean {
    const { settings, freshFor } = this.upstream
    return settings.clock() - this.#randomizedAt < longestFresh(freshFor) + freshFor.staleIfError
  }

  /**
   * Whether the key's data may be random. A key that may not read in bulk is assumed to be a trial key, and
   * some of its data may be randomized (specification §5).
   */
  get dataQuality(): DataQuality | null {
    if (this.isRandomized) return 'RANDOMIZED'
    return this.refusals.isAny ? 'MAY_BE_RANDOMIZED' : null
  }

  /**
   * Corrects times after `moment`. Otherwise a clock that was a day ahead would keep live scores for a day.
   */
  setBack(moment: number): void {
    this.rows.setBack(moment, after(moment, this.fresh.freshFor.current))
    this.refusals.setBack(moment)
    this.#randomizedAt = Math.min(this.#randomizedAt, moment)
    this.fresh.seasons.setBack()
    this.bought = this.bought?.map((one) => asOf(one, moment)) ?? null
  }

  /** Stores an answer beyond this process, and in `bought` until a second request comes. */
  keep(bought: Bought): void {
    this.store?.keep(bought)
    if (this.visits === 1) this.bought?.push(bought)
  }

  /** Notes that a request goes on, as a subscription does. */
  stays(): void {
    this.visits += 1
    this.bought = null
  }

  countCall(): void {
    this.upstream.ledgers.countCall(this.#ledgerName)
  }

  /** What all known rows tell of a game. */
  game(key: string): GameState {
    return this.stateOf(this.rows.entry('game', key))
  }

  /** The state of the game of an entry. */
  stateOf(entry: Entry): GameState {
    return (entry.game ??= new GameState(this.fresh.freshFor))
  }
}
