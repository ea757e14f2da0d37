import type { Account } from './account.ts'
import { rounded } from '../money/rounded.ts'
import { costOf, noUsage, sumOf } from './plan-entry.ts'
import type { PlanEntry, Usage } from './plan-entry.ts'

/** Maximum plan lines kept between events. */
const mostLines = 1_000

/** A line that counts cache hits. */
type Hit = Omit<PlanEntry, 'ids'> & { ids: number }

const withoutNoise = (usage: Usage): Usage =>
  Number.isInteger(usage.tokens) ? usage : { ...usage, tokens: rounded(usage.tokens) }

/** The bill of a request: its lines and their sums. */
export class BilledRequest {
  readonly account: Account
  readonly plan: PlanEntry[] = []
  /** Tokens by the service's operation, and the number of requests to the service, retries included. */
  readonly tokensByOperation: Record<string, number> = {}
  attempts = 0
  readonly #started = performance.now()
  #taken: Usage = noUsage
  #usage: Usage = noUsage
  readonly #hits = new Map<string, Hit>()

  constructor(account: Account) {
    this.account = account
  }

  /** The bill since `takeUsage` was last called. */
  get usage(): Usage {
    return withoutNoise(this.#usage)
  }

  /** The whole bill. */
  get spent(): Usage {
    return withoutNoise(sumOf(this.#taken, this.#usage))
  }

  /** Returns the bill since the last call, and resets it. */
  takeUsage(): Usage {
    const { usage } = this
    this.#taken = sumOf(this.#taken, this.#usage)
    this.#usage = noUsage
    this.plan.length = 0
    this.#hits.clear()
    return usage
  }

  /** Drops all lines but the latest. Their sums stay. */
  protected dropOldLines(): void {
    this.plan.splice(0, this.plan.length - mostLines)
  }

  /** Adds a line to the bill. */
  record(entry: Omit<PlanEntry, 'at'>): void {
    this.#add({ at: this.#since(entry.ms), ...entry })
  }

  /** Adds another request's bill, whose lines were already reported. */
  takeOver({ plan, attempts }: BilledRequest): void {
    for (const line of plan) this.#book({ ...line, at: this.#since(line.ms) })
    this.attempts += attempts
  }

  /**
   * Counts a cache hit: rows were known, or another instance has brought them. There is one line for each
   * operation and field.
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
    const entry: Hit = {
      operation,
      arguments: names,
      ids,
      bytes: 0,
      tokens: 0,
      ms: 0,
      at: this.#since(0),
      source,
      field,
    }
    this.#hits.set(what, entry)
    this.#add(entry)
  }

  /** Counts a cache hit: another request's pending call will bring these rows. */
  share(operation: string, names: readonly string[], ids: number, field: string): void {
    this.record({ operation, arguments: names, ids, bytes: 0, tokens: 0, ms: 0, source: 'SHARED', field })
  }

  /** Milliseconds from the request's start to the start of something that took `ms` and has just ended. */
  #since(ms: number): number {
    return Math.max(0, Math.round((performance.now() - this.#started - ms) * 100) / 100)
  }

  #add(line: PlanEntry): void {
    this.#book(line)
    this.account.upstream.tell(line)
  }

  #book(line: PlanEntry): void {
    this.plan.push(line)
    this.#usage = sumOf(this.#usage, costOf(line))
    if (line.source === 'UPSTREAM')
      this.tokensByOperation[line.operation] = (this.tokensByOperation[line.operation] ?? 0) + line.tokens
  }
}
