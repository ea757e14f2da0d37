import type { InMemoryCacheConfig } from '@apollo/client'
import { possibleTypes } from './generated/possible-types.ts'

/**
 * Options for Apollo Client’s `InMemoryCache`: the types of each interface, and the types without an `id`,
 * whose objects are merged into their parent. All other types have an `id`, which the cache uses by default.
 */
export const cacheOptions: InMemoryCacheConfig = {
  possibleTypes,
  typePolicies: {
    League: { merge: true },
    GameOdds: { merge: true },
    Usage: { merge: true },
  },
}
