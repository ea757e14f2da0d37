import { Loader } from '../graph/loader.ts'
import { byGroup, requestsOf } from '../graph/ask-groups.ts'
import type { Asks } from '../graph/ask-groups.ts'
import type { Ask, Split, Splits, Wanted } from '../graph/ask.ts'
import type { Place } from '../graph/relation.ts'
import type { Scope } from '../graph/scope.ts'
import { slots } from '../rows/slot.ts'
import { call } from '../upstream/call.ts'
import type { Entry } from '../upstream/entry.ts'
import { several } from '../upstream/encode.ts'
import { AccessDeniedError } from '../upstream/errors.ts'
import { grouped } from '../upstream/groups.ts'
import { fills } from '../upstream/keep.ts'
import { argumentsOf, operations } from '../specification/operations.ts'
import type { Account } from '../upstream/account.ts'
import { leagueEntry, leagueKey } from './leagues.ts'
import { isSet, textOf } from '../rows/values.ts'

/** Ratings of a season, or of all: a team's, or every team's where no team is named. */
interface RatingsWanted extends Wanted {
  readonly team: string | null
  readonly scope: Scope
  /** The current rating alone, or one after each game. */
  readonly current: boolean
}

type Keys = readonly string[]

/** The keys of a team's ratings, oldest first, or of every team's of a league. */
const ratingsSlot = slots<Keys, Pick<RatingsWanted, 'scope' | 'current'>>({
  name: 'elo',
  keyOf: ({ scope, current }) => `${leagueKey(scope)} ${scope.season} ${current ? 'current' : 'all'}`,
  freshness: ({ fresh }, { scope }) => fresh.ofSeason(scope.organization_id, scope.season),
})

/** Loads ratings: one call for all teams that are asked for at once, and one for all teams of a league. */
export const ratings = new Loader<RatingsWanted, Keys>('elo', plan)

/** Where ratings are kept: with the team, or with the league where no team is named. */
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
  // A team that is not in a season that was paid for whole has no ratings in it.
  if (team !== null && slot.boughtAt(owner) < slot.boughtAt(whole))
    slot.put(account, owner, [], slot.boughtAt(whole))
  return { owner, slot, wanted: { what, team, scope, current }, scope }
}

const ownerOf = (account: Account, team: string | null, scope: Scope): Entry =>
  team === null ? leagueEntry(account, scope) : account.rows.entry('team', team)

function plan(account: Account, asks: readonly Ask<RatingsWanted>[]): Splits<RatingsWanted, Keys> {
  const wanted = asks.map((ask) => ask.wanted)
  const histories = new Set(wanted.filter(({ current }) => !current).map(placeOf))
  // A call for a history brings the current rating too.
  const withHistory = (one: RatingsWanted) => !one.current || histories.has(placeOf(one))
  const groupOf = (one: RatingsWanted) => `${leagueOf(one)} ${withHistory(one)}`
  // A call for every team brings each.
  const wide = new Set(wanted.filter(({ team }) => team === null).map(groupOf))
  return byGroup(
    asks,
    (one) => `${groupOf(one)} ${wide.has(groupOf(one))}`,
    (group) => read(account, group, !withHistory(group[0].wanted)),
  )
}

const leagueOf = ({ scope }: RatingsWanted) => `${leagueKey(scope)} ${scope.season}`
const placeOf = (wanted: RatingsWanted) => `${leagueOf(wanted)} ${wanted.team}`

/** One call for a group. A key that may not read in bulk still gets each team's current rating. */
async function read(
  account: Account,
  asks: Asks<RatingsWanted>,
  current: boolean,
): Promise<Split<RatingsWanted, Keys>> {
  const named = asks.map(({ wanted }) => wanted.team)
  const teams = named.includes(null) ? [] : [...new Set(named.flatMap((id) => id ?? []))]
  try {
    return await send(account, operations.readElo, asks, teams, current)
  } catch (error) {
    if (!(error instanceof AccessDeniedError)) throw error
    return async (ask) => {
      if (!ask.wanted.current || ask.wanted.team === null) throw error
      const split = await send(account, operations.getElo, [ask], [ask.wanted.team], true)
      return split(ask)
    }
  }
}

async function send(
  account: Account,
  operation: typeof operations.readElo | typeof operations.getElo,
  asks: Asks<RatingsWanted>,
  team_id: Keys,
  current: boolean,
): Promise<Split<RatingsWanted, Keys>> {
  const { organization_id, division_id, season } = asks[0].wanted.scope
  const values = argumentsOf({ organization_id, division_id, season, current: current ? 1 : null })
  await call(account, {
    operation,
    arguments: { ...values, ...(team_id.length > 0 && { team_id }) },
    requests: requestsOf(asks),
    field: asks[0].field,
  })
  return ({ wanted: { team, scope, current: latest } }) =>
    ratingsSlot({ scope, current: latest }).stale(ownerOf(account, team, scope)) ?? []
}

interface Rating {
  readonly key: string
  readonly team_id?: unknown
  readonly current?: unknown
  readonly date_of_entry?: unknown
}

/** The rows of an answer, oldest first. */
const rowsOf = (account: Account, keys: Keys, boughtAt: number): readonly Rating[] =>
  keys
    .map((key): Rating => ({ ...account.rows.entry('elo', key).columns(boughtAt - 1), key }))
    .toSorted((a, b) => (textOf(a.date_of_entry) < textOf(b.date_of_entry) ? -1 : 1))

/**
 * An answer has the ratings of each team that it was asked for, and of every team where none is named. A
 * history has the current one too.
 */
fills([operations.readElo, operations.getElo], (account, { arguments: values, keys, boughtAt }) => {
  const rows = rowsOf(account, keys, boughtAt)
  const byTeam = grouped(rows, ({ team_id }) => textOf(team_id))
  const { season, team_id: asked } = values
  const scope = {
    organization_id: text(values['organization_id']),
    division_id: text(values['division_id']),
    season: typeof season === 'number' ? season : undefined,
  }
  const isCurrent = values['current'] === 1
  const put = (team: string | null, own: readonly Rating[]) => {
    for (const current of isCurrent ? [true] : [true, false]) {
      const those = current && !isCurrent ? own.filter((row) => isSet(row.current)) : own
      const found = those.map(({ key }) => key)
      ratingsSlot({ scope, current }).put(account, ownerOf(account, team, scope), found, boughtAt)
    }
  }
  if (asked === undefined) put(null, rows)
  for (const team of new Set([...several(asked ?? []).map(String), ...byTeam.keys()]))
    put(team, byTeam.get(team) ?? [])
})

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
