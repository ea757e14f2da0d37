import type { Capacity } from '../rows/capacity.ts'
import type { Account } from './account.ts'

/** Estimated bytes of an account without rows and without its key. */
const accountBytes = 4_096

const bytesOf = ({ apiKey }: Account): number => accountBytes + apiKey.length

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
  readonly #capacity: Capacity
  /** The holder of the most recently used account. */
  #latest: Holder | null = null

  constructor(capacity: Capacity) {
    this.#capacity = capacity
  }

  get size(): number {
    return this.#holders.size
  }

  find(apiKey: string): Account | undefined {
    return this.#holders.get(apiKey)?.account ?? undefined
  }

  /** Adds an account, or makes it the most recently used. */
  use(account: Account): void {
    if (this.#latest?.account !== account) this.#moveToEnd(account)
    account.usedAt = this.#capacity.uses += 1
  }

  #moveToEnd(account: Account): void {
    const { apiKey } = account
    const holder = this.#holders.get(apiKey) ?? { account }
    // The map keeps the order in which its keys were added.
    if (!this.#holders.delete(apiKey)) this.#capacity.size += bytesOf(account)
    this.#holders.set(apiKey, holder)
    this.#latest = holder
  }

  drop(account: Account): void {
    const holder = this.#holders.get(account.apiKey)
    if (!holder) return
    holder.account = null
    this.#holders.delete(account.apiKey)
    this.#capacity.size -= bytesOf(account)
  }

  /**
   * Rows and accounts that were last used at this moment or before have to be evicted, so that a quarter of
   * the capacity is free.
   */
  lastToEvict(): number {
    const bytesAt = new Map<number, number>()
    const count = (moment: number, bytes: number) => bytesAt.set(moment, (bytesAt.get(moment) ?? 0) + bytes)
    for (const account of this) {
      count(account.usedAt, bytesOf(account))
      for (const { usedAt, size } of account.rows.kept()) count(usedAt, size)
    }
    let excess = this.#capacity.size - 0.75 * this.#capacity.most
    for (const moment of [...bytesAt.keys()].toSorted((a, b) => a - b)) {
      excess -= bytesAt.get(moment) ?? 0
      if (excess <= 0) return moment
    }
    return this.#capacity.uses
  }

  *[Symbol.iterator](): Iterator<Account> {
    for (const { account } of this.#holders.values()) if (account) yield account
  }
}
