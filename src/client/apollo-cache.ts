import type { InMemoryCacheConfig } from '@apollo/client'
import { relayStylePagination } from '@apollo/client/utilities'
import { possibleTypes } from './generated/possible-types.ts'

/** Arguments that make another list. `after` makes another page of the same. */
const listArguments = ['subject', 'season', 'orderBy', 'first']

/**
 * Options for Apollo Client’s `InMemoryCache`: the types of each interface, the types without an `id`, whose
 * objects are merged into their parent, and lists, to which `fetchMore` adds pages. All other types have an
 * `id`, which the cache uses by default.
 */
export const cacheOptions: InMemoryCacheConfig = {
  possibleTypes,
  typePolicies: {
    League: { merge: true, fields: { ranking: relayStylePagination(listArguments) } },
    GameOdds: { merge: true },
    Usage: { merge: true },
  },
}
