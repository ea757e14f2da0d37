import { isAbstractType } from 'graphql'
import type { GraphQLSchema } from 'graphql'

/** The types of each interface and union, in the form that Apollo Client’s cache needs. */
export function possibleTypes(schema: GraphQLSchema): string {
  const entries = Object.values(schema.getTypeMap())
    .filter((type) => isAbstractType(type))
    .map((type) => [
      type.name,
      schema
        .getPossibleTypes(type)
        .map(({ name }) => name)
        .toSorted(),
    ])
    .toSorted()
  return `export const possibleTypes = ${JSON.stringify(Object.fromEntries(entries), null, 2)};\n`
}
