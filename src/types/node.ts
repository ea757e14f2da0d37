import { builder } from '../graph/builder.ts'
import type { Context } from '../graph/context.ts'
import { sizeOf } from '../graph/cost.ts'
import { decodeGlobalId, tableOfType } from '../graph/ids.ts'
import { lookupKey } from '../graph/lookup.ts'
import type { Handle } from '../graph/handle.ts'
import type { MaybePromise } from '../graph/maybe-promise.ts'
import { BadUserInputError } from '../upstream/errors.ts'
import { isReadable } from '../graph/row-loader.ts'
import type { GraphQLResolveInfo } from 'graphql'

/** An object by its global id; null if there is none, or if the service cannot read it by id. */
function node(id: string, context: Context, info: GraphQLResolveInfo): MaybePromise<Handle | null> {
  const decoded = decodeGlobalId(id)
  const table = decoded && tableOfType(decoded.typeName)
  if (!decoded || !table)
    throw new BadUserInputError(`${JSON.stringify(id.slice(0, 80))} is not a global id.`)
  return isReadable(table) ? lookupKey(table, decoded.key, {}, context, info) : null
}

builder.queryField('node', (t) =>
  t.field({
    type: builder.nodeInterfaceRef(),
    nullable: true,
    description:
      'An object of any type by its global id. Costs one read of its columns, shared by all objects of its type in the query.',
    args: { id: t.arg.id({ required: true }) },
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
    args: { ids: t.arg.idList({ required: true }) },
    resolve: (_root, { ids }, context, info) => ids.map(async (id) => node(String(id), context, info)),
  }),
)
