import type { Purpose } from '../money/purpose.ts'
import type { Capabilities } from '../capabilities/capabilities.ts'
import type { Inspector } from '../capabilities/inspect.ts'
import type { Ledger } from '../money/ledger.ts'
import type { Ledgers } from '../money/ledgers.ts'
import type { Booked, Refusal } from '../money/booked.ts'
import type { Prepaid } from '../money/prepaid.ts'
import { fingerprintOf } from '../money/key-hash.ts'
import type { AccountStore, Bought, BoughtTrial, Position } from './answer-store.ts'
import type { Answered } from '../wire/answer.ts'
import { rowSlot } from './fill.ts'
import type { Brought } from './fill.ts'
import { listedName } from '../specification/operations.ts'
import { several } from '../specification/operation.ts'
import type { Arguments, Operation } from '../specification/operation.ts'
import { keyOf } from '../specification/tables.ts'
import type { TableName } from '../specification/tables.ts'
import { after, longestFresh } from '../rows/freshness.ts'
import type { FreshFor } from '../rows/freshness.ts'
import { GameState } from '../rows/game-state.ts'
import { Refusals } from '../rows/refusals.ts'
import { RowFreshness } from '../rows/row-freshness.ts'
import type { Put } from '../rows/slot.ts'
import type { Entry } from '../rows/entry.ts'
import { Estimates } from './estimates.ts'
import { ConcurrencyLimiter } from '../wire/concurrency-limiter.ts'
import type { DryWork } from './dry-work.ts'
import { asOf } from './parked.ts'
import type { Prepayment, UsualCosts } from './prepayment.ts'
import type { PlanEntry } from './plan-entry.ts'
import type { ServiceHealth } from '../wire/service-health.ts'
import type { UpstreamSettings } from './settings.ts'
import { Rows } from '../rows/rows.ts'
import type { LeagueDays } from '../rows/league-days.ts'
import { TrialSigns } from './trial-signs.ts'
import type { Waiters } from '../wire/waiters.ts'

/** What all accounts share about the service. */
export interface SharedByAccounts {
  readonly settings: UpstreamSettings
  readonly freshFor: FreshFor
  readonly ledgers: Ledgers
  /** What ends each pause before another try of a call. */
  readonly pauses: Set<() => void>
  readonly health: ServiceHealth
  readonly capabilities: Capabilities
  readonly inspector: Inspector
  readonly usualCosts: UsualCosts
  readonly days: LeagueDays
  /** Today in the league's time zone, `YYYY-MM-DD`. */
  readonly today: string
  /** The time in milliseconds. Each is later than the one before. */
  moment(): number
  /** Reports a line of a request's bill. */
  tell(line: PlanEntry): void
  /** Evicts what is unused for longest, if more is stored than there is room for. */
  makeRoom(): void
  /** Stores answers that were bought before. Newer rows stay. */
  restore(account: Account, bought: readonly Bought[]): void
  /** Ends a request of an account. */
  leave(account: Account): void
}

const least = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : Math.min(a, b))

// Stored in the account. In a global WeakMap, a request with all its rows would survive every minor garbage
// collection.
export interface CallInFlight {
  readonly answer: Promise<Answered>
  /** The request that is charged for the call. */
  readonly payer: object
  readonly waiters: Waiters
  /** Whether it reads rows by several keys. */
  readonly isKeyRead: boolean
  readonly operation: Operation
  readonly arguments: Arguments
  /** The slots that it will fill. */
  readonly brings: readonly Brought[]
}

/** `RANDOMIZED`: the service says so. `MAY_BE_RANDOMIZED`: the specification says so of the key's plan. */
export type DataQuality = 'RANDOMIZED' | 'MAY_BE_RANDOMIZED'

/** Maximum sets of client budgets that batches are kept apart for. More begin anew. */
const mostExclusions = 100

/** What an account begins with, beside its rows. */
interface AccountStart {
  readonly refusals?: Refusals
  readonly estimates?: Estimates | undefined
  /** Set if all its answers are about to be replayed, so that only what others add has to be read. */
  readonly known?: { readonly position: Position } | undefined
  /** The account that a dry run is made of. */
  readonly dryRunOf?: Account
  /** The work of the dry run, if it may be stopped. */
  readonly work?: DryWork | undefined
}

/** Everything known through one upstream key: rows, calls in flight, refusals. Accounts share nothing. */
export class Account {
  readonly upstream: SharedByAccounts
  readonly apiKey: string
  readonly rows: Rows
  /** Pending calls, by their canonical form. */
  readonly inFlight = new Map<string, CallInFlight>()
  /** Pending calls by the names of the slots that they will fill, and by their rows: a call fills one slot of hundreds. */
  readonly #callsBySlot = new Map<string, Map<Entry, CallInFlight>>()
  /** In a dry run the real account, whose pending calls a real run would share. */
  readonly dryRunOf: Account | null
  /** The work of a dry run that may be stopped. */
  readonly work: DryWork | null
  /** By name, what other instances may be buying of what others look for, until it has come. */
  readonly shared = new Map<string, Promise<unknown>>()
  /** Operations that the key's plan does not allow. */
  readonly refusals: Refusals
  /** Decides how long rows are served. */
  readonly fresh: RowFreshness
  /** The batches of this turn, by loader. */
  readonly loaders = new Map<object, unknown>()
  /** The batches of this turn without some client budgets, by loader; null until they are needed. */
  #loadersWithout: Map<string, Map<object, unknown>> | null = null
  readonly limiter: ConcurrencyLimiter
  /** Sizes and prices of the answers to this key. */
  readonly estimates: Estimates
  #named: { readonly naming: number; readonly name: string } | null = null
  /** Set while calls are planned that draw on it. */
  prepayment: Prepayment | null = null
  /** Whether the service has ever answered the key. */
  hasAnswers = false
  /** Whether the service refused the key when it was last called. */
  isRefused = false
  /** Whether the key's token limit at the service was reached when it was last called. */
  isSpent = false
  /** When the last answer with randomized values was bought; -Infinity if none was. */
  #randomizedAt = Number.NEGATIVE_INFINITY
  /** What refusals tell of the key's plan. */
  readonly trialSigns = new TrialSigns()
  /** Whether all answers of a tape are stored. */
  hasRecalledTape = false
  /** Whether rows being stored are old, so that newer ones stay. */
  isRestoring = false
  /** If set, collects the freshness of everything that is stored. */
  puts: Put[] | null = null
  /** What is stored of the account beyond this process; undefined if nothing is. */
  readonly store: AccountStore | undefined
  /** The capacity's count when a request last used the key. */
  usedAt = 0
  /** The values of `usedAt` when pending calls in several parts began. */
  readonly #heldSince: number[] = []
  /** The number of requests with the key. Only none, one and several are distinguished. */
  visits = 0
  /** The answers of the first request; null after the second has come. */
  bought: Bought[] | null = []

  constructor(upstream: SharedByAccounts, apiKey: string, rows = new Rows(), start: AccountStart = {}) {
    this.upstream = upstream
    this.apiKey = apiKey
    this.rows = rows
    this.dryRunOf = start.dryRunOf ?? null
    this.work = start.work ?? null
    this.refusals = start.refusals?.copy() ?? new Refusals(upstream.settings.clock)
    this.fresh = new RowFreshness(upstream.freshFor)
    this.limiter = new ConcurrencyLimiter(upstream.settings.concurrency)
    this.estimates = start.estimates ?? new Estimates()
    // Without a key nothing can be bought.
    if (apiKey === '') return
    // Takes over answers that an earlier process or another instance bought.
    const recall = (bought: readonly Bought[]) => {
      this.bought?.push(...bought)
      upstream.restore(this, bought)
    }
    this.store = upstream.settings.answers?.open(apiKey, recall, start.known)
    if (this.store?.hasMore) this.rows.isPartial = true
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

  /** Reserves tokens for a request, unless they exceed the key's budget or a client's. */
  reserve(tokens: number, purpose: Purpose): Booked | Refusal {
    return (
      this.prepayment?.draw(tokens, purpose) ??
      this.upstream.ledgers.reserve(this.#ledgerName, tokens, purpose)
    )
  }

  /** Reserves tokens for calls that are not planned yet; null if that saves no round trip. */
  prepay(tokens: number, purpose: Purpose): Promise<Prepaid | null> | null {
    return this.upstream.ledgers.prepay(this.#ledgerName, tokens, purpose)
  }

  /** Writes the bills early if no call is pending any more. See `Books.writeEarly`. */
  writeBillsEarly(): Promise<void> | undefined {
    return this.upstream.ledgers.books.writeEarly(this.#ledgerName)
  }

  /** Tokens that a client's requests may still spend; null for no limit. */
  remainingFor(client: string): number | null {
    return least(this.ledger.remaining, this.upstream.ledgers.remainingOfClient(client))
  }

  /** The batches of this turn for requests that are not of these client budgets, by loader. */
  loadersWithout(budgets: readonly string[]): Map<object, unknown> {
    if (!this.#loadersWithout || this.#loadersWithout.size > mostExclusions) this.#loadersWithout = new Map()
    const name = budgets.toSorted().join('\n')
    let loaders = this.#loadersWithout.get(name)
    if (!loaders) this.#loadersWithout.set(name, (loaders = new Map()))
    return loaders
  }

  /** The key's fingerprint for logs; null without a key. */
  get fingerprint(): string | null {
    return this.apiKey === '' ? null : fingerprintOf(this.#ledgerName)
  }

  /** Notes that an answer bought at that time has randomized values. */
  noteRandomized(boughtAt: number): void {
    this.#randomizedAt = Math.max(this.#randomizedAt, boughtAt)
  }

  /** Notes that the service refused a bulk read. */
  noteRefused(operation: string, refusedAt: number): void {
    this.refusals.add(operation, refusedAt)
    this.trialSigns.noteRefused(refusedAt)
  }

  /** Takes over what was stored of the key's plan. */
  noteTrial({ boughtAt, refusedAt, isOver }: BoughtTrial): void {
    this.trialSigns.noteRefused(Math.min(refusedAt, boughtAt))
    if (isOver) this.trialSigns.noteAllowed(boughtAt)
  }

  /**
   * What an answer has to say of its data. After an upgrade, the service sends real values, but rows that were
   * bought before may still be served. `oldest` is when the oldest expired row of the answer was bought. A key
   * that may not read in bulk is assumed to be a trial key, and some of its data may be randomized
   * (specification §5).
   */
  dataQuality(oldest = Number.POSITIVE_INFINITY): DataQuality | null {
    const { settings, freshFor } = this.upstream
    const since = Math.min(oldest, settings.clock() - longestFresh(freshFor) - freshFor.staleIfError)
    if (this.#randomizedAt >= since) return 'RANDOMIZED'
    return this.trialSigns.suspectUntil >= since ? 'MAY_BE_RANDOMIZED' : null
  }

  /**
   * Corrects times after `moment`. Otherwise a clock that was a day ahead would keep live scores for a day.
   */
  setBack(moment: number): void {
    this.rows.setBack(moment, after(moment, this.fresh.freshFor.current))
    this.refusals.setBack(moment)
    this.trialSigns.setBack(moment)
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

  /** Notes a pending call, until `endCall`. */
  beginCall(form: string, begun: Omit<CallInFlight, 'brings'>): void {
    const brings = this.#broughtBy(begun)
    const call = { ...begun, brings }
    this.inFlight.set(form, call)
    for (const [owner, slot] of brings) {
      const calls = this.#callsBySlot.get(slot.name)
      if (!calls) this.#callsBySlot.set(slot.name, new Map([[owner, call]]))
      else if (!calls.has(owner)) calls.set(owner, call)
    }
  }

  endCall(form: string): void {
    const call = this.inFlight.get(form)
    this.inFlight.delete(form)
    if (!call) return
    for (const [owner, slot] of call.brings) {
      const calls = this.#callsBySlot.get(slot.name)
      if (calls?.get(owner) !== call) continue
      calls.delete(owner)
      if (calls.size === 0) this.#callsBySlot.delete(slot.name)
    }
  }

  #broughtBy({ operation, arguments: values }: Omit<CallInFlight, 'brings'>): readonly Brought[] {
    const brought =
      this.upstream.settings.fills[listedName(operation)]?.brings?.(this, values, operation) ?? []
    const { yields, byKey } = operation
    if (!byKey || yields === 'search') return brought
    const rows = several(values[keyOf(yields)] ?? []).map((key) => this.rows.entry(yields, String(key)))
    return [...brought, ...rows.map((row): Brought => [row, rowSlot])]
  }

  /** Whether a call is pending of which is known what it will fill. */
  get hasCallsInFlight(): boolean {
    return this.#callsBySlot.size > 0
  }

  /** The pending call that will fill a slot of a row; undefined if there is none. */
  callFor(owner: Entry, slot: string): CallInFlight | undefined {
    return this.#callsBySlot.get(slot)?.get(owner)
  }

  /** Whether a pending call will bring a row. In a dry run, also one of the real account. */
  isInFlight(table: TableName, key: string): boolean {
    const row = this.rows.find(table, key)
    const isPending = row !== undefined && this.callFor(row, rowSlot.name) !== undefined
    return isPending || this.dryRunOf?.isInFlight(table, key) === true
  }

  /**
   * Runs `act` now; in a dry run when all calls under way are answered. It makes up answers in several turns of
   * the event loop, and what follows from them goes in the same calls nevertheless.
   */
  whenAnswered(act: () => void): void {
    if (this.dryRunOf) this.limiter.whenIdle(act)
    else act()
  }

  /** Rows that come while `calls` are pending are not evicted before all of them have come. */
  async holding<T>(calls: () => Promise<T>): Promise<T> {
    const since = this.usedAt
    this.#heldSince.push(since)
    try {
      return await calls()
    } finally {
      this.#heldSince.splice(this.#heldSince.indexOf(since), 1)
    }
  }

  /** Evicts rows, but none that a pending call in several parts has brought. Returns the number of rows left. */
  evict(lastUsedAt: number, aged: number): number {
    return this.rows.evict(Math.min(lastUsedAt, ...this.#heldSince.map((since) => since - 1)), aged)
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
