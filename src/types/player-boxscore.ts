import type { GraphQLResolveInfo } from 'graphql'
import { builder } from '../graph/builder.ts'
import type { Context } from '../graph/builder.ts'
import { sizeOf } from '../graph/cost.ts'
import { facet, andThen } from '../graph/facet.ts'
import { column, handles, scopeFrom } from '../graph/handle.ts'
import type { Handle, Soon } from '../graph/handle.ts'
import { registerTypeName } from '../graph/ids.ts'
import { columnsField } from '../graph/statistics.ts'
import { columnFields, idField } from '../graph/table.ts'
import { setTypeOf, typeNameOf } from '../graph/types.ts'
import { planBoxscores } from '../plan/boxscores.ts'
import { sportColumns, tables } from '../specification/tables.ts'
import { call } from '../upstream/call.ts'
import { byGroup, requestsOf } from '../upstream/load.ts'
import type { Ask, Source } from '../upstream/load.ts'
import { operations } from '../upstream/operations.ts'
import type { World } from '../upstream/world.ts'
import { hasNone, lineFields, side, sides, statField, unlessTold } from './boxscore.ts'
import { joinSides, sideLacking } from '../loaders/boxscores.ts'
import { game } from './game.ts'

const boxscore = builder.interfaceRef<Handle>('PlayerBoxscore')
setTypeOf('player_boxscore', boxscore, ({ entry }, { client: request }) =>
  entry.column('basketball_player_boxscore_id', request.now) == null
    ? 'OtherPlayerBoxscore'
    : 'BasketballPlayerBoxscore',
)

builder.interfaceType(boxscore, {
  description: 'One player’s numbers in one game. What more there is depends on the sport.',
  resolveType: typeNameOf,
  fields: (t) => ({
    id: idField(t),
    ...columnFields(t, 'player_boxscore', tables.player_boxscore),
    ...lineFields(t, ['minutes_played', 'points']),
    stat: statField(t),
    columns: columnsField(t),
  }),
})

const sports = {
  BasketballPlayerBoxscore: {
    description: 'A basketball player’s numbers in one game.',
    columns: sportColumns.basketball_player_boxscore,
  },
  OtherPlayerBoxscore: { description: 'A player’s numbers in one game.', columns: {} },
} as const

for (const [name, { description, columns }] of Object.entries(sports)) {
  registerTypeName('player_boxscore', name)
  builder.objectType(builder.objectRef<Handle>(name), {
    description,
    interfaces: [boxscore, builder.nodeInterfaceRef()],
    fields: (t) => ({ id: idField(t), ...columnFields(t, 'player_boxscore', columns) }),
  })
}

/** Player boxscores of a game: both sides', or one team's with its opponent as far as it is known. */
interface PlayerBoxscoreAsk extends Ask {
  readonly game: string
  readonly team: string | null
  readonly opponent: string | null
}

type Asks = readonly [PlayerBoxscoreAsk, ...PlayerBoxscoreAsk[]]

const playerBoxscores: Source<PlayerBoxscoreAsk> = {
  name: 'player boxscores',
  fill(world, asks) {
    const calls = planBoxscores(asks)
    const callOf = (ask: PlayerBoxscoreAsk) => calls.findIndex(({ games }) => games.has(ask.game))
    return byGroup(
      asks,
      (ask) => String(callOf(ask)),
      (group) => fill(world, group, calls[callOf(group[0])]?.teams ?? new Set()),
    )
  },
}

async function fill(world: World, asks: Asks, teams: ReadonlySet<string>): Promise<void> {
  const games = [...new Set(asks.map((ask) => ask.game))]
  const { keys, boughtAt } = await call(world, {
    operation: operations.readPlayerBoxscores,
    arguments: { game_id: games, ...(teams.size > 0 && { team_id: [...teams] }) },
    requests: requestsOf(asks),
    field: asks[0].field,
  })
  for (const ask of asks) keep(world, ask, keys, boughtAt)
}

function keep(world: World, ask: PlayerBoxscoreAsk, keys: readonly string[], boughtAt: number): void {
  const now = boughtAt - 1
  const game = world.rows.entry('game', ask.game)
  const rows = keys
    .map((key) => world.rows.entry('player_boxscore', key))
    .filter((row) => row.column('game_id', now) === ask.game)
  const put = (team: string | null) => {
    const own = team === null ? rows : rows.filter((row) => row.column('team_id', now) === team)
    const isSettled = own.every((row) => Number(row.column('final', now)) === 1)
    const state = world.game(ask.game)
    game.putFacet(
      nameOf(team),
      own.map(({ key }) => key),
      isSettled ? state : state.unsettled,
      boughtAt,
    )
  }
  put(ask.team)
  // Whoever has paid for both sides has each.
  if (ask.team === null)
    for (const team of new Set(rows.map((row) => row.column('team_id', now)))) put(String(team))
}

const nameOf = (team: string | null) => `player boxscores ${team}`

function boxscoresOf(
  row: Handle,
  key: 'home_team_id' | 'away_team_id' | null,
  context: Context,
  info: GraphQLResolveInfo,
): Soon<Handle[] | null> {
  if (hasNone(row, context)) return []
  const { client: request } = context
  const { entry } = row
  return andThen(key === null ? null : column(row, key, context, 'Game.playerBoxscores'), (team) => {
    if (key !== null) return team === null ? null : andThen(read(String(team)), list)
    const join = () => joinSides(entry, nameOf(null), nameOf, request.now)
    join()
    const isWhole = entry.facet(nameOf(null), request.now) !== undefined
    const lacking = isWhole ? null : sideLacking(entry, nameOf, request.now)
    return andThen(lacking && read(lacking), () => {
      join()
      return andThen(read(null), list)
    })
  })

  function read(team: string | null): Soon<readonly string[] | null> {
    const teams = [entry.column('home_team_id', request.now), entry.column('away_team_id', request.now)]
    const opponent = team === null ? undefined : teams.find((id) => typeof id === 'string' && id !== team)
    const ask = {
      game: entry.key,
      team,
      opponent: typeof opponent === 'string' ? opponent : null,
      what: `${entry.key} ${team}`,
    }
    const from = { source: playerBoxscores, ask, operation: 'player_boxscore/read' }
    return facet<PlayerBoxscoreAsk, readonly string[]>(entry, nameOf(team), from, context, info)
  }

  function list(keys: readonly string[] | null): Handle[] | null {
    return keys && handles(request, 'player_boxscore', keys, scopeFrom(row, request))
  }
}

builder.objectField(game, 'playerBoxscores', (t) =>
  t.field({
    type: [boxscore],
    nullable: { list: true, items: false },
    listSize: sizeOf('playersOfGame'),
    description:
      'The players’ boxscores, of both teams or of one side. Costs one call for all games that ask.',
    needs: {
      facets: (args) => (args['side'] ? [] : ['playerBoxscores']),
      columns: (args) => (args['side'] ? sides : []),
      apart: unlessTold,
      into: { link: 'playerBoxscores' },
    },
    args: { side: t.arg({ type: side }) },
    resolve: (row, args, context, info) => boxscoresOf(row, args.side ?? null, context, info),
  }),
)
