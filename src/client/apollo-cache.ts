import type { TypePolicies } from '@apollo/client'

/**
 * For Apollo Client’s `InMemoryCache`: objects without an id belong to the one that they are reached from, so what two queries know of
 * them is put together. Everything else has an `id`, which the cache knows by itself.
 */
export const typePolicies: TypePolicies = {
  League: { merge: true },
  GameOdds: { merge: true },
  Usage: { merge: true },
}
