import { preset as clientPreset } from '@graphql-codegen/client-preset'

/** TypeScript types of the graph's scalars, and output that compiles with every bundler's settings. */
export const config = {
  strictScalars: true,
  scalars: { Date: 'string', DateTime: 'string', JSONObject: 'Record<string, unknown>' },
  useTypeImports: true,
  enumType: 'string-literal',
}

/** The function that reads a masked fragment. Its name does not look like a hook's. */
export const presetConfig = { fragmentMasking: { unmaskFunctionName: 'readFragment' } }

/**
 * GraphQL Code Generator's client preset with the graph's scalars: `preset: statline-client/codegen`. A project's
 * own settings override ours.
 */
export const preset: typeof clientPreset = {
  ...clientPreset,
  buildGeneratesSection: (options) =>
    clientPreset.buildGeneratesSection({
      ...options,
      config: { ...config, ...options.config },
      presetConfig: { ...presetConfig, ...options.presetConfig },
    }),
}
