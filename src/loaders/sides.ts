import type { Wanted } from '../loading/ask.ts'
import type { Context } from '../graph/context.ts'
import type { MaybePromise } from '../loading/maybe-promise.ts'
import { afterPart, expiredOf } from '../graph/place.ts'
import type { Origin, Place } from '../graph/place.ts'
import { Given } from '../graph/relation.ts'
import type { Value } from '../specification/columns.ts'
import { joinSlots } from '../rows/slot.ts'
import type { Keys, Slot } from '../rows/slot.ts'
import { several } from '../specification/operation.ts'
import type { Argument, Arguments } from '../specification/operation.ts'
import type { Brought } from '../account/fill.ts'
import type { RowCache } from '../rows/row-cache.ts'
import type { Entry } from '../rows/entry.ts'
import type { Moment } from '../rows/moment.ts'

/** The known teams of a game, the away team first. */
export const teamsOf = (game: Entry): Keys =>
  [game.column('away_team_id', 0), game.column('home_team_id', 0)].filter((id) => typeof id === 'string')

/** The slot of one team of a game, or of both without a team. */
type Sides = (team: string | null) => Slot<Keys>

/** The team whose side of the game is unknown while the other's is known; null if both are, or neither. */
function sideLacking(game: Entry, slotOf: Sides, now: Moment): string | null {
  if (slotOf(null).read(game, now) !== undefined) return null
  const teams = teamsOf(game)
  const lacking = teams.filter((team) => slotOf(team).read(game, now) === undefined)
  return teams.length === 2 && lacking.length === 1 ? (lacking[0] ?? null) : null
}

/**
 * Combines both sides of a game if they were bought separately, in the order of the teams' ids: answers that have
 * both do not tell who is at home.
 */
function joinSides(game: Entry, slotOf: Sides, now: Moment): void {
  const sides = teamsOf(game).toSorted().map(slotOf)
  if (sides.length === 2) joinSlots(game, slotOf(null), sides, now)
}

/**
 * Where both sides of a game are stored, combined if they were bought separately. If only one is known, the
 * other is loaded first.
 */
export function bothSides<W extends Wanted>(
  game: Entry,
  slotOf: Sides,
  placeOf: (team: string | null) => Place<W, Keys>,
  load: { readonly origin: Origin<W, Keys>; readonly context: Context; readonly field: string },
): MaybePromise<Place<W, Keys>> {
  const { origin, context, field } = load
  const { now } = context.clientRequest
  const derive = (moment: Moment) => joinSides(game, slotOf, moment)
  derive(now)
  const lacking = sideLacking(game, slotOf, now)
  const both = { ...placeOf(null), derive }
  return lacking ? afterPart(origin, both, placeOf(lacking), context, field) : both
}

/**
 * Where one side of a game is stored. If an answer for both sides was empty, this side has none either. Its team is
 * not needed then, and the answer is `none`.
 */
export function oneSide<W extends Wanted, R>(
  game: Entry,
  team: () => MaybePromise<Value>,
  slotOf: Sides,
  placeOf: (team: string) => Place<W, Keys>,
  { clientRequest: request }: Context,
  none: R,
): MaybePromise<Place<W, Keys> | Given<R | null>> {
  const both = slotOf(null)
  const hadNone = both.last(game)?.length === 0
  if (hadNone && both.read(game, request.now) !== undefined) {
    request.touch(game, both.name)
    return new Given(none)
  }
  const placeOfSide = (id: Value): Place<W, Keys> | Given<null> => {
    if (id === null) return new Given(null)
    const side = placeOf(String(id))
    return hadNone ? { ...side, derive: (moment) => joinSlots(game, side.slot, [both], moment) } : side
  }
  const found = team()
  if (!(found instanceof Promise)) return placeOfSide(found)
  return found.then(placeOfSide, (error: unknown) => {
    if (!hadNone) throw error
    expiredOf({}, { owner: game, slot: both }, request, error)
    return new Given(none)
  })
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

/** The slots that a call for games' boxscores fills: of the teams that it names, or of both. */
export function sidesBrought(
  { rows }: RowCache,
  { game_id, team_id }: Arguments,
  slotOf: Sides,
): readonly Brought[] {
  return several(game_id ?? []).flatMap((id) => {
    const game = rows.entry('game', String(id))
    const known = teamsOf(game)
    const asked = team_id === undefined ? known : several(team_id).map(String)
    const teams = known.length < 2 ? asked : asked.filter((team) => known.includes(team))
    const sides = team_id === undefined ? [null, ...teams] : teams
    return sides.map((team): Brought => [game, slotOf(team)])
  })
}
