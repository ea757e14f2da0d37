import { joinSlots } from '../rows/slot.ts'
import type { Slot } from '../rows/slot.ts'
import type { Entry } from '../upstream/entry.ts'
import { teamsOf } from './boxscores.ts'

type Keys = readonly string[]

/** What is kept of a game for each of its teams, and for both where no team is named. */
type Sides = (team: string | null) => Slot<Keys>

/** The one team of a game whose side is not at hand while the other's is; null where both are, or neither. */
export function sideLacking(game: Entry, slotOf: Sides, now: number): string | null {
  if (slotOf(null).read(game, now) !== undefined) return null
  const teams = teamsOf(game)
  const lacking = teams.filter((team) => slotOf(team).read(game, now) === undefined)
  return teams.length === 2 && lacking.length === 1 ? (lacking[0] ?? null) : null
}

/** Makes both sides of a game of each, where each has been paid for apart. */
export function joinSides(game: Entry, slotOf: Sides, now: number): void {
  const sides = teamsOf(game).map(slotOf)
  if (sides.length === 2) joinSlots(game, slotOf(null), sides, now)
}
