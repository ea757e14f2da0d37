import { Loader } from '../loading/loader.ts'
import { byGroup, requestsOf } from '../loading/ask-groups.ts'
import type { Asks } from '../loading/ask-groups.ts'
import type { Ask, Calls, Wanted } from '../loading/ask.ts'
import type { Place } from '../graph/place.ts'
import type { Scope } from '../graph/scope.ts'
import { putPart, slots } from '../rows/slot.ts'
import { call } from '../calls/call.ts'
import type { Entry } from '../rows/entry.ts'
import { grouped } from '../groups.ts'
import type { Brought, Fill } from '../account/fill.ts'
import { argumentsOf, nameOf, several } from '../specification/operation.ts'
import type { Arguments } from '../specification/operation.ts'
import { operations } from '../specification/operations.ts'
import type { RowCache } from '../rows/row-cache.ts'
import type { Account } from '../account/account.ts'
import { leagueEntry, leagueKey } from './leagues.ts'
import { isSet, textOf } from '../rows/values.ts'
import type { Keys } from '../rows/slot.ts'

/** The ratings to load: of a season or of all; of a team, or of all teams without one. */
interface RatingsWanted extends Wanted {
  readonly team: string | null
  readonly scope: Scope
  /** Only the current rating, or one after each game. */
  readonly current: boolean
}

/** The keys of a team's ratings, oldest first, or of all teams in a league. */
const ratingsSlot = slots<Keys, Pick<RatingsWanted, 'scope' | 'current'>>({
  name: 'elo',
  keyOf: ({ scope, current }) => `${leagueKey(scope)} ${scope.season} ${current ? 'current' : 'all'}`,
  freshness: ({ fresh }, { scope }) => fresh.ofSeason(scope.organization_id, scope.season),
  lists: () => 'elo',
})

/** Loads ratings: one call for all teams that are requested together, and one for all teams of a league. */
export const ratings = new Loader<RatingsWanted, Keys>('elo', plan, { rows: 'elo', isLast: true })

/** How ratings are loaded. */
export const ratingOrigin = { loader: ratings, operation: operations.readElo }

/** Where ratings are stored: with the team, or with the league if no team is named. */
export function ratingsAt(
  team: string | null,
  scope: Scope,
  current: boolean,
  account: Account,
): Place<RatingsWanted, Keys> {
  const what = `${leagueKey(scope)} ${scope.season} ${team} ${current}`
  const slot = ratingsSlot({ scope, current })
  const owner = ownerOf(account, team, scope)
  const whole = leagueEntry(account, scope)
  const derive = () => {
    if (team !== null) putPart(account, owner, slot, whole, { table: 'elo', column: 'team_id' })
  }
  return {
    owner,
    slot,
    wanted: { what, team, scope, current },
    scope,
    derive,
    ...(team !== null && { partOf: whole }),
  }
}

const ownerOf = (account: RowCache, team: string | null, scope: Scope): Entry =>
  team === null ? leagueEntry(account, scope) : account.rows.entry('team', team)

/** If bulk reads are refused, each team's current rating is read alone. */
function plan(account: Account, asks: readonly Ask<RatingsWanted>[]): Calls {
  const wanted = asks.map((ask) => ask.wanted)
  const histories = new Set(wanted.filter(({ current }) => !current).map(placeOf))
  // A history contains the current rating.
  const withHistory = (one: RatingsWanted) => !one.current || histories.has(placeOf(one))
  const groupOf = (one: RatingsWanted) => `${leagueOf(one)} ${withHistory(one)}`
  // A call for all teams contains each team's.
  const wide = new Set(wanted.filter(({ team }) => team === null).map(groupOf))
  const isRefused = account.refusals.has(nameOf(operations.readElo))
  const isAlone = ({ team, current }: RatingsWanted) => isRefused && current && team !== null
  return byGroup(
    asks,
    (one) => (isAlone(one) ? placeOf(one) : `${groupOf(one)} ${wide.has(groupOf(one))}`),
    (group) => {
      const [{ wanted: first }] = group
      return isAlone(first)
        ? read(account, operations.getElo, group, true)
        : read(account, operations.readElo, group, !withHistory(first))
    },
  )
}

const leagueOf = ({ scope }: RatingsWanted) => `${leagueKey(scope)} ${scope.season}`
const placeOf = (wanted: RatingsWanted) => `${leagueOf(wanted)} ${wanted.team}`

/** One call for a group. */
function read(
  account: Account,
  operation: typeof operations.readElo | typeof operations.getElo,
  asks: Asks<RatingsWanted>,
  current: boolean,
): Promise<unknown> {
  const named = asks.map(({ wanted }) => wanted.team)
  const team_id = named.includes(null) ? [] : [...new Set(named.flatMap((id) => id ?? []))]
  const { organization_id, division_id, season } = asks[0].wanted.scope
  const values = argumentsOf({ organization_id, division_id, season, current: current ? 1 : null })
  return call(account, {
    operation,
    arguments: { ...values, ...(team_id.length > 0 && { team_id }) },
    requests: requestsOf(asks),
    field: asks[0].field,
  })
}

interface Rating {
  readonly key: string
  readonly team_id?: unknown
  readonly current?: unknown
  readonly deleted?: unknown
  readonly date_of_entry?: unknown
}

/** The rows of an answer, oldest first. */
const rowsOf = (account: RowCache, keys: Keys, boughtAt: number): readonly Rating[] =>
  keys
    .map((key): Rating => ({ ...account.rows.entry('elo', key).columns(boughtAt - 1), key }))
    .toSorted((a, b) => (textOf(a.date_of_entry) < textOf(b.date_of_entry) ? -1 : 1))

/** The ratings of the teams that a call names, or of the league. */
export function ratingsBrought(account: RowCache, values: Arguments): readonly Brought[] {
  const { team_id } = values
  const scope = scopeOf(values)
  const teams = team_id === undefined ? [null] : several(team_id).map(String)
  const kinds = values['current'] === 1 ? [true] : [true, false]
  return teams.flatMap((team) =>
    kinds.map((current): Brought => [ownerOf(account, team, scope), ratingsSlot({ scope, current })]),
  )
}

/**
 * An answer has the ratings of each requested team, or of all teams if none was named. A history includes the
 * current rating.
 */
export const ratingFill: Fill = (account, answer) => {
  const { operation, arguments: values, keys, boughtAt } = answer
  const rows = rowsOf(account, keys, boughtAt)
  const byTeam = grouped(rows, ({ team_id }) => textOf(team_id))
  const { team_id: asked } = values
  const scope = scopeOf(values)
  const isCurrent = values['current'] === 1
  // Of more than a team's current rating, one row is only a part.
  if (operation === operations.getElo && (asked === undefined || !isCurrent)) return
  const put = (team: string | null, own: readonly Rating[]) => {
    for (const current of isCurrent ? [true] : [true, false]) {
      const those = current
        ? own.filter((row) => (isCurrent || isSet(row.current)) && !isSet(row.deleted))
        : own
      const found = those.map(({ key }) => key)
      ratingsSlot({ scope, current }).put(account, ownerOf(account, team, scope), found, boughtAt)
    }
  }
  if (asked === undefined) put(null, rows)
  for (const team of new Set([...several(asked ?? []).map(String), ...byTeam.keys()]))
    put(team, byTeam.get(team) ?? [])
}

const scopeOf = ({ organization_id, division_id, season }: Arguments): Scope => ({
  organization_id: text(organization_id),
  division_id: text(division_id),
  season: typeof season === 'number' ? season : undefined,
})

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
