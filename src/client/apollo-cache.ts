import type { InMemoryCacheConfig } from '@apollo/client'
import { relayStylePagination } from '@apollo/client/utilities'
import { mergedTypes } from './generated/merged-types.ts'
import { possibleTypes } from './generated/possible-types.ts'

/** Arguments that make another list. `after` makes another page of the same. */
const listArguments = ['subject', 'season', 'orderBy', 'first']

/**
 * Options for Apollo Client’s `InMemoryCache`: the types of each interface, the types without an `id`, whose
 * objects are merged under their parent, and lists, to which `fetchMore` adds pages. All other types have an
 * `id`, which the cache uses by default. Lists of objects without an `id` are replaced.
 */
export const cacheOptions: InMemoryCacheConfig = {
  possibleTypes,
  typePolicies: {
    ...Object.fromEntries(mergedTypes.map((name) => [name, { merge: true }])),
    League: { merge: true, fields: { ranking: relayStylePagination(listArguments) } },
  },
}
