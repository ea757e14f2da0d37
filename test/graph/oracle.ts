import { isObjectType } from 'graphql'
import type { GraphQLSchema } from 'graphql'
import type { Context } from '../../src/graph/context.ts'
import { column, fieldName } from '../../src/graph/handle.ts'
import type { Handle } from '../../src/graph/handle.ts'
import { andThen } from '../../src/loading/maybe-promise.ts'
import { resolveOne } from '../../src/graph/many-answers.ts'
import { traitsOf } from '../../src/graph/traits.ts'

/**
 * Lets GraphQL’s own executor answer columns and relations too, one object at a time. Ours answers them for all objects
 * of a level, and never calls these resolvers.
 */
export function resolveOneByOne(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue
    for (const field of Object.values(type.getFields())) {
      const { relation, column: shown } = traitsOf(field)
      if (relation)
        field.resolve = (parent, args, context: Context, info) =>
          resolveOne(relation, parent, args, context, info)
      else if (shown)
        field.resolve = (row: Handle, _args, context: Context, info) =>
          andThen(column(row, shown.name, context, fieldName(info)), shown.convert)
    }
  }
}
