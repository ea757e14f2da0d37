import type { RawRow } from './raw-row.ts'
/**
 * What a game's status means. `off`: cancelled or abandoned. `postponed`: to be played later. `open`:
 * neither, whether it has begun or not.
 */
export type Phase = 'unknown' | 'open' | 'final' | 'off' | 'postponed'

const phases: readonly (readonly [Phase, RegExp])[] = [
  ['final', /^(final|complete|finished|closed|ended|official|full.?time|ft$|aot$|f$|f\/)/],
  ['off', /^(cancel|abandon|forfeit|no.?contest|void|walk.?over|w\/o$|annul|called.?off)/],
  ['postponed', /^(postpone|ppd|suspend|reschedul|delay|interrupt|tbd|tba)/],
]

/** Maximum remembered statuses. Services have a few. */
const mostStatuses = 500

const phaseByStatus = new Map<string, Phase>()

/**
 * The phase that a status means. The specification shows only `final`; the other words are those that
 * services use.
 */
export function phaseOf(status: unknown): Phase {
  if (typeof status !== 'string') return 'unknown'
  let phase = phaseByStatus.get(status)
  if (phase === undefined) {
    const word = status.trim().toLowerCase()
    phase = phases.find(([, pattern]) => pattern.test(word))?.[0] ?? 'open'
    if (phaseByStatus.size < mostStatuses) phaseByStatus.set(status, phase)
  }
  return phase
}

/** Whether a status says that the game is being played. Its start is then in the past. */
export const isUnderWay = (status: unknown): boolean =>
  typeof status === 'string' && /progress|live|half|quarter|period|overtime|playing/i.test(status)

/** Words for a game that has not begun. */
const isAheadWord =
  /^(sched|pre|upcoming|not.?(yet.?)?(started|begun)|created|fixture|planned|future|ns$|time.?valid)/

/** Whether a status says in a word that the game has not begun. */
export const isAhead = (status: unknown): boolean =>
  typeof status === 'string' && isAheadWord.test(status.trim().toLowerCase())

/**
 * Whether a game's row or score entry says that the game has not begun. If the status is missing or unknown,
 * this needs a row without score and period.
 */
export function saysNotBegun(row: RawRow, phase: Phase): boolean {
  const { status, current_period: period, home_score: home, away_score: away } = row
  if ((phase !== 'open' && phase !== 'unknown') || isUnderWay(status) || isUnderWay(period)) return false
  if (isAhead(status)) return !(isAboveZero(home) || isAboveZero(away))
  return home == null && away == null && (period == null || period === '')
}

/** A service may write numbers as text, or send an object, for which `Number` can throw. */
const isAboveZero = (score: unknown): boolean =>
  (typeof score === 'number' || typeof score === 'string') && Number(score) > 0

/** Whether a game is over and has a result. */
export const isFinalStatus = (status: unknown): boolean => phaseOf(status) === 'final'

/**
 * Whether a game is not played on its day: cancelled, abandoned or postponed. One that is delayed, or that
 * has no time yet, is played.
 */
export const isCalledOff = (status: unknown): boolean =>
  phaseOf(status) === 'off' ||
  (typeof status === 'string' && /^\s*(postpone|ppd|suspend|reschedul)/i.test(status))
