import { byGroup, Loader, requestsOf } from '../graph/loader.ts'
import type { Asks, Split, Wanted } from '../graph/loader.ts'
import type { Scope } from '../graph/scope.ts'
import { slots } from '../rows/slot.ts'
import { call } from '../upstream/call.ts'
import type { Entry } from '../upstream/entry.ts'
import { grouped } from '../upstream/groups.ts'
import { argumentsOf, operations } from '../specification/operations.ts'
import type { Request } from '../upstream/request.ts'
import type { World } from '../upstream/world.ts'

type Keys = readonly string[]

/** Transfers of a season, or of all: a player's, or every player's where no player is named. */
interface TransfersWanted extends Wanted {
  readonly player: string | null
  readonly season: number | undefined
  readonly owner: Entry
}

const transfersSlot = slots<Keys, number | undefined>({
  name: 'transfers',
  keyOf: String,
  freshness: ({ fresh }, season) => fresh.ofSeason(null, season),
})

/** Loads transfers: one call for all players that ask, and one for every player of a season. */
export const transfers = new Loader<TransfersWanted, Keys>('transfers', (world, asks) =>
  byGroup(
    asks,
    ({ season, player }) => `${season} ${player === null}`,
    (group) => read(world, group),
  ),
)

/** Keeps that every player of a season has been paid for: transfers belong to no league. */
const everyPlayer = (world: World) => world.rows.entry('cbb_transfer_player_season', '')

async function read(world: World, asks: Asks<TransfersWanted>): Promise<Split<TransfersWanted, Keys>> {
  const [{ wanted, field }] = asks
  const { season } = wanted
  const players = [...new Set(asks.flatMap((ask) => ask.wanted.player ?? []))]
  const { keys, boughtAt } = await call(world, {
    operation: operations.readTransfers,
    arguments: argumentsOf({ season, player_id: players.length > 0 ? players : null }),
    requests: requestsOf(asks),
    field,
  })
  const byPlayer = grouped(keys, (key) =>
    // Keys never age, so that any moment does.
    String(world.rows.entry('cbb_transfer_player_season', key).column('player_id', 0)),
  )
  const keysOf = (player: string | null) => (player === null ? keys : (byPlayer.get(player) ?? []))
  const put = (owner: Entry, own: Keys) => transfersSlot(season).put(world, owner, own, boughtAt)
  // A call for every player has paid for each, those without a transfer too.
  if (players.length === 0) put(everyPlayer(world), keys)
  for (const [id, own] of byPlayer) put(world.rows.entry('player', id), own)
  for (const { wanted: one } of asks) put(one.owner, keysOf(one.player))
  return (ask) => keysOf(ask.wanted.player)
}

/** Where a player's transfers are kept. A player who is not in a season that was paid for whole has none in it. */
export function playerTransfersAt(
  player: Entry,
  season: number | undefined,
  scope: Scope,
  { world, now }: Request,
) {
  const slot = transfersSlot(season)
  const whole = everyPlayer(world)
  if (slot.read(player, now) === undefined && slot.read(whole, now) !== undefined)
    slot.put(world, player, [], slot.boughtAt(whole))
  const wanted = { what: `${player.key} ${season}`, player: player.key, season, owner: player }
  return { owner: player, slot, wanted, scope }
}

/** Where every transfer of a season is kept. */
export function seasonTransfersAt(league: Entry, season: number, scope: Scope) {
  const wanted = { what: `${league.key} ${season}`, player: null, season, owner: league }
  return { owner: league, slot: transfersSlot(season), wanted, scope: { ...scope, season } }
}
