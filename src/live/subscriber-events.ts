import type { Handle } from '../graph/handle.ts'
import type { CodedError } from '../errors/errors.ts'
import type { ClientRequest } from '../account/client-request.ts'
import type { GameSnapshot } from './game-snapshot.ts'
import type { FirstState, Update } from './listener.ts'
import { Mailbox } from './mailbox.ts'
import type { Poller } from './poller.ts'
import { idOf, Progress } from './progress.ts'
import type { Interval, LiveEvent, PendingEvent } from './progress.ts'

export interface Report {
  readonly topic: string
  readonly row: Handle
}

/** What the events are of, and who follows the day. */
interface Source {
  readonly client: ClientRequest
  /** The only game that is followed; null for all. */
  readonly game: string | null
  reportsOf(snapshot: GameSnapshot): readonly Report[]
  currentOf(snapshot: GameSnapshot): readonly Report[]
  /** The poller of the day that is followed. */
  poller(): Poller | undefined
  /** Called when the first event is requested. */
  open(): Promise<void>
  /** Called once, when the subscriber has left. */
  close(): Promise<void>
}

/** The topic of the message that tells of an outage, or of its end. */
const notice = ' notice'

/** The events that one subscriber has not read. */
export class SubscriberEvents {
  readonly #source: Source
  readonly #mailbox: Mailbox<PendingEvent, LiveEvent>
  readonly #progress = new Progress()
  /** The game that is followed alone, as it last was. */
  #last: GameSnapshot | null = null

  constructor(source: Source) {
    this.#source = source
    this.#mailbox = new Mailbox({
      open: () => source.open(),
      close: () => source.close(),
      read: (topic, event: PendingEvent) => this.#progress.read(topic, event, intervalOf(source.poller())),
    })
  }

  get isOver(): boolean {
    return this.#mailbox.isOver
  }

  next(): Promise<IteratorResult<LiveEvent, undefined>> {
    return this.#mailbox.next()
  }

  return(): Promise<IteratorResult<LiveEvent, undefined>> {
    return this.#mailbox.return()
  }

  /** Reports a day's first state. The games of the day before have left. */
  begin({ snapshots, outage }: FirstState, before: Poller | undefined): void {
    const { game, reportsOf } = this.#source
    const reports = snapshots.flatMap((snapshot) => {
      this.#setLast(snapshot)
      return reportsOf(snapshot).map((report) => ({ snapshot, report }))
    })
    const gone = game === null && before ? leftFrom(before, snapshots) : []
    const unread = gone.length > 0 ? this.#mailbox.clear() : []
    const unreadLasts = unread.flatMap(({ isLast, snapshot }) => (isLast && snapshot ? snapshot : []))
    this.#progress.outage = outage
    this.#progress.begin(
      reports.map(({ report }) => report.topic),
      [...gone, ...unreadLasts].map(idOf),
    )
    for (const { snapshot, report } of reports) this.#put(snapshot, report)
    const [first] = gone
    if (first && reports.length === 0) this.#putLast(first)
  }

  onUpdate({ changes, left, outage }: Update): void {
    const { game, reportsOf } = this.#source
    if (outage !== undefined) this.#progress.outage = outage
    for (const snapshot of changes) {
      this.#setLast(snapshot)
      for (const report of reportsOf(snapshot)) this.#put(snapshot, report)
    }
    // A single game is followed to its new day.
    if (game === null) for (const snapshot of left) this.#putLast(snapshot)
    this.#putNotice()
  }

  /** Tells what a query would get while the day to follow cannot be read: the last known game, or the error. */
  onDayUnknown(error: CodedError): void {
    const last = this.#last
    const isStale = last !== null && this.#source.client.staleMoment(error) !== null
    const stale = isStale ? { rows: 1, since: last.game.entry.boughtAt } : null
    this.onUpdate({ changes: [], left: [], outage: { error, stale } })
  }

  /** Reports that the game that is followed alone was withdrawn. */
  putWithdrawn(): void {
    if (this.#last) this.#putLast(this.#last)
    this.#last = null
  }

  #setLast(snapshot: GameSnapshot): void {
    if (snapshot.game.entry.key === this.#source.game) this.#last = snapshot
  }

  #put(snapshot: GameSnapshot, { topic, row }: Report, isLast = false): void {
    this.#mailbox.put(topic, { row, snapshot, isLast, isNotice: false })
  }

  /** Reports that a game has left, with its last row. */
  #putLast(snapshot: GameSnapshot): void {
    const [report] = this.#source.currentOf(snapshot)
    if (report) this.#put(snapshot, report, true)
  }

  /** Tells of an outage, or of its end, unless another unread event will. */
  #putNotice(): void {
    const { outage, isReported } = this.#progress
    this.#mailbox.drop(notice)
    if (isReported) return
    const isError = outage?.stale === null
    if (!isError && this.#mailbox.size > 0) return
    const snapshot = this.#gameOfNotice()
    const [report] = snapshot ? this.#source.currentOf(snapshot) : []
    if (!report && !isError) return
    this.#mailbox.put(notice, { row: report?.row ?? null, snapshot, isLast: false, isNotice: true })
  }

  /** A game for a notice: an open one if there is one, because a finished one may not have expired. */
  #gameOfNotice(): GameSnapshot | null {
    const { game, client, poller } = this.#source
    if (game !== null) return this.#last
    const games = [...(poller()?.snapshots ?? [])]
    return games.find((one) => !client.account.game(one.game.entry.key).isOver) ?? games[0] ?? null
  }
}

/** The games of a day that are not of the next one. */
function leftFrom({ snapshots }: Poller, next: readonly GameSnapshot[]): readonly GameSnapshot[] {
  const there = new Set(next.map(({ game }) => game.entry.key))
  return [...snapshots].filter(({ game }) => !there.has(game.entry.key))
}

function intervalOf(poller: Poller | undefined): Interval {
  const { wait, slowedBy } = poller?.pace ?? { wait: null, slowedBy: 1 }
  const intervalSeconds = wait === null ? null : Math.ceil(wait / 1_000)
  return slowedBy > 1 ? { intervalSeconds, slowedBy } : { intervalSeconds }
}
