import type { Sport } from '../league/facts.ts'

export type Side = 'away' | 'home'

export const sides = ['away', 'home'] as const

export const opponentOf = (side: Side): Side => (side === 'away' ? 'home' : 'away')

/**
 * A statistic that a play adds to a side, and to the player who made it: his index in the roster, or null for
 * the team alone.
 */
export interface Credit {
  readonly side: Side
  readonly player: number | null
  readonly column: string
  readonly amount: number
}

export interface Play {
  /** Seconds of the wall clock since the start of the game. */
  readonly at: number
  readonly credits: readonly Credit[]
}

/**
 * A period, or a break between two: its name in words and its length on the wall and on the scoreboard, in
 * seconds.
 */
export interface Period {
  readonly name: string
  readonly start: number
  readonly wall: number
  readonly seconds: number
}

/** The events of one game by time. The state at any moment is the sum of its plays so far. */
export interface Timeline {
  readonly sport: Sport
  readonly periods: readonly Period[]
  readonly plays: readonly Play[]
  /** Seconds of the wall clock from start to end. */
  readonly duration: number
}

/**
 * The state of a game as its row tells it: `scheduled`, `in_progress` or `final`, with period and clock in
 * words.
 */
export interface Scoreboard {
  readonly status: string
  readonly current_period: string | null
  readonly clock: string | null
}

export const FINAL: Scoreboard = { status: 'final', current_period: 'Final', clock: '0:00' }
export const SCHEDULED: Scoreboard = { status: 'scheduled', current_period: null, clock: null }

/** The next period after those there are. */
export function periodAfter(periods: readonly Period[], name: string, wall: number, seconds: number): Period {
  const last = periods.at(-1)
  return { name, start: last ? last.start + last.wall : 0, wall, seconds }
}

const ordinals = ['', '2nd ', '3rd ']

export const overtimeName = (nth: number): string => `${ordinals[nth - 1] ?? `${nth}th `}Overtime`

/** The moment on the wall at which a period's scoreboard has run for `seconds`. */
export const wallAt = (period: Period, seconds: number): number =>
  period.seconds === 0 ? period.start : period.start + Math.round((seconds / period.seconds) * period.wall)

/** The scoreboard's clock after `elapsed` seconds of the wall clock. */
export function scoreboardAt(timeline: Timeline, elapsed: number): Scoreboard {
  if (elapsed < 0) return SCHEDULED
  if (elapsed >= timeline.duration) return FINAL
  const period = periodAt(timeline, elapsed)
  const left = period.seconds * (1 - (elapsed - period.start) / period.wall)
  return { status: 'in_progress', current_period: period.name, clock: clockOf(Math.ceil(left)) }
}

/** The share of the game's own clock that is still to be played, 0 to 1; overtime counts as its end. */
export function shareLeft(timeline: Timeline, elapsed: number): number {
  const regulation = timeline.periods.filter((period) => !period.name.includes('Overtime'))
  const total = regulation.reduce((sum, period) => sum + period.seconds, 0)
  const played = regulation.reduce((sum, period) => sum + playedOf(period, elapsed), 0)
  return 1 - played / total
}

const playedOf = (period: Period, elapsed: number) =>
  period.seconds * Math.min(1, Math.max(0, (elapsed - period.start) / period.wall))

function periodAt(timeline: Timeline, elapsed: number): Period {
  const period = timeline.periods.findLast(({ start }) => start <= elapsed)
  if (!period) throw new RangeError('a timeline begins with a period at 0')
  return period
}

/** Seconds as the service writes a clock: `M:SS`. */
const clockOf = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
