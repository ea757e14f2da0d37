import type { CodegenConfig } from '@graphql-codegen/cli'
import { addTypenameSelectionDocumentTransform } from '@graphql-codegen/client-preset'
import { clientPreset } from './codegen/client.ts'
import { printed } from './codegen/printed.ts'
import { printedSchema, printedSubgraph } from './src/schema.ts'

const config: CodegenConfig = {
  schema: printedSchema(),
  generates: {
    'schema/schema.graphql': { plugins: ['schema-ast'] },
    'schema/subgraph.graphql': { preset: printed(printedSubgraph) },
    'src/client/generated/': {
      documents: 'src/client/operations/*.graphql',
      // Caches need it to identify objects, and cannot add it to a document that is sent by its hash.
      documentTransforms: [addTypenameSelectionDocumentTransform],
      preset: clientPreset,
      presetConfig: { skipIndexFile: true },
      config: { importExtension: '.ts' },
    },
  },
}

export default config
