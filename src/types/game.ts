import { builder } from '../graph/builder.ts'
import type { Context } from '../graph/builder.ts'
import { sizeOf } from '../graph/cost.ts'
import { handles } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import { relation } from '../graph/relation.ts'
import type { Place } from '../graph/relation.ts'
import { defineLookup } from '../graph/roots.ts'
import { failRow } from '../graph/row-loader.ts'
import type { Scope } from '../graph/scope.ts'
import { selectionOf } from '../graph/selection.ts'
import { defineTable } from '../graph/table.ts'
import { typeOf } from '../graph/types.ts'
import { failLine } from '../loaders/lines.ts'
import { gamesOfDay } from '../loaders/schedule-slots.ts'
import { scheduleAt, schedules } from '../loaders/schedules.ts'
import type { ScheduleWanted } from '../loaders/schedules.ts'
import type { Selection } from '../plan/selection.ts'
import { gameSlots } from '../rows/game-slots.ts'
import { BudgetExceededError, CodedError } from '../upstream/errors.ts'
import { operations } from '../specification/operations.ts'
import type { Request } from '../upstream/request.ts'
import type { World } from '../upstream/world.ts'
import { league } from './league.ts'
import type { League } from './league.ts'
import { gameOdds } from './odds.ts'

export const game = defineTable('game', 'Game', {
  description: 'A game: played, under way or to come.',
  node: true,
  links: (t) => ({
    odds: t.field({
      type: gameOdds,
      nullable: true,
      description: 'The betting odds on the game. Costs nothing by itself; its fields do.',
      needs: { into: 'self' },
      resolve: (row) => row,
    }),
  }),
})

defineLookup('game', 'game', 'games')

/** What failed for a list fails for its games: they are served as they were too, without another failing call. */
function failGames(games: readonly string[], request: Request, error: unknown): void {
  if (!(error instanceof CodedError) || error instanceof BudgetExceededError) return
  for (const game of games) {
    failRow(request, 'game', game, error)
    for (const line of ['pre', 'prediction'] as const) failLine(request, game, line, error)
  }
}

/** Who brings the games of a day, or of a season. */
export const scheduleOrigin = {
  loader: schedules,
  operation: ({ wanted }: { readonly wanted: ScheduleWanted }) =>
    wanted.season === undefined ? operations.getGames : operations.readGames,
  expired: failGames,
}

/** A schedule’s games, by start time; those without one last, in the service’s order. */
export function scheduled(
  keys: readonly string[] | null,
  { wanted, scope }: Place<ScheduleWanted, readonly string[]>,
  { client: request }: Context,
): Handle[] {
  const games = handles(request, 'game', keys ?? [], scope)
  if (wanted.season === undefined) return byTime(games, startOf)
  return byTime(
    games.filter((game) => isIn(scope, game, request)),
    (game) => startOf(game) ?? lastWordOn(game, request.world),
  )
}

/** A team may play in more than one league, and `game/read` finds all its games. */
function isIn({ organization_id }: Scope, { entry }: Handle, { now }: Request): boolean {
  const organization = entry.column('organization_id', now)
  return typeof organization !== 'string' || organization === (organization_id ?? organization)
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
  const said = (slot: 'pre' | 'prediction', table: 'odds' | 'prediction') => {
    const [key] = gameSlots[slot].stale(entry) ?? []
    return key === undefined ? undefined : rows.entry(table, key).column('date_of_entry', 0)
  }
  return said('pre', 'odds') ?? said('prediction', 'prediction')
}

/** Where the games of a league's day are kept, and what a query wants of them. */
export function dayPlace({ scope, entry }: League, date: string, want: Selection, request: Request) {
  const { organization_id, division_id } = scope
  const wanted = {
    what: `${entry.key} ${date}`,
    owner: entry,
    slot: gamesOfDay(date),
    want,
    league: { organization_id, division_id },
    arguments: [{ start_date: date }],
  } as const
  return scheduleAt(wanted, scope, request)
}

builder.objectField(league, 'games', (t) =>
  t.field({
    type: [typeOf('game')],
    nullable: { list: true, items: false },
    listSize: sizeOf('gamesOfDay'),
    description:
      'The games of a day, by start time; games without one are last. Costs one call: `game/getScores` if only scores, clock, prediction and current odds are selected, else `game/getGames`, which includes both teams. If the selection needs both calls, they are sent side by side.',
    args: { date: t.arg({ type: 'Date', required: true }) },
    ...relation({
      ...scheduleOrigin,
      needs: {},
      place: (row: League, { date }: { readonly date: string }, { client }, info) =>
        dayPlace(row, date, selectionOf(info), client),
      answer: scheduled,
    }),
  }),
)
