import DataLoader from 'dataloader'
import { nameOf } from '../specification/operation.ts'
import type { TableName } from '../specification/tables.ts'
import {
  ClientBudgetExceededError,
  ClosedError,
  CodedError,
  QueryTooExpensiveError,
  UpstreamError,
} from '../errors/errors.ts'
import { Prepayment } from '../account/prepayment.ts'
import type { ClientRequest } from '../account/client-request.ts'
import type { Account } from '../account/account.ts'
import type { Ask, Branch, Split, Splits, Wanted } from './ask.ts'
import { callFor, joinCalls } from './calls-in-flight.ts'
import type { MaybePromise } from './maybe-promise.ts'
import { notePending, pendingOf } from './pending-asks.ts'
import type { Picks } from './pending-asks.ts'
import { neverPlanned, planAfter } from './plan-after.ts'
import { handled, planMissing } from './plan-missing.ts'
import type { Plan } from './plan-missing.ts'
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
  /** Whether it calls nothing itself, but asks other loaders. */
  readonly asksOthers?: boolean
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
  readonly #plan: Plan<W, V>
  readonly #asksOthers: boolean
  readonly #isAwaited: boolean

  constructor(name: string, plan: Plan<W, V>, further: Further<W> = {}) {
    this.name = name
    this.#plan = plan
    this.revalidation = further.revalidation
    this.rows = further.rows
    this.#asksOthers = further.asksOthers ?? false
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

  /**
   * Sends the calls for these asks at once, without waiting for the end of the turn. For asks that follow
   * from an answer.
   */
  callNow(account: Account, asks: readonly Ask<W>[]): readonly Promise<V | null>[] {
    return this.#plan(account, asks).map(async (split, index) => {
      const ask = asks[index]
      return ask ? (await split)(ask) : null
    })
  }

  /** Remembers a failure, so that this request does not ask again. */
  fail(request: ClientRequest, what: string, error: CodedError): void {
    request.fail(`${this.name} ${what}`, error)
  }

  /** The values of an ask that has failed or is pending; undefined for a new one. */
  #before(ask: Ask<W, V>): Promise<readonly (V | null)[]> | undefined {
    const { request } = ask
    const inFlight = ask.joins === undefined ? undefined : this.#inFlight(request).get(ask.joins)
    if (inFlight) return handled(joined(inFlight))
    const failed = request.failure(`${this.name} ${ask.wanted.what}`)
    return failed && handled(Promise.reject(failed))
  }

  async #send(asks: readonly Ask<W, V>[]): Promise<readonly Branch<V>[]> {
    const [first] = asks
    if (!first) return []
    const { request } = first // that of all
    const { account } = request
    const planned = atTurnsEnd(request, () =>
      request.allowance.hasEnded
        ? Promise.reject(new QueryTooExpensiveError([request]))
        : this.#batch(account, account.loaders).load(asks),
    ).catch((error: unknown): Splits<W, V> => {
      const failed = Promise.reject(error)
      return asks.map(() => failed)
    })
    if (this.#isAwaited) notePending(this, account, { asks, splits: planned })
    const calls = await planned
    const byCall = new Map<Promise<Split<W, V>>, number[]>()
    calls.forEach((call, index) => {
      const indices = byCall.get(call)
      if (indices) indices.push(index)
      else byCall.set(call, [index])
    })
    return [...byCall].map(([call, indices]) => {
      const those = indices.flatMap((index) => asks[index] ?? [])
      return { indices, values: handled(this.#values(call, those)) }
    })
  }

  async #values(
    call: Promise<Split<W, V>>,
    asks: readonly Ask<W, V>[],
  ): Promise<readonly MaybePromise<V | null>[]> {
    try {
      const split = await call
      return asks.map((ask) => this.#ended(ask, split(ask)))
    } catch (error) {
      const request = asks[0]?.request
      if (request && isOfOthers(error, request))
        return asks.map((ask) => this.#ended(ask, Promise.reject(error)))
      const coded = codedOf(error)
      for (const ask of asks) this.#failed(ask, coded)
      throw coded
    }
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
      const come = again.then(async ([call]) => (await call)?.(ask) ?? null)
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
    const asksOthers = this.#asksOthers
    // A new DataLoader for each batch: it never releases its last batch, which holds requests and their rows.
    const batch: Batch<W, V> = new DataLoader(
      async (groups) => {
        batches.delete(this)
        const splits = await this.#splits(account, groups.flat())
        let start = 0
        return groups.map(({ length }) => splits.slice(start, (start += length)))
      },
      // Rows are the cache.
      {
        cache: false,
        batchScheduleFn: (send) => account.whenAnswered(() => sendAtTurnsEnd({ name, asksOthers, send })),
      },
    )
    batches.set(this, batch)
    return batch
  }

  /** Joins calls under way that will bring values, and plans the others. */
  async #splits(account: Account, asks: readonly Ask<W, V>[]): Promise<Splits<W, V>> {
    const calls = asks.map((ask) => callFor(account, ask))
    const own = asks.filter((_, nth) => !calls[nth])
    const planned = planAfter(own, (some) => this.#planned(account, some))
    if (own.length === asks.length) return planned
    const again = (ask: Ask<W, V>) => this.load({ ...ask, joins: undefined })
    const shared = joinCalls(
      asks.filter((_, nth) => calls[nth]),
      calls.flatMap((call) => call ?? []),
      again,
    )
    const sent = await planned
    let [nextOwn, nextShared] = [0, 0]
    return asks.map((_, nth) => (calls[nth] ? shared[nextShared++] : sent[nextOwn++]) ?? neverPlanned())
  }

  /** Plans the calls. If other instances share the account, their answers are used first. */
  #planned(account: Account, asks: readonly Ask<W, V>[]): MaybePromise<Splits<W, V>> {
    const sharing = account.store?.sharing
    if (!sharing) return planMissing(account, asks, this.#plan)
    return planShared(asks, {
      sharing,
      nameOf: ({ wanted }) => `${this.name} ${wanted.what}`,
      prepaymentOf: (missing, count) => new Prepayment(account, kindOf(this.name, missing), count),
      plan: (own, hasCome) => planMissing(account, own, this.#plan, hasCome),
      until: performance.now() + account.upstream.settings.timeoutMs,
    })
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

async function joined<V>({ branches, index }: InFlight<V>): Promise<readonly (V | null)[]> {
  const branch = (await branches).find(({ indices }) => indices.includes(index))
  const values = (await branch?.values) ?? []
  return [(await values[branch?.indices.indexOf(index) ?? 0]) ?? null]
}

type Batch<W extends Wanted, V> = DataLoader<readonly Ask<W, V>[], Splits<W, V>>

/** What a level of calls costs depends on the loader and on the operations that it would call. */
const kindOf = <W extends Wanted, V>(loader: string, asks: readonly Ask<W, V>[]): string =>
  [loader, ...new Set(asks.flatMap(({ operation }) => (operation ? nameOf(operation) : [])))].join(' ')

function codedOf(error: unknown): CodedError {
  if (error instanceof CodedError) return error
  console.error(error)
  return new UpstreamError('The request could not be answered.')
}
