import type { Types } from '@graphql-codegen/plugin-helpers'
import { preset } from '../src/client/codegen.ts'
import { hooks } from './hooks.ts'
import { possibleTypes } from './possible-types.ts'

/** The clients with generated hooks, each with the module that makes a hook from a document. */
const clients = {
  react: '../react.ts',
  apollo: '../apollo-hook.ts',
  urql: '../urql-hook.ts',
  tanstack: '../tanstack-hook.ts',
}

/**
 * The package’s own preset with a file of hooks for each client, and without its `graphql` tag, which would
 * contain every document a second time.
 */
export const clientPreset: Types.OutputPreset = {
  ...preset,
  async buildGeneratesSection(options) {
    const sections = await preset.buildGeneratesSection(options)
    return [
      ...sections.filter(({ filename }) => !filename.endsWith('/gql.ts')),
      {
        filename: `${options.baseOutputDir}possible-types.ts`,
        plugins: [{ possibleTypes: {} }],
        pluginMap: { possibleTypes: { plugin: possibleTypes } },
        config: {},
        schema: options.schema,
        documents: [],
      },
      ...Object.entries(clients).map(([name, module]) => ({
        filename: `${options.baseOutputDir}${name}.ts`,
        plugins: [{ hooks: { module } }],
        pluginMap: { hooks: { plugin: hooks } },
        config: {},
        schema: options.schema,
        documents: options.documents,
      })),
    ]
  },
}
