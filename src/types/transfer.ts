import { builder } from '../graph/builder.ts'
import type { Context } from '../graph/context.ts'
import { sizeOf } from '../graph/cost.ts'
import { handles } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import { andThen } from '../loading/maybe-promise.ts'
import { relation } from '../graph/relation.ts'
import { scopeWith } from '../graph/scope.ts'
import type { Scope, ScopeArguments } from '../graph/scope.ts'
import { leagueParts } from '../graph/id-scope.ts'
import { defineTable } from '../graph/table.ts'
import { playerTransfersAt, seasonTransfersAt, transfers } from '../loaders/transfers.ts'
import { operations } from '../specification/operations.ts'
import { league } from './league.ts'
import type { League } from './league.ts'
import { player } from './player.ts'
import { inSeason } from './season.ts'
import { scopeAt } from './team.ts'

const transfer = defineTable('cbb_transfer_player_season', 'Transfer', {
  description:
    'A player’s entry into the transfer portal in one season: the list of college players who look for another team. Its columns come with it and cost nothing more.',
  node: true,
  scoped: leagueParts,
})

const listed = (
  keys: readonly string[] | null,
  { scope }: { readonly scope: Scope },
  { clientRequest: request }: Context,
): Handle[] | null => keys && handles(request, 'cbb_transfer_player_season', keys, scope)

builder.objectField(player, 'transfers', (t) =>
  t.field({
    type: [transfer],
    nullable: { list: true, items: false },
    listSize: sizeOf('transfersOfPlayer'),
    description:
      'The player’s entries into the transfer portal, of one season or of all. Costs one call for all players of the query.',
    args: { season: t.arg.int() },
    ...relation({
      needs: { into: { link: 'transfers' } },
      loader: transfers,
      operation: operations.readTransfers,
      place: (row: Handle, args: ScopeArguments, context) =>
        playerTransfersAt(row.entry, scopeAt(row, args, context).season, row.scope, context.clientRequest),
      answer: listed,
    }),
  }),
)

builder.objectField(league, 'transfers', (t) =>
  t.field({
    type: [transfer],
    nullable: { list: true, items: false },
    listSize: sizeOf('transfersOfSeason'),
    description: 'All entries into the transfer portal in a season. Costs one call.',
    args: { season: t.arg.int() },
    ...relation({
      needs: {},
      loader: transfers,
      operation: operations.readTransfers,
      place: ({ scope }: League, args: ScopeArguments, context) =>
        andThen(inSeason(scopeWith(args, scope, {}), context, 'League.transfers'), ({ season }) =>
          seasonTransfersAt(context.clientRequest.account, season, scope),
        ),
      answer: listed,
    }),
  }),
)
