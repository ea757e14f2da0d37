import DataLoader from 'dataloader'
import { nameOf } from '../specification/operation.ts'
import type { TableName } from '../specification/tables.ts'
import {
  AccessDeniedError,
  ClientBudgetExceededError,
  ClosedError,
  CodedError,
  QueryTooExpensiveError,
  UpstreamError,
} from '../errors/errors.ts'
import { Prepayment } from '../account/prepayment.ts'
import type { ClientRequest } from '../account/client-request.ts'
import type { Account } from '../account/account.ts'
import type { Ask, Branch, Calls, Plan, Wanted } from './ask.ts'
import { joinCalls, joined } from './calls-in-flight.ts'
import { handled } from './maybe-promise.ts'
import type { MaybePromise } from './maybe-promise.ts'
import { notePending, pendingOf } from './pending-asks.ts'
import type { Picks } from './pending-asks.ts'
import { planShared } from './shared-plan.ts'
import { atTurnsEnd, sendAtTurnsEnd } from './turn.ts'

/** A cheap question whose answer may make an expired value valid again. */
export interface Revalidation<W> {
  /** Whether the answer is not known. */
  is(wanted: W, request: ClientRequest): boolean
  ask(wanted: W, request: ClientRequest, field: string): Promise<unknown>
}

/** What a loader may have besides its plan. */
interface Further<W> {
  readonly revalidation?: Revalidation<W> | undefined
  /** Whether others look for its pending asks with `pending`. */
  readonly isAwaited?: boolean
  /** The table whose whole rows its calls bring, if its values are their keys. */
  readonly rows?: TableName
}

/** A pending ask: its index among those that were sent together. */
interface InFlight<V> {
  readonly branches: Promise<readonly Branch<V>[]>
  readonly index: number
}

/**
 * Collects the asks of one turn of the event loop, from all fields, depths and clients, and answers them with
 * the fewest calls. No ask waits for a call that it does not need.
 */
export class Loader<W extends Wanted, V> {
  readonly name: string
  readonly revalidation: Revalidation<W> | undefined
  readonly rows: TableName | undefined
  readonly #plan: Plan<W>
  readonly #isAwaited: boolean

  constructor(name: string, plan: Plan<W>, further: Further<W> = {}) {
    this.name = name
    this.#plan = plan
    this.revalidation = further.revalidation
    this.rows = further.rows
    this.#isAwaited = further.isAwaited ?? false
  }

  /** Loads one thing. Throws a CodedError. */
  async load(ask: Ask<W, V>): Promise<V | null> {
    const [branch] = await this.loadMany([ask])
    const values = (await branch?.values) ?? []
    return values[0] ?? null
  }

  /** Loads values for several parents of one field. */
  async loadMany(asks: readonly Ask<W, V>[]): Promise<readonly Branch<V>[]> {
    const branches: Branch<V>[] = []
    const missing: number[] = []
    asks.forEach((ask, index) => {
      const values = this.#before(ask)
      if (values) branches.push({ indices: [index], values })
      else missing.push(index)
    })
    const asked = missing.flatMap((index) => asks[index] ?? [])
    const sent = this.#send(asked)
    asked.forEach(({ request, joins }, index) => {
      if (joins !== undefined) this.#inFlight(request).set(joins, { branches: sent, index })
    })
    for (const { indices, values } of await sent)
      branches.push({ indices: indices.map((index) => missing[index] ?? index), values })
    return branches
  }

  /** Remembers a failure, so that this request does not ask again. */
  fail(request: ClientRequest, what: string, error: CodedError): void {
    request.fail(`${this.name} ${what}`, error)
  }

  /** The values of an ask that has failed or is pending; undefined for a new one. */
  #before(ask: Ask<W, V>): Promise<readonly (V | null)[]> | undefined {
    const { request } = ask
    const inFlight = ask.joins === undefined ? undefined : this.#inFlight(request).get(ask.joins)
    if (inFlight) return handled(pendingValues(inFlight))
    const failed = request.failure(`${this.name} ${ask.wanted.what}`)
    return failed && handled(Promise.reject(failed))
  }

  async #send(asks: readonly Ask<W, V>[]): Promise<readonly Branch<V>[]> {
    const [first] = asks
    if (!first) return []
    const { request } = first // that of all
    const { account } = request
    const refused = account.refusals.count
    const planned = atTurnsEnd(request, () =>
      request.allowance.hasEnded
        ? Promise.reject(new QueryTooExpensiveError([request]))
        : this.#batch(account, account.loaders).load(asks),
    ).catch((error: unknown): Calls => {
      const failed = Promise.reject(error)
      return asks.map(() => failed)
    })
    if (this.#isAwaited) notePending(this, account, { asks, calls: planned })
    const calls = await planned
    const byCall = new Map<Promise<unknown>, number[]>()
    calls.forEach((call, index) => {
      const indices = byCall.get(call)
      if (indices) indices.push(index)
      else byCall.set(call, [index])
    })
    return [...byCall].map(([call, indices]) => {
      const those = indices.flatMap((index) => asks[index] ?? [])
      return { indices, values: handled(this.#values(call, those, refused)) }
    })
  }

  /** The values of asks when their call has ended. What a call that the plan refused was to bring is planned again without it. */
  async #values(
    call: Promise<unknown>,
    asks: readonly Ask<W, V>[],
    refused: number,
  ): Promise<readonly MaybePromise<V | null>[]> {
    try {
      const end = await call
      return asks.map((ask) => this.#ended(ask, this.#valueAt(end, ask)))
    } catch (error) {
      const [{ request } = {}] = asks
      if (request && isOfOthers(error, request))
        return asks.map((ask) => this.#ended(ask, Promise.reject(error)))
      if (request && error instanceof AccessDeniedError && request.account.refusals.count > refused)
        return asks.map((ask) => this.#ended(ask, this.#again(ask)))
      const coded = codedOf(error)
      for (const ask of asks) this.#failed(ask, coded)
      throw coded
    }
  }

  /** What a call that has ended has stored for an ask. What a joined call did not bring is asked for again. */
  #valueAt(end: unknown, ask: Ask<W, V>): MaybePromise<V | null> {
    return end === joined && ask.cached?.() === undefined ? this.#again(ask) : ask.value()
  }

  #again(ask: Ask<W, V>): Promise<V | null> {
    return this.load({ ...ask, joins: undefined })
  }

  /**
   * A value, or if its call was refused because of the others that shared it, the value of another call without
   * them.
   */
  async #withoutOthers(ask: Ask<W, V>, value: Promise<V | null>, tried: Tried = untried): Promise<V | null> {
    try {
      return await value
    } catch (error) {
      const { request } = ask
      if (tried.times === mostTries || !isOfOthers(error, request)) throw error
      const isSpent = error instanceof ClientBudgetExceededError
      const without = isSpent ? union(tried.without, error.budgets) : tried.without
      const batches = isSpent ? request.account.loadersWithout(without) : request.loaders
      const again = this.#batch(request.account, batches).load([ask])
      const come = again.then(async ([call]) => this.#valueAt(await call, ask))
      return this.#withoutOthers(ask, come, { times: tried.times + 1, without })
    }
  }

  #ended(ask: Ask<W, V>, value: MaybePromise<V | null>): MaybePromise<V | null> {
    if (value instanceof Promise)
      return handled(
        this.#withoutOthers(ask, value).then(
          (come) => {
            this.#leave(ask)
            return come
          },
          (error: unknown) => {
            const coded = codedOf(error)
            this.#failed(ask, coded)
            throw coded
          },
        ),
      )
    this.#leave(ask)
    return value
  }

  #failed(ask: Ask<W, V>, error: CodedError): void {
    this.fail(ask.request, ask.wanted.what, error)
    this.#leave(ask)
  }

  #leave({ request, joins }: Ask<W, V>): void {
    if (joins !== undefined) this.#inFlight(request).delete(joins)
  }

  /** The batch that collects this turn's asks, of all requests or of some. */
  #batch(account: Account, batches: Map<object, unknown>): Batch<W, V> {
    const before = batches.get(this)
    if (before) return before as Batch<W, V> // set below, for this loader alone
    const { name } = this
    // A new DataLoader for each batch: it never releases its last batch, which holds requests and their rows.
    const batch: Batch<W, V> = new DataLoader(
      async (groups) => {
        batches.delete(this)
        const calls = await this.#calls(account, groups.flat())
        let start = 0
        return groups.map(({ length }) => calls.slice(start, (start += length)))
      },
      // Rows are the cache.
      {
        cache: false,
        batchScheduleFn: (send) =>
          account.whenAnswered(() => sendAtTurnsEnd({ name, asksOthers: false, send })),
      },
    )
    batches.set(this, batch)
    return batch
  }

  /** Joins calls under way that will bring values, lets those wait that something pending may bring, and plans the others. */
  async #calls(account: Account, asks: readonly Ask<W, V>[]): Promise<Calls> {
    const found = new Map(joinCalls(account, asks))
    const own = asks.filter((ask) => !found.has(ask))
    for (const ask of own) {
      const before = ask.after?.()
      if (before) found.set(ask, handled(this.#callAfter(before, ask)))
    }
    const now = found.size === 0 ? asks : asks.filter((ask) => !found.has(ask))
    const planned = await this.#planned(account, now)
    let next = 0
    return asks.map((ask) => found.get(ask) ?? planned[next++] ?? neverPlanned())
  }

  async #callAfter(before: Promise<unknown>, ask: Ask<W, V>): Promise<unknown> {
    await Promise.allSettled([before])
    const [call] = await this.#batch(ask.request.account, ask.request.account.loaders).load([
      { ...ask, after: undefined },
    ])
    return call
  }

  /** Plans the calls. If other instances share the account, their answers are used first. */
  #planned(account: Account, asks: readonly Ask<W, V>[]): MaybePromise<Calls> {
    const sharing = account.store?.sharing
    if (!sharing) return this.#planMissing(account, asks)
    return planShared(asks, {
      sharing,
      nameOf: ({ wanted }) => `${this.name} ${wanted.what}`,
      prepaymentOf: (missing, count) => new Prepayment(account, kindOf(this.name, missing), count),
      plan: (own, hasCome) => this.#planMissing(account, own, hasCome),
      until: performance.now() + account.upstream.settings.timeoutMs,
    })
  }

  /** Values that another call has brought in the meantime are not bought again. Nothing that comes is evicted before all has come. */
  #planMissing(account: Account, asks: readonly Ask<W, V>[], hasCome = false): Calls {
    const isMissing = asks.map((ask) => ask.cached?.() === undefined)
    if (hasCome)
      for (const [index, { request, operation, field }] of asks.entries())
        if (!isMissing[index] && operation) request.hit(nameOf(operation), [], field, 1, 'REDIS')
    const missing = asks.filter((_, index) => isMissing[index])
    const calls = missing.length === 0 ? [] : this.#plan(account, missing)
    for (const call of calls) handled(call)
    if (calls.length > 0) void account.holding(() => Promise.allSettled(calls))
    let next = 0
    return isMissing.map((isSo) => (isSo ? (calls[next++] ?? neverPlanned()) : nothingToDo))
  }

  /**
   * Resolves when the pending asks that `isMeant` picks have been answered or have failed; undefined if there
   * are none. Only if `isAwaited`.
   */
  pending(account: Account, isMeant: Picks<W, V>): Promise<unknown> | undefined {
    return pendingOf(this, account, isMeant)
  }

  #inFlight({ pendingAsks: inFlight }: ClientRequest): Map<string, InFlight<V>> {
    let own = inFlight.get(this)
    if (!own) inFlight.set(this, (own = new Map()))
    return own as Map<string, InFlight<V>> // filled above, by this loader alone
  }
}

/** How often an ask was loaded again, and without which client budgets. */
interface Tried {
  readonly times: number
  readonly without: readonly string[]
}

const untried: Tried = { times: 0, without: [] }

/** How often an ask is loaded again after calls that were refused because of others. */
const mostTries = 8

/** Whether a call was refused or not sent because of others that shared it. This request's own part may fit. */
function isOfOthers(error: unknown, request: ClientRequest): boolean {
  if (error instanceof ClientBudgetExceededError) return !error.isOf(request)
  if (error instanceof ClosedError) return !request.isClosed
  return error instanceof QueryTooExpensiveError && !error.isOnlyOf(request)
}

const union = (some: readonly string[], others: readonly string[]) => [...new Set([...some, ...others])]

async function pendingValues<V>({ branches, index }: InFlight<V>): Promise<readonly (V | null)[]> {
  const branch = (await branches).find(({ indices }) => indices.includes(index))
  const values = (await branch?.values) ?? []
  return [(await values[branch?.indices.indexOf(index) ?? 0]) ?? null]
}

type Batch<W extends Wanted, V> = DataLoader<readonly Ask<W, V>[], Calls>

const nothingToDo: Promise<unknown> = Promise.resolve()

const neverPlanned = (): Promise<never> => Promise.reject(new Error('An ask was not planned.'))

/** What a level of calls costs depends on the loader and on the operations that it would call. */
const kindOf = <W extends Wanted, V>(loader: string, asks: readonly Ask<W, V>[]): string =>
  [loader, ...new Set(asks.flatMap(({ operation }) => (operation ? nameOf(operation) : [])))].join(' ')

function codedOf(error: unknown): CodedError {
  if (error instanceof CodedError) return error
  console.error(error)
  return new UpstreamError('The request could not be answered.')
}
