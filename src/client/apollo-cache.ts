import type { InMemoryCacheConfig } from '@apollo/client'
import { possibleTypes } from './generated/possible-types.ts'

/**
 * What Apollo Client’s `InMemoryCache` has to know: which types the interfaces stand for, and that objects without an id belong to the
 * one that they are reached from, so that what two queries know of them is put together. Everything else has an `id`, which
 * the cache knows by itself.
 */
export const cacheOptions: InMemoryCacheConfig = {
  possibleTypes,
  typePolicies: {
    League: { merge: true },
    GameOdds: { merge: true },
    Usage: { merge: true },
  },
}
