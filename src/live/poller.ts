import { convert } from '../graph/conversions.ts'
import type { Context } from '../graph/context.ts'
import { handles, loadRow } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import { readFresh } from '../graph/place.ts'
import { hasCurrentOdds } from '../loaders/game-needs.ts'
import { linePlace, lines } from '../loaders/lines.ts'
import { dayAt, scheduled, scheduleOrigin } from '../loaders/schedule-places.ts'
import { gamesOfDay } from '../loaders/schedule-slots.ts'
import { nothing, union } from '../plan/selection.ts'
import type { Selection } from '../plan/selection.ts'
import { operations, scoreColumns } from '../specification/operations.ts'
import type { Entry } from '../rows/entry.ts'
import { isSet } from '../rows/values.ts'
import { CodedError } from '../errors/errors.ts'
import { allDone } from '../groups.ts'
import type { ClientRequest } from '../account/client-request.ts'
import type { Account } from '../account/account.ts'
import { snapshotOf } from './game-snapshot.ts'
import type { GameSnapshot } from './game-snapshot.ts'
import { leastWait, paceOf } from './pace.ts'
import type { Pace } from './pace.ts'

/** A day of a league. */
export interface LeagueDay {
  readonly organization_id: string
  readonly division_id: string
  readonly date: string
}

/** A subscription that receives a day's changes. */
export interface Listener {
  /** The request that pays for polls while this listener is the first. */
  readonly clientRequest: ClientRequest
  /** The subscription's field, to which its polls belong in plans. */
  readonly field: string
  /** The subscription's selection on games. */
  readonly selection: Selection
  /** Runs a poll that this listener pays for, in a span linked to its subscription's. */
  readonly traced: <T>(poll: () => T) => T
  /** The only game that the listener wants; null for all. */
  readonly game: string | null
  /** Whether the listener named no date: it follows the current day. */
  readonly isToday: boolean
  tell(snapshot: GameSnapshot): void
  /** Called after each poll that finds the listener's game on another day, or not at all, or that the day is over. */
  onMissing(): void
}

/** What is compared of each game, whatever is selected. A change of it is an event. */
const watched = { ...nothing, columns: new Set<string>(scoreColumns), relations: new Set(['current']) }

/**
 * Polls the games of a league's day for all subscribers with one key: all games, or only those that somebody
 * follows. Compares each poll with the one before, and reports changes to all listeners. Does nothing without
 * listeners.
 */
export class Poller {
  readonly #account: Account
  readonly #league: Entry
  readonly #day: LeagueDay
  readonly #onEnd: () => void
  readonly #listeners = new Set<Listener>()
  readonly #snapshots = new Map<string, GameSnapshot>()
  #timer: NodeJS.Timeout | undefined
  #underway: { readonly payer: Listener; readonly poll: Promise<void> } | null = null
  #joining = 0
  #calls = 0
  #pace: Pace = { wait: null, slowedBy: 1 }

  constructor(account: Account, league: Entry, day: LeagueDay, onEnd: () => void) {
    this.#account = account
    this.#league = league
    this.#day = day
    this.#onEnd = onEnd
  }

  /** When the day is polled next. */
  get pace(): Pace {
    return this.#pace
  }

  /** The number of calls that polls have sent. */
  get calls(): number {
    return this.#calls
  }

  /**
   * Adds a listener and returns the current state of its games. The listener pays for what is unknown or
   * expired; all listeners receive the changes found. Throws a CodedError.
   */
  async join(listener: Listener): Promise<readonly GameSnapshot[]> {
    this.#joining += 1
    try {
      const games = await listener.traced(() => this.#read(listener.clientRequest, listener, [listener]))
      this.#tell(this.#compare(games, listener.clientRequest))
      this.#listeners.add(listener)
      this.#schedule()
      if (this.#isMissingFor(listener)) listener.onMissing()
      return games.flatMap(({ entry }) => this.#snapshots.get(entry.key) ?? [])
    } finally {
      this.#joining -= 1
      this.#endUnlessHeard()
    }
  }

  /** Removes a listener. Resolves when the poll that it pays for is over. */
  async leave(listener: Listener): Promise<void> {
    this.#listeners.delete(listener)
    this.#endUnlessHeard()
    if (this.#underway?.payer === listener) await this.#underway.poll
  }

  #endUnlessHeard(): void {
    if (this.#listeners.size + this.#joining > 0) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#onEnd()
  }

  /** Whether this listener pays for the next poll. */
  isPayer(listener: Listener): boolean {
    const [first] = this.#listeners
    return first === listener
  }

  /** Loads the listeners' games with everything that is watched. The plan names the payer's field. */
  async #read(
    request: ClientRequest,
    { field }: Listener,
    listeners: Iterable<Listener>,
  ): Promise<readonly Handle[]> {
    const { organization_id, division_id, date } = this.#day
    const scope = { organization_id, division_id }
    const context = { clientRequest: request, defaults: {} }
    const selection = union([...new Set([...listeners].map((one) => one.selection))])
    const only = followedBy(listeners)
    if (only) {
      const games = handles(request, 'game', only, scope)
      await allDone(games.map((game) => readGame(game, selection, context, field)))
      return games.filter(({ entry }) => !this.#isElsewhere(entry))
    }
    const all = union([selection, watched])
    const place = dayAt(this.#league, scope, date, all, request, { isComplete: true })
    const games = scheduled(await readFresh(scheduleOrigin, place, context, field), place, context)
    await allDone(games.map((game) => freshen(game, context, field)))
    return games
  }

  /** The games whose state differs from the last one found. */
  #compare(games: readonly Handle[], request: ClientRequest): readonly GameSnapshot[] {
    return games.flatMap((game) => {
      const snapshot = snapshotOf(game, request)
      if (!snapshot || this.#snapshots.get(game.entry.key)?.state === snapshot.state) return []
      this.#snapshots.set(game.entry.key, snapshot)
      return snapshot
    })
  }

  #tell(snapshots: readonly GameSnapshot[]): void {
    this.#follow()
    for (const listener of this.#listeners) for (const snapshot of snapshots) listener.tell(snapshot)
  }

  #schedule(wait?: number): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#underway || this.#listeners.size === 0) return
    this.#follow()
    const ms = wait === undefined ? this.#pace.wait : wait * this.#pace.slowedBy
    if (ms !== null) this.#timer = setTimeout(() => this.#begin(), ms)
  }

  /**
   * Updates the pace. If a listener's game is missing, polls go on after the others are over, because it may
   * come back.
   */
  #follow(): void {
    const { date } = this.#day
    const day = { date, owner: this.#league, slot: gamesOfDay(date), only: followedBy(this.#listeners) }
    const pace = paceOf(day, this.#account)
    const isOver = pace.wait === null && [...this.#listeners].some((one) => this.#isMissingFor(one))
    const { current } = this.#account.fresh.freshFor
    this.#pace = isOver ? { ...pace, wait: Math.max(current, leastWait) } : pace
  }

  /** Whether a listener's game was moved to another day, or withdrawn, or its day is over. */
  #isMissingFor({ game, isToday }: Listener): boolean {
    if (isToday && this.#account.upstream.today !== this.#day.date) return true
    if (game === null) return false
    if (followedBy(this.#listeners)) return this.#isElsewhere(this.#account.rows.entry('game', game))
    return gamesOfDay(this.#day.date).last(this.#league)?.includes(game) === false
  }

  /** The same by the game's own row, if the day's list is not read. */
  #isElsewhere(entry: Entry): boolean {
    if (entry.isMissing(this.#account.upstream.settings.clock())) return true
    const date = convert.day(entry.column('start_date', 0))
    return isSet(entry.column('deleted', 0)) || (date !== null && date !== this.#day.date)
  }

  #begin(): void {
    const [payer] = this.#listeners
    if (payer) this.#underway = { payer, poll: this.#poll(payer) }
  }

  async #poll(payer: Listener): Promise<void> {
    const request = payer.clientRequest.another()
    let isDone = false
    try {
      // The payer's events go on meanwhile, with its own request.
      const games = await payer.traced(() => this.#read(request, payer, this.#listeners))
      isDone = true
      this.#settle(payer, request)
      this.#tell(this.#compare(games, request))
      for (const listener of this.#listeners) if (this.#isMissingFor(listener)) listener.onMissing()
    } catch (error) {
      if (!isDone) this.#settle(payer, request)
      if (!(error instanceof CodedError)) console.error(error)
      this.#passOn(payer)
    } finally {
      this.#underway = null
      this.#schedule(isDone ? undefined : this.#account.fresh.freshFor.live || leastWait)
    }
  }

  #settle(payer: Listener, request: ClientRequest): void {
    payer.clientRequest.takeOver(request)
    this.#calls += request.usage.calls
  }

  /**
   * The poll may have failed because of the payer's own limits, so another listener pays for the next one.
   */
  #passOn(payer: Listener): void {
    if (this.#listeners.delete(payer)) this.#listeners.add(payer)
  }
}

/** The only games that listeners follow; null if one of them follows the whole day. */
function followedBy(listeners: Iterable<Listener>): readonly string[] | null {
  const games = new Set<string>()
  for (const { game } of listeners) {
    if (game === null) return null
    games.add(game)
  }
  return [...games]
}

/**
 * Loads what is watched of a game that is followed alone, and its lines that are selected, side by side. The line
 * of a game that is over does not change, so it is not watched.
 */
async function readGame(game: Handle, selection: Selection, context: Context, field: string): Promise<void> {
  const { relations } = selection
  const selected = (['prediction', 'history'] as const).filter((line) => relations.has(line))
  const isOver = context.clientRequest.account.game(game.entry.key).isOver
  await allDone([
    isOver && !relations.has('current')
      ? loadRow(game, context.clientRequest, scoreColumns, field)
      : freshen(game, context, field),
    ...selected.map((line) => readFresh(lineOrigins[line], linePlace(game, line, context), context, field)),
  ])
}

const lineOrigins = {
  prediction: { loader: lines, operation: operations.getScores },
  history: { loader: lines, operation: operations.readOdds },
}

/** Loads what is watched of a game, if it has expired. */
async function freshen(game: Handle, context: Context, field: string): Promise<void> {
  const { clientRequest: request } = context
  const { wanted } = linePlace(game, 'pre', context)
  const atHand = () => (hasCurrentOdds(game.entry, request.now) ? [] : undefined)
  await allDone([
    loadRow(game, request, scoreColumns, field),
    ...(atHand() ? [] : [lines.load({ request, field, wanted, operation: operations.readOdds, atHand })]),
  ])
}
