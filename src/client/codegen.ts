import { addTypenameSelectionDocumentTransform, preset as clientPreset } from '@graphql-codegen/client-preset'
import { trustedDocuments } from './generated/trusted-documents.ts'

/** TypeScript types of the graph's scalars, and output that compiles with every bundler's settings. */
export const config = {
  strictScalars: true,
  scalars: { Date: 'string', DateTime: 'string', JSONObject: 'Record<string, unknown>' },
  useTypeImports: true,
  enumType: 'string-literal',
}

/**
 * The function that reads a masked fragment, whose name does not look like a hook's, and a manifest of
 * documents.
 */
export const presetConfig = {
  fragmentMasking: { unmaskFunctionName: 'readFragment' },
  persistedDocuments: true,
}

/** Our settings, overridden by a project's own. */
export const typedPreset: typeof clientPreset = {
  ...clientPreset,
  buildGeneratesSection: (options) =>
    clientPreset.buildGeneratesSection({
      ...options,
      config: { ...config, ...options.config },
      presetConfig: { ...presetConfig, ...options.presetConfig },
    }),
}

/** Caches need `__typename` to identify objects, and cannot add it to a document that is sent by its hash. */
const withTypenames = {
  name: 'typenames',
  transformObject: addTypenameSelectionDocumentTransform,
  config: {},
}

/**
 * GraphQL Code Generator's client preset with the graph's scalars: `preset: statline-client/codegen`. A
 * project's own settings override ours. Beside the typed documents it writes `persisted-documents.json`:
 * their texts by their hashes, with those of this package's own documents, which a server takes as
 * TRUSTED_DOCUMENTS.
 */
export const preset: typeof clientPreset = {
  ...typedPreset,
  async buildGeneratesSection({ documentTransforms = [], ...options }) {
    const sections = await typedPreset.buildGeneratesSection({
      ...options,
      documentTransforms: [...documentTransforms, withTypenames],
    })
    return sections.map((section) =>
      section.filename.endsWith('/persisted-documents.json')
        ? { ...section, pluginMap: withOurDocuments(section.pluginMap) }
        : section,
    )
  },
}

type Plugins = Awaited<ReturnType<typeof clientPreset.buildGeneratesSection>>[number]['pluginMap']

/** Adds this package's own documents to a manifest. */
function withOurDocuments(pluginMap: Plugins): Plugins {
  const manifest = pluginMap['persisted-operations']
  if (!manifest) return pluginMap
  const plugin: typeof manifest.plugin = async (...args) => {
    const made = await manifest.plugin(...args)
    const own = JSON.parse(typeof made === 'string' ? made : made.content) as Record<string, string> // as it writes it
    return { content: JSON.stringify({ ...trustedDocuments, ...own }, null, 2) }
  }
  return { ...pluginMap, 'persisted-operations': { plugin } }
}
