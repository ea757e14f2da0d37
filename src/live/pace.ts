import { gameSlots } from '../rows/game-slots.ts'
import type { Slot } from '../rows/slot.ts'
import type { Entry } from '../upstream/entry.ts'
import type { Account } from '../upstream/account.ts'

/** A moment too short for anything to change, so that a poll which failed or brought nothing new is not followed at once. */
export const leastWait = 1_000
const longestTimer = 2 ** 31 - 1
/** How long after a day without games nobody expects one any more, wherever its midnight is. */
const longOver = 3 * 86_400_000

/** The games of a day, as they are kept. */
interface Day {
  readonly date: string
  readonly owner: Entry
  readonly slot: Slot<readonly string[]>
}

/** When a day is polled next. */
export interface Pace {
  /** Milliseconds until then; null where nothing will change any more. */
  readonly wait: number | null
  /** How many times longer the wait is because the budget tightens. */
  readonly slowedBy: number
}

/**
 * The pace of a day's polls. It follows the games: a day is polled when something that is known of it has aged, which is seconds while a
 * game is played, minutes before, at the latest when the next one starts, and never once all are over.
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

/** When the first thing that is known of a day has aged; infinite where nothing will change. */
function agesAt({ date, owner, slot }: Day, account: Account, now: number): number {
  const games = slot.stale(owner) ?? []
  if (games.length === 0 && Date.parse(date) < now - longOver) return Number.POSITIVE_INFINITY
  if (games.length > 0 && games.every((game) => account.game(game).isOver)) return Number.POSITIVE_INFINITY
  const moments = games.flatMap((game) => {
    const entry = account.rows.entry('game', game)
    return [entry.freshUntil, gameSlots.pre.freshUntil(entry), gameSlots.live.freshUntil(entry)]
  })
  return Math.min(slot.freshUntil(owner), ...moments)
}

/** A budget of which less than this is left slows polls down. */
const tight = 0.25
const slowest = 16

/** How many times longer to wait under a month's budget: twice with a quarter left, and twice as long again with each half of that. */
export function slowdown(remaining: number | null, budget: number | null): number {
  if (remaining === null || budget === null || budget <= 0) return 1
  const left = remaining / budget
  let factor = 1
  for (let least = tight; left < least && factor < slowest; least /= 2) factor *= 2
  return factor
}
