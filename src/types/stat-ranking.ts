import type { GraphQLResolveInfo } from 'graphql'
import { builder } from '../graph/builder.ts'
import type { Context } from '../graph/context.ts'
import { statisticsRow } from '../graph/cost.ts'
import { fieldName, firstHandle } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import { everyPart } from '../graph/id-scope.ts'
import type { ScopePart } from '../graph/id-scope.ts'
import { registerTypeName } from '../graph/ids.ts'
import { andThen } from '../loading/maybe-promise.ts'
import type { MaybePromise } from '../loading/maybe-promise.ts'
import { Given, relation } from '../graph/relation.ts'
import type { Needs } from '../graph/needs.ts'
import { requireScope } from '../graph/scope.ts'
import type { Scope } from '../graph/scope.ts'
import { columnsField, namedFields, statisticFields } from '../graph/statistics.ts'
import { columnFields, idField } from '../graph/table.ts'
import { setTypeOf } from '../graph/types.ts'
import { typeNameOf } from '../graph/type-names.ts'
import type { Columns } from '../specification/columns.ts'
import { statisticsOf } from '../specification/sport-statistics.ts'
import { sportColumns, tables } from '../specification/tables.ts'
import type { StatisticClass } from '../specification/tables.ts'
import type { Entry } from '../rows/entry.ts'
import type { Keys } from '../rows/slot.ts'
import { answers } from '../loaders/answers.ts'
import { statisticsAt } from '../loaders/statistics.ts'
import type { Which } from '../loaders/statistics.ts'
import { inSeason } from './season.ts'

export const statRanking = builder.interfaceRef<Handle>('StatRanking')

/** The parts of the scope that a row does not name: a team's has no league, a career's no season. */
const unnamedParts = ({ entry }: Handle): readonly ScopePart[] =>
  // A row of statistics is reached only through its owner, so its columns are known.
  everyPart.filter((part) => entry.column(part, 0) == null)

const common = {
  season: tables.statistic_ranking.season,
  date_of_rank: tables.statistic_ranking.date_of_rank,
  current: tables.statistic_ranking.current,
}

builder.interfaceType(statRanking, {
  description:
    'A row of statistics of the games of a season up to a day, each with its rank among all rows of that day in the division. A team’s are means over its games, apart from counts such as wins. A player’s are totals, apart from those that are called `…_per_game`, percentages and ratings. So `stat(name: "points")` is a mean in a team’s row and a total in a player’s.',
  resolveType: typeNameOf,
  fields: (t) => ({
    id: idField(t, { scoped: unnamedParts }),
    ...columnFields(t, 'statistic_ranking', common),
    ...namedFields(t),
    columns: columnsField(t),
  }),
})

const typeNames: Readonly<Record<StatisticClass, string>> = {
  statistic_ranking: 'TeamStatRanking',
  player_statistic_ranking: 'PlayerStatRanking',
  coach_statistic_ranking: 'CoachStatRanking',
  conference_statistic_ranking: 'ConferenceStatRanking',
  league_statistic_ranking: 'LeagueStatRanking',
  conference_player_statistic_ranking: 'ConferencePlayerStatRanking',
  league_player_statistic_ranking: 'LeaguePlayerStatRanking',
}

const subjects: Readonly<Record<StatisticClass, string>> = {
  statistic_ranking: 'A team’s statistics of a season: means over its games, apart from counts such as wins.',
  player_statistic_ranking:
    'A player’s statistics of a season, or of a career: totals, apart from those that are called `…PerGame`, percentages and ratings.',
  coach_statistic_ranking: 'A coach’s statistics of a season: those of the team.',
  conference_statistic_ranking: 'A conference’s statistics of a season: the averages of its teams.',
  league_statistic_ranking: 'The averages of all teams of a division, to compare a team with.',
  conference_player_statistic_ranking: 'The averages of all players of a conference.',
  league_player_statistic_ranking: 'The averages of all players of a division.',
}

const { organization_id, division_id } = tables.player_statistic_ranking

/** Columns beside a table's own: those of its sport, and the league, which a team's row lacks. */
const moreColumns: Readonly<Partial<Record<StatisticClass, Columns>>> = {
  statistic_ranking: { organization_id, division_id },
  player_statistic_ranking: sportColumns.basketball_player_statistic,
}

function defineRanking(table: StatisticClass) {
  const name = typeNames[table]
  const ref = builder.objectRef<Handle>(name)
  registerTypeName(table, name)
  setTypeOf(table, ref, () => name)
  builder.objectType(ref, {
    cost: statisticsRow,
    description: subjects[table],
    interfaces: [statRanking],
    fields: (t) => ({
      ...columnFields(t, table, { ...tables[table], ...moreColumns[table] }),
      ...statisticFields(t, statisticsOf(table)),
    }),
  })
  return ref
}

export const teamStatRanking = defineRanking('statistic_ranking')
export const playerStatRanking = defineRanking('player_statistic_ranking')
export const coachStatRanking = defineRanking('coach_statistic_ranking')
export const conferenceStatRanking = defineRanking('conference_statistic_ranking')
export const leagueStatRanking = defineRanking('league_statistic_ranking')
export const conferencePlayerStatRanking = defineRanking('conference_player_statistic_ranking')
export const leaguePlayerStatRanking = defineRanking('league_player_statistic_ranking')

/** The argument for the row of a day. */
export interface DayArguments {
  readonly date?: string | null | undefined
}

/** The field options of a row of statistics of a class. */
export function statisticsRelation<P, Args>(
  table: StatisticClass,
  needs: Needs,
  /** The owner of the row, its scope, and which row; null if there is no owner. */
  of: (
    parent: P,
    args: Args,
    context: Context,
  ) => MaybePromise<(Which & { readonly owner: Entry; readonly scope: Scope }) | null>,
  isElsewhere?: (
    keys: Keys | null,
    parent: P,
    context: Context,
    info: GraphQLResolveInfo,
  ) => Promise<boolean> | null,
) {
  return relation({
    ...(isElsewhere && { isElsewhere }),
    needs,
    loader: answers,
    operation: ({ wanted }) => wanted.operation,
    place: (parent: P, args: Args, context, info) =>
      andThen(
        of(parent, args, context),
        (one): MaybePromise<ReturnType<typeof statisticsAt> | Given<Handle | null>> => {
          if (!one) return new Given<Handle | null>(null)
          const { owner, scope, ...which } = one
          const known = which.career
            ? requireScope(scope, 'organization_id')
            : inSeason(scope, context, fieldName(info), 'organization_id', 'division_id')
          return andThen<Scope, ReturnType<typeof statisticsAt>>(known, (found) =>
            statisticsAt(table, owner, found, which),
          )
        },
      ),
    answer: (keys, { scope }, { clientRequest: request }): Handle | null =>
      firstHandle(request, table, keys, scope),
  })
}
