import type DataLoader from 'dataloader'
import type { Answered } from './call.ts'
import { Estimates } from './estimates.ts'
import { Lane } from './lane.ts'
import { Ledger } from './ledger.ts'
import type { PlanEntry, Request } from './request.ts'
import { Rows } from './rows.ts'
import { Stock } from './stock.ts'
import type { Transport } from './transport.ts'

export interface UpstreamSettings {
  readonly transport: Transport
  /** Tokens that may be spent in a calendar month; null for no bound. */
  readonly monthlyTokenBudget: number | null
  /** Time for a complete answer, tries and all, in milliseconds. */
  readonly timeoutMs: number
  /** Ids that one call may carry. */
  readonly batchSize: number
  /** Calls that may be under way at once for one key. */
  readonly concurrency: number
  /** Milliseconds since the epoch. */
  readonly clock: () => number
}

/** Keys whose rows are kept at once; who comes with ever new keys only pushes out others that nothing was ever answered to. */
const mostWorlds = 1_000

/** What an answer is still made of after it has aged, in milliseconds: a schedule, say, between its call and its games'. */
const longestStale = 10 * 60_000

/** The service as one process sees it: what all keys share. */
export class Upstream {
  readonly settings: UpstreamSettings
  readonly ledger: Ledger
  readonly estimates: Estimates
  /** Under a budget, the first call of each form while it is under way: its bill tells what the others are reserved at. */
  readonly firsts = new Map<string, Promise<unknown>>()
  readonly #worlds = new Map<string, World>()
  readonly #stock: Stock
  readonly #listeners: ((line: PlanEntry) => void)[] = []

  constructor(settings: UpstreamSettings, estimates = new Estimates(), stock = new Stock()) {
    this.settings = settings
    this.estimates = estimates
    this.#stock = stock
    this.ledger = new Ledger(settings.monthlyTokenBudget, settings.clock)
  }

  /** All that was paid for with a key, and nothing that another key paid for. */
  worldOf(apiKey: string): World {
    const world = this.#worlds.get(apiKey) ?? new World(this, apiKey, new Rows(this.#stock))
    // Set again, the key is the last in the map's order, and the one unused for longest is the first.
    this.#worlds.delete(apiKey)
    this.#worlds.set(apiKey, world)
    if (this.#worlds.size > mostWorlds) this.#worlds.delete(this.#leastMissed(world).apiKey)
    this.#stock.moment += 1
    if (this.#stock.size > this.#stock.most) this.#clear()
    return world
  }

  /** The world unused for longest among those that hold nothing, else among all, but for the newest. */
  #leastMissed(newest: World): World {
    const [oldest = newest] = this.#worlds.values()
    for (const world of this.#worlds.values()) if (!world.hasAnswers && world !== newest) return world
    return oldest
  }

  /** Lets go of the quarter of all rows that is unused for longest, and of what has aged since long. */
  #clear(): void {
    const all = [...this.#worlds.values()].map(({ rows }) => rows)
    const uses = new Float64Array(all.flatMap((rows) => [...rows.uses()])).toSorted()
    const lastUsedAt = uses[Math.floor(uses.length / 4)] ?? 0
    const aged = this.settings.clock() - longestStale
    this.#stock.size = all.reduce((size, rows) => size + rows.clear(lastUsedAt, aged), 0)
  }

  /** Tells of every line of every request's bill, in the moment in which it is made: of a query, a subscription, or a client that has gone. */
  onLine(listener: (line: PlanEntry) => void): void {
    this.#listeners.push(listener)
  }

  tell(line: PlanEntry): void {
    for (const listener of this.#listeners) listener(line)
  }

  async close(): Promise<void> {
    await this.settings.transport.close?.()
  }
}

interface RowInFlight {
  readonly row: Promise<void>
  /** Who is charged for the call that brings it. */
  readonly payer: Request
}

/** Everything known through one upstream key: rows, calls in flight, refusals. Keys are kept apart by being in worlds apart. */
export class World {
  readonly upstream: Upstream
  readonly apiKey: string
  readonly rows: Rows
  /** Calls under way, by their canonical form. */
  readonly inFlight = new Map<string, Promise<Answered>>()
  /** Rows that a call under way will bring, by table and key. */
  readonly rowsInFlight = new Map<string, RowInFlight>()
  /** Operations that the key's plan does not allow. */
  readonly refusals: Set<string>
  readonly loaders = new Map<object, DataLoader<unknown, void>>()
  readonly lane: Lane
  /** Whether the service has ever answered the key. */
  hasAnswers = false

  constructor(upstream: Upstream, apiKey: string, rows = new Rows(), refusals: Iterable<string> = []) {
    this.upstream = upstream
    this.apiKey = apiKey
    this.rows = rows
    this.refusals = new Set(refusals)
    this.lane = new Lane(upstream.settings.concurrency)
  }
}
