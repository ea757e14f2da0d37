import type { GraphQLResolveInfo } from 'graphql'
import { builder } from '../graph/builder.ts'
import type { Context } from '../graph/context.ts'
import { costOfSeason, sizeOf } from '../graph/cost.ts'
import { withPrefetch, handle } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import { andThen } from '../loading/maybe-promise.ts'
import type { MaybePromise } from '../loading/maybe-promise.ts'
import { Hits, askFor, cached, expiredOf, read, usable } from '../graph/place.ts'
import { prefetchLinks } from '../graph/prefetch.ts'
import { relation } from '../graph/relation.ts'
import type { Known, ScopeArguments } from '../graph/scope.ts'
import { selectionOf } from '../graph/selection.ts'
import { allOf, typedRow } from '../graph/typed-row.ts'
import { typeOf } from '../graph/types.ts'
import { ratingOrigin, ratingsAt } from '../loaders/ratings.ts'
import { inOrder, isKnown, pickedAt, scheduleOrigin, seasonAt } from '../loaders/schedule-places.ts'
import { readsPending } from '../loaders/schedules.ts'
import { nothing, union } from '../plan/selection.ts'
import { stageColumns, stageOf } from '../rows/game-stage.ts'
import type { Stage } from '../rows/game-stage.ts'
import { timeOf } from '../rows/moment.ts'
import { keyOf } from '../specification/tables.ts'
import { BadUserInputError } from '../errors/errors.ts'
import { inSeason } from './season.ts'
import { gameStatus } from './game-stage.ts'
import { scopeAt, team } from './team.ts'

interface Filter {
  readonly status?: readonly Stage[] | null | undefined
  readonly from?: string | null | undefined
  readonly to?: string | null | undefined
  readonly last?: number | null | undefined
  readonly next?: number | null | undefined
}

const datedColumns = [...stageColumns, 'start_datetime', 'start_date'] as const

/** The columns that a filter reads. */
function columnsOf({ status, from, to, last, next }: Filter): readonly (typeof datedColumns)[number][] {
  if (from != null || to != null || last != null || next != null) return datedColumns
  return status == null ? [] : stageColumns
}

interface Staged {
  readonly game: Handle<'game'>
  readonly stage: Stage
  readonly day: string | null
}

/** The games that pass a filter, in order. */
function filtered(
  games: readonly Staged[],
  { status, from, to, last, next }: Filter,
): readonly Handle<'game'>[] {
  const matching = games.filter(
    ({ stage, day }) =>
      (status == null || status.includes(stage)) &&
      (from == null || (day !== null && day >= from)) &&
      (to == null || (day !== null && day <= to)),
  )
  if (last == null && next == null) return matching.map(({ game }) => game)
  const over = matching.filter(({ stage }) => stage === 'FINAL')
  const ahead = matching.filter(({ stage }) => stage === 'LIVE' || stage === 'SCHEDULED')
  const picked = [...over.slice(over.length - Math.min(last ?? 0, over.length)), ...ahead.slice(0, next ?? 0)]
  return picked.map(({ game }) => game)
}

function staged(
  games: readonly Handle<'game'>[],
  columns: readonly (typeof datedColumns)[number][],
  context: Context,
  field: string,
): MaybePromise<readonly Staged[]> {
  const now = timeOf(context.clientRequest.now)
  const rows = games.map((game) =>
    andThen(typedRow('game', game, columns, context, field), (row): Staged => {
      const { start_date: day = null } = row
      return { game, stage: stageOf(row, now), day }
    }),
  )
  return allOf(rows)
}

/** The field options of a team's games in a season that pass a filter. */
const gamesOf = <Args extends ScopeArguments, R>(
  field: 'games' | 'nextGame',
  filterOf: (args: Args) => Filter,
  answer: (games: readonly Handle[]) => R,
) =>
  relation({
    ...scheduleOrigin,
    needs: { into: { link: field } },
    place: (row: Handle, args: Args, context, info) => {
      const filter = filterOf(args)
      for (const name of ['last', 'next'] as const)
        if ((filter[name] ?? 0) < 0) throw new BadUserInputError(`\`${name}\` must not be negative.`)
      const read = { ...nothing, columns: new Set(columnsOf(filter)) }
      const selection = union([selectionOf(info), read])
      const { clientRequest: request } = context
      return andThen(inSeason(scopeAt(row, args, context), context, `Team.${field}`), (scope) =>
        filter.next != null && filter.last == null
          ? pickedAt(row.entry, scope, selection, filter.next, request)
          : seasonAt(row.entry, scope, selection, request),
      )
    },
    answer: (keys, place, context, _row, args, info): MaybePromise<R> => {
      const filter = filterOf(args)
      const columns = columnsOf(filter)
      const whole = columns.length === 0 ? info : undefined
      return andThen(inOrder(keys, place, context, `Team.${field}`, whole), (games) => {
        if (columns.length === 0) return answer(games)
        return andThen(staged(games, columns, context, `Team.${field}`), (known) =>
          answer(filtered(known, filter)),
        )
      })
    },
  })

builder.objectField(team, 'games', (t) =>
  t.field({
    type: [typeOf('game')],
    nullable: { list: true, items: false },
    listSize: sizeOf('gamesOfSeason'),
    description:
      'The team’s games of a season, by start time; all of them, or those that the arguments pick. Costs two calls whatever is picked, one for home and one for away games: `game/read`; `game/getScores` instead if predictions or current odds are selected, and of the columns scores alone. If they need both, four calls side by side.',
    args: {
      season: t.arg.int(),
      last: t.arg.int({
        description:
          'At most this many of the latest finished games: `last: 5`. With `next`, both are returned.',
      }),
      next: t.arg.int({
        description:
          'At most this many games to come, one under way included: `next: 3`. Their predictions and current odds are loaded for them alone where that is cheaper than for the season.',
      }),
      status: t.arg({
        type: [gameStatus],
        description:
          'Only games at one of these stages: `status: [FINAL]`. `Game.stage` is one; `Game.status` is the service’s own word.',
      }),
      from: t.arg({ type: 'Date', description: 'Only games on this day or later.' }),
      to: t.arg({ type: 'Date', description: 'Only games on this day or earlier.' }),
    },
    ...gamesOf(
      'games',
      (args: ScopeArguments & Filter) => args,
      (games) => games,
    ),
  }),
)

const field = 'Team.lastGame'

/** Where a team's games of a season are stored with what tells which of them are over. */
const datedSeasonAt = ({ entry }: Handle, scope: Known<'season'>, { clientRequest: request }: Context) =>
  seasonAt(entry, scope, { ...nothing, columns: new Set(datedColumns) }, request)

/** A team's last finished game, if its season is known; else undefined. */
const lastCached = (row: Handle, scope: Known<'season'>, context: Context) =>
  isKnown(datedSeasonAt(row, scope, context), context.clientRequest)
    ? lastOfSeason(row, scope, context)
    : undefined

/** A team's last finished game, if any, by the games of its season. */
function lastOfSeason(row: Handle, scope: Known<'season'>, context: Context) {
  const place = datedSeasonAt(row, scope, context)
  return andThen(read(scheduleOrigin, place, context, field), (keys) =>
    andThen(inOrder(keys, place, context, field), (games) =>
      andThen(staged(games, datedColumns, context, field), (known) => filtered(known, { last: 1 })),
    ),
  )
}

/**
 * The key of a team's current rating; undefined if it has none, or if another field, query or instance has
 * brought the season's games meanwhile, so that it is not needed.
 */
async function currentRating(row: Handle, scope: Known<'season'>, context: Context) {
  const { clientRequest: request } = context
  const place = ratingsAt(row.entry.key, scope, true, request.account)
  const hits = new Hits(ratingOrigin, field)
  cached(place, context, hits)
  hits.tell(context)
  const asked = ratingOrigin.loader.load({
    ...askFor(ratingOrigin, place, context, field),
    after: () => readsPending(request, row.entry.key, scope.season),
    cached: () =>
      usable(place, request) ?? (isKnown(datedSeasonAt(row, scope, context), request) ? [] : undefined),
  })
  const keys = await asked.catch((error: unknown) => expiredOf(ratingOrigin, place, request, error))
  return keys?.at(-1)
}

/** The game after which a rating was set; null if it names none. */
async function ratedGame(key: string, scope: Known<'season'>, context: Context): Promise<Handle | null> {
  const { clientRequest: request } = context
  const rating = handle(request, 'elo', key, scope)
  const { game_id } = await typedRow('elo', rating, ['game_id'], context, field)
  return game_id === null ? null : handle(request, 'game', game_id, scope)
}

/** Whether a game's row, if the query reads it, says that it is withdrawn. */
async function isWithdrawn(game: Handle, context: Context, info: GraphQLResolveInfo): Promise<boolean> {
  const { columns } = selectionOf(info)
  if (![...columns].some((name) => name !== keyOf('game'))) return false
  prefetchLinks(game, context, info)
  try {
    const { deleted } = await typedRow('game', game, ['deleted'], context, field)
    return deleted === 1
  } catch {
    return false // Each column reports the failure.
  }
}

/** A team's last finished game: of its season if that is known, or that of its current rating. */
async function lastGame(
  row: Handle,
  scope: Known<'season'>,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<Handle | null> {
  const known = lastCached(row, scope, context)
  const key = known ? undefined : await currentRating(row, scope, context)
  const games = await (known ?? lastCached(row, scope, context))
  if (games) return games[0] ?? null
  const rated = key === undefined ? null : await ratedGame(key, scope, context)
  if (!rated || !(await isWithdrawn(rated, context, info))) return rated
  const [last = null] = await lastOfSeason(row, scope, context)
  return last
}

builder.objectFields(team, (t) => ({
  lastGame: t.field({
    type: typeOf('game'),
    nullable: true,
    description:
      'The team’s last finished game of a season; null before its first. Costs nothing if the season’s games are known or selected beside it, else one `elo/read` for all teams of the query and one `game/read` for all their games. The rating names the game: right after a game’s end it may still name the one before.',
    args: { season: t.arg.int() },
    needs: { into: { link: 'lastGame' } },
    resolve: (row, args, context, info) =>
      andThen(inSeason(scopeAt(row, args, context), context, field), async (scope) => {
        const game = await lastGame(row, scope, context, info)
        return game && withPrefetch(game, context, info)
      }),
  }),
  nextGame: t.field({
    type: typeOf('game'),
    nullable: true,
    cost: costOfSeason,
    description:
      'The team’s game under way, or else its next one; null after the season’s last. Costs the team’s games of the season, two `game/read` side by side. Its prediction and current odds are loaded for it alone where that is cheaper than for the season.',
    args: { season: t.arg.int() },
    ...gamesOf(
      'nextGame',
      (_args: ScopeArguments): Filter => ({ next: 1 }),
      (games) => games[0] ?? null,
    ),
  }),
}))
