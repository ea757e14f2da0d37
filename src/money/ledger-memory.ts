import { randomBytes } from 'node:crypto'
import { keyHasher } from './key-hash.ts'
import type { Change, Grant, LedgerStore, Spending } from './ledger-store.ts'
import { SpendingTable } from './spending-table.ts'

/** A ledger in memory. */
export class MemoryLedger implements LedgerStore {
  readonly isDurable = false
  readonly nameOf = keyHasher(randomBytes(32))
  readonly #table = new SpendingTable()

  /** Reservations end with the process, so they are not stored. */
  write(changes: readonly Change[]): readonly Grant[] {
    for (const change of changes)
      if (change.kind === 'settle') for (const one of change.spent) this.#table.add(one)
    return []
  }

  async spending(from: string, to: string): Promise<readonly Spending[]> {
    return this.#table.between(from, to)
  }

  async close(): Promise<void> {}
}
