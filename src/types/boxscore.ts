import { builder } from '../graph/builder.ts'
import type { Context } from '../graph/context.ts'
import { sizeOf } from '../graph/cost.ts'
import { andThen } from '../loading/maybe-promise.ts'
import { Given, relation } from '../graph/relation.ts'
import { column, columnsOf, fieldName, firstHandle, handles, scopeFrom } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import { registerTypeName } from '../graph/ids.ts'
import { requireScope } from '../graph/scope.ts'
import type { ScopeArguments } from '../graph/scope.ts'
import { checkName, columnNamed, columnsField } from '../graph/statistics.ts'
import { convert } from '../graph/conversions.ts'
import { columnFields, idField } from '../graph/table.ts'
import { setTypeOf } from '../graph/types.ts'
import { typeNameOf } from '../graph/type-names.ts'
import type { RowFields } from '../graph/types.ts'
import { describeStatistic } from '../specification/statistics.ts'
import type { Selection } from '../plan/selection.ts'
import { sportColumns, tables } from '../specification/tables.ts'
import { gameBoxscores, seasonBoxscores } from '../loaders/boxscore-slots.ts'
import { boxscores } from '../loaders/boxscores.ts'
import { bothSides, oneSide } from '../loaders/sides.ts'
import type { Entry } from '../rows/entry.ts'
import { cachedStage } from '../rows/game-stage.ts'
import type { Moment } from '../rows/moment.ts'
import { isAhead } from '../specification/game-status.ts'
import { operations } from '../specification/operations.ts'
import { game } from './game.ts'
import { inSeason } from './season.ts'
import { scopeAt, team } from './team.ts'

/** Statistics in the boxscores of both sports. */
const common = ['minutes_played', 'points'] as const

/** The boxscore columns of each sport, and all of them. */
export const statField = (t: RowFields) =>
  t.float({
    description:
      'A statistic by its column’s name, `third_down_attempts` or `thirdDownAttempts`; null if the row has no such column. A name that no such row is known to have is an error.',
    // Any column will do, because all of a row are equally fresh.
    needs: { columns: ['deleted'] },
    args: { name: t.arg.string({ required: true }) },
    resolve: (row, { name }, context, info) =>
      andThen(columnsOf(row, context, fieldName(info)), (columns) => {
        const value = columnNamed(columns, name)
        if (value === undefined) checkName(row, name, context, info)
        return convert.number(value)
      }),
  })

/** Fields for a boxscore's statistics. All of them come with the row. */
export const lineFields = (t: RowFields, names: readonly string[]) =>
  columnFields(
    t,
    'boxscore',
    Object.fromEntries(
      names.map((name) => [name, { kind: 'number', description: `${describeStatistic(name)}.` } as const]),
    ),
  )

const boxscore = builder.interfaceRef<Handle>('TeamBoxscore')
setTypeOf('boxscore', boxscore, ({ entry, typeName = 'OtherTeamBoxscore' }) => {
  // The sport of a row does not change, so any time will do.
  const football = entry.column('football_boxscore_id', 0)
  if (football === undefined) return typeName
  if (football !== null) return 'FootballTeamBoxscore'
  return entry.column('basketball_boxscore_id', 0) == null ? 'OtherTeamBoxscore' : 'BasketballTeamBoxscore'
})

builder.interfaceType(boxscore, {
  description: 'One team’s statistics in one game. The types of each sport add the sport’s columns.',
  resolveType: typeNameOf,
  fields: (t) => ({
    id: idField(t, { isNode: true }),
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
    description: `${sport} statistics in one game.`,
    interfaces: [boxscore, builder.nodeInterfaceRef()],
    fields: (t) => ({ id: idField(t, { isNode: true }), ...columnFields(t, 'boxscore', columns) }),
  })
}

export const side = builder.enumType('Side', {
  description: 'One of the two teams of a game.',
  values: { HOME: { value: 'home_team_id' }, AWAY: { value: 'away_team_id' } } as const,
})

/** Where a game's boxscores are stored: of one team, or of both without a team. */
function placeOf(row: Handle, team: string | null, { clientRequest: request, defaults }: Context) {
  const own = scopeFrom(row, request)
  const organization_id = own.organization_id ?? defaults.organization_id
  const scope = requireScope({ ...own, organization_id }, 'organization_id')
  const { entry } = row
  const what = `${entry.key} ${team}`
  // A game that was looked up in a league may be of another.
  const isAssumed = typeof entry.column('organization_id', 0) !== 'string'
  return {
    owner: entry,
    slot: gameBoxscores(team),
    wanted: { what, game: entry.key, team, scope, isAssumed },
    scope,
    otherwise: noneToldBy(entry),
  }
}

export type SideColumn = 'home_team_id' | 'away_team_id'

/** If the query needs the game's row anyway, the row tells first whether there are boxscores. */
export const unlessTold = ({ columns }: Selection) => !columns.has('boxscore')

const saysNone = (game: Entry, moment: Moment) => convert.flag(game.column('boxscore', moment)) === false

/**
 * Whether the game's row is known and says that there are no boxscores. A score entry does not say it, but its status
 * may say that the game has not begun.
 */
export function hasNone({ entry }: Handle, { clientRequest: { now } }: Context): boolean {
  const has = convert.flag(entry.column('boxscore', now))
  if (has !== null) return !has
  return isAhead(entry.column('status', now)) && cachedStage(entry, now) === 'SCHEDULED'
}

/** No boxscores, if the game's row says so at a moment. */
export const noneToldBy = (game: Entry) => (moment: Moment) => (saysNone(game, moment) ? [] : undefined)

const origin = { loader: boxscores, operation: operations.readBoxscore }

function awayFirst(
  keys: readonly string[] | null,
  row: Handle,
  { clientRequest: request }: Context,
): Handle[] | null {
  // Ids do not expire.
  const away = row.entry.column('away_team_id', 0)
  const isAway = ({ entry }: Handle) => Number(entry.column('team_id', 0) === away)
  const rows = keys && handles(request, 'boxscore', keys, scopeFrom(row, request))
  return rows && rows.toSorted((a, b) => isAway(b) - isAway(a))
}

/** The columns of the game's row that one side's boxscores need. */
export const sides = ['home_team_id', 'away_team_id', 'boxscore'] as const

builder.objectFields(game, (t) => ({
  boxscores: t.field({
    type: [boxscore],
    nullable: { list: true, items: false },
    listSize: sizeOf('sides'),
    description:
      'Both teams’ boxscores, away first; in the service’s order if nothing but the game’s id is known. Costs one call for all games of the query, and nothing for a game that is known to have none, or not to have begun. With a key without read access, one call for each side.',
    ...relation({
      ...origin,
      needs: { relations: ['boxscores'], byKeyAlone: unlessTold, into: { link: 'boxscores' } },
      place: (row: Handle, _args: object, context, info) =>
        hasNone(row, context)
          ? new Given<Handle[] | null>([])
          : bothSides(row.entry, gameBoxscores, (team) => placeOf(row, team, context), {
              origin,
              context,
              field: fieldName(info),
            }),
      answer: (keys, _place, context, row) => awayFirst(keys, row, context),
    }),
  }),
  boxscore: t.field({
    type: boxscore,
    nullable: true,
    description: 'One side’s boxscore; null if there is none. Costs one call for all games of the query.',
    args: { side: t.arg({ type: side, required: true }) },
    ...relation({
      ...origin,
      needs: { columns: sides, into: { link: 'boxscores' } },
      place: (row: Handle, args: { readonly side: SideColumn }, context) => {
        if (hasNone(row, context)) return new Given<Handle | null>(null)
        const team = () => column(row, args.side, context, 'Game.boxscore')
        return oneSide(row.entry, team, gameBoxscores, (id) => placeOf(row, id, context), context, null)
      },
      answer: (keys, _place, { clientRequest: request }, row) =>
        firstHandle(request, 'boxscore', keys, scopeFrom(row, request)),
    }),
  }),
}))

builder.objectField(team, 'boxscores', (t) =>
  t.field({
    type: [boxscore],
    nullable: { list: true, items: false },
    listSize: sizeOf('gamesOfSeason'),
    description:
      'The team’s boxscores of a season, in the service’s order: they do not tell when their games are. Costs one call for all teams of the query. Needs a key with read access.',
    args: { season: t.arg.int() },
    ...relation({
      ...origin,
      needs: { into: { link: 'boxscores' } },
      place: (row: Handle, args: ScopeArguments, context) =>
        andThen(
          inSeason(scopeAt(row, args, context), context, 'Team.boxscores', 'organization_id'),
          (scope) => {
            const { entry } = row
            const what = `${entry.key} ${scope.organization_id} ${scope.season}`
            const wanted = { what, game: null, team: entry.key, scope, isAssumed: false }
            return { owner: entry, slot: seasonBoxscores(scope), wanted, scope }
          },
        ),
      answer: (keys, { scope }, { clientRequest: request }) =>
        keys && handles(request, 'boxscore', keys, scope),
    }),
  }),
)
