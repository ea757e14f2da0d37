import { joinSlots } from '../rows/slot.ts'
import type { Slot } from '../rows/slot.ts'
import type { Argument } from '../specification/operations.ts'
import { several } from '../upstream/encode.ts'
import type { Entry } from '../upstream/entry.ts'
import type { Moment } from '../rows/moment.ts'

type Keys = readonly string[]

/** The teams of a game, as far as they are known: away first. */
export const teamsOf = (game: Entry): Keys =>
  [game.column('away_team_id', 0), game.column('home_team_id', 0)].filter((id) => typeof id === 'string')

/** What is kept of a game for each of its teams, and for both where no team is named. */
type Sides = (team: string | null) => Slot<Keys>

/** The one team of a game whose side is not at hand while the other's is; null where both are, or neither. */
export function sideLacking(game: Entry, slotOf: Sides, now: Moment): string | null {
  if (slotOf(null).read(game, now) !== undefined) return null
  const teams = teamsOf(game)
  const lacking = teams.filter((team) => slotOf(team).read(game, now) === undefined)
  return teams.length === 2 && lacking.length === 1 ? (lacking[0] ?? null) : null
}

/** Makes both sides of a game of each, where each has been paid for apart. */
export function joinSides(game: Entry, slotOf: Sides, now: Moment): void {
  const sides = teamsOf(game).map(slotOf)
  if (sides.length === 2) joinSlots(game, slotOf(null), sides, now)
}

/**
 * The teams of a game that an answer tells of: those that have rows, and those asked for that have none. A
 * team that plays in another of the games asked for is none of them.
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
