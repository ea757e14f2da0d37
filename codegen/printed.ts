import type { Types } from '@graphql-codegen/plugin-helpers'

/** A file that is what a function prints. */
export const printed = (print: () => string): Types.OutputPreset => ({
  buildGeneratesSection: async ({ baseOutputDir, schema }) => [
    {
      filename: baseOutputDir,
      plugins: [{ printed: {} }],
      pluginMap: { printed: { plugin: print } },
      config: {},
      schema,
      documents: [],
    },
  ],
})
