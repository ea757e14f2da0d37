import { handles } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import { readFresh } from '../graph/place.ts'
import { dayAt, scheduled, scheduleOrigin } from '../loaders/schedule-places.ts'
import { gamesOfDay } from '../loaders/schedule-slots.ts'
import { nothing, union } from '../plan/selection.ts'
import { scoreColumns } from '../specification/operations.ts'
import { timeOf } from '../rows/moment.ts'
import type { Entry } from '../rows/entry.ts'
import { CodedError } from '../errors/errors.ts'
import { allDone } from '../groups.ts'
import { blame } from '../trace.ts'
import type { ClientRequest } from '../account/client-request.ts'
import type { Account } from '../account/account.ts'
import { snapshotOf } from './game-snapshot.ts'
import type { GameSnapshot } from './game-snapshot.ts'
import { hasLeft, isElsewhere } from './left-games.ts'
import type { DayList } from './left-games.ts'
import type { FirstState, Listener, Update } from './listener.ts'
import type { Outage } from './outage.ts'
import { leastWait, paceOf } from './pace.ts'
import type { Pace } from './pace.ts'
import { isOfPayer, payersOf } from './payers.ts'
import { freshen, readGame } from './read-game.ts'

/** A day of a league. */
export interface LeagueDay {
  readonly organization_id: string
  readonly division_id: string
  readonly date: string
}

/** What a poll has found. */
interface Found {
  readonly games: readonly Handle[]
  /** Whether these are all games of the day. */
  readonly isWhole: boolean
  readonly outage: Outage | null
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
  #inFlight: Promise<void> | null = null
  #payer: Listener | null = null
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
   * Adds a listener and returns the current state of its games, or the last known one, as a query would. The
   * request pays for what is unknown or expired; all listeners receive the changes found. Throws a CodedError.
   */
  async join(listener: Listener, request: ClientRequest): Promise<FirstState> {
    this.#joining += 1
    try {
      const found = await this.#find(request, listener, [listener])
      const { games, outage, isWhole } = found
      if (outage?.stale === null) throw outage.error
      const update = this.#compare(found, request)
      this.#notify(isWhole && !outage ? { ...update, outage } : update)
      this.#listeners.add(listener)
      if (!outage) this.#schedule()
      else if (!this.#timer) this.#schedule(this.#pause)
      if (!outage && this.#isMissingFor(listener)) listener.onMissing()
      return { snapshots: games.flatMap(({ entry }) => this.#snapshots.get(entry.key) ?? []), outage }
    } finally {
      this.#joining -= 1
      this.#endIfUnused()
    }
  }

  /** Removes a listener. Resolves when the poll that it pays for is over. */
  async leave(listener: Listener): Promise<void> {
    this.#listeners.delete(listener)
    this.#endIfUnused()
    if (this.#payer === listener) await this.#inFlight
  }

  #endIfUnused(): void {
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

  /** The games of the day, as they last were. */
  get snapshots(): Iterable<GameSnapshot> {
    return this.#snapshots.values()
  }

  get #list(): DayList {
    const { date } = this.#day
    return { date, owner: this.#league, slot: gamesOfDay(date) }
  }

  get #now(): number {
    return this.#account.upstream.settings.clock()
  }

  /** Milliseconds until a poll that failed is tried again, if the budget is not low. */
  get #pause(): number {
    return this.#account.fresh.freshFor.live || leastWait
  }

  /** As `#findUntraced`, in a span of the listener that pays. It has failed also if expired rows were found. */
  #find(request: ClientRequest, listener: Listener, listeners: Iterable<Listener>): Promise<Found> {
    return listener.traced(async (span) => {
      const found = await this.#findUntraced(request, listener, listeners)
      if (found.outage) blame(span, found.outage.error)
      return found
    })
  }

  /** Loads the listeners' games. If that fails, the expired ones, if a query would get them. */
  async #findUntraced(
    request: ClientRequest,
    listener: Listener,
    listeners: Iterable<Listener>,
  ): Promise<Found> {
    const isWhole = followedBy(listeners) === null
    const read = () => this.#read(request, listener, listeners)
    try {
      return { games: await read(), isWhole, outage: null }
    } catch (error) {
      if (!(error instanceof CodedError)) throw error
      const since = request.staleMoment(error)
      if (since === null) return { games: [], isWhole: false, outage: { error, stale: null } }
      request.acceptExpired(since)
      return expired(error, request, read)
    }
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
    const there = games.filter(({ entry }) => !hasLeft(entry, this.#list, this.#now))
    await allDone(there.map((game) => freshen(game, context, field)))
    return there.filter(({ entry }) => !this.#isElsewhere(entry))
  }

  /** The games whose state differs from the last one found, and those that were found no more. */
  #compare({ games, isWhole, outage }: Found, request: ClientRequest): Update {
    const there = new Set<string>()
    const changes = games.flatMap((game) => {
      const { key } = game.entry
      const snapshot = snapshotOf(game, request)
      if (!snapshot) return []
      there.add(key)
      if (this.#snapshots.get(key)?.state === snapshot.state) return []
      this.#snapshots.set(key, snapshot)
      return snapshot
    })
    if (!isWhole || outage) return { changes, left: [] }
    const left = [...this.#snapshots.values()].filter(({ game }) => !there.has(game.entry.key))
    for (const { game } of left) this.#snapshots.delete(game.entry.key)
    return { changes, left }
  }

  #notify(update: Update): void {
    this.#follow(update.outage ? this.#pause : undefined)
    const { changes, left } = update
    for (const listener of this.#listeners)
      // Whether the rows of a game that is missing are current, its new day tells.
      listener.onUpdate(this.#isMissingFor(listener) ? { changes, left } : update)
  }

  #schedule(wait?: number): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#inFlight || this.#listeners.size === 0) return
    this.#follow(wait)
    const ms = this.#pace.wait
    if (ms !== null) this.#timer = setTimeout(() => this.#begin(), ms)
  }

  /**
   * Updates the pace. If a listener's game is missing, polls go on after the others are over, because it may
   * come back. `wait` replaces the time until the next poll.
   */
  #follow(wait?: number): void {
    const pace = paceOf({ ...this.#list, only: followedBy(this.#listeners) }, this.#account)
    if (wait !== undefined) return void (this.#pace = { ...pace, wait: wait * pace.slowedBy })
    const isOver = pace.wait === null && [...this.#listeners].some((one) => this.#isMissingFor(one))
    const { current } = this.#account.fresh.freshFor
    this.#pace = isOver ? { ...pace, wait: Math.max(current, leastWait) } : pace
  }

  /** Whether a listener's game was moved to another day, or withdrawn, or its day is over. */
  #isMissingFor({ game, isToday }: Listener): boolean {
    if (isToday && this.#account.upstream.today !== this.#day.date) return true
    if (game === null) return false
    if (this.#isElsewhere(this.#account.rows.entry('game', game))) return true
    if (followedBy(this.#listeners)) return false
    return gamesOfDay(this.#day.date).last(this.#league)?.includes(game) === false
  }

  /** The same by the game's own row: the day's list may be older, or is not read. */
  #isElsewhere(entry: Entry): boolean {
    return isElsewhere(entry, this.#day.date, this.#now)
  }

  #begin(): void {
    if (this.#listeners.size > 0) this.#inFlight = this.#poll()
  }

  async #poll(): Promise<void> {
    let isCurrent = false
    try {
      const update = await this.#buy()
      isCurrent = !update.outage
      this.#notify(update)
      for (const listener of this.#listeners) if (this.#isMissingFor(listener)) listener.onMissing()
    } catch (error) {
      console.error(error)
    } finally {
      this.#inFlight = null
      this.#payer = null
      this.#schedule(isCurrent ? undefined : this.#pause)
    }
  }

  /** Reads the games. What the limits of one client refuse, others may pay for. */
  async #buy(): Promise<Update> {
    const changes: GameSnapshot[] = []
    let outage: Outage | null = null
    for (const payer of payersOf(this.#listeners)) {
      if (!this.#listeners.has(payer)) continue
      this.#payer = payer
      // The payer's events go on meanwhile, with its own request.
      const request = payer.clientRequest.another()
      const found = await this.#find(request, payer, this.#listeners).finally(() =>
        this.#settle(payer, request),
      )
      const update = this.#compare(found, request)
      changes.push(...update.changes)
      outage = found.outage
      if (!outage) return { changes, left: update.left, outage }
      this.#passOn(payer)
      if (!isOfPayer(outage.error)) break
    }
    return { changes, left: [], outage }
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

/** What a query would get after a failure: the expired rows if all are known, else the error. */
async function expired(
  error: CodedError,
  request: ClientRequest,
  read: () => Promise<readonly Handle[]>,
): Promise<Found> {
  try {
    const games = await read()
    const { stale } = request
    if (!stale) return { games, isWhole: false, outage: null }
    const since = timeOf(request.now) - stale.seconds * 1_000
    return { games, isWhole: false, outage: { error, stale: { rows: stale.rows, since } } }
  } catch (later) {
    if (!(later instanceof CodedError)) throw later
    return { games: [], isWhole: false, outage: { error: later, stale: null } }
  }
}

/** The only games that listeners follow; null if one of them follows the whole day. */
function followedBy(listeners: Iterable<Listener>): readonly string[] | null {
  const keys = new Set<string>()
  for (const { game } of listeners) {
    if (game === null) return null
    keys.add(game)
  }
  return [...keys]
}
