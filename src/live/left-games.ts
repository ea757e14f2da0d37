import { convert } from '../graph/conversions.ts'
import type { Entry } from '../rows/entry.ts'
import type { Slot } from '../rows/slot.ts'
import { isSet } from '../rows/values.ts'

/** The list of a day's games in the cache. */
export interface DayList {
  readonly date: string
  readonly owner: Entry
  readonly slot: Slot<readonly string[]>
}

/** Whether a game is not of the day by its own row: it was withdrawn, or moved to another day. */
export function isElsewhere(game: Entry, date: string, now: number): boolean {
  if (game.isMissing(now)) return true
  const own = convert.day(game.column('start_date', 0))
  return isSet(game.column('deleted', 0)) || (own !== null && own !== date)
}

/** Whether a game that the day's list still names has left since the list was read. It is not read again before. */
export const hasLeft = (game: Entry, { date, owner, slot }: DayList, now: number): boolean =>
  isElsewhere(game, date, now) &&
  (game.isMissing(now) || game.columnBoughtAt('start_date', 0) > owner.slotBoughtAt(slot.name))
