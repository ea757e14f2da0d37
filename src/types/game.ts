import { builder } from '../graph/builder.ts'
import type { Context } from '../graph/builder.ts'
import { sizeOf } from '../graph/cost.ts'
import { staleFacet } from '../graph/facet.ts'
import { fieldName, handles } from '../graph/handle.ts'
import type { Handle, Soon } from '../graph/handle.ts'
import { defineLookup } from '../graph/roots.ts'
import { wantOf } from '../graph/selection.ts'
import { defineTable } from '../graph/table.ts'
import { typeOf } from '../graph/types.ts'
import { nothing, union } from '../plan/want.ts'
import type { Want } from '../plan/want.ts'
import { BudgetExceededError, CodedError } from '../upstream/errors.ts'
import { load } from '../upstream/load.ts'
import type { World } from '../upstream/world.ts'
import { gamesOn } from '../loaders/days.ts'
import { league } from './league.ts'
import type { League } from './league.ts'
import { gameOdds } from './odds.ts'
import { isAtHand, schedules } from '../loaders/schedule.ts'
import type { ScheduleAsk } from '../loaders/schedule.ts'
import type { GraphQLResolveInfo } from 'graphql'

export const game = defineTable('game', 'Game', {
  description: 'A game: played, under way or to come.',
  node: true,
  links: (t) => ({
    odds: t.field({
      type: gameOdds,
      nullable: true,
      description: 'The market’s odds on the game. Costs nothing by itself.',
      needs: { into: 'self' },
      resolve: (row) => row,
    }),
  }),
})

defineLookup('game', 'game', 'games')

/** A schedule’s games, by start time; those without one last, in the service’s order. */
export function scheduled(
  ask: Omit<ScheduleAsk, 'request' | 'field' | 'want'>,
  scope: Handle['scope'],
  { client: request }: Context,
  info: GraphQLResolveInfo,
  more: Want = nothing,
): Soon<Handle[] | null> {
  const want = more === nothing ? wantOf(info) : union([wantOf(info), more])
  const { world, now } = request
  request.touch(ask.entry, ask.facet)
  const operation = ask.of === 'day' ? 'game/getGames' : 'game/read'
  if (!isAtHand(world, ask, want, now))
    return load(schedules, { ...ask, want, request, field: fieldName(info) }).then(list, staleList)
  if (ask.entry.isOlder(request.began, ask.facet)) request.hit(operation, [], fieldName(info))
  return list()

  /** The list as it was, in place of one that could not be had. A subscription waits and asks again instead. */
  function staleList(error: unknown): Handle[] {
    if (more !== nothing) throw error
    const games = staleFacet(ask.entry, ask.facet, request, error) as readonly string[] // put by schedules alone
    // What failed for the list fails for its games: they are served as they were too, without another failing call.
    if (error instanceof CodedError && !(error instanceof BudgetExceededError))
      for (const key of games)
        for (const what of [`game ${key}`, `lines ${key} current`, `lines ${key} prediction`])
          request.fail(what, error)
    return list()
  }

  function list(): Handle[] {
    const keys = (ask.entry.stale(ask.facet) ?? []) as readonly string[] // put by schedules alone
    const games = handles(request, 'game', keys, scope).filter(inLeague)
    return byTime(games, ask.of === 'day' ? startOf : (game) => startOf(game) ?? lastWordOn(game, world))
  }

  /** A team may play in more than one league, and `game/read` finds all its games. */
  function inLeague({ entry }: Handle): boolean {
    if (ask.of === 'day') return true
    const organization = entry.column('organization_id', now)
    return typeof organization !== 'string' || organization === (scope.organization_id ?? organization)
  }
}

const byTime = (games: readonly Handle[], timeOf: (game: Handle) => unknown): Handle[] =>
  games
    .map((row) => ({ row, at: String(timeOf(row) ?? '~') }))
    .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .map(({ row }) => row)

// A start does not move as fast as what else the row tells, so that any moment's will do.
const startOf = ({ entry }: Handle) => entry.column('start_datetime', 0)

/** When a game's line or its prediction was last set: after the team's game before, and not after the start, which a score entry leaves out. */
function lastWordOn({ entry }: Handle, { rows }: World): unknown {
  const said = (facet: string, table: 'odds' | 'prediction') => {
    const key = entry.stale(facet)
    return typeof key === 'string' ? rows.entry(table, key).column('date_of_entry', 0) : undefined
  }
  return said('pre', 'odds') ?? said('prediction', 'prediction')
}

/** What an ask for a league's day needs to know, but for who asks and for what. */
export function dayAsk({ scope, entry }: League, date: string) {
  const { organization_id, division_id } = scope
  return {
    what: `${entry.key} ${date}`,
    entry,
    facet: gamesOn(date),
    league: { organization_id, division_id },
    arguments: [{ start_date: date }],
    of: 'day',
  } as const
}

builder.objectField(league, 'games', (t) =>
  t.field({
    type: [typeOf('game')],
    nullable: { list: true, items: false },
    listSize: sizeOf('gamesOfDay'),
    description:
      'The games of a day, by start time; those without one last. Costs `game/getScores` where scores, clock, prediction and current odds are enough, else `game/getGames`, which brings the teams too, or both side by side.',
    args: { date: t.arg({ type: 'Date', required: true }) },
    resolve: (row, { date }, context, info) => scheduled(dayAsk(row, date), row.scope, context, info),
  }),
)
