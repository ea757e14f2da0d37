import { getDocumentNodeFromSchema } from '@graphql-tools/utils'
import { print, visit } from 'graphql'
import type { GraphQLSchema } from 'graphql'
import { directiveNames } from './federation.ts'

// The first version with @cost and @listSize.
const version = 'https://specs.apollo.dev/federation/v2.9'

const link = `extend schema\n  @link(url: "${version}", import: [${directiveNames.map((name) => `"@${name}"`).join(', ')}])`

/**
 * What belongs to a server of its own: its objects by their global ids, and what it has spent. Other subgraphs have
 * fields and types of the same names, and what the account has spent is not for every client of a supergraph.
 */
const ownFields: ReadonlySet<string> = new Set(['node', 'nodes', 'usage'])
const ownTypes: ReadonlySet<string> = new Set(['Node', 'Usage'])

/** A schema in SDL, with the directives of Apollo Federation. */
export function subgraphSdl(schema: GraphQLSchema): string {
  const { definitions } = visit(getDocumentNodeFromSchema(schema), {
    SchemaDefinition: () => null,
    // Also where a type implements it.
    NamedType: ({ name }) => (ownTypes.has(name.value) ? null : undefined),
    InterfaceTypeDefinition: ({ name }) => (ownTypes.has(name.value) ? null : undefined),
    ObjectTypeDefinition(type) {
      if (ownTypes.has(type.name.value)) return null
      if (type.name.value !== 'Query') return undefined
      return { ...type, fields: type.fields?.filter(({ name }) => !ownFields.has(name.value)) }
    },
  })
  return `${[link, ...definitions.map(print)].join('\n\n')}\n`
}
