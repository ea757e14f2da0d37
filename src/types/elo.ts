import { builder } from '../graph/builder.ts'
import type { Context } from '../graph/context.ts'
import { sizeOf } from '../graph/cost.ts'
import { handles } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import { andThen } from '../loading/maybe-promise.ts'
import { relation } from '../graph/relation.ts'
import { scopeWith } from '../graph/scope.ts'
import type { Scope } from '../graph/scope.ts'
import type { ScopeArguments } from '../graph/scope.ts'
import { defineTable } from '../graph/table.ts'
import { ratings, ratingsAt } from '../loaders/ratings.ts'
import { operations } from '../specification/operations.ts'
import { league } from './league.ts'
import type { League } from './league.ts'
import { inSeason } from './season.ts'
import { scopeAt, team } from './team.ts'

const elo = defineTable('elo', 'Elo', {
  description:
    'A team’s Elo rating after one game: how strong it is, by its results and those of its opponents. A win against a stronger team raises it more.',
  node: true,
})

const placeOf = (team: string | null, scope: Scope, current: boolean, context: Context, field: string) =>
  andThen(inSeason(scope, context, field), (known) =>
    ratingsAt(team, known, current, context.clientRequest.account),
  )

const listed = (
  keys: readonly string[] | null,
  { scope }: { readonly scope: Scope },
  { clientRequest: request }: Context,
): Handle[] | null => keys && handles(request, 'elo', keys, scope)

builder.objectFields(team, (t) => ({
  elo: t.field({
    type: elo,
    nullable: true,
    description:
      'The team’s current rating in a season. Costs one call for all teams of the query, with a trial key one for each.',
    args: { season: t.arg.int() },
    ...relation({
      needs: { into: { link: 'elo' } },
      loader: ratings,
      operation: operations.readElo,
      place: (row: Handle, args: ScopeArguments, context) =>
        placeOf(row.entry.key, scopeAt(row, args, context), true, context, 'Team.elo'),
      answer: (keys, place, context) => listed(keys, place, context)?.at(-1) ?? null,
    }),
  }),
  eloHistory: t.field({
    type: [elo],
    nullable: { list: true, items: false },
    listSize: sizeOf('gamesOfSeason'),
    description:
      'The team’s ratings of a season, oldest first, one for each game. Costs one call for all teams of the query. Needs a key that may read in bulk.',
    args: { season: t.arg.int() },
    ...relation({
      needs: { into: { link: 'eloHistory' } },
      loader: ratings,
      operation: operations.readElo,
      place: (row: Handle, args: ScopeArguments, context) =>
        placeOf(row.entry.key, scopeAt(row, args, context), false, context, 'Team.eloHistory'),
      answer: listed,
    }),
  }),
}))

builder.objectField(league, 'elo', (t) =>
  t.field({
    type: [elo],
    nullable: { list: true, items: false },
    listSize: sizeOf('teamsOfDivision'),
    description:
      'The current rating of each team in a season; with `current: false` all ratings, one for each team and game. Costs one call, with `current: false` a large one. Needs a key that may read in bulk.',
    args: { season: t.arg.int(), current: t.arg.boolean({ defaultValue: true }) },
    ...relation({
      needs: {},
      loader: ratings,
      operation: operations.readElo,
      place: (
        { scope }: League,
        { current, ...args }: ScopeArguments & { readonly current?: boolean | null | undefined },
        context,
      ) => placeOf(null, scopeWith(args, scope, {}), current !== false, context, 'League.elo'),
      answer: listed,
    }),
  }),
)
