import { dayEnd } from '../rows/game-state.ts'
import { gameSlots } from '../rows/game-slots.ts'
import type { Account } from '../account/account.ts'
import { hasLeft } from './left-games.ts'
import type { DayList } from './left-games.ts'

/** The minimum wait, so that a poll that failed or found nothing new is not repeated at once. */
export const leastWait = 1_000
const longestTimer = 2 ** 31 - 1

/** The games of a day in the cache. */
interface Day extends DayList {
  /** The only games that are polled; null for all. */
  readonly only: readonly string[] | null
}

/** When a day is polled next, and why. */
export interface Pace {
  /** Milliseconds until the next poll; null if nothing will change any more. */
  readonly wait: number | null
  /** The factor by which the wait is longer, because little is left of the budget. */
  readonly slowedBy: number
}

/**
 * Decides when a day is polled next: when the first known value expires. That is seconds while a game is
 * played, and minutes before and after, at the latest at the next start. There are no more polls once the day is over.
 */
export function paceOf(day: Day, account: Account): Pace {
  const slowedBy = slowdown(account.ledger.remaining, account.ledger.budget)
  const now = account.upstream.settings.clock()
  const until = agesAt(day, account, now)
  if (until === Number.POSITIVE_INFINITY) return { wait: null, slowedBy }
  const longest = Math.max(account.fresh.freshFor.current, leastWait)
  const wait = slowedBy * Math.min(Math.max(until - now, leastWait), longest)
  return { wait: Math.min(wait, longestTimer), slowedBy }
}

/** When the first known value of a day expires; infinite if nothing will change. */
function agesAt(day: Day, account: Account, now: number): number {
  const { date, owner, slot, only } = day
  // A game that has left would be due at once, for as long as the day's list names it.
  const games = (only ?? slot.last(owner) ?? []).filter(
    (game) => !hasLeft(account.rows.entry('game', game), day, now),
  )
  const open = games.filter((game) => !account.game(game).isOver)
  // A game may be added to the day until it is over.
  if (open.length === 0 && (only || dayEnd(date) < now)) return Number.POSITIVE_INFINITY
  const moments = (only ? open : games).flatMap((game) => {
    const entry = account.rows.entry('game', game)
    return [entry.freshUntil, gameSlots.pre.freshUntil(entry), gameSlots.live.freshUntil(entry)]
  })
  if (!only) moments.push(slot.freshUntil(owner))
  return Math.min(...moments)
}

/** Polls slow down when less than this share of the budget is left. */
const tight = 0.25
const slowest = 16

/**
 * The factor by which polls slow down under a monthly budget: 2 below a quarter left, and twice that with
 * each further half.
 */
export function slowdown(remaining: number | null, budget: number | null): number {
  if (remaining === null || budget === null || budget <= 0) return 1
  const left = remaining / budget
  let factor = 1
  for (let least = tight; left < least && factor < slowest; least /= 2) factor *= 2
  return factor
}
