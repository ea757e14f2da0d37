import { monthOf, spendingOfMonth } from './ledger-store.ts'
import type { LedgerStore, Spending } from './ledger-store.ts'
import type { SharedLedger } from './shared-ledger.ts'

/** A ledger store that is open, and what it has of the month that is under way. */
export interface OpenLedger {
  readonly store: LedgerStore
  readonly month: readonly Spending[]
  readonly onFailure: (error: unknown) => void
  /** The store, where other instances write it too. */
  readonly shared?: SharedLedger
}

/** A ledger that tells by itself what has been spent. */
export const openShared = (shared: SharedLedger, onFailure: (error: unknown) => void): OpenLedger => ({
  store: shared,
  shared,
  month: [],
  onFailure,
})

export async function openLedger(
  store: LedgerStore,
  now: number,
  onFailure: (error: unknown) => void,
): Promise<OpenLedger> {
  return { store, month: await spendingOfMonth(store, monthOf(now)), onFailure }
}
