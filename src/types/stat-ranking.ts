import type { GraphQLResolveInfo } from 'graphql'
import { builder } from '../graph/builder.ts'
import type { Context } from '../graph/builder.ts'
import { statisticsRow } from '../graph/cost.ts'
import { facet, andThen } from '../graph/facet.ts'
import { handle } from '../graph/handle.ts'
import type { Handle, Soon } from '../graph/handle.ts'
import { registerTypeName } from '../graph/ids.ts'
import { requireScope } from '../graph/scope.ts'
import type { Scope } from '../graph/scope.ts'
import { columnsField, namedStat, stat, statisticFields, statNamed } from '../graph/statistics.ts'
import { columnFields, idField } from '../graph/table.ts'
import { setTypeOf, typeNameOf } from '../graph/types.ts'
import type { Columns } from '../specification/columns.ts'
import { sportColumns, statistics, tables } from '../specification/tables.ts'
import type { StatisticClass } from '../specification/tables.ts'
import type { Entry } from '../upstream/entry.ts'
import { answers } from '../loaders/answers.ts'
import type { AnswerAsk } from '../loaders/answers.ts'
import { statisticsAsk } from '../loaders/statistics.ts'
import type { Which } from '../loaders/statistics.ts'

export const statRanking = builder.interfaceRef<Handle>('StatRanking')

const common = {
  season: tables.statistic_ranking.season,
  date_of_rank: tables.statistic_ranking.date_of_rank,
  current: tables.statistic_ranking.current,
}

builder.interfaceType(statRanking, {
  description:
    'One row of statistics: averages over the games of a season up to a day, each with its rank among all that have a row of that day.',
  resolveType: typeNameOf,
  fields: (t) => ({
    id: idField(t),
    ...columnFields(t, 'statistic_ranking', common),
    stat: t.field({
      type: stat,
      nullable: true,
      description:
        'A statistic by its column’s name, `points` or `total_rebounds` or `totalRebounds`; null where the row has no such column.',
      args: { name: t.arg.string({ required: true }) },
      resolve: (row, { name }, context) => statNamed(row, name, context),
    }),
    stats: t.field({
      type: [namedStat],
      nullable: false,
      description: 'Statistics by their columns’ names, in the order asked.',
      args: { names: t.arg.stringList({ required: true }) },
      resolve: (row, { names }, context) =>
        names.map((name) => ({ name, ...(statNamed(row, name, context) ?? { value: null, rank: null }) })),
    }),
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
  statistic_ranking: 'A team’s statistics of a season.',
  player_statistic_ranking: 'A player’s statistics of a season, or of a career.',
  coach_statistic_ranking: 'A coach’s statistics of a season.',
  conference_statistic_ranking: 'A conference’s statistics of a season: the averages of its teams.',
  league_statistic_ranking: 'The averages of all teams of a division: what to measure a team against.',
  conference_player_statistic_ranking: 'The averages of all players of a conference.',
  league_player_statistic_ranking: 'The averages of all players of a division.',
}

const { organization_id, division_id } = tables.player_statistic_ranking

/** Columns beside a table's own: of its sport's part, and the league, which a team's row itself leaves out. */
const moreColumns: Readonly<Partial<Record<StatisticClass, Columns>>> = {
  statistic_ranking: { organization_id, division_id },
  player_statistic_ranking: sportColumns.basketball_player_statistic,
}

function defineRanking(table: StatisticClass) {
  const name = typeNames[table]
  const ref = builder.objectRef<Handle>(name)
  registerTypeName(table, name)
  setTypeOf(table, ref, () => name)
  const listed = statistics[table]
  builder.objectType(ref, {
    cost: statisticsRow,
    description: subjects[table],
    interfaces: [statRanking],
    fields: (t) => ({
      ...columnFields(t, table, { ...tables[table], ...moreColumns[table] }),
      ...(listed && statisticFields(t, listed)),
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

/** A statistics row of a class, kept as a facet of whoever it belongs to. */
export function statisticsOf(
  table: StatisticClass,
  entry: Entry,
  scope: Scope,
  which: Omit<Which, 'scope'>,
  context: Context,
  info: GraphQLResolveInfo,
): Soon<Handle | null> {
  const known = which.career
    ? requireScope(scope, 'organization_id')
    : requireScope(scope, 'organization_id', 'division_id', 'season')
  const ask = statisticsAsk(table, entry, { scope: known, ...which })
  const from = { source: answers, ask, operation: `${ask.operation.class}/getStats` }
  return andThen(facet<AnswerAsk, string>(entry, ask.facet, from, context, info), (key) =>
    key === null ? null : handle(context.client, table, key, known),
  )
}
