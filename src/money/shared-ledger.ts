import type { LedgerStore } from './ledger-store.ts'

/** Sums of a month, of all instances or of a part. */
export interface Sums {
  readonly tokens: number
  readonly estimated: number
  readonly bytes: number
  readonly calls: number
  readonly reserved: number
}

/** Whose sums they are: a key's, those of a budget of clients, or everybody's. */
export interface Whose {
  readonly kind: 'key' | 'client' | 'all'
  /** A key's name, or a client's in `CLIENT_BUDGETS`; empty for everybody. */
  readonly name: string
  /** `YYYY-MM`. */
  readonly month: string
}

/** What instances tell each other. */
export interface Sharing {
  /** What other instances have spent and set aside: the sums of all without this instance's own. */
  onElsewhere(whose: Whose, sums: Sums): void
  /** The shared ledger is away. As many instances were there last; infinite where it never was there. */
  onAlone(instances: number): void
  /** The shared ledger is back. */
  onTogether(): void
}

/** A ledger that several instances share. Its writes may refuse what does not fit a budget. */
export interface SharedLedger extends LedgerStore {
  /** Begins to tell. */
  share(sharing: Sharing): void
  /** Tells anew what others have spent of a key; resolves, too, where the ledger is away. */
  refresh(key: string): Promise<void>
}
