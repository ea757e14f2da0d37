import type { GraphQLResolveInfo } from 'graphql'
import { builder } from '../graph/builder.ts'
import type { Context } from '../graph/builder.ts'
import { sizeOf } from '../graph/cost.ts'
import { facet, andThen } from '../graph/facet.ts'
import { column, handle, handles, scopeFrom } from '../graph/handle.ts'
import type { Handle, Soon } from '../graph/handle.ts'
import { registerTypeName } from '../graph/ids.ts'
import { requireScope } from '../graph/scope.ts'
import type { ScopeArguments } from '../graph/scope.ts'
import { columnNamed, columnsField } from '../graph/statistics.ts'
import { convert } from '../graph/scalars.ts'
import { columnFields, idField } from '../graph/table.ts'
import { setTypeOf, typeNameOf } from '../graph/types.ts'
import type { RowFields } from '../graph/types.ts'
import { describeStatistic } from '../specification/statistics.ts'
import type { Want } from '../plan/want.ts'
import { sportColumns, tables } from '../specification/tables.ts'
import { boxscoresOf, joinSides, sideLacking } from '../loaders/boxscores.ts'
import type { BoxscoreAsk } from '../loaders/boxscores.ts'
import { game } from './game.ts'
import { scopeAt, team } from './team.ts'

/** The statistics that both sports' boxscores have. */
const common = ['minutes_played', 'points'] as const

/** A sport's boxscore columns by name, and every column. */
export const statField = (t: RowFields) =>
  t.float({
    description:
      'A statistic by its column’s name, `third_down_attempts` or `thirdDownAttempts`; null where the row has no such column.',
    // Any column will do that is as fresh as its row.
    needs: { columns: ['deleted'] },
    args: { name: t.arg.string({ required: true }) },
    resolve: (row, { name }, context) => convert.number(columnNamed(row, name, context)) as number | null,
  })

/** Fields for statistics of a boxscore, all of which come with the row. */
export const lineFields = (t: RowFields, names: readonly string[]) =>
  columnFields(
    t,
    'boxscore',
    Object.fromEntries(
      names.map((name) => [name, { kind: 'number', description: `${describeStatistic(name)}.` } as const]),
    ),
  )

const boxscore = builder.interfaceRef<Handle>('TeamBoxscore')
setTypeOf('boxscore', boxscore, ({ entry }, { client: { now } }) => {
  if (entry.column('football_boxscore_id', now) != null) return 'FootballTeamBoxscore'
  return entry.column('basketball_boxscore_id', now) == null ? 'OtherTeamBoxscore' : 'BasketballTeamBoxscore'
})

builder.interfaceType(boxscore, {
  description: 'One team’s numbers in one game. What more there is depends on the sport.',
  resolveType: typeNameOf,
  fields: (t) => ({
    id: idField(t),
    ...columnFields(t, 'boxscore', tables.boxscore),
    ...lineFields(t, common),
    stat: statField(t),
    columns: columnsField(t),
  }),
})

const sports = {
  FootballTeamBoxscore: { sport: 'A football team’s', columns: sportColumns.football_boxscore },
  BasketballTeamBoxscore: { sport: 'A basketball team’s', columns: sportColumns.basketball_boxscore },
  OtherTeamBoxscore: { sport: 'A team’s', columns: {} },
} as const

for (const [name, { sport, columns }] of Object.entries(sports)) {
  registerTypeName('boxscore', name)
  builder.objectType(builder.objectRef<Handle>(name), {
    description: `${sport} numbers in one game.`,
    interfaces: [boxscore, builder.nodeInterfaceRef()],
    fields: (t) => ({ id: idField(t), ...columnFields(t, 'boxscore', columns) }),
  })
}

export const side = builder.enumType('Side', {
  description: 'A side of a game.',
  values: { HOME: { value: 'home_team_id' }, AWAY: { value: 'away_team_id' } } as const,
})

function askFor(row: Handle, teamId: string | null, { client, defaults }: Context) {
  const own = scopeFrom(row, client)
  const organization_id = own.organization_id ?? defaults.organization_id
  return {
    game: row.entry.key,
    team: teamId,
    what: `${row.entry.key} ${teamId}`,
    scope: requireScope({ ...own, organization_id }, 'organization_id'),
    isAssumed: own.organization_id === undefined,
  }
}

/** A query that asks the row whether there are any waits for what it says. */
export const unlessTold = ({ columns }: Want) => !columns.has('boxscore')

/** Whether the game's row is at hand and says that the service has no boxscores of it. */
export const hasNone = (row: Handle, { client: request }: Context) =>
  convert.flag(row.entry.column('boxscore', request.now)) === false

const sideOf = (team: string) => `boxscore ${team}`

function both(row: Handle, context: Context, info: GraphQLResolveInfo): Soon<Handle[] | null> {
  if (hasNone(row, context)) return []
  const { client: request } = context
  const { entry } = row
  const join = () => joinSides(entry, 'boxscores', sideOf, request.now)
  const read = <V>(team: string | null, name: string) => {
    const from = { source: boxscoresOf, ask: askFor(row, team, context), operation: 'boxscore/readBoxscore' }
    return facet<BoxscoreAsk, V>(entry, name, from, context, info)
  }
  join()
  const lacking =
    entry.facet('boxscores', request.now) === undefined && sideLacking(entry, sideOf, request.now)
  const side = lacking && read<string>(lacking, sideOf(lacking))
  return andThen(side, () => {
    join()
    return andThen(read<readonly string[]>(null, 'boxscores'), list)
  })

  function list(keys: readonly string[] | null): Handle[] | null {
    const away = entry.column('away_team_id', request.now)
    const rows = keys && handles(request, 'boxscore', keys, scopeFrom(row, request))
    return rows && rows.toSorted((a, b) => Number(isOf(b, away)) - Number(isOf(a, away)))
  }

  function isOf(boxscore: Handle, teamId: unknown): boolean {
    return boxscore.entry.column('team_id', request.now) === teamId
  }
}

function one(row: Handle, key: 'home_team_id' | 'away_team_id', context: Context, info: GraphQLResolveInfo) {
  if (hasNone(row, context)) return null
  return andThen(column(row, key, context, 'Game.boxscore'), (teamId) => {
    if (teamId === null) return null
    const ask = askFor(row, String(teamId), context)
    const from = { source: boxscoresOf, ask, operation: 'boxscore/readBoxscore' }
    return andThen(
      facet<BoxscoreAsk, string>(row.entry, `boxscore ${teamId}`, from, context, info),
      (found) =>
        found === null ? null : handle(context.client, 'boxscore', found, scopeFrom(row, context.client)),
    )
  })
}

/** What the boxscores of one side need of the game's row. */
export const sides = ['home_team_id', 'away_team_id', 'boxscore'] as const

builder.objectFields(game, (t) => ({
  boxscores: t.field({
    type: [boxscore],
    nullable: { list: true, items: false },
    listSize: sizeOf('sides'),
    description:
      'Both teams’ boxscores, away first. Costs one call for all games that ask, none for a game that is known to have none. A key without read access pays one call for each side.',
    needs: { facets: ['boxscores'], apart: unlessTold, into: { link: 'boxscores' } },
    resolve: (row, _args, context, info) => both(row, context, info),
  }),
  boxscore: t.field({
    type: boxscore,
    nullable: true,
    description: 'One side’s boxscore. Costs one call for all games that ask; null where there is none.',
    needs: { columns: sides, into: { link: 'boxscores' } },
    args: { side: t.arg({ type: side, required: true }) },
    resolve: (row, args, context, info) => one(row, args.side, context, info),
  }),
}))

function ofSeason(row: Handle, args: ScopeArguments, context: Context, info: GraphQLResolveInfo) {
  const scope = requireScope(scopeAt(row, args, context), 'organization_id', 'season')
  const name = `boxscores ${scope.organization_id} ${scope.season}`
  const ask = { game: null, team: row.entry.key, what: `${row.entry.key} ${name}`, scope, isAssumed: false }
  const from = { source: boxscoresOf, ask, operation: 'boxscore/readBoxscore' }
  return andThen(
    facet<BoxscoreAsk, readonly string[]>(row.entry, name, from, context, info),
    (keys) => keys && handles(context.client, 'boxscore', keys, scope),
  )
}

builder.objectField(team, 'boxscores', (t) =>
  t.field({
    type: [boxscore],
    nullable: { list: true, items: false },
    listSize: sizeOf('gamesOfSeason'),
    description:
      'The team’s boxscores of a season. Costs one call for all teams that ask. Needs a key with read access.',
    needs: { into: { link: 'boxscores' } },
    args: { season: t.arg.int() },
    resolve: (row, args, context, info) => ofSeason(row, args, context, info),
  }),
)
