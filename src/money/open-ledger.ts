import { monthOf, spendingOfMonth } from './ledger-store.ts'
import type { LedgerStore, Spending } from './ledger-store.ts'
import type { CallLater } from './separation.ts'
import type { SharedLedger } from './shared-ledger.ts'

/** An open ledger store, and its spending of the current month. */
export interface OpenLedger {
  readonly store: LedgerStore
  readonly month: readonly Spending[]
  readonly onFailure: (error: unknown) => void
  /** Called at the end with what could not be written. */
  readonly onLost?: (lost: readonly Spending[]) => void
  /** The store, if several instances share it. */
  readonly shared?: SharedLedger
  /** By what instances that share it wait for it to be back; timers, unless it is given. */
  readonly callLater?: CallLater
}

/** A shared ledger, which reports spending by itself. */
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
