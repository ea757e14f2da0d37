import type { Phase } from '../specification/game-status.ts'

/** How long each class of rows may be served, in milliseconds; 0: never reused. */
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

/** Data of finished games and seasons is read again after a day, because of corrections. */
export const finalFor = day

/** The longest time that anything is served as fresh: that of all classes, or of what is final. */
export const longestFresh = ({ staleIfError: _expired, ...classes }: FreshFor): number =>
  Math.max(finalFor, ...Object.values(classes))

/**
 * Decides until when something bought at a given time may be served. It is asked on every read, because a
 * game's state may become known later.
 */
export interface Freshness {
  readonly until: (boughtAt: number) => number
}

/** When something bought then expires. Times have fractions that order purchases within one millisecond. */
export const after = (boughtAt: number, ms: number): number =>
  ms === 0 ? boughtAt : Math.floor(boughtAt) + ms

/** What all known rows tell of a game. */
export interface GameFacts {
  readonly phase: Phase
  /** Since when the phase is `final` or `off`. Anything bought before may not be final. */
  readonly overSince: number
  /** Unix milliseconds; null if unknown. */
  readonly start: number | null
  /** Midnight of the game's day, UTC; null if unknown. */
  readonly day: number | null
  /** Whether its status says that it is being played. */
  readonly isUnderWay: boolean
  /** Whether it has a score above zero. */
  readonly hasScore: boolean
  /** When a row last said that it had not begun; -Infinity if never, or if it has begun since. */
  readonly notBegunAt: number
}

/** A game may start on the evening before its day. */
const eveningBefore = 3 * hour
/** If a game has not begun this long after its start, the start is wrong. */
const longDelay = 3 * hour
/** A game without a score this long after its start is not being played. */
const longOver = 2 * day

/** Until when a row of a game, or a row that belongs to it, may be served. */
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
 * A game with an unknown start may begin at any time after it was last seen not to have begun. Anything
 * bought later expires at the latest `current` after that, so the beginning is noticed in time.
 */
const notBegunUntil = (seenAt: number, boughtAt: number, { live, current }: FreshFor): number =>
  Math.min(after(boughtAt, current), Math.max(after(boughtAt, live), after(seenAt, current)))

/** What all known rows tell of an organization's season. */
export interface SeasonFacts {
  readonly season: number
  /** The earliest time by which it had begun, in Unix milliseconds. */
  readonly earliest: number
  /** The latest date of a series with a row for every day or game, such as rankings; null if unknown. */
  readonly seriesEnd: number | null
  /** The latest date in any of its rows. */
  readonly latest: number
  /** The newest season of the organization in which a game has begun. */
  readonly newest: number
  /** When it begins if it is like the organization's other seasons; null if none of their games is known. */
  readonly usualStart: number | null
}

/** Longer than any season lasts. */
const seasonLength = 330 * day
/** Longer than any pause within a season. */
export const longestPause = 60 * day

/** Whether a season was over at a given time. If in doubt it is not, which only costs another call. */
export function isSeasonOver(facts: SeasonFacts, at: number): boolean {
  if (facts.newest > facts.season) return true
  if (facts.latest > at - longestPause) return false
  if (facts.earliest < at - seasonLength) return true
  if (facts.usualStart !== null && facts.usualStart < at - seasonLength) return true
  if (facts.seriesEnd !== null && facts.seriesEnd < at - longestPause) return true
  // A season is named after the year in which it begins or ends, so it is over by August of the next year.
  return at >= Date.UTC(facts.season + 1, 7, 1)
}

/** Until when a row or a list of a season is served. */
export const seasonUntil = (facts: SeasonFacts, boughtAt: number, fresh: FreshFor): number =>
  after(boughtAt, isSeasonOver(facts, boughtAt) ? finalFor : fresh.current)
