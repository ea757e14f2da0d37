import type { CodegenConfig } from '@graphql-codegen/cli'
import { printedSchema } from './src/graph/print.ts'

const config: CodegenConfig = {
  schema: printedSchema(),
  generates: {
    'schema/schema.graphql': { plugins: ['schema-ast'] },
  },
}

export default config
