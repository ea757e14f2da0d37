import { builder } from '../graph/builder.ts'
import type { Context } from '../graph/builder.ts'
import { free } from '../graph/cost.ts'
import { ahead, handle } from '../graph/handle.ts'
import { lookup } from '../graph/lookup.ts'
import { requireScope, scopeWith } from '../graph/scope.ts'
import type { Scope } from '../graph/scope.ts'
import { typeOf } from '../graph/types.ts'
import type { Entry } from '../upstream/entry.ts'
import { leagueEntry } from '../loaders/leagues.ts'

/** A division of an organization: the pair that most requests need. */
export interface League {
  readonly scope: Scope & { readonly organization_id: string; readonly division_id: string }
  readonly entry: Entry
}

export function leagueOf(scope: Scope, { client: request }: Context): League {
  const known = requireScope(scope, 'organization_id', 'division_id')
  return { scope: known, entry: leagueEntry(request.world, known) }
}

export const league = builder.objectRef<League>('League')

builder.objectType(league, {
  cost: free,
  description:
    'A league: a division of an organization (a sport). It sets the *scope*: the organization, division and season in which an object was reached. All fields below an object use its scope for arguments that are not given, so the league is named once. Without a scope, the server’s default league is used; a field that still lacks an id or season fails with `SCOPE_REQUIRED`.',
})

for (const name of ['organization', 'division'] as const) {
  builder.objectField(league, name, (t) =>
    t.field({
      type: typeOf(name),
      nullable: true,
      description: `The league’s ${name}. Its columns cost one small read.`,
      resolve: ({ scope }, _args, context, info) =>
        ahead(handle(context.client, name, scope[`${name}_id`], scope), context, info),
    }),
  )
}

for (const name of ['game', 'team', 'player'] as const) {
  builder.objectField(league, name, (t) =>
    t.field({
      type: typeOf(name),
      nullable: true,
      description: `A ${name} by its id, in this league’s scope. Costs one read of its columns, shared by all ids of the same query.`,
      args: { id: t.arg.id({ required: true }) },
      resolve: ({ scope }, { id }, context, info) => lookup(name, String(id), scope, context, info),
    }),
  )
}

builder.queryField('league', (t) =>
  t.field({
    type: league,
    nullable: true,
    description: 'A league, by default the server’s default league. Costs nothing by itself.',
    args: { organizationId: t.arg.id(), divisionId: t.arg.id() },
    resolve: (_root, args, context) => leagueOf(scopeWith(args, {}, context.defaults), context),
  }),
)
