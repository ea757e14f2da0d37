import { Loader } from '../loading/loader.ts'
import { byGroup, requestsOf } from '../loading/ask-groups.ts'
import type { Asks } from '../loading/ask-groups.ts'
import type { Wanted } from '../loading/ask.ts'
import type { Scope } from '../graph/scope.ts'
import { putPart, slots } from '../rows/slot.ts'
import { call } from '../calls/call.ts'
import type { Entry } from '../rows/entry.ts'
import { grouped } from '../groups.ts'
import type { Brought, Fill } from '../account/fill.ts'
import { argumentsOf, several } from '../specification/operation.ts'
import type { Arguments } from '../specification/operation.ts'
import { operations } from '../specification/operations.ts'
import type { ClientRequest } from '../account/client-request.ts'
import type { RowCache } from '../rows/row-cache.ts'
import type { Account } from '../account/account.ts'
import { textOf } from '../rows/values.ts'
import type { Keys } from '../rows/slot.ts'

/** The transfers to load: of a season or of all; of a player, or of all players without one. */
interface TransfersWanted extends Wanted {
  readonly player: string | null
  readonly season: number | undefined
  readonly owner: Entry
}

const transfersSlot = slots<Keys, number | undefined>({
  name: 'transfers',
  keyOf: String,
  freshness: ({ fresh }, season) => fresh.ofSeason(null, season),
  lists: () => 'cbb_transfer_player_season',
})

/**
 * Loads transfers: one call for all players that are requested together, and one for all players of a season.
 */
export const transfers = new Loader<TransfersWanted, Keys>('transfers', (account, asks) =>
  byGroup(
    asks,
    ({ season, player }) => `${season} ${player === null}`,
    (group) => read(account, group),
  ),
)

/** Marks a season's transfers as completely known. Transfers belong to no league. */
const everyPlayer = (account: RowCache) => account.rows.entry('cbb_transfer_player_season', '')

function read(account: Account, asks: Asks<TransfersWanted>): Promise<unknown> {
  const [{ wanted, field }] = asks
  const { season } = wanted
  const players = [...new Set(asks.flatMap((ask) => ask.wanted.player ?? []))]
  return call(account, {
    operation: operations.readTransfers,
    arguments: argumentsOf({ season, player_id: players.length > 0 ? players : null }),
    requests: requestsOf(asks),
    field,
  })
}

/** The transfers of the players that a call names, or of all. */
export function transfersBrought(account: RowCache, { season, player_id }: Arguments): readonly Brought[] {
  const slot = transfersSlot(typeof season === 'number' ? season : undefined)
  if (player_id === undefined) return [[everyPlayer(account), slot]]
  return several(player_id).map((player) => [account.rows.entry('player', String(player)), slot])
}

export const transferFill: Fill = (account, { arguments: values, keys, boughtAt }) => {
  const { season, player_id: asked } = values
  const slot = transfersSlot(typeof season === 'number' ? season : undefined)
  const byPlayer = grouped(keys, (key) =>
    // Ids do not expire, so any time will do.
    textOf(account.rows.entry('cbb_transfer_player_season', key).column('player_id', 0)),
  )
  // An answer for all players covers each of them, also those without a transfer.
  if (asked === undefined) slot.put(account, everyPlayer(account), keys, boughtAt)
  for (const player of new Set([...several(asked ?? []).map(String), ...byPlayer.keys()]))
    slot.put(account, account.rows.entry('player', player), byPlayer.get(player) ?? [], boughtAt)
}

/** Where a player's transfers are stored. */
export function playerTransfersAt(
  player: Entry,
  season: number | undefined,
  scope: Scope,
  { account }: ClientRequest,
) {
  const slot = transfersSlot(season)
  const whole = everyPlayer(account)
  const derive = () =>
    putPart(account, player, slot, whole, { table: 'cbb_transfer_player_season', column: 'player_id' })
  const wanted = { what: `${player.key} ${season}`, player: player.key, season, owner: player }
  return { owner: player, slot, wanted, scope, derive, partOf: whole }
}

/** Where all transfers of a season are stored. */
export function seasonTransfersAt(account: Account, season: number, scope: Scope) {
  const owner = everyPlayer(account)
  const wanted = { what: `${season}`, player: null, season, owner }
  return { owner, slot: transfersSlot(season), wanted, scope: { ...scope, season } }
}
