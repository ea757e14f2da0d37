import { LRUCache } from 'lru-cache'
import type { Kysely } from 'kysely'
import type { AccountSchema } from '../store/accounts.ts'
import { authenticate } from './keys.ts'
import type { Account } from './keys.ts'

/**
 * Milliseconds for which a key is not looked up again. A revoked key gets no answer even then: its charge is
 * refused.
 */
const TTL_MS = 1_000

const MOST = 10_000

/** Recently used keys. */
export interface KnownKeys {
  /** The owner of a key. Throws for unknown keys, which are not cached. */
  of(key: string | undefined): Account | Promise<Account>
  forget(key: string | undefined): void
}

export function knownKeys(
  accounts: Kysely<AccountSchema>,
  isSampleLeague: () => Promise<boolean>,
): KnownKeys {
  const known = new LRUCache<string, Account>({ max: MOST, ttl: TTL_MS })
  const looking = new Map<string, Promise<Account>>()
  const look = (key: string) => {
    const found = authenticate(accounts, key, isSampleLeague)
      .then((account) => {
        known.set(key, account)
        return account
      })
      .finally(() => looking.delete(key))
    looking.set(key, found)
    return found
  }
  return {
    of: (key = '') => known.get(key) ?? looking.get(key) ?? look(key),
    forget: (key = '') => void known.delete(key),
  }
}
