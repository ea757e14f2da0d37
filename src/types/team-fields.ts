import { withPrefetch } from '../graph/handle.ts'
import type { Handle } from '../graph/handle.ts'
import { typeOf } from '../graph/types.ts'
import type { Types } from '../graph/types.ts'

/** The fields of a type that is about one team: the team, and its id. */
export const teamFields = <Parent extends { readonly team: Handle<'team'> }>(
  t: PothosSchemaTypes.ObjectFieldBuilder<Types, Parent>,
) => ({
  teamId: t.id({
    nullable: false,
    description: 'The team’s id; `team` is the object. Costs nothing more.',
    resolve: ({ team }) => team.entry.key,
  }),
  team: t.field({
    type: typeOf('team'),
    nullable: true,
    description: 'The team. Its columns cost one read for all teams if no other field has brought them.',
    resolve: ({ team }, _args, context, info) => withPrefetch(team, context, info),
  }),
})
