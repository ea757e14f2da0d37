import { Loader } from '../loading/loader.ts'
import { byWhat, requestsOf } from '../loading/ask-groups.ts'
import type { Wanted } from '../loading/ask.ts'
import type { Known } from '../graph/scope.ts'
import { slot } from '../rows/slot.ts'
import type { RowCache } from '../rows/row-cache.ts'
import type { Arguments } from '../specification/operation.ts'
import { operations } from '../specification/operations.ts'
import { call } from '../calls/call.ts'
import type { Entry } from '../rows/entry.ts'
import type { Brought, Fill } from '../account/fill.ts'
import { leagueEntry } from './leagues.ts'
import type { Keys } from '../rows/slot.ts'

interface ConferencesWanted extends Wanted {
  readonly league: Known<'organization_id' | 'division_id'>
}

const conferencesSlot = slot<Keys>('conferences', ({ fresh }) => fresh.reference, 'conference')

/** Loads the conferences of leagues. */
export const conferences = new Loader<ConferencesWanted, Keys>('conferences', (account, asks) =>
  byWhat(asks, (group) => {
    const [{ wanted, field }] = group
    const { organization_id, division_id } = wanted.league
    return call(account, {
      operation: operations.readLeagueConferences,
      arguments: { organization_id, division_id },
      requests: requestsOf(group),
      field,
    })
  }),
)

export const conferencesBrought = (account: RowCache, values: Arguments): readonly Brought[] => [
  [leagueEntry(account, values), conferencesSlot],
]

/**
 * The specification does not show this filter. A service that ignores it returns the conferences of all
 * leagues.
 */
export const conferenceFill: Fill = (account, { arguments: values, keys, boughtAt }) => {
  const isOf = (key: string) => {
    const row = account.rows.entry('conference', key)
    return ['organization_id', 'division_id'].every(
      (name) => (row.column(name, 0) ?? values[name]) === values[name],
    )
  }
  conferencesSlot.put(account, leagueEntry(account, values), keys.filter(isOf), boughtAt)
}

/** Where a league's conferences are stored. */
export const conferencesAt = (owner: Entry, league: Known<'organization_id' | 'division_id'>) => ({
  owner,
  slot: conferencesSlot,
  wanted: { what: owner.key, league },
  scope: league,
})
