import { builder } from '../graph/builder.ts'
import type { Context } from '../graph/context.ts'
import { free, sizeOf } from '../graph/cost.ts'
import { withPrefetch, handle } from '../graph/handle.ts'
import { lookup } from '../graph/lookup.ts'
import type { MaybePromise } from '../loading/maybe-promise.ts'
import { requireScope, scopeWith } from '../graph/scope.ts'
import type { Scope, ScopeArguments } from '../graph/scope.ts'
import { typeOf } from '../graph/types.ts'
import { BadUserInputError } from '../errors/errors.ts'
import type { Entry } from '../rows/entry.ts'
import { allSeasons, currentSeason } from '../loaders/current-season.ts'
import { leagueOfCode } from '../loaders/league-codes.ts'
import { leagueEntry } from '../loaders/leagues.ts'

/** A division of an organization. Most operations need both. */
export interface League {
  readonly scope: Scope & { readonly organization_id: string; readonly division_id: string }
  readonly entry: Entry
}

export function leagueOf(scope: Scope, { clientRequest: request }: Context): League {
  const known = requireScope(scope, 'organization_id', 'division_id')
  return { scope: known, entry: leagueEntry(request.account, known) }
}

/** A league by its code, or by its ids. */
export function leagueNamed(
  { code, ...args }: ScopeArguments & { readonly code?: string | null | undefined },
  context: Context,
): MaybePromise<League> {
  const { clientRequest: request, defaults } = context
  if (code == null) return leagueOf(scopeWith(args, {}, defaults), context)
  if (args.organizationId != null || args.divisionId != null)
    throw new BadUserInputError('A league has either a `code` or ids: leave out one of them.')
  return leagueOfCode(code, request, defaults).then((scope) => leagueOf(scope, context))
}

export const league = builder.objectRef<League>('League')

builder.objectType(league, {
  cost: free,
  description:
    'A league, such as Division I of college basketball: a division of an organization (a sport). It sets the *scope*. Many questions to the service need an organization, a division and a season; instead of giving them to each field, you name the league once, and everything that you reach from it remembers them: `league { games(date:) { homeTeam { stats { points { value } } } } }` asks for the statistics of that league and of the game’s own season. An argument wins over the scope. Without either, the server’s default league and the current season are used; if there is no default league, the field fails with `SCOPE_REQUIRED`, and the error says what to write.',
})

for (const name of ['organization', 'division'] as const) {
  builder.objectField(league, name, (t) =>
    t.field({
      type: typeOf(name),
      nullable: true,
      description: `The league’s ${name}. Its id is free; its name and code cost one small read.`,
      resolve: ({ scope }, _args, context, info) =>
        withPrefetch(handle(context.clientRequest, name, scope[`${name}_id`], scope), context, info),
    }),
  )
}

for (const name of ['game', 'team', 'player'] as const) {
  builder.objectField(league, name, (t) =>
    t.field({
      type: typeOf(name),
      nullable: true,
      description: `A ${name} by its id; fields below it use this league. Costs one read if columns are selected, one for all ids of the query together; fields below it cost what they say.`,
      args: { id: t.arg.id({ required: true }) },
      resolve: ({ scope }, { id }, context, info) => lookup(name, String(id), scope, context, info),
    }),
  )
}

builder.objectFields(league, (t) => ({
  currentSeason: t.int({
    description:
      'The season under way; between two seasons, the last one. It is the default of every `season` argument below this league. Null if no game was ever played. Costs nothing if a row that is already known shows a game of the last two weeks; else two tiny calls a day.',
    resolve: ({ scope }, _args, { clientRequest: request }) =>
      currentSeason(scope, request, 'League.currentSeason'),
  }),
  seasons: t.intList({
    nullable: { list: true, items: false },
    listSize: sizeOf('seasons'),
    description:
      'All seasons of which the service has games, newest first: what a season menu shows. Costs one tiny call for each season and a few more, once a day.',
    resolve: ({ scope }, _args, { clientRequest: request }) =>
      allSeasons(scope, request, 'League.seasons').then((all) => [...all]),
  }),
}))

builder.queryField('league', (t) =>
  t.field({
    type: league,
    nullable: true,
    description:
      'A league: the place to start. `league(code: "CBB")` finds it by its code; without arguments it is the server’s default league. By ids or by default it costs nothing; by code it costs two small calls a day.',
    args: {
      code: t.arg.string({
        description:
          'The code of an organization, `CBB`. If it has several divisions, add the division’s code: `CBB/D1`. Upper and lower case do not matter. An unknown code fails with `BAD_USER_INPUT`, which names the known ones.',
      }),
      organizationId: t.arg.id(),
      divisionId: t.arg.id(),
    },
    resolve: (_root, args, context) => leagueNamed(args, context),
  }),
)
