import { Allowance, noLimits } from '../money/allowance.ts'
import type { Limits } from '../money/allowance.ts'
import { CodedError } from '../errors/errors.ts'
import { NotRecordedError } from '../wire/not-recorded.ts'
import { keptSoFar } from '../rows/entry.ts'
import type { Entry } from '../rows/entry.ts'
import type { Aging, Moment } from '../rows/moment.ts'
import { ExpiredRows, mergedStale } from './expired-rows.ts'
import type { Stale } from './expired-rows.ts'
import type { FreshVersions } from '../rows/row-version.ts'
import { Touched } from '../rows/touched.ts'
import type { Account, DataQuality } from './account.ts'
import { BilledRequest } from './billed-request.ts'

/** Errors for which expired rows may be served instead. */
const outages = new Set(['UPSTREAM_TIMEOUT', 'UPSTREAM_UNAVAILABLE', 'UPSTREAM_ERROR', 'BUDGET_EXCEEDED'])

/** Pending prefetches of a request: a few for each of as many rows as one argument may name. */
const mostPrefetches = 10_000

/** The sender of a request, and its limits. */
export interface Caller {
  /** The name that the client gives itself. */
  readonly client: string
  readonly limits: Limits
  /** The maximum age of expired rows that it accepts, in milliseconds; null if it accepts none. */
  readonly maxAge?: number | null
}

/** Which rows a read accepts, though they have expired. */
export interface Accepted {
  /** Those bought after this time, in milliseconds since 1970. */
  readonly since: number
  /** The time for which freshness is judged, if not now; 0 accepts the last version of every row. */
  readonly at?: number
}

/** The connection that a request came on. */
interface Connection {
  readonly destroyed: boolean
}

/** The name of clients that give none. */
export const unknownClient = 'unknown'

/** The name of GraphQL operations that have none. */
export const unnamedOperation = 'anonymous'

const anyone: Caller = { client: unknownClient, limits: noLimits }

/**
 * One request of a client: the time for which freshness is judged, its bill, and its failures, so that no
 * failure is paid for twice.
 */
export class ClientRequest extends BilledRequest {
  readonly client: string
  /** The name of the GraphQL operation. */
  operation = unnamedOperation
  /** Null for a request that no connection ends. */
  connection: Connection | null = null
  /** What the request may still spend of its own limits. */
  readonly allowance: Allowance
  /** Batches for this request alone, by loader. */
  readonly loaders = new Map<object, unknown>()
  /** The maximum age of accepted expired rows, in milliseconds; null if none are accepted. */
  #maxAge: number | null
  #now = 0
  #moment: Moment = 0
  #began = 0
  #touched = new Touched()
  /** When the answer expires, though its parts may be fresh. */
  #until = Number.POSITIVE_INFINITY
  readonly #expired = new ExpiredRows()
  /** What else of the answer is stale, as another request found. */
  #noted: Stale | undefined
  #isMomentary = false
  readonly #failures = new Map<string, CodedError>()
  readonly #pending = new Map<string, Promise<void>>()
  /** Executions that have given way to others, and have more to ask. */
  executing = 0
  readonly #prefetches = new Set<Promise<void>>()
  /** What is reported in the answer already. */
  readonly #reported = new Set<object>()

  constructor(account: Account, { client, limits, maxAge = null }: Caller = anyone) {
    super(account)
    this.client = client
    this.#maxAge = maxAge
    this.allowance = new Allowance(limits)
    this.renew()
  }

  /** The name of the client's budget; null if it has none. */
  get budget(): string | null {
    return this.account.upstream.ledgers.budgetNameOf(this.client)
  }

  /** Whether its client is gone, so that nobody would get the answer. */
  get isClosed(): boolean {
    return this.connection?.destroyed === true
  }

  /** The time for which freshness is judged. */
  get now(): Moment {
    return this.#moment
  }

  /** The sender, without its limits. */
  get caller(): Caller {
    return { client: this.client, limits: noLimits, maxAge: this.#maxAge }
  }

  /** From the next `renew` on, only fresh rows are accepted. */
  insistOnFresh(): void {
    this.#maxAge = null
  }

  /** The count of changes (`keptSoFar`) when the request began. */
  get began(): number {
    return this.#began
  }

  /**
   * Starts again for a subscription's next read: at the current time, without failures. The bill goes on,
   * with only its latest lines. `accepts` replaces the age of rows that it accepts.
   */
  renew(accepts?: Accepted): void {
    if (this.#now > 0) this.account.stays()
    this.account.upstream.makeRoom()
    this.allowance.renew()
    this.dropOldLines()
    if (this.#touched.count > 0) this.#touched = new Touched()
    this.#until = Number.POSITIVE_INFINITY
    this.#expired.clear()
    this.#noted = undefined
    this.#now = this.account.upstream.moment()
    if (accepts) this.#moment = this.#lenient(accepts.since, accepts.at)
    else this.#moment = this.#maxAge === null ? this.#now : this.#lenient(this.#now - this.#maxAge)
    this.#began = keptSoFar()
    this.#failures.clear()
    this.#reported.clear()
  }

  /** A new request of the same client for the same operation. */
  another(): ClientRequest {
    const another = new ClientRequest(this.account, { client: this.client, limits: this.allowance.limits })
    another.operation = this.operation
    return another
  }

  /** Notes that the answer uses a row's columns, or one of its slots. */
  touch(entry: Entry, slot?: string): void {
    this.#touched.add(entry, slot)
  }

  /** The rows and slots that the answer uses. */
  get touched(): Touched {
    return this.#touched
  }

  /** Today in the league's time zone. Notes that the answer expires with this day. */
  today(): string {
    const { date, until } = this.account.upstream.days.at(this.#now)
    this.#until = until
    return date
  }

  /** Notes that the answer is valid for this moment only. */
  touchMoment(): void {
    this.#isMomentary = true
  }

  /**
   * Until when the answer is fresh, which is until its first part expires; null if it has no parts or is
   * valid for this moment only.
   */
  get freshUntil(): number | null {
    return this.fresh?.until ?? null
  }

  /** The same, with the number of fresh versions of its rows. */
  get fresh(): FreshVersions | null {
    const fresh = this.#isMomentary ? null : this.#touched.fresh(this.#now)
    return fresh && { ...fresh, until: Math.min(fresh.until, this.#until) }
  }

  /** The time for which expired rows are judged if they replace a failed call; null if they may not. */
  staleMoment(error: unknown): number | null {
    if (error instanceof NotRecordedError) return 0
    const { staleIfError } = this.account.fresh.freshFor
    const isOutage = error instanceof CodedError && outages.has(error.code)
    return isOutage && staleIfError > 0 ? this.#now - staleIfError : null
  }

  /** From now on, accepts rows that have expired since then. What has failed is not tried again. */
  acceptExpired(since: number): void {
    this.#moment = this.#lenient(since)
  }

  #lenient(since: number, at = this.#now): Moment {
    return {
      at,
      since,
      onExpired: (entry, boughtAt, part) => this.#expired.add(entry, boughtAt, part),
    }
  }

  /** Notes that the answer uses an expired row or slot, which was bought then, because a call failed. */
  noteStaleBecause(error: unknown, entry: Aging, boughtAt: number): void {
    // Nothing newer can come from a tape. But a later answer may take what a later call finds on it.
    if (error instanceof NotRecordedError) this.touchMoment()
    else this.#expired.addToAnswer(entry, boughtAt)
  }

  /** The number of expired rows in the answer and the age of the oldest; undefined if there are none. */
  get stale(): Stale | undefined {
    const own = this.#expired.at(this.#now)
    return this.#noted ? mergedStale(own, this.#noted) : own
  }

  /** Replaces what is known of expired rows in the answer: another request has read them. */
  noteStale(stale: Stale | undefined): void {
    this.#expired.clear()
    this.#noted = stale
  }

  /** What the answer has to say of its data. */
  get dataQuality(): DataQuality | null {
    return this.account.dataQuality(this.#expired.oldestAt(this.#now))
  }

  /** Calls `ask`, or joins the same pending ask of this request. */
  once(what: string, ask: () => Promise<void>): Promise<void> {
    const before = this.#pending.get(what)
    if (before) return before
    const asked = ask().finally(() => this.#pending.delete(what))
    this.#pending.set(what, asked)
    return asked
  }

  /** A pending ask of `once`; undefined if there is none. */
  pending(what: string): Promise<void> | undefined {
    return this.#pending.get(what)
  }

  /** Whether so many prefetches are pending that no further row should add its own. */
  get hasManyPrefetches(): boolean {
    return this.#prefetches.size >= mostPrefetches
  }

  /** Adds a prefetch. The answer may turn out not to need it. */
  notePrefetch(asked: Promise<unknown>): void {
    const come = asked.then(
      () => void this.#prefetches.delete(come),
      () => void this.#prefetches.delete(come),
    )
    this.#prefetches.add(come)
  }

  /** All pending prefetches, without which the bill is incomplete; undefined if there are none. */
  get prefetches(): Promise<unknown> | undefined {
    return this.#prefetches.size > 0 ? Promise.all(this.#prefetches) : undefined
  }

  failure(what: string): CodedError | undefined {
    return this.#failures.get(what)
  }

  fail(what: string, error: CodedError): void {
    this.#failures.set(what, error)
  }

  /** Notes something that an answer reports once. Returns whether it was not reported before. */
  reportOnce(what: object): boolean {
    const { size } = this.#reported
    return this.#reported.add(what).size > size
  }
}
