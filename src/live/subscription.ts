import type { OperationDefinitionNode } from 'graphql'
import { attributesOf } from '../graph/operation.ts'
import type { Handle } from '../graph/handle.ts'
import type { Selection } from '../plan/selection.ts'
import { nameOf, operations } from '../specification/operations.ts'
import { BadUserInputError, CodedError } from '../upstream/errors.ts'
import type { Request } from '../upstream/request.ts'
import { recurring } from '../upstream/trace.ts'
import type { Change } from './change.ts'
import { Mailbox } from './mailbox.ts'
import type { LeagueDay, Listener, Poller } from './poller.ts'
import { pollerOf } from './pollers.ts'

/** An event of a subscription: what its field answers with, and what all its subscribers share. */
export interface LiveEvent {
  readonly row: Handle
  /** What the event was made of: one for all subscribers. */
  readonly change: Change
  /** How often the day is polled now, in seconds; null where it no longer is. And how many times slower than usual, to save tokens. */
  readonly live: { readonly intervalSeconds: number | null; readonly slowedBy?: number }
}

export interface News {
  readonly about: string
  readonly row: Handle
}

/** What a subscription is told of. */
export interface Subscribed {
  readonly client: Request
  readonly selection: Selection
  readonly operation: OperationDefinitionNode
  /** The day that is polled; a promise where finding out takes a call, for which that request pays. */
  day(client: Request): LeagueDay | Promise<LeagueDay>
  /** The one game that it is about. */
  readonly game?: string | null
  /** The rows that a change is news of, each with what it is about: newer news of the same take the place of older. */
  newsOf(change: Change): readonly News[]
}

/** The events of a subscription: the current state first, and then what changes. Begins when its first event is waited for. */
export function subscription({
  client,
  selection,
  operation,
  day,
  newsOf,
  game = null,
}: Subscribed): AsyncIterableIterator<LiveEvent> {
  let poller: Poller | null = null
  let counted = 0
  let isMoving = false
  const tell = (change: Change) => {
    for (const { about, row } of newsOf(change)) mailbox.put(about, { row, change, live: paceOf(poller) })
  }
  const traced = recurring('poll', { 'statline.field': 'Subscription.scores', ...attributesOf(operation) })
  const miss = () => void move()
  const listener: Listener & { game: string | null } = { client, selection, traced, game, tell, miss }
  const mailbox: Mailbox<LiveEvent> = new Mailbox<LiveEvent>({
    async open() {
      // What is live is asked for as it is now.
      client.insistOnFresh()
      client.renew()
      await join(pollerOf(client.account, await day(client)))
    },
    async close() {
      await poller?.leave(listener)
      share()
    },
  })

  async function join(known: Poller): Promise<void> {
    poller = known
    const changes = await known.join(listener)
    if (mailbox.isOver) return void (await known.leave(listener))
    counted = known.calls
    for (const change of changes) tell(change)
  }

  /** Goes where its game is played now. The next poll that misses it tries again; a game that is no more is not looked for. */
  async function move(): Promise<void> {
    if (isMoving) return
    isMoving = true
    const request = client.another()
    try {
      const next = pollerOf(client.account, await traced(() => day(request)))
      client.takeOver(request)
      if (next === poller || mailbox.isOver) return
      share()
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

  /** Polls that others have paid for count as found, like every call that is shared. */
  function share(): void {
    if (!poller) return
    const calls = poller.calls - counted
    counted = poller.calls
    if (calls > 0 && !poller.isPayer(listener))
      client.share(nameOf(operations.getScores), ['start_date'], calls, 'Subscription.scores')
  }

  return {
    async next() {
      const next = await mailbox.next()
      share()
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
