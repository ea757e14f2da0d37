import type { GraphQLResolveInfo } from 'graphql'
import type { Context } from '../graph/context.ts'
import { handles } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import { usable } from '../graph/place.ts'
import type { Place } from '../graph/place.ts'
import { prefetchLinks } from '../graph/prefetch.ts'
import { bytesPerToken } from '../money/price.ts'
import { readsPicked, withoutLines } from '../plan/picked.ts'
import { failRow, isOfService, loadColumns } from '../loading/row-loader.ts'
import type { MaybePromise } from '../loading/maybe-promise.ts'
import type { Known, Scope } from '../graph/scope.ts'
import type { Selection } from '../plan/selection.ts'
import { gameSlots } from '../rows/game-slots.ts'
import { operations } from '../specification/operations.ts'
import type { Entry } from '../rows/entry.ts'
import type { ClientRequest } from '../account/client-request.ts'
import type { Account } from '../account/account.ts'
import { has } from './game-needs.ts'
import { leagueKey } from './leagues.ts'
import { failLine } from './lines.ts'
import { gamesOfDay, gamesOfSeason, homeGamesOfSeason } from './schedule-slots.ts'
import { bytesOf, scheduleAt, schedules } from './schedules.ts'
import type { ScheduleWanted } from './schedules.ts'
import { textOf } from '../rows/values.ts'

type SchedulePlace = Place<ScheduleWanted, readonly string[]>

/** Where the games of a league's day are stored, and what a query needs of them. */
export function dayAt(
  league: Entry,
  scope: Scope,
  date: string,
  selection: Selection,
  request: ClientRequest,
  { isComplete = false } = {},
): SchedulePlace {
  const { organization_id, division_id } = scope
  const wanted = {
    what: `${league.key} ${date}`,
    owner: league,
    slot: gamesOfDay(date),
    selection,
    league: { organization_id, division_id },
    arguments: [{ start_date: date }],
    isComplete,
  } as const
  return scheduleAt(wanted, scope, request)
}

/** Where a team's games of a season are stored, and what a query needs of them. */
export const seasonAt = (
  team: Entry,
  scope: Known<'season'>,
  selection: Selection,
  request: ClientRequest,
): SchedulePlace => seasonPlace(team, scope, selection, request, ['home_team_id', 'away_team_id'])

/**
 * The same if so many of its games are picked: their predictions and current odds are loaded later, for them
 * alone, where that is cheaper.
 */
export function pickedAt(
  team: Entry,
  scope: Known<'season'>,
  selection: Selection,
  games: number,
  request: ClientRequest,
): SchedulePlace {
  const whole = seasonAt(team, scope, selection, request)
  if (!selection.relations.has('prediction') && !selection.relations.has('current')) return whole
  const list = seasonAt(team, scope, withoutLines(selection), request)
  const { estimates } = request.account
  const { getScores, readOdds } = operations
  const isLater = readsPicked(selection, {
    games,
    whole: bytesOf(request, whole.wanted),
    list: bytesOf(request, list.wanted),
    oddsOfGame: estimates.bytesPerRow(readOdds) * estimates.rowsPerId(readOdds, 'game_id'),
    scoresOfDay: estimates.bytesPerRow(getScores) * estimates.rowsPerId(getScores, 'start_date'),
    bytesPerToken,
  })
  return isLater ? list : whole
}

/** The same for its home games only. */
export const homeSeasonAt = (
  team: Entry,
  scope: Known<'season'>,
  selection: Selection,
  request: ClientRequest,
): SchedulePlace => seasonPlace(team, scope, selection, request, ['home_team_id'])

function seasonPlace(
  team: Entry,
  scope: Known<'season'>,
  selection: Selection,
  request: ClientRequest,
  sides: readonly ('home_team_id' | 'away_team_id')[],
): SchedulePlace {
  const { season } = scope
  const isHome = sides.length === 1
  const wanted = {
    what: `${team.key} ${leagueKey(scope)} ${season}${isHome ? ' home' : ''}`,
    owner: team,
    slot: isHome ? homeGamesOfSeason(scope) : gamesOfSeason(scope),
    selection,
    league: scope,
    arguments: sides.map((side) => ({ season, [side]: team.key })),
    season: scope,
  }
  return scheduleAt(wanted, scope, request)
}

/** The known home games of a team in a season. */
export const homeKeys = (team: Entry, scope: Scope): ReadonlySet<string> =>
  new Set(homeGamesOfSeason(scope).last(team))

/**
 * Whether a schedule is known, but for what costs no more than a token. Scores alone list the games, but
 * without their start times.
 */
export const isKnown = (place: SchedulePlace, request: ClientRequest): boolean =>
  usable(place, request) !== undefined && bytesOf(request, place.wanted) <= bytesPerToken

/**
 * If loading the list failed, its games are not loaded either: their expired rows are served without another
 * failing call.
 */
function failGames(games: readonly string[], request: ClientRequest, error: unknown): void {
  if (!isOfService(error)) return
  for (const game of games) {
    failRow(request, 'game', game, error)
    for (const line of ['pre', 'prediction'] as const) failLine(request, game, line, error)
  }
}

/** How the games of a day or a season are loaded. */
export const scheduleOrigin = {
  loader: schedules,
  operation: ({ wanted }: { readonly wanted: ScheduleWanted }) =>
    wanted.season === undefined ? operations.getGames : operations.readGames,
  expired: failGames,
}

/**
 * A schedule’s games by start time. Games without one are last, in the service’s order. Nothing tells the order
 * of a day's games while the start of one is unknown: they stay in the service's order.
 */
export function scheduled(
  keys: readonly string[] | null,
  { wanted, scope }: SchedulePlace,
  { clientRequest: request }: { readonly clientRequest: ClientRequest },
): Handle<'game'>[] {
  const games = handles(request, 'game', keys ?? [], scope)
  if (wanted.season === undefined) return games.some(hasUnknownStart) ? games : byTime(games, startOf)
  return byTime(
    games.filter((game) => isIn(scope, game, request)),
    (game) => startOf(game) ?? lastSetAt(game, request.account),
  )
}

/**
 * The same when the rows that the query reads anyway have come: a score entry has no start time. If the list is
 * the field's answer, `info` tells which links of its games need no row; they are loaded meanwhile. Failures are
 * reported by the fields that select the columns.
 */
export function inOrder(
  keys: readonly string[] | null,
  place: SchedulePlace,
  context: Context,
  field: string,
  info?: GraphQLResolveInfo,
): MaybePromise<Handle<'game'>[]> {
  const { clientRequest: request } = context
  const games = scheduled(keys, place, context)
  const unknown = games.filter(hasUnknownStart)
  const unread = unknown.filter(({ entry }) => isRead(entry, place.wanted.selection, request))
  const isOrdered =
    unread.length > 0 && (place.wanted.season !== undefined || unread.length === unknown.length)
  if (games.length < 2 || !isOrdered) return games
  if (info) for (const game of games) prefetchLinks(game, context, info)
  const rows = unread.map(({ entry }) => loadColumns(request, 'game', entry.key, ['start_datetime'], field))
  return Promise.allSettled(rows).then(() => scheduled(keys, place, context))
}

/** Whether a field reads a game's row, because a selected column is unknown. */
const isRead = (game: Entry, selection: Selection, { account, now }: ClientRequest): boolean =>
  !has(account, game, 'columns', selection, now) || !has(account, game, 'score', selection, now)

/** A team may play in several leagues, and `game/read` finds all its games. */
function isIn({ organization_id }: Scope, { entry }: Handle, { now }: ClientRequest): boolean {
  const organization = entry.column('organization_id', now)
  return typeof organization !== 'string' || organization === (organization_id ?? organization)
}

// `~` sorts behind every time.
const byTime = <G extends Handle>(games: readonly G[], timeOf: (game: G) => unknown): G[] =>
  games
    .map((row) => ({ row, at: textOf(timeOf(row) ?? '~') }))
    .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .map(({ row }) => row)

// A start time seldom changes, so an expired one will do.
const startOf = ({ entry }: Handle) => entry.column('start_datetime', 0)

const hasUnknownStart = (game: Handle) => startOf(game) === undefined

/**
 * When a game's line or prediction was last set. It orders games without a start time: it is later than the
 * team's previous game and not later than the start.
 */
function lastSetAt({ entry }: Handle, { rows }: Account): unknown {
  const timeOf = (slot: 'pre' | 'prediction', table: 'odds' | 'prediction') => {
    const [key] = gameSlots[slot].last(entry) ?? []
    return key === undefined ? undefined : rows.entry(table, key).column('date_of_entry', 0)
  }
  return timeOf('pre', 'odds') ?? timeOf('prediction', 'prediction')
}
