import type { Account } from './account.ts'

/**
 * Holds an account until it is dropped. A growing map leaves its old table to the garbage collector. A table
 * that reached the old generation keeps everything it refers to until the next full collection. So tables
 * refer to holders, and a dropped account's holder is emptied.
 */
interface Holder {
  account: Account | null
}

/** The accounts in memory by key, the least recently used first. */
export class Accounts {
  readonly #holders = new Map<string, Holder>()

  get size(): number {
    return this.#holders.size
  }

  find(apiKey: string): Account | undefined {
    return this.#holders.get(apiKey)?.account ?? undefined
  }

  /** Adds an account, or makes it the most recently used. */
  use(account: Account): void {
    const { apiKey } = account
    const holder = this.#holders.get(apiKey) ?? { account }
    this.#holders.delete(apiKey)
    this.#holders.set(apiKey, holder)
  }

  drop({ apiKey }: Account): void {
    const holder = this.#holders.get(apiKey)
    if (holder) holder.account = null
    this.#holders.delete(apiKey)
  }

  *[Symbol.iterator](): Iterator<Account> {
    for (const { account } of this.#holders.values()) if (account) yield account
  }
}
