import { locatedError, responsePathAsArray } from 'graphql'
import type { GraphQLResolveInfo } from 'graphql'
import { attributesOf } from '../graph/operation.ts'
import { fieldName } from '../graph/handle.ts'
import type { Selection } from '../plan/selection.ts'
import { nameOf } from '../specification/operation.ts'
import { operations } from '../specification/operations.ts'
import { BadUserInputError, CodedError } from '../errors/errors.ts'
import type { ClientRequest } from '../account/client-request.ts'
import { recurring } from '../trace.ts'
import type { GameSnapshot } from './game-snapshot.ts'
import type { Listener, Update } from './listener.ts'
import type { LeagueDay, Poller } from './poller.ts'
import { pollerOf } from './pollers.ts'
import type { LiveEvent } from './progress.ts'
import { SubscriberEvents } from './subscriber-events.ts'
import type { Report } from './subscriber-events.ts'

/** What a subscription follows. */
export interface Subscribed {
  readonly client: ClientRequest
  readonly selection: Selection
  /** The field of the query. */
  readonly info: GraphQLResolveInfo
  /** The day to poll; a promise if a call is needed to find it, which the given request pays for. */
  day(client: ClientRequest): LeagueDay | Promise<LeagueDay>
  /** The only game that it wants. */
  readonly game?: string | null
  /** Whether it goes on to the next day when a day is over. */
  readonly isToday?: boolean
  /**
   * The rows to report for a change, each with its topic: a newer row replaces an unread one of the same
   * topic.
   */
  reportsOf(snapshot: GameSnapshot): readonly Report[]
  /** The rows to report though they have not changed. By default, those of `reportsOf`. */
  currentOf?(snapshot: GameSnapshot): readonly Report[]
}

/** The day that a subscription follows. */
interface Followed {
  readonly poller: Poller
  /** The poller's calls that have been counted. */
  countedCalls: number
}

/**
 * The events of a subscription: first the current state, then changes. It starts when the first event is
 * requested.
 */
export function subscription(subscribed: Subscribed): AsyncIterableIterator<LiveEvent> {
  const follower = new Follower(subscribed)
  const { fieldNodes, path } = subscribed.info
  return {
    next: () =>
      follower.next().catch((error: unknown) => {
        throw locatedError(error, fieldNodes, responsePathAsArray(path))
      }),
    return: () => follower.return(),
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

/** Follows a day, or the day of a game, for one subscription, and bills what others have paid for as cache hits. */
class Follower implements Listener {
  readonly clientRequest: ClientRequest
  readonly field: string
  readonly selection: Selection
  readonly traced: Listener['traced']
  readonly game: string | null
  readonly isToday: boolean
  readonly #day: Subscribed['day']
  readonly #events: SubscriberEvents
  #followed: Followed | null = null
  #isMoving = false

  constructor(subscribed: Subscribed) {
    const { client, selection, info, day, reportsOf, currentOf = reportsOf } = subscribed
    const { game = null, isToday = false } = subscribed
    this.clientRequest = client
    this.field = fieldName(info)
    this.selection = selection
    this.traced = recurring('poll', { 'statline.field': this.field, ...attributesOf(info.operation) })
    this.game = game
    this.isToday = isToday
    this.#day = day
    this.#events = new SubscriberEvents({
      client,
      game,
      reportsOf,
      currentOf,
      poller: () => this.#followed?.poller,
      open: () => this.#open(),
      close: () => this.#leave(),
    })
  }

  async next(): Promise<IteratorResult<LiveEvent, undefined>> {
    const next = await this.#events.next()
    this.#billShared(this.#followed)
    return next
  }

  return(): Promise<IteratorResult<LiveEvent, undefined>> {
    return this.#events.return()
  }

  onUpdate(update: Update): void {
    this.#events.onUpdate(update)
  }

  onMissing(): void {
    void this.#move()
  }

  async #open(): Promise<void> {
    const request = this.clientRequest
    // Live data is read at the current time.
    request.insistOnFresh()
    request.renew()
    await this.#follow(pollerOf(request.account, await this.#day(request)), request)
  }

  /** Follows a day in place of the last one. If it cannot be read, the last one is still followed. */
  async #follow(poller: Poller, payer: ClientRequest): Promise<void> {
    const before = this.#followed
    const followed = { poller, countedCalls: poller.calls }
    this.#followed = followed
    try {
      const state = await poller.join(this, payer)
      followed.countedCalls = poller.calls
      this.#events.begin(state, before?.poller)
    } catch (error) {
      this.#followed = before
      if (this.#events.isOver) await before?.poller.leave(this)
      throw error
    }
    if (this.#events.isOver) await poller.leave(this)
    await before?.poller.leave(this)
    this.#billShared(before)
  }

  /**
   * Moves to the day on which its game is played now. If that fails, the next poll tries again; a game that was
   * withdrawn is not polled any more.
   */
  async #move(): Promise<void> {
    if (this.#isMoving) return
    this.#isMoving = true
    // The events go on meanwhile, with the request itself.
    const own = this.clientRequest.another()
    try {
      const next = await this.traced(async () => this.#day(own))
      if (this.#events.isOver) return
      const poller = pollerOf(own.account, next)
      if (poller !== this.#followed?.poller) await this.#follow(poller, own)
    } catch (error) {
      await this.#onMoveFailed(error)
    } finally {
      this.clientRequest.takeOver(own)
      this.#isMoving = false
    }
  }

  async #onMoveFailed(error: unknown): Promise<void> {
    if (error instanceof BadUserInputError) {
      this.#events.putWithdrawn()
      await this.#leave()
      this.#followed = null
    } else if (error instanceof CodedError) this.#events.onDayUnknown(error)
    else console.error(error)
  }

  async #leave(): Promise<void> {
    await this.#followed?.poller.leave(this)
    this.#billShared(this.#followed)
  }

  /** Polls paid for by others count as cache hits, like every shared call. */
  #billShared(followed: Followed | null): void {
    if (!followed) return
    const { poller } = followed
    const calls = poller.calls - followed.countedCalls
    followed.countedCalls = poller.calls
    if (calls === 0 || poller.isPayer(this)) return
    const { clientRequest: request, field } = this
    if (this.game === null) request.share(nameOf(operations.getScores), ['start_date'], calls, field)
    else request.share(nameOf(operations.readGames), ['game_id'], calls, field)
  }
}
