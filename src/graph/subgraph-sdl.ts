import { getDocumentNodeFromSchema } from '@graphql-tools/utils'
import { Kind, print } from 'graphql'
import type { GraphQLSchema } from 'graphql'
import { directiveNames } from './federation.ts'

// The first version with @cost and @listSize.
const version = 'https://specs.apollo.dev/federation/v2.9'

const link = `extend schema\n  @link(url: "${version}", import: [${directiveNames.map((name) => `"@${name}"`).join(', ')}])`

/** A schema in SDL, with the directives of Apollo Federation. */
export function subgraphSdl(schema: GraphQLSchema): string {
  const { definitions } = getDocumentNodeFromSchema(schema)
  const types = definitions.filter(({ kind }) => kind !== Kind.SCHEMA_DEFINITION)
  return `${[link, ...types.map(print)].join('\n\n')}\n`
}
