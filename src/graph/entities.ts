import {
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
} from 'graphql'
import type { GraphQLFieldConfig, GraphQLResolveInfo } from 'graphql'
import { ListedErrors } from '../errors/listed-errors.ts'
import type { Context } from './context.ts'
import { entityNames, referenceOf } from './federation.ts'
import type { Handle } from './handle.ts'
import { typeNameOf } from './type-names.ts'

/**
 * The schema with what a federation gateway asks for: `_entities` and `_service`. `sdl` prints the subgraph, which
 * has neither.
 */
export function asSubgraph(schema: GraphQLSchema, sdl: () => string): GraphQLSchema {
  const config = schema.toConfig()
  const query = config.query?.toConfig()
  if (!query) throw new Error('The schema has no queries.')
  const withEntities = new GraphQLObjectType<unknown, Context>({
    ...query,
    fields: { _entities: entitiesOf(schema), _service: serviceOf(sdl), ...query.fields },
  })
  const types = config.types.map((type) => (type === config.query ? withEntities : type))
  return new GraphQLSchema({ ...config, types, query: withEntities })
}

type Arguments = { readonly representations: readonly unknown[] }

function entitiesOf(schema: GraphQLSchema): GraphQLFieldConfig<unknown, Context, Arguments> {
  const types = entityNames().flatMap((name) => schema.getType(name) ?? []) as GraphQLObjectType[] // entities are objects
  const entity = new GraphQLUnionType({
    name: '_Entity',
    types,
    // References resolve to handles.
    resolveType: (row, context: Context) => typeNameOf(row as Handle, context),
  })
  const any = new GraphQLNonNull(new GraphQLScalarType({ name: '_Any' }))
  return {
    type: new GraphQLNonNull(new GraphQLList(entity)),
    args: { representations: { type: new GraphQLNonNull(new GraphQLList(any)) } },
    resolve: (_root, { representations }, context, info) => {
      const errors = new ListedErrors()
      return representations.map((representation) => resolved(representation, context, info, errors))
    },
  }
}

/** A wrong representation becomes an error in its place and does not affect the others. */
function resolved(
  representation: unknown,
  context: Context,
  info: GraphQLResolveInfo,
  errors: ListedErrors,
): unknown {
  const reference = isNamed(representation) ? referenceOf(representation.__typename) : undefined
  if (!reference) return errors.of(() => 'A representation needs the `__typename` of an entity.')
  return reference.resolve({ ...(representation as object) }, context, info, errors)
}

const isNamed = (value: unknown): value is { readonly __typename: string } =>
  typeof value === 'object' && value !== null && '__typename' in value && typeof value.__typename === 'string'

const serviceOf = (sdl: () => string): GraphQLFieldConfig<unknown, Context> => ({
  type: new GraphQLNonNull(
    new GraphQLObjectType({
      name: '_Service',
      fields: { sdl: { type: GraphQLString, description: 'The subgraph’s schema, with its keys.' } },
    }),
  ),
  resolve: () => ({ sdl: sdl() }),
})
