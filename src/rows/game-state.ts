import { after, finalFor, gameUntil, isUnderWay, phaseOf, saysNotBegun } from './freshness.ts'
import type { Freshness, FreshFor, GameFacts, Phase } from './freshness.ts'
import { momentOf } from './moments.ts'
import { numberOf } from './values.ts'

type Row = Readonly<Record<string, unknown>>

const instant = (value: unknown): number | null => {
  const time = typeof value === 'string' ? momentOf(value) : Number.NaN
  return Number.isNaN(time) ? null : time
}

/** The newest live line of a game under way is never so old. */
const liveLineGap = 6 * 3_600_000
/** The newest line of a game to come is hardly ever so old; if it is, the daily recheck sees it move. */
const lineGap = 14 * 86_400_000

/** What is known of a game by any row: its own, a score entry, a boxscore, its lines. Everything bought of the game is judged by it. */
export class GameState implements GameFacts, Freshness {
  readonly #fresh: FreshFor
  // Made when first asked for: most games need neither.
  #prediction: Freshness | undefined
  #unsettled: Freshness | undefined
  phase: Phase = 'unknown'
  overSince = Number.POSITIVE_INFINITY
  start: number | null = null
  day: number | null = null
  isUnderWay = false
  hasScore = false
  notBegunAt = Number.NEGATIVE_INFINITY
  /** When its status was last told; -Infinity: never. */
  toldAt = Number.NEGATIVE_INFINITY

  constructor(fresh: FreshFor) {
    this.#fresh = fresh
  }

  until(boughtAt: number): number {
    return gameUntil(this, boughtAt, this.#fresh)
  }

  /** The pre-game prediction does not move while the game is played. */
  get prediction(): Freshness {
    return (this.#prediction ??= {
      until: (boughtAt) => {
        const isAhead = this.start !== null && this.start > boughtAt
        const until = this.until(boughtAt)
        return isAhead ? until : Math.max(until, after(boughtAt, this.#fresh.current))
      },
    })
  }

  /** Rows that say they are not final yet, though the game may be over. */
  get unsettled(): Freshness {
    return (this.#unsettled ??= {
      until: (boughtAt) => Math.min(this.until(boughtAt), after(boughtAt, this.#fresh.current)),
    })
  }

  get isOver(): boolean {
    return this.phase === 'final' || this.phase === 'off'
  }

  /** Whether the state should be asked for before anything of the game is bought again. */
  isDoubtful(now: number): boolean {
    return !this.isOver && this.until(now) <= after(now, this.#fresh.live) && this.#isOldNews(now)
  }

  #isOldNews(now: number): boolean {
    return after(this.toldAt, this.#fresh.current) <= now
  }

  /** Learns from a game's row or a score entry, bought at a moment by a call for `calledDay`. */
  learn(row: Row, boughtAt: number, calledDay?: unknown): void {
    this.start = instant(row['start_datetime']) ?? this.start
    const { start_date: day = calledDay } = row
    this.day = instant(day) ?? this.day
    if (row['home_score'] !== undefined)
      this.hasScore = numberOf(row['home_score']) > 0 || numberOf(row['away_score']) > 0
    if (row['status'] === undefined) return
    this.isUnderWay = isUnderWay(row['status'])
    const phase = phaseOf(row['status'])
    this.notBegunAt = saysNotBegun(row, phase) ? boughtAt : Number.NEGATIVE_INFINITY
    this.#enter(phase, boughtAt, instant(row['updated_at']))
  }

  /** Learns from a row that is older than what is known. */
  learnOlder(row: Row, calledDay?: unknown): void {
    this.start ??= instant(row['start_datetime'])
    this.day ??= instant(row['start_date'] ?? calledDay)
  }

  /** A boxscore says that its numbers are final: the game is over, unless its status said otherwise a moment ago. */
  learnFinal(boughtAt: number): void {
    const isOpen = this.phase !== 'unknown' && after(this.toldAt, this.#fresh.live) > boughtAt
    if (!this.isOver && !isOpen) this.#enter('final', boughtAt, null)
  }

  /** All lines of a game whose status nobody told: old ones are those of a game that is over. */
  learnLines(newest: number, isLive: boolean, boughtAt: number): void {
    if (this.phase !== 'unknown' || (this.start ?? this.day ?? 0) > boughtAt) return
    if (newest < boughtAt - (isLive ? liveLineGap : lineGap)) {
      this.phase = 'final'
      this.overSince = newest
    }
  }

  /** Counts what was told after a moment as told then. What followed from the age of lines alone is no longer known. */
  setBack(moment: number): void {
    if (this.isOver && this.toldAt === Number.NEGATIVE_INFINITY) this.phase = 'unknown'
    this.toldAt = Math.min(this.toldAt, moment)
    this.notBegunAt = Math.min(this.notBegunAt, moment)
    this.overSince = this.isOver ? Math.min(this.overSince, moment) : Number.POSITIVE_INFINITY
  }

  /** A state that knows the same and goes its own way. */
  copy(): GameState {
    const { phase, overSince, start, day, isUnderWay: isPlayed, hasScore, notBegunAt, toldAt } = this
    const known = { phase, overSince, start, day, isUnderWay: isPlayed, hasScore, notBegunAt, toldAt }
    return Object.assign(new GameState(this.#fresh), known)
  }

  #enter(phase: Phase, boughtAt: number, updatedAt: number | null): void {
    const wasOver = this.isOver
    const { phase: before, toldAt: toldBefore } = this
    this.phase = phase
    this.toldAt = boughtAt
    if (!this.isOver) this.overSince = Number.POSITIVE_INFINITY
    else if (!wasOver || updatedAt !== null) {
      // It cannot have ended before it was last seen not to be over, nor before its start.
      const earliest = Math.max(
        wasOver || before === 'unknown' ? Number.NEGATIVE_INFINITY : Math.floor(toldBefore),
        phase === 'final' ? (this.start ?? Number.NEGATIVE_INFINITY) : Number.NEGATIVE_INFINITY,
      )
      const isTrue = updatedAt !== null && updatedAt >= earliest
      this.overSince = Math.min(this.overSince, this.#since(before, boughtAt, isTrue ? updatedAt : null))
    }
  }

  /** Since when it has been over: since its row last changed, or since it was first seen to be. */
  #since(before: Phase, boughtAt: number, updatedAt: number | null): number {
    if (updatedAt !== null && updatedAt <= boughtAt) return updatedAt
    // What was bought beside the first word on a game is hardly ever from before its end.
    return before === 'unknown' ? boughtAt - this.#fresh.live : boughtAt
  }
}

/** The list of a day's games: kept once all of them are over. */
export class Schedule implements Freshness {
  readonly #games: readonly GameState[]
  readonly #fresh: FreshFor
  /** When a day without games is past; null where an empty list is no news. */
  readonly #emptyAfter: number | null

  constructor(games: readonly GameState[], fresh: FreshFor, emptyAfter: number | null) {
    this.#games = games
    this.#fresh = fresh
    this.#emptyAfter = emptyAfter
  }

  until(boughtAt: number): number {
    return after(boughtAt, this.#isOver(boughtAt) ? finalFor : this.#fresh.current)
  }

  #isOver(boughtAt: number): boolean {
    if (this.#games.length === 0) return this.#emptyAfter !== null && boughtAt > this.#emptyAfter
    return this.#games.every(({ isOver }) => isOver)
  }
}
