import type { GraphQLResolveInfo } from 'graphql'
import { builder } from '../graph/builder.ts'
import type { Context } from '../graph/context.ts'
import { free, sizeOf } from '../graph/cost.ts'
import { andThen } from '../loading/maybe-promise.ts'
import type { MaybePromise } from '../loading/maybe-promise.ts'
import { askFor, expiredOf, usable } from '../graph/place.ts'
import { relation } from '../graph/relation.ts'
import { searchOf } from '../loading/row-loader.ts'
import { withPrefetch, handle, fieldName, loadRow, scopeFrom, staleColumn } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import { defineLookup } from '../graph/roots.ts'
import type { Scope, ScopeArguments } from '../graph/scope.ts'
import { everyPart } from '../graph/id-scope.ts'
import { defineTable } from '../graph/table.ts'
import { slot } from '../rows/slot.ts'
import { nothing } from '../plan/selection.ts'
import { ratingOrigin, ratingsAt } from '../loaders/ratings.ts'
import { dayPlace } from './game.ts'
import { leagueOf } from './league.ts'
import { projectionAt, projections } from '../loaders/projections.ts'
import type { Projection } from '../loaders/projections.ts'
import { operations } from '../specification/operations.ts'
import type { ClientRequest } from '../account/client-request.ts'
import { scheduleOrigin } from '../loaders/schedule-places.ts'
import { schedules, seasonsUnderWay } from '../loaders/schedules.ts'
import {
  conferencePlayerStatRanking,
  conferenceStatRanking,
  statisticsRelation,
  teamStatRanking,
} from './stat-ranking.ts'
import type { DayArguments } from './stat-ranking.ts'
import { inSeason } from './season.ts'
import { scopeAt, team } from './team.ts'

export const conference = defineTable('conference', 'Conference', {
  description:
    'A conference: a group of teams of a league that play one another and have a table of their own.',
  node: true,
  scoped: everyPart,
})

defineLookup('conference', 'conference')

/** The key of a team's conference, if it had to be searched for. */
const conferenceSlot = slot<string | null>('conference', ({ fresh }) => fresh.current)

/** The key of a team's conference. Only the rows in a day's games contain it. */
function conferenceOf(row: Handle, context: Context, info: GraphQLResolveInfo): MaybePromise<string | null> {
  const { clientRequest: request } = context
  const known = () => {
    const column = row.entry.column('conference_id', request.now)
    return column === undefined ? conferenceSlot.read(row.entry, request.now) : column
  }
  if (known() !== undefined) return text(known())
  return request
    .once(searchOf('team', row.entry.key), () => find(row, context, info))
    .then(
      () => text(known()),
      (error: unknown) => text(staleConference(row, request, error)),
    )
}

/** The expired key: of the team's row, or that was searched for. Throws `error` if neither may be used. */
function staleConference(row: Handle, request: ClientRequest, error: unknown): unknown {
  try {
    return staleColumn(row, 'conference_id', request, error)
  } catch {
    return expiredOf({}, { owner: row.entry, slot: conferenceSlot }, request, error)
  }
}

const text = (value: unknown) => (typeof value === 'string' ? value : null)

/**
 * Finds a team's conference in the games of a day on which it played, and stores it, or that there is none. A
 * team may be reached from a game of other teams, so the day in scope is only a guess.
 */
async function find(row: Handle, context: Context, info: GraphQLResolveInfo): Promise<void> {
  const { clientRequest: request } = context
  const guess = row.scope.day === undefined ? undefined : scopeAt(row, {}, context)
  if (await isFoundOn(guess, row, context, info)) return
  const last = await lastPlayed(row, context, info)
  if (last?.day !== guess?.day && (await isFoundOn(last, row, context, info))) return
  conferenceSlot.put(request.account, row.entry, null, request.account.upstream.moment())
}

/** Whether the games of a day tell a team's conference, or that it has none. */
async function isFoundOn(
  scope: Scope | undefined,
  row: Handle,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<boolean> {
  const { clientRequest: request } = context
  if (scope?.day === undefined) return false
  const wanted = { columns: new Set<string>(), relations: new Set(['conference']), links: new Map() }
  const selection = {
    ...nothing,
    links: new Map([
      ['home_team', wanted],
      ['away_team', wanted],
    ]),
  }
  const games = dayPlace(leagueOf(scope, context), scope.day, selection, request)
  await schedules.load(askFor(scheduleOrigin, games, context, fieldName(info)))
  const found = row.entry.column('conference_id', request.now)
  if (found === undefined) return false
  conferenceSlot.put(request.account, row.entry, text(found), request.account.upstream.moment())
  return true
}

/**
 * Where and when a team last played: its current rating names the game. It is searched in the league in
 * scope, and then in all leagues, because the default league is only a guess.
 */
async function lastPlayed(row: Handle, context: Context, info: GraphQLResolveInfo) {
  const { clientRequest: request } = context
  const { season, ...league } = scopeFrom(row, request)
  const key =
    (league.organization_id && (await currentRating(row, { ...league, season }, context, info))) ||
    (await currentRating(row, { season }, context, info))
  if (!key) return undefined
  const gameId = text(request.account.rows.entry('elo', key).column('game_id', request.now))
  if (gameId === null) return undefined
  await seasonsUnderWay(request, row.entry.key, scopeAt(row, {}, context))
  const game = handle(request, 'game', gameId, row.scope)
  await loadRow(game, request, ['start_date', 'organization_id', 'division_id'], fieldName(info))
  return scopeFrom(game, request)
}

/** The key of a team's current rating in a league, or in all leagues. */
async function currentRating(row: Handle, scope: Scope, context: Context, info: GraphQLResolveInfo) {
  const { clientRequest: request } = context
  const place = ratingsAt(row.entry.key, scope, true, request.account)
  const known = usable(place, request)
  const keys =
    known === undefined
      ? await ratingOrigin.loader.load(askFor(ratingOrigin, place, context, fieldName(info)))
      : known
  return keys?.at(-1)
}

builder.objectFields(team, (t) => ({
  conferenceId: t.id({
    nullable: true,
    description:
      'The id of the team’s conference. Free below the games of a day; elsewhere it costs the list of a day’s games on which the team played.',
    needs: { relations: ['conference'], byKeyAlone: true },
    resolve: (row, _args, context, info) => conferenceOf(row, context, info),
  }),
  conference: t.field({
    type: conference,
    nullable: true,
    description: 'The team’s conference. Costs as much as `conferenceId`, and a read of its columns.',
    needs: { relations: ['conference'], byKeyAlone: true, into: { link: 'conference' } },
    resolve: (row, _args, context, info) =>
      andThen(conferenceOf(row, context, info), (key) =>
        key === null
          ? null
          : withPrefetch(handle(context.clientRequest, 'conference', key, row.scope), context, info),
      ),
  }),
}))

/**
 * A conference's row names its league; the one that it was reached in is a guess. Where that brought nothing, reads
 * the row. Resolves with whether it names another league.
 */
export function isElsewhere(
  isFound: boolean,
  row: Handle,
  context: Context,
  field: string,
): Promise<boolean> | null {
  const { clientRequest: request } = context
  if (isFound || row.entry.column('organization_id', 0) !== undefined) return null
  const guess = scopeAt(row, {}, context)
  return loadRow(row, request, ['organization_id', 'division_id'], field).then(() => {
    const { organization_id, division_id } = scopeAt(row, {}, context)
    return organization_id !== guess.organization_id || division_id !== guess.division_id
  })
}

const statistics = {
  stats: {
    table: 'conference_statistic_ranking',
    type: conferenceStatRanking,
    of: 'The conference’s statistics',
  },
  playerAverages: {
    table: 'conference_player_statistic_ranking',
    type: conferencePlayerStatRanking,
    of: 'The averages of the conference’s players',
  },
} as const

for (const [name, { table, type, of }] of Object.entries(statistics)) {
  builder.objectField(conference, name, (t) =>
    t.field({
      type,
      nullable: true,
      description: `${of} in a season: the current row, or the row of \`date\`. Costs one call for each conference.`,
      args: { season: t.arg.int(), date: t.arg({ type: 'Date' }) },
      ...statisticsRelation(
        table,
        { into: { link: name } },
        (row: Handle, args: ScopeArguments & DayArguments, context) => ({
          owner: row.entry,
          scope: scopeAt(row, args, context),
          identity: { conference_id: row.entry.key },
          date: args.date,
        }),
        (keys, row, context, info) => isElsewhere(Boolean(keys?.length), row, context, fieldName(info)),
      ),
    }),
  )
}

export const projection = builder
  .objectRef<Projection & { readonly row: Handle }>('ConferenceProjection')
  .implement({
    cost: free,
    description:
      'A conference’s projected table at the end of the season: current records plus the simulated results of all games to come.',
    fields: (t) => ({
      hasAccess: t.boolean({
        nullable: false,
        description:
          'Whether the games to come were simulated. False for a key without an active plan; `standings` then has the current records.',
        resolve: ({ hasAccess }) => hasAccess,
      }),
      standings: t.field({
        type: [teamStatRanking],
        nullable: false,
        listSize: sizeOf('teamsOfConference'),
        description:
          'A row for each team, sorted by conference wins. Projected wins and losses are means of simulated seasons, so they have fractions. Costs nothing more.',
        resolve: ({ row, hasAccess, standings }): Handle[] =>
          standings.map((entry) => ({
            table: 'statistic_ranking',
            entry,
            scope: row.scope,
            ...(hasAccess && { variant: 'projected' }),
          })),
      }),
    }),
  })

builder.objectField(conference, 'projection', (t) =>
  t.field({
    type: projection,
    nullable: true,
    description: 'The projected table of a season. Costs one call for each conference.',
    args: { season: t.arg.int() },
    ...relation({
      needs: { into: { link: 'projection' } },
      loader: projections,
      operation: operations.getConferencePrediction,
      place: (row: Handle, args: ScopeArguments, context) =>
        andThen(
          inSeason(scopeAt(row, args, context), context, 'Conference.projection', 'organization_id'),
          (scope) => projectionAt(row.entry, scope),
        ),
      answer: (found, { scope }, _context, row) => found && { ...found, row: { ...row, scope } },
      isElsewhere: (found, row, context, info) =>
        isElsewhere(Boolean(found?.standings.length), row, context, fieldName(info)),
    }),
  }),
)
