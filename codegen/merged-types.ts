import { isObjectType } from 'graphql'
import type { GraphQLObjectType, GraphQLSchema } from 'graphql'

/** Whether a type is part of a list with pages, which has a policy of its own. */
const isOfPages = (type: GraphQLObjectType) =>
  type.name === 'PageInfo' || ['pageInfo', 'cursor'].some((name) => name in type.getFields())

/** The types whose objects have no `id`, so that a cache finds them through their parent alone. */
export function mergedTypes(schema: GraphQLSchema): string {
  const roots = new Set([schema.getQueryType(), schema.getSubscriptionType()])
  const names = Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type))
    .filter((type) => !roots.has(type) && !('id' in type.getFields()) && !isOfPages(type))
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('_'))
    .toSorted()
  return `export const mergedTypes = ${JSON.stringify(names, null, 2)};\n`
}
