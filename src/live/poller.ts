import { loadRow } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import { readFresh } from '../graph/relation.ts'
import { hasCurrentOdds } from '../loaders/game-needs.ts'
import { linePlace, lines } from '../loaders/lines.ts'
import { dayAt, scheduled, scheduleOrigin } from '../loaders/schedule-places.ts'
import { gamesOfDay } from '../loaders/schedule-slots.ts'
import { nothing, union } from '../plan/selection.ts'
import type { Selection } from '../plan/selection.ts'
import { scoreColumns } from '../specification/operations.ts'
import type { Entry } from '../upstream/entry.ts'
import { CodedError } from '../upstream/errors.ts'
import { allDone } from '../upstream/groups.ts'
import type { Request } from '../upstream/request.ts'
import type { Account } from '../upstream/account.ts'
import { changeOf } from './change.ts'
import type { Change } from './change.ts'
import { leastWait, paceOf } from './pace.ts'
import type { Pace } from './pace.ts'

/** A day of a league. */
export interface LeagueDay {
  readonly organization_id: string
  readonly division_id: string
  readonly date: string
}

/** One who is told of a day's changes. */
export interface Listener {
  /** The request that pays for polls, while it is the first. */
  readonly client: Request
  /** What is selected of the games. */
  readonly selection: Selection
  /** Runs a poll that the listener pays for, in a span linked to its subscription's. */
  readonly traced: <T>(poll: () => T) => T
  /** The one game that the listener hears of; null where it is all of them. */
  readonly game: string | null
  tell(change: Change): void
  /** Told after each poll in which its game was not among those of the day. */
  miss(): void
}

/** What is compared of each game, whatever is selected: a change of it is an event. */
const watched = { ...nothing, columns: new Set<string>(scoreColumns), relations: new Set(['current']) }

const field = 'Subscription.scores'

/**
 * Polls the games of a league's day for all who listen, with one key. Compares each poll with the one before once, and tells all listeners
 * of what has changed. Does nothing while nobody listens.
 */
export class Poller {
  readonly #account: Account
  readonly #league: Entry
  readonly #day: LeagueDay
  readonly #onEnd: () => void
  readonly #listeners = new Set<Listener>()
  readonly #changes = new Map<string, Change>()
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

  /** Calls that polls have sent so far. */
  get calls(): number {
    return this.#calls
  }

  /**
   * Adds a listener, and answers with the day as it is now. That costs the listener what is not known or has aged; what it brings, the
   * others are told as well. Throws a CodedError.
   */
  async join(listener: Listener): Promise<readonly Change[]> {
    this.#joining += 1
    try {
      const games = await listener.traced(() => this.#read(listener.client, [listener.selection]))
      this.#tell(this.#compare(games, listener.client))
      this.#listeners.add(listener)
      this.#schedule()
      if (this.#misses(listener)) listener.miss()
      return games.flatMap(({ entry }) => this.#changes.get(entry.key) ?? [])
    } finally {
      this.#joining -= 1
      this.#endUnlessHeard()
    }
  }

  /** Takes a listener away; resolves once the poll that it pays for is over. */
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

  /** Whether a listener pays for the next poll. */
  isPayer(listener: Listener): boolean {
    const [first] = this.#listeners
    return first === listener
  }

  /** The games of the day with all that is watched of them. */
  async #read(request: Request, selections: readonly Selection[]): Promise<readonly Handle[]> {
    const { organization_id, division_id, date } = this.#day
    const context = { client: request, defaults: {} }
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

  /** The games whose state is not the one that was found last. */
  #compare(games: readonly Handle[], request: Request): readonly Change[] {
    return games.flatMap((game) => {
      const change = changeOf(game, request)
      if (!change || this.#changes.get(game.entry.key)?.state === change.state) return []
      this.#changes.set(game.entry.key, change)
      return change
    })
  }

  #tell(changes: readonly Change[]): void {
    this.#follow()
    for (const listener of this.#listeners) for (const change of changes) listener.tell(change)
  }

  #schedule(wait?: number): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#underway || this.#listeners.size === 0) return
    this.#follow()
    const ms = wait === undefined ? this.#pace.wait : wait * this.#pace.slowedBy
    if (ms !== null) this.#timer = setTimeout(() => this.#begin(), ms)
  }

  /** Takes on the pace of the games. A game that is missed may come back, however long the others are over. */
  #follow(): void {
    const { date } = this.#day
    const pace = paceOf({ date, owner: this.#league, slot: gamesOfDay(date) }, this.#account)
    const isOver = pace.wait === null && [...this.#listeners].some((one) => this.#misses(one))
    const { current } = this.#account.fresh.freshFor
    this.#pace = isOver ? { ...pace, wait: Math.max(current, leastWait) } : pace
  }

  /** Whether a listener's game is not among those of the day: it was moved to another, or withdrawn. */
  #misses({ game }: Listener): boolean {
    return game !== null && gamesOfDay(this.#day.date).stale(this.#league)?.includes(game) === false
  }

  #begin(): void {
    const [payer] = this.#listeners
    if (payer) this.#underway = { payer, poll: this.#poll(payer) }
  }

  async #poll(payer: Listener): Promise<void> {
    const request = payer.client.another()
    let isDone = false
    try {
      // Events of the payer go on with its own request meanwhile.
      const games = await payer.traced(() => this.#read(request, this.#selections()))
      isDone = true
      this.#settle(payer, request)
      this.#tell(this.#compare(games, request))
      for (const listener of this.#listeners) if (this.#misses(listener)) listener.miss()
    } catch (error) {
      if (!isDone) this.#settle(payer, request)
      if (!(error instanceof CodedError)) console.error(error)
      this.#passOn(payer)
    } finally {
      this.#underway = null
      this.#schedule(isDone ? undefined : this.#account.fresh.freshFor.live || leastWait)
    }
  }

  #settle(payer: Listener, request: Request): void {
    payer.client.takeOver(request)
    this.#calls += request.usage.calls
  }

  /** What failed may have failed for the payer alone, by its limits: another pays for the next poll. */
  #passOn(payer: Listener): void {
    if (this.#listeners.delete(payer)) this.#listeners.add(payer)
  }

  /** Each distinct selection once: all subscribers of one document have the same. */
  #selections(): readonly Selection[] {
    return [...new Set([...this.#listeners].map(({ selection }) => selection))]
  }
}

/** Loads what is watched of a game, where it has aged. */
async function freshen(game: Handle, request: Request): Promise<void> {
  const { wanted } = linePlace(game, 'pre', { client: request, defaults: {} })
  await allDone([
    loadRow(game, request, scoreColumns, field),
    ...(hasCurrentOdds(game.entry, request.now) ? [] : [lines.load({ request, field, wanted })]),
  ])
}
