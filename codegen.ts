import type { CodegenConfig } from '@graphql-codegen/cli'
import { clientPreset } from './codegen/client.ts'
import { printed } from './codegen/printed.ts'
import { printedSchema, printedSubgraph } from './src/graph/print.ts'

const config: CodegenConfig = {
  schema: printedSchema(),
  generates: {
    'schema/schema.graphql': { plugins: ['schema-ast'] },
    'schema/subgraph.graphql': { preset: printed(printedSubgraph) },
    'src/client/generated/': {
      documents: 'src/client/operations/*.graphql',
      preset: clientPreset,
      presetConfig: {
        fragmentMasking: { unmaskFunctionName: 'readFragment' },
        persistedDocuments: true,
        skipIndexFile: true,
      },
      config: {
        strictScalars: true,
        scalars: { Date: 'string', DateTime: 'string', JSONObject: 'Record<string, unknown>' },
        useTypeImports: true,
        enumType: 'string-literal',
        importExtension: '.ts',
      },
    },
  },
}

export default config
