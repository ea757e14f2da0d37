import { Loader } from '../loading/loader.ts'
import { byGroup, requestsOf } from '../loading/ask-groups.ts'
import type { Asks } from '../loading/ask-groups.ts'
import type { Ask, Calls, Wanted } from '../loading/ask.ts'
import { convert } from '../graph/conversions.ts'
import type { Origin } from '../graph/place.ts'
import { failRows } from '../loading/row-loader.ts'
import { slots } from '../rows/slot.ts'
import { call } from '../calls/call.ts'
import type { Brought, Fill } from '../account/fill.ts'
import type { RowCache } from '../rows/row-cache.ts'
import type { Arguments } from '../specification/operation.ts'
import { operations } from '../specification/operations.ts'
import type { Account } from '../account/account.ts'
import type { Keys } from '../rows/slot.ts'

/** A list of organizations or of divisions, and its operation. */
const leagueParts = {
  organization: operations.readOrganizations,
  division: operations.readDivisions,
} as const

export type LeaguePart = keyof typeof leagueParts

/** 1 for inactive ones, 0 for active ones, null for all. */
type Inactive = 0 | 1 | null

interface ListWanted extends Wanted {
  readonly part: LeaguePart
  readonly inactive: Inactive
}

const listSlot = slots<Keys, Pick<ListWanted, 'part' | 'inactive'>>({
  name: 'list',
  keyOf: ({ inactive }) => String(inactive),
  freshness: ({ fresh }) => fresh.reference,
  lists: ({ part }) => part,
})

/** Loads organizations or divisions, filtered by whether they are active. */
const leagueLists = new Loader<ListWanted, Keys>('leagues', plan)

/** Where a list is stored: with an entry that is no row. */
export function leagueListAt(part: LeaguePart, inactive: Inactive, account: Account) {
  const wanted = { what: `${part} ${inactive}`, part, inactive }
  return { owner: account.rows.entry(part, ''), slot: listSlot(wanted), wanted, scope: {} }
}

/** How a list is loaded. If that fails, its rows are not read either. */
export const leagueListOrigin = (part: LeaguePart): Origin<ListWanted, Keys> => ({
  loader: leagueLists,
  operation: leagueParts[part],
  expired: (keys, request, error) => failRows(request, part, keys, error),
})

function plan(account: Account, asks: readonly Ask<ListWanted>[]): Calls {
  const whole = new Set(asks.flatMap(({ wanted }) => (wanted.inactive === null ? wanted.part : [])))
  const asked = ({ part, inactive }: ListWanted) => (whole.has(part) ? null : inactive)
  return byGroup(
    asks,
    (wanted) => `${wanted.part} ${asked(wanted)}`,
    (group) => read(account, group, asked(group[0].wanted)),
  )
}

function read(account: Account, asks: Asks<ListWanted>, inactive: Inactive): Promise<unknown> {
  const [{ wanted, field }] = asks
  return call(account, {
    operation: leagueParts[wanted.part],
    arguments: inactive === null ? {} : { inactive },
    requests: requestsOf(asks),
    field,
  })
}

/** A list of all has both parts. */
export const leaguePartBrought =
  (part: LeaguePart) =>
  ({ rows }: RowCache, { inactive }: Arguments): readonly Brought[] => {
    const lists: readonly Inactive[] = inactive === undefined ? [null, 0, 1] : [inactive === 1 ? 1 : 0]
    return lists.map((one) => [rows.entry(part, ''), listSlot({ part, inactive: one })])
  }

/** A list of organizations or of divisions. */
export const leaguePartFill =
  (part: LeaguePart): Fill =>
  (account, { arguments: { inactive }, keys, boughtAt }) => {
    const put = (which: Inactive, those: Keys) =>
      listSlot({ part, inactive: which }).put(account, account.rows.entry(part, ''), those, boughtAt)
    if (inactive !== undefined) return put(inactive === 1 ? 1 : 0, keys)
    const isInactive = (key: string) =>
      convert.flag(account.rows.entry(part, key).column('inactive', boughtAt - 1)) === true
    // A list of all contains both.
    put(null, keys)
    put(1, keys.filter(isInactive))
    put(
      0,
      keys.filter((key) => !isInactive(key)),
    )
  }
