import { isUnderWay, phaseOf, saysNotBegun } from '../specification/game-status.ts'
import type { Phase } from '../specification/game-status.ts'
import { after, finalFor, gameUntil } from './freshness.ts'
import type { Freshness, FreshFor, GameFacts } from './freshness.ts'
import { parseTime } from './parse-time.ts'
import { numberOf } from './values.ts'
import type { RawRow } from '../specification/raw-row.ts'

const instant = (value: unknown): number | null => {
  const time = typeof value === 'string' ? parseTime(value) : Number.NaN
  return Number.isNaN(time) ? null : time
}

/** The newest live line of a game in progress is never older than this. */
const liveLineGap = 6 * 3_600_000
/**
 * The newest line of a future game is hardly ever older than this. If it is, the daily check notices when it
 * changes.
 */
const lineGap = 14 * 86_400_000

/**
 * What all known rows tell of a game: its own, a score entry, boxscores, lines. It decides the freshness of
 * everything about the game.
 */
export class GameState implements GameFacts, Freshness {
  readonly #fresh: FreshFor
  // Created on first use: most games need neither.
  #prediction: Freshness | undefined
  #unsettled: Freshness | undefined
  phase: Phase = 'unknown'
  overSince = Number.POSITIVE_INFINITY
  start: number | null = null
  day: number | null = null
  isUnderWay = false
  hasScore = false
  notBegunAt = Number.NEGATIVE_INFINITY
  /** When its status was last seen; -Infinity if never. */
  toldAt = Number.NEGATIVE_INFINITY
  /** When its status last said that it was not over; -Infinity if never. */
  openAt = Number.NEGATIVE_INFINITY

  constructor(fresh: FreshFor) {
    this.#fresh = fresh
  }

  until(boughtAt: number): number {
    return gameUntil(this, boughtAt, this.#fresh)
  }

  /** The pre-game prediction does not change while the game is played. */
  get prediction(): Freshness {
    return (this.#prediction ??= {
      until: (boughtAt) => {
        const isAhead = this.start !== null && this.start > boughtAt
        const until = this.until(boughtAt)
        return isAhead ? until : Math.max(until, after(boughtAt, this.#fresh.current))
      },
    })
  }

  /** For rows that are not final yet, although the game may be over. */
  get unsettled(): Freshness {
    return (this.#unsettled ??= {
      until: (boughtAt) => Math.min(this.until(boughtAt), after(boughtAt, this.#fresh.current)),
    })
  }

  get isOver(): boolean {
    return this.phase === 'final' || this.phase === 'off'
  }

  /** Whether the status should be read before anything of the game is bought again. */
  needsRevalidation(now: number): boolean {
    return !this.isOver && this.until(now) <= after(now, this.#fresh.live) && this.#isOldNews(now)
  }

  #isOldNews(now: number): boolean {
    return after(this.toldAt, this.#fresh.current) <= now
  }

  /** Learns from a game's row or a score entry. `calledDay` is the day that the call asked for. */
  learn(row: RawRow, boughtAt: number, calledDay?: unknown): void {
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

  /** Learns from a row that is older than the known state. */
  learnOlder(row: RawRow, calledDay?: unknown): void {
    this.start ??= instant(row['start_datetime'])
    this.day ??= instant(row['start_date'] ?? calledDay)
  }

  /** Learns from a final boxscore: the game is over, unless its status said otherwise a moment ago. */
  learnFinal(boughtAt: number): void {
    const isOpen = this.phase !== 'unknown' && after(this.toldAt, this.#fresh.live) > boughtAt
    if (!this.isOver && !isOpen) this.#enter('final', boughtAt, null)
  }

  /** Learns from the lines of a game with unknown status: if the newest one is old, the game is over. */
  learnLines(newest: number, isLive: boolean, boughtAt: number): void {
    if (this.phase !== 'unknown' || (this.start ?? this.day ?? 0) > boughtAt) return
    if (newest < boughtAt - (isLive ? liveLineGap : lineGap)) {
      this.phase = 'final'
      this.overSince = newest
    }
  }

  /**
   * Corrects times after `moment`, because the clock was ahead. Conclusions from the age of lines are
   * dropped.
   */
  setBack(moment: number): void {
    if (this.isOver && this.toldAt === Number.NEGATIVE_INFINITY) this.phase = 'unknown'
    this.toldAt = Math.min(this.toldAt, moment)
    this.openAt = Math.min(this.openAt, moment)
    this.notBegunAt = Math.min(this.notBegunAt, moment)
    this.overSince = this.isOver ? Math.min(this.overSince, moment) : Number.POSITIVE_INFINITY
  }

  /** A separate copy. */
  copy(): GameState {
    return Object.assign(new GameState(this.#fresh), this)
  }

  #enter(phase: Phase, boughtAt: number, updatedAt: number | null): void {
    const wasOver = this.isOver
    const { phase: before } = this
    this.phase = phase
    this.toldAt = boughtAt
    if (!this.isOver) {
      this.overSince = Number.POSITIVE_INFINITY
      if (phase !== 'unknown') this.openAt = boughtAt
    } else if (!wasOver || updatedAt !== null) {
      // It cannot have ended before its start, nor before it was last seen not to be over: clocks may differ.
      const earliest = Math.max(
        Math.floor(this.openAt),
        phase === 'final' ? (this.start ?? Number.NEGATIVE_INFINITY) : Number.NEGATIVE_INFINITY,
      )
      const isTrue = updatedAt !== null && updatedAt >= earliest
      this.overSince = Math.min(this.overSince, this.#since(before, boughtAt, isTrue ? updatedAt : null))
    }
  }

  /** Since when it is over: since its row was updated, or since it was first seen to be. */
  #since(before: Phase, boughtAt: number, updatedAt: number | null): number {
    if (updatedAt !== null && updatedAt <= boughtAt) return updatedAt
    // Anything bought together with the first known status is hardly ever older than the game's end.
    return before === 'unknown' ? boughtAt - this.#fresh.live : boughtAt
  }
}

/** When a day is over in all time zones: twelve hours after its midnight in UTC. */
export const dayEnd = (date: string): number => Date.parse(date) + 36 * 3_600_000

/** The freshness of a day's list of games. It is final once the day and all of them are over: one may be added. */
export class Schedule implements Freshness {
  readonly #games: readonly GameState[]
  readonly #fresh: FreshFor
  readonly #date: string

  constructor(games: readonly GameState[], fresh: FreshFor, date: string) {
    this.#games = games
    this.#fresh = fresh
    this.#date = date
  }

  until(boughtAt: number): number {
    return after(boughtAt, this.#isOver(boughtAt) ? finalFor : this.#fresh.current)
  }

  #isOver(boughtAt: number): boolean {
    return boughtAt > dayEnd(this.#date) && this.#games.every(({ isOver }) => isOver)
  }
}
