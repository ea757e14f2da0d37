import { hasResolvableKey } from '@pothos/plugin-federation'
import { isObjectType } from 'graphql'
import type { GraphQLFieldResolver, GraphQLSchema } from 'graphql'
import { BadUserInputError } from '../upstream/errors.ts'
import type { Context } from './context.ts'

type Resolve = GraphQLFieldResolver<unknown, Context, { readonly representations: readonly unknown[] }>

/**
 * Resolves each representation of `_entities` separately. A wrong one becomes an error in its place and does
 * not affect the others.
 */
export function withEntitiesApart(schema: GraphQLSchema): GraphQLSchema {
  const entities = schema.getQueryType()?.getFields()['_entities']
  if (entities?.resolve) entities.resolve = oneByOne(entities.resolve)
  return schema
}

const oneByOne =
  (resolve: Resolve): Resolve =>
  (root, { representations }, context, info) =>
    representations.map((representation) => {
      try {
        if (!isReference(representation, info.schema))
          throw new BadUserInputError('A representation needs the `__typename` of an entity.')
        const [entity] = resolve(root, { representations: [representation] }, context, info) as unknown[] // one for each
        return entity
      } catch (error) {
        return Promise.reject(error)
      }
    })

function isReference(value: unknown, schema: GraphQLSchema): boolean {
  if (typeof value !== 'object' || value === null || !('__typename' in value)) return false
  const type = typeof value.__typename === 'string' ? schema.getType(value.__typename) : undefined
  return isObjectType(type) && hasResolvableKey(type)
}
