import type { LedgerStore } from './ledger-store.ts'

/** Sums of a month, of all or some instances. */
export interface Sums {
  readonly tokens: number
  readonly estimated: number
  readonly bytes: number
  readonly calls: number
  readonly reserved: number
}

/** The owner of sums: a key, a client budget, or everybody. */
export interface Whose {
  readonly kind: 'key' | 'client' | 'all'
  /** The key's name, or the client's in `CLIENT_BUDGETS`; empty for everybody. */
  readonly name: string
  /** `YYYY-MM`. */
  readonly month: string
}

export type OwnedSums = readonly [Whose, Sums]

/** What an instance hears from the shared ledger. */
export interface Sharing {
  /** What all other instances together have spent and reserved. */
  onElsewhere(whose: Whose, sums: Sums): void
  /**
   * What this instance may spend of a budget at once if the shared ledger goes away before `until`, in milliseconds
   * of `performance.now()`: it is granted to nobody else.
   */
  onAllotted(whose: Whose, tokens: number, until: number): void
  /** Keys have new names, by those before. */
  onRenamed(names: ReadonlyMap<string, string>): void
  /**
   * The shared ledger cannot be used. `instances` is their last known number, infinite if never known. `isSoon`:
   * whether it can be reached, and is about to be used.
   */
  onAlone(instances: number, isSoon?: boolean): void
  /** The shared ledger is back. */
  onTogether(): void
}

/** A ledger that several instances share. Its writes may refuse reservations that exceed a budget. */
export interface SharedLedger extends LedgerStore {
  /** Starts to report to `sharing`. */
  share(sharing: Sharing): void
  /** Reports again what others have spent with a key. Resolves also if the ledger cannot be reached. */
  refresh(key: string): Promise<void>
  /** Resolves when other instances have given back what they hold of a budget, or have had the time for it. */
  recalled(): Promise<void>
}
