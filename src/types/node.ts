import { builder } from '../graph/builder.ts'
import type { Context } from '../graph/context.ts'
import { sizeOf } from '../graph/cost.ts'
import { decodeGlobalId, isUuid, tableOfType } from '../graph/ids.ts'
import { lookupKey } from '../graph/lookup.ts'
import type { Handle } from '../graph/handle.ts'
import type { MaybePromise } from '../loading/maybe-promise.ts'
import { ListedErrors } from '../errors/listed-errors.ts'
import { isReadable } from '../loading/row-loader.ts'
import type { GraphQLResolveInfo } from 'graphql'

/**
 * An object by its global id, in the scope that the id names; null if there is none. If the id is invalid, an error of
 * the list that it stands in.
 */
function node(
  id: string,
  context: Context,
  info: GraphQLResolveInfo,
  errors = new ListedErrors(),
): MaybePromise<Handle | null> {
  const decoded = decodeGlobalId(id)
  const table = decoded && tableOfType(decoded.typeName)
  if (!decoded || !table) return errors.of(() => `${JSON.stringify(id.slice(0, 80))} ${whyNot(id)}`)
  if (!isReadable(table))
    return errors.of(() => `The service reads no ${decoded.typeName} by its id. ${path}`)
  return lookupKey(table, decoded.key, decoded.scope, context, info, decoded.typeName)
}

const path = 'Select it again through the object that it belongs to.'

const whyNot = (id: string) =>
  isUuid(id)
    ? 'is not a global id: it does not tell the type. For the service’s own ids there are `game(id:)`, `team(id:)`, `player(id:)` and so on.'
    : 'is not a global id: the `id` of an earlier answer.'

builder.queryField('node', (t) =>
  t.field({
    type: builder.nodeInterfaceRef(),
    nullable: true,
    description:
      'An object of any type by its global id. Costs one read of its columns, shared by all objects of its type in the query.',
    args: {
      id: t.arg.id({
        required: true,
        description:
          'An `id` from an earlier answer. The service’s own ids do not tell the type: use `game(id:)`, `team(id:)` and so on for them.',
      }),
    },
    resolve: (_root, { id }, context, info) => node(String(id), context, info),
  }),
)

builder.queryField('nodes', (t) =>
  t.field({
    type: [builder.nodeInterfaceRef()],
    nullable: { list: false, items: true },
    listSize: sizeOf('idsAsked'),
    description:
      'Objects of any type by their global ids, in the same order; null for an unknown id. Costs one read of its columns for each type.',
    args: {
      ids: t.arg.idList({
        required: true,
        description:
          'Values of `id` from earlier answers. The service’s own ids do not tell the type: use `games(ids:)`, `teams(ids:)` and so on for them.',
      }),
    },
    resolve: (_root, { ids }, context, info) => {
      const errors = new ListedErrors()
      return ids.map((id) => node(String(id), context, info, errors))
    },
  }),
)
