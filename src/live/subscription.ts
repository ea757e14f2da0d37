import type { OperationDefinitionNode } from 'graphql'
import { attributesOf } from '../graph/operation.ts'
import type { Handle } from '../graph/handle.ts'
import type { Selection } from '../plan/selection.ts'
import { nameOf, operations } from '../specification/operations.ts'
import { BadUserInputError, CodedError } from '../upstream/errors.ts'
import type { Request } from '../upstream/request.ts'
import { recurring } from '../upstream/trace.ts'
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
  readonly client: Request
  readonly selection: Selection
  readonly operation: OperationDefinitionNode
  /** The day to poll; a promise if a call is needed to find it, which the given request pays for. */
  day(client: Request): LeagueDay | Promise<LeagueDay>
  /** The only game that it wants. */
  readonly game?: string | null
  /**
   * The rows to report for a change, each with its topic: a newer row replaces an unread one of the same
   * topic.
   */
  reportsOf(snapshot: GameSnapshot): readonly Report[]
}

/**
 * The events of a subscription: first the current state, then changes. It starts when the first event is
 * requested.
 */
export function subscription({
  client,
  selection,
  operation,
  day,
  reportsOf,
  game = null,
}: Subscribed): AsyncIterableIterator<LiveEvent> {
  let poller: Poller | null = null
  /** The poller's calls that have been counted. */
  let countedCalls = 0
  let isMoving = false
  const tell = (snapshot: GameSnapshot) => {
    for (const { topic, row } of reportsOf(snapshot))
      mailbox.put(topic, { row, snapshot, live: paceOf(poller) })
  }
  const traced = recurring('poll', { 'statline.field': 'Subscription.scores', ...attributesOf(operation) })
  const onMissing = () => void move()
  const listener: Listener & { game: string | null } = { client, selection, traced, game, tell, onMissing }
  const mailbox: Mailbox<LiveEvent> = new Mailbox<LiveEvent>({
    async open() {
      // Live data is read at the current time.
      client.insistOnFresh()
      client.renew()
      await join(pollerOf(client.account, await day(client)))
    },
    async close() {
      await poller?.leave(listener)
      billShared()
    },
  })

  async function join(known: Poller): Promise<void> {
    poller = known
    const snapshots = await known.join(listener)
    if (mailbox.isOver) return void (await known.leave(listener))
    countedCalls = known.calls
    for (const snapshot of snapshots) tell(snapshot)
  }

  /**
   * Moves to the day on which its game is played now. If that fails, the next poll tries again; a deleted
   * game is not searched for.
   */
  async function move(): Promise<void> {
    if (isMoving) return
    isMoving = true
    const request = client.another()
    try {
      const next = pollerOf(client.account, await traced(() => day(request)))
      client.takeOver(request)
      if (next === poller || mailbox.isOver) return
      billShared()
      await poller?.leave(listener)
      client.renew()
      await join(next)
    } catch (error) {
      if (error instanceof BadUserInputError) listener.game = null
      else if (!(error instanceof CodedError)) console.error(error)
    } finally {
      isMoving = false
    }
  }

  /** Polls paid for by others count as cache hits, like every shared call. */
  function billShared(): void {
    if (!poller) return
    const calls = poller.calls - countedCalls
    countedCalls = poller.calls
    if (calls > 0 && !poller.isPayer(listener))
      client.share(nameOf(operations.getScores), ['start_date'], calls, 'Subscription.scores')
  }

  return {
    async next() {
      const next = await mailbox.next()
      billShared()
      return next
    },
    return: () => mailbox.return(),
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

function paceOf(poller: Poller | null): LiveEvent['live'] {
  const { wait, slowedBy } = poller?.pace ?? { wait: null, slowedBy: 1 }
  const intervalSeconds = wait === null ? null : Math.ceil(wait / 1_000)
  return slowedBy > 1 ? { intervalSeconds, slowedBy } : { intervalSeconds }
}
