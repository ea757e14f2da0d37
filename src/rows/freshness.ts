import { numberOf } from './values.ts'

/** For how long each class of row is served, in milliseconds; 0: never reused. */
export interface FreshFor {
  /** Everything that belongs to a live game. */
  readonly live: number
  /** Games to come, schedules, current rows. */
  readonly current: number
  /** Teams, players, leagues. */
  readonly reference: number
  /** How long an expired row may still be served while the service fails; 0: never. */
  readonly staleIfError: number
}

const second = 1_000
const hour = 3_600 * second
const day = 24 * hour

export const defaultFreshFor: FreshFor = {
  live: 15 * second,
  current: 300 * second,
  reference: day,
  staleIfError: day,
}

/** What is over is rechecked once a day, for corrections. */
export const finalFor = day

/** The longest that anything is served as fresh. */
export const longestFresh = ({ live, current, reference }: FreshFor): number =>
  Math.max(live, current, reference, finalFor)

/** Decides until when something bought at a moment may be served. Asked on every read: a game's state may arrive later. */
export interface Freshness {
  readonly until: (boughtAt: number) => number
}

/** When something bought then has aged. Moments have fractions, which order purchases within one millisecond. */
export const after = (boughtAt: number, ms: number): number =>
  ms === 0 ? boughtAt : Math.floor(boughtAt) + ms

/**
 * `off`: called off, nothing will follow. `postponed`: to be played later. `open`: neither, whether it has begun or not.
 */
export type Phase = 'unknown' | 'open' | 'final' | 'off' | 'postponed'

const phases: readonly (readonly [Phase, RegExp])[] = [
  ['final', /^(final|complete|finished|closed|ended|official|full.?time|ft$|aot$|f$|f\/)/],
  ['off', /^(cancel|abandon|forfeit|no.?contest|void|walk.?over|w\/o$|annul|called.?off)/],
  ['postponed', /^(postpone|ppd|suspend|reschedul|delay|interrupt|tbd|tba)/],
]

/** Statuses that are remembered: services have a few. */
const mostStatuses = 500

const phaseByStatus = new Map<string, Phase>()

/** What a status says. The specification shows `final` alone; the other words are those that services use. */
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

/** Whether a status says that the game is being played, so that its start cannot lie ahead. */
export const isUnderWay = (status: unknown): boolean =>
  typeof status === 'string' && /progress|live|half|quarter|period|overtime|playing/i.test(status)

/** Words for a game that has not begun. */
const isAheadWord =
  /^(sched|pre|upcoming|not.?(yet.?)?(started|begun)|created|fixture|planned|future|ns$|time.?valid)/

type Row = Readonly<Record<string, unknown>>

/**
 * Whether a game's row or score entry says that the game has not begun. A status that is missing or in unknown words says so only
 * where there is no score and no period either.
 */
export function saysNotBegun(row: Row, phase: Phase): boolean {
  const { status, current_period: period, home_score: home, away_score: away } = row
  if ((phase !== 'open' && phase !== 'unknown') || isUnderWay(status) || isUnderWay(period)) return false
  const isAhead = typeof status === 'string' && isAheadWord.test(status.trim().toLowerCase())
  if (isAhead) return !(numberOf(home) > 0 || numberOf(away) > 0)
  return home == null && away == null && (period == null || period === '')
}

/** What is known of a game, by any row. */
export interface GameFacts {
  readonly phase: Phase
  /** Since when the phase is `final` or `off`: what was bought before may differ from the last word. */
  readonly overSince: number
  /** Unix milliseconds; null where unknown. */
  readonly start: number | null
  /** Midnight of the game's day, UTC; null where unknown. */
  readonly day: number | null
  /** Whether its status says that it is being played. */
  readonly isUnderWay: boolean
  /** Whether it has a score above zero. */
  readonly hasScore: boolean
  /** When a row last said that it had not begun; -Infinity: never, or it has begun since. */
  readonly notBegunAt: number
}

/** A game may start on the evening before its day. */
const eveningBefore = 3 * hour
/** A game that has still not begun so long after its start has lost it, or its start was a placeholder. */
const longDelay = 3 * hour
/** A game without a score so long after its start is not being played. */
const longOver = 2 * day

/** Until when a row of a game, or a row that belongs to it, is served when it was bought at a moment. */
export function gameUntil(game: GameFacts, boughtAt: number, fresh: FreshFor): number {
  const { phase, start, isUnderWay: isPlayed, hasScore } = game
  if (phase === 'final' || phase === 'off')
    return after(boughtAt, boughtAt >= game.overSince ? finalFor : fresh.live)
  const beginning = start ?? (game.day === null ? null : game.day - eveningBefore)
  if (beginning !== null && beginning > boughtAt && !isPlayed)
    return Math.min(after(boughtAt, fresh.current), beginning)
  if (phase === 'postponed') return after(boughtAt, fresh.current)
  const isStartTold = start !== null && start > boughtAt - longDelay
  if (!isStartTold && boughtAt <= game.notBegunAt + Math.max(fresh.current, fresh.live))
    return notBegunUntil(game.notBegunAt, boughtAt, fresh)
  if (beginning !== null && beginning < boughtAt - longOver && !hasScore)
    return after(boughtAt, fresh.current)
  return after(boughtAt, fresh.live)
}

/**
 * A game whose start is not known may begin any moment after it was last seen not to have. What is bought later is served no longer
 * than that sight of it, so that the beginning is noticed within the time of current rows.
 */
const notBegunUntil = (seenAt: number, boughtAt: number, { live, current }: FreshFor): number =>
  Math.min(after(boughtAt, current), Math.max(after(boughtAt, live), after(seenAt, current)))

/** What is known of a season of an organization, by any row. */
export interface SeasonFacts {
  readonly season: number
  /** The earliest date by which it had begun, in Unix milliseconds. */
  readonly earliest: number
  /** The latest date of a series that has a row for every day or game, such as rankings; null where none was seen. */
  readonly seriesEnd: number | null
  /** The latest date that any row of it has. */
  readonly latest: number
  /** The newest season of the organization in which a game has begun. */
  readonly newest: number
  /** By when it begins if it is like the organization's other seasons; null where none of their games was seen. */
  readonly usualStart: number | null
}

/** Longer than any season lasts. */
const seasonLength = 330 * day
/** Longer than any pause within a season. */
const longestPause = 60 * day

/** Whether a season was over at a moment. Wrong only in favour of asking again. */
export function isSeasonOver(facts: SeasonFacts, at: number): boolean {
  if (facts.newest > facts.season) return true
  if (facts.latest > at - longestPause) return false
  if (facts.earliest < at - seasonLength) return true
  if (facts.usualStart !== null && facts.usualStart < at - seasonLength) return true
  if (facts.seriesEnd !== null && facts.seriesEnd < at - longestPause) return true
  // A season is named after the year in which it begins or ends: by August of the next it is over either way.
  return at >= Date.UTC(facts.season + 1, 7, 1)
}

/** Until when a row or a list of a season is served. */
export const seasonUntil = (facts: SeasonFacts, boughtAt: number, fresh: FreshFor): number =>
  after(boughtAt, isSeasonOver(facts, boughtAt) ? finalFor : fresh.current)
