import type { ClientBudgets } from '../money/client-budgets.ts'
import type { Purpose } from '../money/books.ts'
import type { Ledger } from '../money/ledger.ts'
import type { Booked } from '../money/ledgers.ts'
import type { OpenLedger } from '../money/open-ledger.ts'
import { fingerprintOf } from '../money/key-name.ts'
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
import type { Entry } from './entry.ts'
import { Estimates } from './estimates.ts'
import { ConcurrencyLimiter } from './concurrency-limiter.ts'
import { asOf, ParkedAnswers } from './parked.ts'
import { replay } from './replay.ts'
import type { PlanEntry, Request } from './request.ts'
import { Rows } from './rows.ts'
import { ServiceHealth } from './service-health.ts'
import { Capacity } from './capacity.ts'
import type { Transport } from './transport.ts'

export interface UpstreamSettings {
  readonly transport: Transport
  /** Tokens that each key may spend in a calendar month; null for no bound. */
  readonly monthlyTokenBudget: number | null
  /** Tokens that each client name may spend in a calendar month, within the bound of its key; none unless given. */
  readonly clientBudgets?: ClientBudgets
  /** Where spending is kept, and what it has of this month; in memory unless given. */
  readonly ledger?: OpenLedger
  /** Time for a complete answer, tries and all, in milliseconds. */
  readonly timeoutMs: number
  /** Milliseconds before each further try of a request that failed; as many tries more. */
  readonly retryPauses?: readonly number[]
  /** Ids that one call may carry. */
  readonly batchSize: number
  /** Calls that may be under way at once for one key. */
  readonly concurrency: number
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  /** How long rows are served; the defaults where left out. */
  readonly freshFor?: FreshFor
  /** Where answers are kept beyond this process; nowhere unless given. */
  readonly answers?: AnswerStore
  /** The sizes and prices of a key's answers that were learned before; none where left out. */
  readonly learned?: (apiKey: string) => Estimates | undefined
  /** What is known of the service; nothing yet where left out. */
  readonly capabilities?: Capabilities
  /** Bytes that are kept of accounts that came once; a share of the heap unless given. */
  readonly mostParked?: number
}

/** Keys that are kept although the service has never answered them, so that ever new wrong keys push out nothing but each other. */
const mostUnanswered = 1_000

/** Bytes of a key without any rows: its maps, its loaders and its limits. */
const accountBytes = 4_096

/** What an answer is still made of after it has aged, in milliseconds: a schedule, say, between its call and its games'. */
const longestStale = 10 * 60_000

/** A clock that steps back by more was set, and is followed. */
const clockSetBack = 1_000
/** The least that a moment of this century can be later than another. */
const leastStep = 2 ** -10

/** The service as one process sees it: what all keys share. */
export class Upstream {
  readonly settings: UpstreamSettings
  readonly ledgers: Ledgers
  readonly service: ServiceHealth
  /** What the service supports, as far as it was found out. */
  readonly capabilities: Capabilities
  /** Looks at its answers, for what differs from the specification. */
  readonly inspector: Inspector
  readonly #accounts = new Map<string, Account>()
  readonly #capacity: Capacity
  readonly #listeners: ((line: PlanEntry) => void)[] = []
  readonly #evictionListeners: ((lastUsedAt: number) => void)[] = []
  readonly #parked: ParkedAnswers<Account>
  #lastMoment = 0

  constructor(settings: UpstreamSettings, capacity = new Capacity()) {
    this.settings = settings
    this.#capacity = capacity
    this.#parked = new ParkedAnswers((account) => this.#drop(account), settings.mostParked)
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
   * The time, in milliseconds, later each time it is asked for: so a purchase is later than the beginning of the request
   * that made it, and earlier than the next request, within one millisecond too.
   */
  moment(): number {
    const now = this.settings.clock()
    const isSetBack = now < this.#lastMoment - clockSetBack
    if (isSetBack) this.#setBack(now)
    return (this.#lastMoment = isSetBack || now > this.#lastMoment ? now : this.#lastMoment + leastStep)
  }

  #setBack(moment: number): void {
    this.#parked.setBack(moment)
    for (const account of this.#accounts.values()) account.setBack(moment)
  }

  #newAccount(apiKey: string): Account {
    return new Account(this, apiKey, new Rows(this.#capacity), undefined, this.settings.learned?.(apiKey))
  }

  /** All that was paid for with a key, and nothing that another key paid for. */
  accountOf(apiKey: string): Account {
    const known = this.#accounts.get(apiKey)
    const account = known ?? this.#newAccount(apiKey)
    // Set again, the key is the last in the map's order, and the one unused for longest is the first.
    this.#accounts.delete(apiKey)
    if (!known) {
      this.#capacity.size += accountBytes
      if (this.#accounts.size >= mostUnanswered) this.#dropUnanswered()
    }
    this.#accounts.set(apiKey, account)
    account.usedAt = this.#capacity.moment += 1
    account.visits += 1
    if (account.visits === 2) this.#unpark(account)
    return account
  }

  /** Ends a request. Of an account that came for it alone, what was bought is kept as bytes until it comes again. */
  leave(account: Account): void {
    if (account.visits !== 1 || account.inFlight.size > 0 || this.#accounts.get(account.apiKey) !== account)
      return
    const { bought } = account
    if (bought === null || bought.length === 0 || !this.#parked.park(account, bought)) return
    account.bought = null
    account.rows.clear()
  }

  #unpark(account: Account): void {
    // Notices a clock that was set back: what it bought before is not from a time to come.
    this.moment()
    account.bought = null
    const bought = this.#parked.take(account)
    if (bought) replay(account, bought)
  }

  /** The same, if the key was ever used; counts as no use. */
  findAccount(apiKey: string): Account | undefined {
    return this.#accounts.get(apiKey)
  }

  #dropUnanswered(): void {
    for (const account of this.#accounts.values()) if (!account.hasAnswers) return this.#drop(account)
  }

  #drop(account: Account): void {
    account.rows.drop()
    this.#parked.forget(account)
    this.#accounts.delete(account.apiKey)
    this.#capacity.size -= accountBytes
  }

  /** Evicts the rows and keys unused for longest, where more is kept than there is room for, until a quarter of the room is free. */
  makeRoom(): void {
    if (this.#capacity.size <= this.#capacity.most) return
    const lastUsedAt = this.#lastToEvict()
    for (const listener of this.#evictionListeners) listener(lastUsedAt)
    const aged = this.settings.clock() - longestStale
    for (const account of this.#accounts.values()) {
      const left = account.rows.evict(lastUsedAt, aged)
      if (left === 0 && account.usedAt <= lastUsedAt && account.inFlight.size === 0) this.#drop(account)
    }
  }

  /** The last moment whose rows and keys have to be evicted. */
  #lastToEvict(): number {
    const bytesAt = new Map<number, number>()
    const count = (moment: number, bytes: number) => bytesAt.set(moment, (bytesAt.get(moment) ?? 0) + bytes)
    for (const account of this.#accounts.values()) {
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
   * Reports each line of each request's bill as soon as it is made: for queries, subscriptions, and clients
   * that have left.
   */
  onLine(listener: (line: PlanEntry) => void): void {
    this.#listeners.push(listener)
  }

  /** Tells, before rows are evicted, at which moment the last of them was used. */
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

// Kept in its account alone. As a value of a WeakMap of the process, a request with all its rows would survive every minor collection.
interface CallInFlight {
  readonly answer: Promise<Answered>
  /** The request that is charged for the call. */
  readonly payer: Request
  /** Whether it reads rows by several of their keys. */
  readonly isKeyRead: boolean
  readonly operation: Operation
  readonly arguments: Arguments
}

interface RowInFlight {
  readonly row: Promise<void>
  /** Who is charged for the call that brings it. */
  readonly payer: Request
}

/** `RANDOMIZED`: the service says so. `MAY_BE_RANDOMIZED`: the key's plan is one for which the specification warns of it. */
export type DataQuality = 'RANDOMIZED' | 'MAY_BE_RANDOMIZED'

/** Everything known through one upstream key: rows, calls in flight, refusals. Accounts share nothing. */
export class Account {
  readonly upstream: Upstream
  readonly apiKey: string
  readonly rows: Rows
  /** Calls under way, by their canonical form. */
  readonly inFlight = new Map<string, CallInFlight>()
  /** Rows that a call under way will bring, by table and key. */
  readonly rowsInFlight = new Map<string, RowInFlight>()
  /** Operations that the key's plan does not allow. */
  readonly refusals: Refusals
  /** Decides how long rows are served. */
  readonly fresh: RowFreshness
  /** What gathers the asks of this turn, by loader. */
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
  /** When the service last said that it has randomized some values; -Infinity: never. */
  #randomizedAt = Number.NEGATIVE_INFINITY
  /** Whether what is put was bought before, so that what is known and newer stays. */
  isReplaying = false
  /** How fresh each thing is that is put, while that is asked. */
  puts: Put[] | null = null
  /** What is kept of the account beyond this process; undefined where nothing is. */
  readonly store: AccountStore | undefined
  /** The capacity's moment at which a request last came with the key. */
  usedAt = 0
  /** How often a request came with the key, as far as that is told. */
  visits = 0
  /** What the first request has bought; null once another came. */
  bought: Bought[] | null = []

  constructor(
    upstream: Upstream,
    apiKey: string,
    rows = new Rows(),
    refusals?: Refusals,
    estimates = new Estimates(),
  ) {
    this.upstream = upstream
    this.apiKey = apiKey
    this.rows = rows
    this.refusals = refusals?.copy() ?? new Refusals(upstream.settings.clock)
    this.fresh = new RowFreshness(upstream.freshFor)
    this.limiter = new ConcurrencyLimiter(upstream.settings.concurrency)
    this.estimates = estimates
    // Without a key nothing is ever bought.
    if (apiKey !== '') this.store = upstream.settings.answers?.open(apiKey, (bought) => this.#recall(bought))
  }

  /** Keeps here what was bought before this process, or beside it. */
  #recall(bought: readonly Bought[]): void {
    this.bought?.push(...bought)
    replay(this, bought)
  }

  /** The name that the ledger knows the key by, which changes once instances share a secret. */
  get #ledgerName(): string {
    const { ledgers } = this.upstream
    const { naming } = ledgers
    if (this.#named?.naming !== naming) this.#named = { naming, name: ledgers.nameOf(this.apiKey) }
    return this.#named.name
  }

  /** What the key has spent, and may spend, at this moment. */
  get ledger(): Ledger {
    return this.upstream.ledgers.of(this.#ledgerName)
  }

  /** Hears what other instances have spent with the key, where they share a ledger. */
  async refreshLedger(): Promise<void> {
    await this.upstream.ledgers.refresh(this.#ledgerName)
  }

  /** Sets tokens aside for a request; null where they do not fit the key's budget or the client's. */
  reserve(tokens: number, purpose: Purpose): Booked | null {
    return this.upstream.ledgers.reserve(this.#ledgerName, tokens, purpose)
  }

  /** Tokens that may still be spent for a client's requests; null for no bound. */
  remainingFor(client: string): number | null {
    return least(this.ledger.remaining, this.upstream.ledgers.remainingOfClient(client))
  }

  /** What tells the key apart in a log; null where there is no key. */
  get fingerprint(): string | null {
    return this.apiKey === '' ? null : fingerprintOf(this.#ledgerName)
  }

  /** Notes that an answer of a moment has randomized values. */
  noteRandomized(boughtAt: number): void {
    this.#randomizedAt = Math.max(this.#randomizedAt, boughtAt)
  }

  /** Whether rows may still be served that the service has randomized: a key that is upgraded gets others from then on. */
  get isRandomized(): boolean {
    const { settings, freshFor } = this.upstream
    return settings.clock() - this.#randomizedAt < longestFresh(freshFor) + freshFor.staleIfError
  }

  /**
   * How far the key's data can be trusted. A key that may not read in bulk is a trial's, as far as can be told: some of its data may be
   * randomized (specification §5).
   */
  get dataQuality(): DataQuality | null {
    if (this.isRandomized) return 'RANDOMIZED'
    return this.refusals.isAny ? 'MAY_BE_RANDOMIZED' : null
  }

  /** Counts what was learned after a moment as learned then: otherwise a clock that was a day ahead would keep live scores for a day. */
  setBack(moment: number): void {
    this.rows.setBack(moment, after(moment, this.fresh.freshFor.current))
    this.refusals.setBack(moment)
    this.#randomizedAt = Math.min(this.#randomizedAt, moment)
    this.fresh.seasons.setBack()
    this.bought = this.bought?.map((one) => asOf(one, moment)) ?? null
  }

  /** Keeps what was bought beyond this process, and until a second request comes. */
  keep(bought: Bought): void {
    this.store?.keep(bought)
    if (this.visits === 1) this.bought?.push(bought)
  }

  /** Notes that a request stays, as a subscription does. */
  stays(): void {
    this.visits += 1
    this.bought = null
  }

  countCall(): void {
    this.upstream.ledgers.countCall(this.#ledgerName)
  }

  /** What is known of a game, by any row. */
  game(key: string): GameState {
    return this.stateOf(this.rows.entry('game', key))
  }

  /** What is known of the game of an entry. */
  stateOf(entry: Entry): GameState {
    return (entry.game ??= new GameState(this.fresh.freshFor))
  }
}
