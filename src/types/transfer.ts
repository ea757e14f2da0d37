import { builder } from '../graph/builder.ts'
import { sizeOf } from '../graph/cost.ts'
import { facet, andThen } from '../graph/facet.ts'
import { handles } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import { defineTable } from '../graph/table.ts'
import { call } from '../upstream/call.ts'
import { grouped } from '../upstream/groups.ts'
import { byGroup, requestsOf } from '../upstream/load.ts'
import type { Ask, Source } from '../upstream/load.ts'
import { argumentsOf, operations } from '../upstream/operations.ts'
import type { Request } from '../upstream/request.ts'
import type { Entry } from '../upstream/entry.ts'
import type { World } from '../upstream/world.ts'
import { league } from './league.ts'
import { player } from './player.ts'
import { scopeAt } from './team.ts'

const transfer = defineTable('cbb_transfer_player_season', 'Transfer', {
  description: 'A player’s entry into the transfer portal in one season.',
  node: true,
})

/** Transfers of a season, or of all: a player's, or every player's where no player is named. */
interface TransferAsk extends Ask {
  readonly player: string | null
  readonly season: number | undefined
  readonly entry: Entry
}

const facetName = (season: number | undefined) => `transfers ${season}`

/** Where it is kept that a season has been paid for whole: transfers belong to no league. */
const everyPlayer = (world: World) => world.rows.entry('cbb_transfer_player_season', '')

/** A player who is not in a season that has been paid for whole has no transfer in it. */
function noteNone({ entry }: Handle, season: number | undefined, { world, now }: Request): void {
  const name = facetName(season)
  const whole = everyPlayer(world)
  if (entry.facet(name, now) !== undefined || whole.facet(name, now) === undefined) return
  const { fresh } = world
  entry.putFacet(name, [], fresh.ofSeason(null, season), whole.facetBoughtAt(name))
}

const transfers: Source<TransferAsk> = {
  name: 'transfers',
  fill: (world, asks) =>
    byGroup(
      asks,
      ({ season, player: id }) => `${season} ${id === null}`,
      async (group) => {
        const [{ season, field }] = group
        const players = [...new Set(group.flatMap(({ player: id }) => id ?? []))]
        const { keys, boughtAt } = await call(world, {
          operation: operations.readTransfers,
          arguments: argumentsOf({ season, player_id: players.length > 0 ? players : null }),
          requests: requestsOf(group),
          field,
        })
        const put = (entry: Entry, own: readonly string[]) =>
          entry.putFacet(facetName(season), own, world.fresh.ofSeason(null, season), boughtAt)
        const byPlayer = grouped(keys, (key) =>
          String(world.rows.entry('cbb_transfer_player_season', key).column('player_id', boughtAt - 1)),
        )
        // Whoever has paid for every player has each, those who have none too.
        if (players.length === 0) put(everyPlayer(world), keys)
        for (const [id, own] of byPlayer) put(world.rows.entry('player', id), own)
        for (const { player: id, entry } of group) put(entry, id === null ? keys : (byPlayer.get(id) ?? []))
      },
    ),
}

builder.objectField(player, 'transfers', (t) =>
  t.field({
    type: [transfer],
    nullable: { list: true, items: false },
    listSize: sizeOf('transfersOfPlayer'),
    description:
      'The player’s entries into the transfer portal, in a season or in all. Costs one call for all players that ask.',
    needs: { into: { link: 'transfers' } },
    args: { season: t.arg.int() },
    resolve: (row, args, context, info) => {
      const { season } = scopeAt(row, args, context)
      const { key } = row.entry
      noteNone(row, season, context.client)
      const ask = { player: key, season, entry: row.entry, what: `${key} ${season}` }
      const from = { source: transfers, ask, operation: 'cbb_transfer_player_season/read' }
      return andThen(
        facet<TransferAsk, readonly string[]>(row.entry, facetName(season), from, context, info),
        (keys) => keys && handles(context.client, 'cbb_transfer_player_season', keys, row.scope),
      )
    },
  }),
)

builder.objectField(league, 'transfers', (t) =>
  t.field({
    type: [transfer],
    nullable: { list: true, items: false },
    listSize: sizeOf('transfersOfSeason'),
    description: 'Every entry into the transfer portal in a season. Costs one call.',
    args: { season: t.arg.int({ required: true }) },
    resolve: ({ scope, entry }, { season }, context, info) => {
      const ask = { player: null, season, entry, what: `${entry.key} ${season}` }
      const from = { source: transfers, ask, operation: 'cbb_transfer_player_season/read' }
      return andThen(
        facet<TransferAsk, readonly string[]>(entry, facetName(season), from, context, info),
        (keys) => keys && handles(context.client, 'cbb_transfer_player_season', keys, { ...scope, season }),
      )
    },
  }),
)
