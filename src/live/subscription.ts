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
import type { FirstState, Listener, News } from './listener.ts'
import type { LeagueDay, Poller } from './poller.ts'
import { pollerOf } from './pollers.ts'
import { idOf, Progress } from './progress.ts'
import type { Interval, Letter, LiveEvent } from './progress.ts'

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
  /** The rows to report though they have not changed. By default, those of `reportsOf`. */
  currentOf?(snapshot: GameSnapshot): readonly Report[]
}

/** The day that a subscription follows. */
interface Followed {
  readonly poller: Poller
  /** The poller's calls that have been counted. */
  countedCalls: number
}

/** The topic of the letter that tells of an outage, or of its end. */
const notice = ' notice'

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
  currentOf = reportsOf,
  game = null,
  isToday = false,
}: Subscribed): AsyncIterableIterator<LiveEvent> {
  const { operation, fieldNodes, path } = info
  const field = fieldName(info)
  const progress = new Progress()
  let followed: Followed | null = null
  let isMoving = false
  /** The game that is followed alone, as it last was. */
  let last: GameSnapshot | null = null

  function put(snapshot: GameSnapshot, { topic, row }: Report, isLast = false): void {
    mailbox.put(topic, { row, snapshot, isLast, isNotice: false })
  }

  function note(snapshot: GameSnapshot): void {
    if (snapshot.game.entry.key === game) last = snapshot
  }

  /** Reports that a game has left, with its last row. */
  function putLast(snapshot: GameSnapshot): void {
    const [report] = currentOf(snapshot)
    if (report) put(snapshot, report, true)
  }

  function hear({ changes, left, outage }: News): void {
    if (outage !== undefined) progress.outage = outage
    for (const snapshot of changes) {
      note(snapshot)
      for (const report of reportsOf(snapshot)) put(snapshot, report)
    }
    // A single game is followed to its new day.
    if (game === null) for (const snapshot of left) putLast(snapshot)
    putNotice()
  }

  /** Tells what a query would get while the day to follow cannot be read: the last known game, or the error. */
  function hearOf(error: CodedError): void {
    const stale =
      last && request.staleMoment(error) !== null ? { rows: 1, since: last.game.entry.boughtAt } : null
    hear({ changes: [], left: [], outage: { error, stale } })
  }

  /** Tells of an outage, or of its end, unless another unread event will. */
  function putNotice(): void {
    mailbox.drop(notice)
    if (progress.isReported) return
    const isError = progress.outage?.stale === null
    if (!isError && mailbox.size > 0) return
    const snapshot = shown()
    const [report] = snapshot ? currentOf(snapshot) : []
    if (!report && !isError) return
    mailbox.put(notice, { row: report?.row ?? null, snapshot, isLast: false, isNotice: true })
  }

  /** A game for a notice: an open one if there is one, because a finished one may not have expired. */
  function shown(): GameSnapshot | null {
    if (game !== null) return last
    const games = [...(followed?.poller.snapshots ?? [])]
    return games.find((one) => !request.account.game(one.game.entry.key).isOver) ?? games[0] ?? null
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
    hear,
    onMissing,
  }
  const mailbox: Mailbox<Letter, LiveEvent> = new Mailbox<Letter, LiveEvent>({
    async open() {
      // Live data is read at the current time.
      request.insistOnFresh()
      request.renew()
      await follow(pollerOf(request.account, await day(request)), request)
    },
    async close() {
      await followed?.poller.leave(listener)
      billShared(followed)
    },
    read: (topic, letter) => progress.read(topic, letter, paceOf(followed?.poller)),
  })

  /** Follows a day in place of the last one. If it cannot be read, the last one is still followed. */
  async function follow(poller: Poller, payer: ClientRequest): Promise<void> {
    const before = followed
    followed = { poller, countedCalls: poller.calls }
    try {
      const state = await poller.join(listener, payer)
      followed.countedCalls = poller.calls
      begin(state, before?.poller)
    } catch (error) {
      followed = before
      if (mailbox.isOver) await before?.poller.leave(listener)
      throw error
    }
    if (mailbox.isOver) await poller.leave(listener)
    await before?.poller.leave(listener)
    billShared(before)
  }

  /** Reports a day's first state. The games of the day before have left. */
  function begin({ snapshots, outage }: FirstState, before: Poller | undefined): void {
    const reports = snapshots.flatMap((snapshot) => {
      note(snapshot)
      return reportsOf(snapshot).map((report) => ({ snapshot, report }))
    })
    const gone = game === null && before ? leftFrom(before, snapshots) : []
    const unread = gone.length > 0 ? mailbox.clear() : []
    progress.outage = outage
    progress.begin(
      reports.map(({ report }) => report.topic),
      [...gone, ...unread.flatMap(({ isLast, snapshot }) => (isLast && snapshot ? snapshot : []))].map(idOf),
    )
    for (const { snapshot, report } of reports) put(snapshot, report)
    const [first] = gone
    if (first && reports.length === 0) putLast(first)
  }

  /**
   * Moves to the day on which its game is played now. If that fails, the next poll tries again; a game that was
   * withdrawn is not polled any more.
   */
  async function move(): Promise<void> {
    if (isMoving) return
    isMoving = true
    // The events go on meanwhile, with the request itself.
    const own = request.another()
    try {
      const next = await traced(async () => day(own))
      if (mailbox.isOver) return
      const poller = pollerOf(request.account, next)
      if (poller === followed?.poller) return
      await follow(poller, own)
    } catch (error) {
      if (error instanceof BadUserInputError) await end()
      else if (error instanceof CodedError) hearOf(error)
      else console.error(error)
    } finally {
      request.takeOver(own)
      isMoving = false
    }
  }

  /** Follows no day any more: its game was withdrawn. */
  async function end(): Promise<void> {
    if (last) putLast(last)
    last = null
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

/** The games of a day that are not of the next one. */
function leftFrom({ snapshots }: Poller, next: readonly GameSnapshot[]): readonly GameSnapshot[] {
  const there = new Set(next.map(({ game }) => game.entry.key))
  return [...snapshots].filter(({ game }) => !there.has(game.entry.key))
}

function paceOf(poller: Poller | undefined): Interval {
  const { wait, slowedBy } = poller?.pace ?? { wait: null, slowedBy: 1 }
  const intervalSeconds = wait === null ? null : Math.ceil(wait / 1_000)
  return slowedBy > 1 ? { intervalSeconds, slowedBy } : { intervalSeconds }
}
