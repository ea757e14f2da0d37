import { loadRow } from '../graph/handle.ts'
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
import { CodedError } from '../upstream/errors.ts'
import { allDone } from '../upstream/groups.ts'
import type { ClientRequest } from '../upstream/client-request.ts'
import type { Account } from '../upstream/account.ts'
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
  /** The subscription's selection on games. */
  readonly selection: Selection
  /** Runs a poll that this listener pays for, in a span linked to its subscription's. */
  readonly traced: <T>(poll: () => T) => T
  /** The only game that the listener wants; null for all. */
  readonly game: string | null
  tell(snapshot: GameSnapshot): void
  /** Called after each poll whose day does not have the listener's game. */
  onMissing(): void
}

/** What is compared of each game, whatever is selected. A change of it is an event. */
const watched = { ...nothing, columns: new Set<string>(scoreColumns), relations: new Set(['current']) }

const field = 'Subscription.scores'

/**
 * Polls the games of a league's day for all subscribers with one key. Compares each poll with the one before,
 * and reports changes to all listeners. Does nothing without listeners.
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
   * Adds a listener and returns the current state of the day. The listener pays for what is unknown or
   * expired; all listeners receive the changes found. Throws a CodedError.
   */
  async join(listener: Listener): Promise<readonly GameSnapshot[]> {
    this.#joining += 1
    try {
      const games = await listener.traced(() => this.#read(listener.clientRequest, [listener.selection]))
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

  /** Loads the day's games with everything that is watched. */
  async #read(request: ClientRequest, selections: readonly Selection[]): Promise<readonly Handle[]> {
    const { organization_id, division_id, date } = this.#day
    const context = { clientRequest: request, defaults: {} }
    const place = dayAt(
      this.#league,
      { organization_id, division_id },
      date,
      union([...selections, watched]),
      request,
    )
    const games = scheduled(await readFresh(scheduleOrigin, place, context, field), place, context)
    await allDone(games.map((game) => freshen(game, request)))
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
    const pace = paceOf({ date, owner: this.#league, slot: gamesOfDay(date) }, this.#account)
    const isOver = pace.wait === null && [...this.#listeners].some((one) => this.#isMissingFor(one))
    const { current } = this.#account.fresh.freshFor
    this.#pace = isOver ? { ...pace, wait: Math.max(current, leastWait) } : pace
  }

  /** Whether a listener's game is not on the day's list: it was moved to another day, or withdrawn. */
  #isMissingFor({ game }: Listener): boolean {
    return game !== null && gamesOfDay(this.#day.date).last(this.#league)?.includes(game) === false
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
      const games = await payer.traced(() => this.#read(request, this.#selections()))
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

  /** The distinct selections: all subscribers of one document share theirs. */
  #selections(): readonly Selection[] {
    return [...new Set([...this.#listeners].map(({ selection }) => selection))]
  }
}

/** Loads what is watched of a game, if it has expired. */
async function freshen(game: Handle, request: ClientRequest): Promise<void> {
  const { wanted } = linePlace(game, 'pre', { clientRequest: request, defaults: {} })
  const atHand = () => (hasCurrentOdds(game.entry, request.now) ? [] : undefined)
  await allDone([
    loadRow(game, request, scoreColumns, field),
    ...(atHand() ? [] : [lines.load({ request, field, wanted, operation: operations.readOdds, atHand })]),
  ])
}
