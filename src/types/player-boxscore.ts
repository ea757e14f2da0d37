import { builder } from '../graph/builder.ts'
import { sizeOf } from '../graph/cost.ts'
import { column, fieldName, handles, scopeFrom } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import { registerTypeName } from '../graph/ids.ts'
import { Given, relation } from '../graph/relation.ts'
import { columnsField } from '../graph/statistics.ts'
import { columnFields, idField } from '../graph/table.ts'
import { setTypeOf } from '../graph/types.ts'
import { typeNameOf } from '../graph/type-names.ts'
import { gamePlayers, playerBoxscores } from '../loaders/player-boxscores.ts'
import { bothSides, oneSide, teamsOf } from '../loaders/sides.ts'
import { sportColumns, tables } from '../specification/tables.ts'
import { operations } from '../specification/operations.ts'
import { hasNone, lineFields, noneToldBy, side, sides, statField, unlessTold } from './boxscore.ts'
import type { SideColumn } from './boxscore.ts'
import { game } from './game.ts'

const boxscore = builder.interfaceRef<Handle>('PlayerBoxscore')
setTypeOf('player_boxscore', boxscore, ({ entry, typeName = 'OtherPlayerBoxscore' }) => {
  // The sport of a row does not change, so any time will do.
  const basketball = entry.column('basketball_player_boxscore_id', 0)
  if (basketball === undefined) return typeName
  return basketball === null ? 'OtherPlayerBoxscore' : 'BasketballPlayerBoxscore'
})

builder.interfaceType(boxscore, {
  description: 'One player’s statistics in one game. The types of each sport add the sport’s columns.',
  resolveType: typeNameOf,
  fields: (t) => ({
    id: idField(t, { isNode: true }),
    ...columnFields(t, 'player_boxscore', tables.player_boxscore),
    ...lineFields(t, ['minutes_played', 'points']),
    stat: statField(t),
    columns: columnsField(t),
  }),
})

const sports = {
  BasketballPlayerBoxscore: {
    description: 'A basketball player’s statistics in one game.',
    columns: sportColumns.basketball_player_boxscore,
  },
  OtherPlayerBoxscore: {
    description: 'A player’s statistics in one game, for all sports but basketball.',
    columns: {},
  },
} as const

for (const [name, { description, columns }] of Object.entries(sports)) {
  registerTypeName('player_boxscore', name)
  builder.objectType(builder.objectRef<Handle>(name), {
    description,
    interfaces: [boxscore, builder.nodeInterfaceRef()],
    fields: (t) => ({ id: idField(t, { isNode: true }), ...columnFields(t, 'player_boxscore', columns) }),
  })
}

const origin = { loader: playerBoxscores, operation: operations.readPlayerBoxscores }

/** Where a game's player boxscores are stored: of one team, or of both without a team. */
function placeOf({ entry, scope }: Handle, team: string | null) {
  const opponent = team === null ? null : (teamsOf(entry).find((id) => id !== team) ?? null)
  const wanted = { what: `${entry.key} ${team}`, game: entry.key, team, opponent }
  return { owner: entry, slot: gamePlayers(team), wanted, scope, otherwise: noneToldBy(entry) }
}

builder.objectField(game, 'playerBoxscores', (t) =>
  t.field({
    type: [boxscore],
    nullable: { list: true, items: false },
    listSize: sizeOf('playersOfGame'),
    description:
      'The players’ boxscores, of both teams or of one side: one team after the other, its players in the service’s order. Which team is first does not depend on who is at home. Costs one call for all games of the query.',
    args: { side: t.arg({ type: side }) },
    ...relation({
      ...origin,
      needs: {
        relations: (args) => (args['side'] ? [] : ['playerBoxscores']),
        columns: (args) => (args['side'] ? sides : []),
        byKeyAlone: unlessTold,
        into: { link: 'playerBoxscores' },
      },
      place: (row: Handle, args: { readonly side?: SideColumn | null | undefined }, context, info) => {
        if (hasNone(row, context)) return new Given<Handle[] | null>([])
        if (args.side == null)
          return bothSides(row.entry, gamePlayers, (team) => placeOf(row, team), {
            origin,
            context,
            field: fieldName(info),
          })
        const { side: name } = args
        const team = () => column(row, name, context, 'Game.playerBoxscores')
        return oneSide(row.entry, team, gamePlayers, (id) => placeOf(row, id), context, [])
      },
      answer: (keys, _place, { clientRequest: request }, row) =>
        keys && handles(request, 'player_boxscore', keys, scopeFrom(row, request)),
    }),
  }),
)
