import { locatedError, responsePathAsArray } from 'graphql'
import type { GraphQLResolveInfo } from 'graphql'
import { attributesOf } from '../graph/operation.ts'
import { fieldName } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import type { Selection } from '../plan/selection.ts'
import { nameOf } from '../specification/operation.ts'
import { operations } from '../specification/operations.ts'
import { BadUserInputError, CodedError } from '../errors/errors.ts'
import type { ClientRequest } from '../account/client-request.ts'
import { recurring } from '../trace.ts'
import type { GameSnapshot } from './game-snapshot.ts'
import { Mailbox } from './mailbox.ts'
import type { LeagueDay, Listener, Poller } from './poller.ts'
import { pollerOf } from './pollers.ts'

/** An event of a subscription: the value of its field, and the game after the change. */
export interface LiveEvent {
  readonly row: Handle
  /** The game after the change: one object for all subscribers. */
  readonly snapshot: GameSnapshot
  readonly live: {
    /** The current interval of polls; null if there are none. */
    readonly intervalSeconds: number | null
    /** The factor by which they are slowed down to save tokens. */
    readonly slowedBy?: number
  }
}

export interface Report {
  readonly topic: string
  readonly row: Handle
}

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
export function subscription({
  client: request,
  selection,
  info,
  day,
  reportsOf,
  game = null,
  isToday = false,
}: Subscribed): AsyncIterableIterator<LiveEvent> {
  const { operation, fieldNodes, path } = info
  const field = fieldName(info)
  let followed: Followed | null = null
  let isMoving = false
  const tell = (snapshot: GameSnapshot) => {
    for (const { topic, row } of reportsOf(snapshot))
      mailbox.put(topic, { row, snapshot, live: paceOf(followed?.poller) })
  }
  const traced = recurring('poll', { 'statline.field': field, ...attributesOf(operation) })
  const onMissing = () => void move()
  const listener: Listener = {
    clientRequest: request,
    field,
    selection,
    traced,
    game,
    isToday,
    tell,
    onMissing,
  }
  const mailbox: Mailbox<LiveEvent> = new Mailbox<LiveEvent>({
    async open() {
      // Live data is read at the current time.
      request.insistOnFresh()
      request.renew()
      await follow(pollerOf(request.account, await day(request)))
    },
    async close() {
      await followed?.poller.leave(listener)
      billShared(followed)
    },
  })

  /** Follows a day in place of the last one. If it cannot be read, the last one is still followed. */
  async function follow(poller: Poller): Promise<void> {
    const last = followed
    followed = { poller, countedCalls: poller.calls }
    try {
      const snapshots = await poller.join(listener)
      followed.countedCalls = poller.calls
      for (const snapshot of snapshots) tell(snapshot)
    } catch (error) {
      followed = last
      if (mailbox.isOver) await last?.poller.leave(listener)
      throw error
    }
    if (mailbox.isOver) await poller.leave(listener)
    await last?.poller.leave(listener)
    billShared(last)
  }

  /**
   * Moves to the day on which its game is played now. If that fails, the next poll tries again; a game that was
   * withdrawn is not polled any more.
   */
  async function move(): Promise<void> {
    if (isMoving) return
    isMoving = true
    const own = request.another()
    try {
      const next = await traced(async () => day(own)).finally(() => request.takeOver(own))
      if (mailbox.isOver) return
      const poller = pollerOf(request.account, next)
      if (poller === followed?.poller) return
      request.renew()
      await follow(poller)
    } catch (error) {
      if (error instanceof BadUserInputError) await end()
      else if (!(error instanceof CodedError)) console.error(error)
    } finally {
      isMoving = false
    }
  }

  /** Follows no day any more. */
  async function end(): Promise<void> {
    await followed?.poller.leave(listener)
    billShared(followed)
    followed = null
  }

  /** Polls paid for by others count as cache hits, like every shared call. */
  function billShared(of: Followed | null): void {
    if (!of) return
    const calls = of.poller.calls - of.countedCalls
    of.countedCalls = of.poller.calls
    if (calls === 0 || of.poller.isPayer(listener)) return
    if (game === null) request.share(nameOf(operations.getScores), ['start_date'], calls, field)
    else request.share(nameOf(operations.readGames), ['game_id'], calls, field)
  }

  return {
    async next() {
      const next = await mailbox.next().catch((error: unknown) => {
        throw locatedError(error, fieldNodes, responsePathAsArray(path))
      })
      billShared(followed)
      return next
    },
    return: () => mailbox.return(),
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

function paceOf(poller: Poller | undefined): LiveEvent['live'] {
  const { wait, slowedBy } = poller?.pace ?? { wait: null, slowedBy: 1 }
  const intervalSeconds = wait === null ? null : Math.ceil(wait / 1_000)
  return slowedBy > 1 ? { intervalSeconds, slowedBy } : { intervalSeconds }
}
