import { preset as clientPreset } from '@graphql-codegen/client-preset'

/** What the graph's own scalars are in TypeScript, and output that every bundler's settings compile. */
export const config = {
  strictScalars: true,
  scalars: { Date: 'string', DateTime: 'string', JSONObject: 'Record<string, unknown>' },
  useTypeImports: true,
  enumType: 'string-literal',
}

/** How a masked fragment is read: a name that is no hook's. */
export const presetConfig = { fragmentMasking: { unmaskFunctionName: 'readFragment' } }

/** GraphQL Code Generator's client preset, told of the graph's scalars: `preset: statline/codegen`. What a project sets itself wins. */
export const preset: typeof clientPreset = {
  ...clientPreset,
  buildGeneratesSection: (options) =>
    clientPreset.buildGeneratesSection({
      ...options,
      config: { ...config, ...options.config },
      presetConfig: { ...presetConfig, ...options.presetConfig },
    }),
}
