import type { Types } from '@graphql-codegen/plugin-helpers'

/** A preset that writes a function's result to a file. */
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
