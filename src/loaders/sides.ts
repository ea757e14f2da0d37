import { joinSlots } from '../rows/slot.ts'
import type { Slot } from '../rows/slot.ts'
import { several } from '../specification/operation.ts'
import type { Argument } from '../specification/operation.ts'
import type { Entry } from '../rows/entry.ts'
import type { Moment } from '../rows/moment.ts'

type Keys = readonly string[]

/** The known teams of a game, the away team first. */
export const teamsOf = (game: Entry): Keys =>
  [game.column('away_team_id', 0), game.column('home_team_id', 0)].filter((id) => typeof id === 'string')

/** The slot of one team of a game, or of both without a team. */
type Sides = (team: string | null) => Slot<Keys>

/** The team whose side of the game is unknown while the other's is known; null if both are, or neither. */
export function sideLacking(game: Entry, slotOf: Sides, now: Moment): string | null {
  if (slotOf(null).read(game, now) !== undefined) return null
  const teams = teamsOf(game)
  const lacking = teams.filter((team) => slotOf(team).read(game, now) === undefined)
  return teams.length === 2 && lacking.length === 1 ? (lacking[0] ?? null) : null
}

/** Combines both sides of a game if they were bought separately. */
export function joinSides(game: Entry, slotOf: Sides, now: Moment): void {
  const sides = teamsOf(game).map(slotOf)
  if (sides.length === 2) joinSlots(game, slotOf(null), sides, now)
}

/**
 * The teams of a game that an answer covers: those with rows, and those requested that have none. A requested
 * team that plays in another game is not counted.
 */
export function sidesOf(
  game: Entry,
  rows: readonly { readonly team: string }[],
  asked: Argument | undefined,
): ReadonlySet<string> {
  const sides = new Set(rows.map(({ team }) => team))
  const known = teamsOf(game)
  const mayBeAnother = known.length < 2 && sides.size < 2
  for (const team of several(asked ?? []).map(String))
    if (mayBeAnother || known.includes(team)) sides.add(team)
  return sides
}
