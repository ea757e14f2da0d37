import { Loader } from '../loading/loader.ts'
import { byGroup, requestsOf } from '../loading/ask-groups.ts'
import type { Asks } from '../loading/ask-groups.ts'
import type { Ask, Calls, Wanted } from '../loading/ask.ts'
import { convert } from '../graph/conversions.ts'
import type { Scope } from '../graph/scope.ts'
import { slots } from '../rows/slot.ts'
import { call } from '../calls/call.ts'
import { isRow } from '../rows/entry.ts'
import type { Entry } from '../rows/entry.ts'
import { argumentsOf } from '../specification/operation.ts'
import { operations } from '../specification/operations.ts'
import type { Brought, Fill } from '../account/fill.ts'
import type { Arguments } from '../specification/operation.ts'
import { putRow } from '../rows/put-row.ts'
import type { RowCache } from '../rows/row-cache.ts'
import type { Account } from '../account/account.ts'
import { leagueEntry } from './leagues.ts'
import type { RawRow } from '../specification/raw-row.ts'

/**
 * The groups of a search: the flag that requests each, which is also its table's name, and the columns of its
 * items.
 */
export const groups = {
  teams: { flag: 'team', columns: ['team_id', 'char6', 'code', 'name', 'alt_name', 'primary_color'] },
  players: { flag: 'player', columns: ['player_id', 'first_name', 'last_name'] },
  coaches: { flag: 'coach', columns: ['coach_id', 'first_name', 'last_name'] },
} as const

export type Group = keyof typeof groups
export const groupNames = Object.keys(groups) as Group[] // the keys just written
const supplies = new Map(groupNames.map((group) => [group, new Set<string>(groups[group].columns)]))

/** A row that a search found, and its columns in the result. */
export interface Match {
  readonly key: string
  readonly begin: unknown
  readonly end: unknown
  readonly relevance: unknown
}

type Matches = readonly Match[] | null

interface SearchWanted extends Wanted {
  readonly league: { readonly entry: Entry; readonly scope: Scope }
  readonly name: string
  readonly group: Group
}

const matchesSlot = slots<Matches, Pick<SearchWanted, 'group' | 'name'>>({
  name: 'search',
  keyOf: ({ group, name }) => `${group} ${name}`,
  freshness: ({ fresh }) => fresh.current,
})

/**
 * Loads matches. A flag searches only its own group; without flags all three are searched. So all three
 * groups cost one call, one or two cost a call each.
 */
export const searches = new Loader<SearchWanted, Matches>('search', plan)

/** Where the matches of one group are stored: with the league. */
export function matchesAt(league: SearchWanted['league'], name: string, group: Group) {
  const wanted = { what: `${league.entry.key} ${group} ${name}`, league, name, group }
  return { owner: league.entry, slot: matchesSlot(wanted), wanted, scope: league.scope }
}

function plan(account: Account, asks: readonly Ask<SearchWanted>[]): Calls {
  const textOf = ({ league: { entry }, name }: SearchWanted) => `${entry.key} ${name}`
  const asked = new Map<string, Set<Group>>()
  for (const { wanted } of asks)
    asked.set(textOf(wanted), (asked.get(textOf(wanted)) ?? new Set()).add(wanted.group))
  const isWhole = (wanted: SearchWanted) => asked.get(textOf(wanted))?.size === groupNames.length
  return byGroup(
    asks,
    (wanted) => `${isWhole(wanted) ? 'all' : wanted.group} ${textOf(wanted)}`,
    (group) => search(account, group, isWhole(group[0].wanted) ? groupNames : [group[0].wanted.group]),
  )
}

function search(account: Account, asks: Asks<SearchWanted>, searched: readonly Group[]): Promise<unknown> {
  const [{ wanted, field }] = asks
  const { league, name } = wanted
  const { organization_id, division_id } = league.scope
  const flags = searched.length === 1 ? searched.map((group) => [groups[group].flag, 1] as const) : []
  return call(account, {
    operation: operations.search,
    arguments: argumentsOf({ name, organization_id, division_id, ...Object.fromEntries(flags) }),
    requests: requestsOf(asks),
    field,
  })
}

/** The groups that a call searches. */
function searchedBy(values: Arguments): readonly Group[] {
  const flagged = groupNames.filter((group) => values[groups[group].flag] !== undefined)
  return flagged.length > 0 ? flagged : groupNames
}

export const matchesBrought = (account: RowCache, values: Arguments): readonly Brought[] =>
  searchedBy(values).map((group) => [
    leagueEntry(account, values),
    matchesSlot({ group, name: String(values['name']) }),
  ])

export const searchFill: Fill = (account, { arguments: values, body, boughtAt }) => {
  for (const group of searchedBy(values)) {
    const matches = matchesIn(account, group, body[group], boughtAt)
    matchesSlot({ group, name: String(values['name']) }).put(
      account,
      leagueEntry(account, values),
      matches,
      boughtAt,
    )
  }
}

/** Bytes of one match. */
const matchBytes = 1_000

function matchesIn(account: RowCache, group: Group, items: unknown, now: number): Matches {
  return Array.isArray(items)
    ? items.filter(isRow).flatMap((item) => matchOf(account, group, item, now))
    : null
}

function matchOf(account: RowCache, group: Group, item: RawRow, now: number): Match[] {
  const { begin, end, relevance_score: relevance, ...row } = item
  const purchase = { cache: account, boughtAt: now, arguments: {}, rowBytes: matchBytes }
  const entry = putRow(purchase, groups[group].flag, row, supplies.get(group) ?? new Set())
  if (!entry || convert.flag(row['deleted']) === true) return []
  return [{ key: entry.key, begin, end, relevance }]
}
