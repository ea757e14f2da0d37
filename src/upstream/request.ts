import { Allowance, noLimits } from '../money/allowance.ts'
import type { Limits } from '../money/allowance.ts'
import { CodedError } from './errors.ts'
import { keptSoFar } from './entry.ts'
import type { Entry } from './entry.ts'
import type { Aging, Moment } from '../rows/moment.ts'
import { Touched } from './touched.ts'
import type { Account } from './account.ts'

/** The source of an answer: the service, known rows, or another request's call in flight. */
export type Origin = 'UPSTREAM' | 'MEMORY' | 'REDIS' | 'SHARED'

/** One line of a request's bill, as `extensions.plan` shows it. */
export interface PlanEntry {
  readonly operation: string
  /** The names of its arguments. */
  readonly arguments: readonly string[]
  /** How many ids it collapsed; 1 where it takes none. */
  readonly ids: number
  readonly bytes: number
  readonly tokens: number
  readonly ms: number
  /** When it began, in milliseconds after the request did. */
  readonly at: number
  readonly source: Origin
  /** Whether the service did not say what it billed, so that the tokens are reckoned from the bytes. */
  readonly estimated?: true
  /** The field that made it necessary. */
  readonly field: string
}

export interface Usage {
  readonly tokens: number
  readonly bytes: number
  readonly calls: number
  readonly cacheHits: number
  /** Whether any of the tokens are reckoned from bytes, because the service did not say what it billed. */
  readonly estimated?: true
}

const nothing = { tokens: 0, bytes: 0, calls: 0, cacheHits: 0 }

const sum = (a: Usage, b: Usage): Usage => ({
  tokens: a.tokens + b.tokens,
  bytes: a.bytes + b.bytes,
  calls: a.calls + b.calls,
  cacheHits: a.cacheHits + b.cacheHits,
  ...((a.estimated || b.estimated) && { estimated: true }),
})

const costOf = ({ source, tokens, bytes, estimated }: PlanEntry): Usage => {
  const [calls, cacheHits] = source === 'UPSTREAM' ? [1, 0] : [0, 1]
  return { tokens, bytes, calls, cacheHits, ...(estimated && { estimated }) }
}

/** Plan lines kept between events. */
const mostLines = 1_000

/** A line that counts how often rows were at hand. */
type Hit = Omit<PlanEntry, 'ids'> & { ids: number }

/** Failures during which expired rows are better than none. */
const outages = new Set(['UPSTREAM_TIMEOUT', 'UPSTREAM_UNAVAILABLE', 'UPSTREAM_ERROR', 'BUDGET_EXCEEDED'])

/** Who sends a request, and what it may cost. */
export interface Caller {
  /** The name that the client gives itself. */
  readonly client: string
  readonly limits: Limits
  /** How old an expired row may be that it accepts, in milliseconds; null where it accepts none. */
  readonly maxAge?: number | null
}

/** An expired row, or a slot of one, that was used. */
interface Expired {
  readonly entry: Aging
  readonly boughtAt: number
  readonly slot: string | undefined
}

/** The name of clients that give none. */
export const unknownClient = 'unknown'

/** The name of GraphQL operations that have none. */
export const unnamedOperation = 'anonymous'

const anyone: Caller = { client: unknownClient, limits: noLimits }

/**
 * One client's request: the moment at which freshness is judged, what it was charged, and what failed, so that no failure is paid for
 * twice in one request.
 */
export class Request {
  readonly account: Account
  readonly client: string
  /** The name of the GraphQL operation. */
  operation = unnamedOperation
  /** What the request may still spend of its own limits. */
  readonly allowance: Allowance
  /** Loaders of what has to be called for this request alone. */
  readonly loaders = new Map<object, unknown>()
  readonly plan: PlanEntry[] = []
  /** How old an expired row may be that is accepted, in milliseconds; null where none is. */
  #maxAge: number | null
  #now = 0
  #moment: Moment = 0
  #began = 0
  readonly #started = performance.now()
  #touched = new Touched()
  readonly #expired: Expired[] = []
  #isMomentary = false
  /** Tokens by operation of the service, and the requests that its calls took, retries included. */
  readonly tokensByOperation: Record<string, number> = {}
  attempts = 0
  #taken: Usage = nothing
  #usage: Usage = nothing
  readonly #failures = new Map<string, CodedError>()
  readonly #hits = new Map<string, Hit>()
  readonly #underway = new Map<string, Promise<void>>()
  /** What each loader is loading for the request. */
  readonly underway = new Map<object, unknown>()
  readonly #prefetches = new Set<Promise<void>>()

  constructor(account: Account, { client, limits, maxAge = null }: Caller = anyone) {
    this.account = account
    this.client = client
    this.#maxAge = maxAge
    this.allowance = new Allowance(limits)
    this.renew()
  }

  /** The moment at which freshness is judged. */
  get now(): Moment {
    return this.#moment
  }

  /** Who sends it, and which rows it accepts; without its limits. */
  get caller(): Caller {
    return { client: this.client, limits: noLimits, maxAge: this.#maxAge }
  }

  /** From its next moment on, only fresh rows are accepted. */
  insistOnFresh(): void {
    this.#maxAge = null
  }

  /** What had been kept when the request began. */
  get began(): number {
    return this.#began
  }

  /** Begins anew, as each look of a subscription does: at the present moment, with no failures. The bill goes on, its oldest lines summed up. */
  renew(): void {
    if (this.#now > 0) this.account.stays()
    this.account.upstream.makeRoom()
    this.allowance.renew()
    this.plan.splice(0, this.plan.length - mostLines)
    if (this.#touched.count > 0) this.#touched = new Touched()
    this.#expired.length = 0
    this.#now = this.account.upstream.moment()
    this.#moment = this.#maxAge === null ? this.#now : this.#lenient(this.#now - this.#maxAge)
    this.#began = keptSoFar()
    this.#failures.clear()
  }

  /** The bill since it was last taken. */
  takeUsage(): Usage {
    const { usage } = this
    this.#taken = sum(this.#taken, usage)
    this.#usage = nothing
    this.plan.length = 0
    this.#hits.clear()
    return usage
  }

  /** Milliseconds from the request's beginning to that of something that took `ms` and has just ended. */
  #since(ms: number): number {
    return Math.max(0, Math.round((performance.now() - this.#started - ms) * 100) / 100)
  }

  /** Adds a line. */
  record(told: Omit<PlanEntry, 'at'>): void {
    this.#add({ ...told, at: this.#since(told.ms) })
  }

  #add(line: PlanEntry): void {
    this.#book(line)
    this.account.upstream.tell(line)
  }

  #book(line: PlanEntry): void {
    this.plan.push(line)
    this.#usage = sum(this.#usage, costOf(line))
    if (line.source === 'UPSTREAM')
      this.tokensByOperation[line.operation] = (this.tokensByOperation[line.operation] ?? 0) + line.tokens
  }

  /** A request of the same client for the same operation, that begins now. */
  another(): Request {
    const another = new Request(this.account, { client: this.client, limits: this.allowance.limits })
    another.operation = this.operation
    return another
  }

  /** Takes over the bill of another request, which has been told already. */
  takeOver({ plan, attempts }: Request): void {
    for (const line of plan) this.#book({ ...line, at: this.#since(line.ms) })
    this.attempts += attempts
  }

  /**
   * Notes that rows were at hand, or another instance has brought them, which this operation would have been called for: one line for
   * each operation and field.
   */
  hit(
    operation: string,
    names: readonly string[],
    field: string,
    ids = 1,
    source: 'MEMORY' | 'REDIS' = 'MEMORY',
  ): void {
    const what = `${source} ${operation} ${field}`
    const before = this.#hits.get(what)
    if (before) {
      before.ids += ids
      return
    }
    const line = {
      operation,
      arguments: names,
      ids,
      bytes: 0,
      tokens: 0,
      ms: 0,
      source,
      field,
    } as const
    const entry: Hit = { ...line, at: this.#since(0) }
    this.#hits.set(what, entry)
    this.#add(entry)
  }

  /** Notes that another request's call in flight will bring these rows. */
  share(operation: string, names: readonly string[], ids: number, field: string): void {
    this.record({ operation, arguments: names, ids, bytes: 0, tokens: 0, ms: 0, source: 'SHARED', field })
  }

  /** Notes that the answer is made of a row's columns, or of one of its slots, among others. */
  touch(entry: Entry, slot?: string): void {
    this.#touched.add(entry, slot)
  }

  /** What the answer is made of. */
  get touched(): Touched {
    return this.#touched
  }

  /** Notes that the answer is of this moment alone. */
  touchMoment(): void {
    this.#isMomentary = true
  }

  /** Until when the answer holds: the shortest of what it is made of; null where that is nothing, or of this moment alone. */
  get freshUntil(): number | null {
    return this.#isMomentary ? null : this.#touched.freshUntil(this.#now)
  }

  /** The moment at which expired rows are judged that may stand in for what failed; null where none may. */
  staleMoment(error: unknown): number | null {
    const { staleIfError } = this.account.fresh.freshFor
    const isOutage = error instanceof CodedError && outages.has(error.code)
    return isOutage && staleIfError > 0 ? this.#now - staleIfError : null
  }

  #lenient(since: number): Moment {
    return {
      at: this.#now,
      since,
      onExpired: (entry, boughtAt, slot) => this.noteStale(entry, boughtAt, slot),
    }
  }

  /** Notes that the answer has an expired row, or a slot of one. */
  noteStale(entry: Aging, boughtAt: number, slot?: string): void {
    this.#expired.push({ entry, boughtAt, slot })
  }

  /** How many expired rows the answer has, and the age of the oldest; undefined where it has none. */
  get stale(): { readonly rows: number; readonly seconds: number } | undefined {
    if (this.#expired.length === 0) return undefined
    // What was looked at and bought again after all is fresh.
    const left = this.#expired.filter(
      ({ entry, slot }) => (slot === undefined ? entry.boughtAt : entry.slotBoughtAt(slot)) < this.#now,
    )
    if (left.length === 0) return undefined
    const oldest = Math.min(...left.map(({ boughtAt }) => boughtAt))
    const rows = new Set(left.map(({ entry }) => entry)).size
    return { rows, seconds: Math.floor((this.#now - Math.floor(oldest)) / 1000) }
  }

  /** Asks, or joins the same ask of this request that is under way: what was asked for ahead is not asked for again. */
  once(what: string, ask: () => Promise<void>): Promise<void> {
    const before = this.#underway.get(what)
    if (before) return before
    const asked = ask().finally(() => this.#underway.delete(what))
    this.#underway.set(what, asked)
    return asked
  }

  /** Notes that something was asked for ahead, which the answer may turn out not to need. */
  notePrefetch(asked: Promise<unknown>): void {
    const come = asked.then(
      () => void this.#prefetches.delete(come),
      () => void this.#prefetches.delete(come),
    )
    this.#prefetches.add(come)
  }

  /** All that was asked for ahead and has not come yet, without which the bill is not whole; undefined where there is nothing. */
  get prefetches(): Promise<unknown> | undefined {
    return this.#prefetches.size > 0 ? Promise.all(this.#prefetches) : undefined
  }

  failure(what: string): CodedError | undefined {
    return this.#failures.get(what)
  }

  fail(what: string, error: CodedError): void {
    this.#failures.set(what, error)
  }

  /** The bill, of what was not yet taken. */
  get usage(): Usage {
    return this.#usage
  }

  /** The whole bill, taken or not. */
  get spent(): Usage {
    return sum(this.#taken, this.usage)
  }
}
