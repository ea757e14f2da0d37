import type { Types } from '@graphql-codegen/plugin-helpers'
import type { GraphQLSchema } from 'graphql'
import { typedPreset } from '../src/client/codegen.ts'
import { hooks } from './hooks.ts'
import type { Makers } from './hooks.ts'
import { mergedTypes } from './merged-types.ts'
import { possibleTypes } from './possible-types.ts'

/** What makes the hooks of every client. */
const usual = { query: { use: 'queryHook' }, subscription: { use: 'subscriptionHook' } }

/** The clients with generated hooks, each with what makes a hook from a document. */
const clients: Readonly<Record<string, Makers>> = {
  react: {
    ...usual,
    module: '../react-hook.ts',
    query: { use: 'queryHook', useSuspense: 'suspenseHook' },
  },
  apollo: { ...usual, module: '../apollo-hook.ts' },
  urql: { ...usual, module: '../urql-hook.ts' },
  tanstack: { ...usual, module: '../tanstack-hook.ts' },
}

/** The `graphql` tag would contain every document a second time; the package has fragments of its own. */
const unused = ['/gql.ts', '/fragment-masking.ts']

/** Gives documents the package’s own type. The preset does not pass this setting on to its plugin. */
function withOwnDocument(pluginMap: Types.GenerateOptions['pluginMap']): Types.GenerateOptions['pluginMap'] {
  const documents = pluginMap['typed-document-node']
  if (!documents) return pluginMap
  const plugin: typeof documents.plugin = (schema, files, config, info) =>
    documents.plugin(schema, files, { ...config, documentNodeImport: '../document.ts#TypedDocument' }, info)
  return { ...pluginMap, 'typed-document-node': { ...documents, plugin } }
}

/** The manifest as a module too: the package’s preset adds it to those of projects. */
function asModule(sections: readonly Types.GenerateOptions[], folder: string): Types.GenerateOptions[] {
  return sections
    .filter(({ filename }) => filename.endsWith('/persisted-documents.json'))
    .map((section) => ({
      ...section,
      filename: `${folder}trusted-documents.ts`,
      plugins: [...section.plugins, { module: {} }],
      pluginMap: { ...section.pluginMap, module: { plugin: moduleStart } },
    }))
}

const moduleStart = () => ({
  prepend: [
    '/** The texts of the package’s documents by their hashes. */\nexport const trustedDocuments: Readonly<Record<string, string>> =',
  ],
  content: '',
})

/** A file that follows from the schema alone. */
const ofSchema = (
  name: string,
  plugin: (schema: GraphQLSchema) => string,
  { baseOutputDir, schema }: Parameters<typeof typedPreset.buildGeneratesSection>[0],
): Types.GenerateOptions => ({
  filename: `${baseOutputDir}${name}`,
  plugins: [{ ofSchema: {} }],
  pluginMap: { ofSchema: { plugin } },
  config: {},
  schema,
  documents: [],
})

/** The package’s own preset with a file of hooks for each client. */
export const clientPreset: Types.OutputPreset = {
  ...typedPreset,
  async buildGeneratesSection(options) {
    const sections = await typedPreset.buildGeneratesSection(options)
    return [
      ...sections
        .filter(({ filename }) => !unused.some((name) => filename.endsWith(name)))
        .map((section) => ({ ...section, pluginMap: withOwnDocument(section.pluginMap) })),
      ...asModule(sections, options.baseOutputDir),
      ofSchema('possible-types.ts', possibleTypes, options),
      ofSchema('merged-types.ts', mergedTypes, options),
      ...Object.entries(clients).map(([name, makers]) => ({
        filename: `${options.baseOutputDir}${name}.ts`,
        plugins: [{ hooks: makers }],
        pluginMap: { hooks: { plugin: hooks } },
        config: {},
        schema: options.schema,
        documents: options.documents,
      })),
    ]
  },
}
