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
import { callFor, joinCalls, joined } from './calls-in-flight.ts'
import { handled } from './maybe-promise.ts'
import type { MaybePromise } from './maybe-promise.ts'
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
  /** Whether its calls are planned by what others have under way, so that it goes last in a turn. */
  readonly isLast?: boolean
  /** Whether others look for its calls under way before they plan their own. */
  readonly isAwaited?: boolean
  /**
   * Whether a request gets all answers of a turn at the same time, when the last has come: rows that the service returns
   * one by one are then processed in one batch. Requests do not wait for each other's calls.
   */
  readonly isReleasedTogether?: boolean
  /** The table whose whole rows its calls bring, if its values are their keys. */
  readonly rows?: TableName
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
  readonly #isLast: boolean
  readonly #isAwaited: boolean
  readonly #isReleasedTogether: boolean

  constructor(name: string, plan: Plan<W>, further: Further<W> = {}) {
    this.name = name
    this.#plan = plan
    this.revalidation = further.revalidation
    this.rows = further.rows
    this.#isLast = further.isLast ?? false
    this.#isAwaited = further.isAwaited ?? false
    this.#isReleasedTogether = further.isReleasedTogether ?? false
  }

  /** Loads one thing. Throws a CodedError. */
  async load(ask: Ask<W, V>): Promise<V | null> {
    const [branch] = await this.loadMany([ask])
    const values = (await branch?.values) ?? []
    return values[0] ?? null
  }

  /** Loads values for several parents of one field. What has failed is not asked for again. */
  async loadMany(asks: readonly Ask<W, V>[]): Promise<readonly Branch<V>[]> {
    const failures = asks.map(({ request, wanted }) => request.failure(`${this.name} ${wanted.what}`))
    if (failures.every((one) => one === undefined)) return this.#send(asks)
    const left = asks.flatMap((_, index) => (failures[index] ? [] : [index]))
    const sent = await this.#send(left.flatMap((index) => asks[index] ?? []))
    return [
      ...failures.flatMap((one, index) =>
        one ? [{ indices: [index], values: handled(Promise.reject(one)) }] : [],
      ),
      ...sent.map(({ indices, values }) => ({ indices: indices.map((nth) => left[nth] ?? nth), values })),
    ]
  }

  /** Remembers a failure, so that this request does not ask again. */
  fail(request: ClientRequest, what: string, error: CodedError): void {
    request.fail(`${this.name} ${what}`, error)
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
    ).catch((error: unknown): Sent => {
      const failed = Promise.reject(error)
      return { calls: asks.map(() => failed), end: undefined }
    })
    const { calls, end } = await planned
    const byCall = new Map<Promise<unknown>, number[]>()
    calls.forEach((call, index) => {
      const indices = byCall.get(call)
      if (indices) indices.push(index)
      else byCall.set(call, [index])
    })
    return [...byCall].map(([call, indices]) => {
      const those = indices.flatMap((index) => asks[index] ?? [])
      return { indices, values: handled(this.#values({ call, end }, those, refused)) }
    })
  }

  /** The values of asks when their call has ended. What a call that the plan refused was to bring is planned again without it. */
  async #values(
    { call, end }: { readonly call: Promise<unknown>; readonly end: Promise<unknown> | undefined },
    asks: readonly Ask<W, V>[],
    refused: number,
  ): Promise<readonly MaybePromise<V | null>[]> {
    try {
      const outcome = await call
      // Now: what has come may be evicted while others are awaited.
      const values = asks.map((ask) => this.#valueAt(outcome, ask))
      await end
      return asks.map((ask, index) => this.#ended(ask, values[index] ?? null))
    } catch (error) {
      await end
      const [{ request } = {}] = asks
      if (request && isOfOthers(error, request))
        return asks.map((ask) => this.#ended(ask, Promise.reject(error)))
      if (request && error instanceof AccessDeniedError && request.account.refusals.count > refused)
        return asks.map((ask) => this.#ended(ask, this.load(ask)))
      const coded = codedOf(error)
      for (const ask of asks) this.fail(ask.request, ask.wanted.what, coded)
      throw coded
    }
  }

  /** What a call that has ended has stored for an ask. What a joined call did not bring is asked for again. */
  #valueAt(outcome: unknown, ask: Ask<W, V>): MaybePromise<V | null> {
    return outcome === joined && ask.cached?.() === undefined ? this.load(ask) : ask.value()
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
      const come = again.then(async ({ calls: [call] }) => this.#valueAt(await call, ask))
      return this.#withoutOthers(ask, come, { times: tried.times + 1, without })
    }
  }

  /** The value of an ask whose call has ended. */
  #ended(ask: Ask<W, V>, value: MaybePromise<V | null>): MaybePromise<V | null> {
    if (!(value instanceof Promise)) return value
    return handled(
      this.#withoutOthers(ask, value).catch((error: unknown) => {
        const coded = codedOf(error)
        this.fail(ask.request, ask.wanted.what, coded)
        throw coded
      }),
    )
  }

  /** The batch that collects this turn's asks, of all requests or of some. */
  #batch(account: Account, batches: Map<object, unknown>): Batch<W, V> {
    const before = batches.get(this)
    if (before) return before as Batch<W, V> // set below, for this loader alone
    const { name } = this
    const order = this.#isLast ? 'last' : 'calls'
    // A new DataLoader for each batch: it never releases its last batch, which holds requests and their rows.
    const batch: Batch<W, V> = new DataLoader(
      async (groups) => {
        batches.delete(this)
        const asks = groups.flat()
        const calls = await this.#calls(account, asks)
        const ends = this.#isReleasedTogether ? endsOf(asks, calls) : null
        let start = 0
        return groups.map(({ length, 0: first }) => ({
          calls: calls.slice(start, (start += length)),
          end: first && ends?.get(first.request),
        }))
      },
      // Rows are the cache.
      {
        cache: false,
        batchScheduleFn: (send) => account.whenAnswered(() => sendAtTurnsEnd({ name, order, send })),
      },
    )
    batches.set(this, batch)
    return batch
  }

  /** Plans asks, those that something pending may answer after that. */
  async #calls(account: Account, asks: readonly Ask<W, V>[]): Promise<Calls> {
    const late = new Map<Ask<W, V>, Promise<unknown>>()
    for (const ask of asks) {
      const before = ask.after?.()
      if (before) late.set(ask, handled(this.#callAfter(before, ask)))
    }
    const planned = await this.#planned(
      account,
      late.size === 0 ? asks : asks.filter((ask) => !late.has(ask)),
    )
    let next = 0
    return asks.map((ask) => late.get(ask) ?? planned[next++] ?? neverPlanned())
  }

  async #callAfter(before: Promise<unknown>, ask: Ask<W, V>): Promise<unknown> {
    await Promise.allSettled([before])
    const { account } = ask.request
    const { calls } = await this.#batch(account, account.loaders).load([{ ...ask, after: undefined }])
    return calls[0]
  }

  /** Plans the calls. If other instances share the account, their answers are used first. */
  #planned(account: Account, asks: readonly Ask<W, V>[]): MaybePromise<Calls> {
    const sharing = account.store?.sharing
    if (!sharing) return this.#planMissing(account, asks)
    const planned = planShared(asks, {
      sharing,
      isMissing: (ask) => ask.cached?.() === undefined && callFor(account, ask) === undefined,
      nameOf: ({ wanted }) => `${this.name} ${wanted.what}`,
      prepaymentOf: (missing, count) => new Prepayment(account, kindOf(this.name, missing), count),
      plan: (own, hasCome) => this.#planMissing(account, own, hasCome),
      until: performance.now() + account.upstream.settings.timeoutMs,
    })
    if (this.#isAwaited)
      asks.forEach(({ wanted: { what } }, nth) => {
        const call = handled(planned.then((calls) => calls[nth]))
        const end = () => account.shared.get(what) === call && account.shared.delete(what)
        account.shared.set(what, call)
        call.then(end, end)
      })
    return planned
  }

  /**
   * Plans the calls for what is neither stored by now nor under way.
   */
  #planMissing(account: Account, asks: readonly Ask<W, V>[], hasCome = false): Calls {
    const found = new Map<Ask<W, V>, Promise<unknown>>(joinCalls(account, asks))
    for (const ask of asks) {
      if (found.has(ask) || ask.cached?.() === undefined) continue
      found.set(ask, nothingToDo)
      if (hasCome && ask.operation) ask.request.hit(nameOf(ask.operation), [], ask.field, 1, 'REDIS')
    }
    const missing = found.size === 0 ? asks : asks.filter((ask) => !found.has(ask))
    const calls = missing.length === 0 ? [] : this.#plan(account, missing)
    for (const call of calls) handled(call)
    let next = 0
    return asks.map((ask) => found.get(ask) ?? calls[next++] ?? neverPlanned())
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

/** The calls for asks that were sent together, and when all of their request in this turn have ended. */
interface Sent {
  readonly calls: Calls
  readonly end: Promise<unknown> | undefined
}

type Batch<W extends Wanted, V> = DataLoader<readonly Ask<W, V>[], Sent>

/** When the calls of each request have ended. */
function endsOf<W extends Wanted>(
  asks: readonly Ask<W>[],
  calls: Calls,
): ReadonlyMap<ClientRequest, Promise<unknown>> {
  const own = new Map<ClientRequest, Promise<unknown>[]>()
  asks.forEach(({ request }, index) => {
    const call = calls[index]
    if (call) own.set(request, [...(own.get(request) ?? []), call])
  })
  return new Map([...own].map(([request, those]) => [request, Promise.allSettled(those)]))
}

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
