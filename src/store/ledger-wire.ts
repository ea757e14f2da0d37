import { budgetNameOf } from '../money/client-budgets.ts'
import type { ClientBudgets } from '../money/client-budgets.ts'
import type { Change, Opened, Spending } from '../money/ledger-store.ts'

/** A row in Redis, with its month and the client budget that it is charged to; empty for none. */
export type WireRow = Spending & { readonly month: string; readonly budget: string }

export type WireOpened = WireRow & {
  readonly id: string
  /** Milliseconds for which it may be pending. */
  readonly lease: number
  /** Monthly tokens of the key and of the client budget; -1 for no limit. */
  readonly limit: number
  readonly budgetLimit: number
}

export type WireChange =
  | { readonly kind: 'open'; readonly opened: WireOpened }
  | { readonly kind: 'settle'; readonly opened: WireOpened; readonly spent: readonly WireRow[] }

export interface Wiring {
  /** Monthly tokens of a key; null for no limit. */
  readonly budget: number | null
  readonly clientBudgets: ClientBudgets
  /** Milliseconds after which a pending reservation is booked as estimated. */
  readonly leaseMs: number
}

/** A change in the form of the scripts. `shared` returns the key's name that all instances use. */
export function wired(change: Change, wiring: Wiring, shared: (key: string) => string): WireChange {
  const row = (spending: Spending): WireRow => ({
    ...spending,
    key: shared(spending.key),
    month: spending.day.slice(0, 7),
    budget: budgetNameOf(wiring.clientBudgets, spending.client) ?? '',
  })
  const opened = openedOf(change.opened, row(change.opened), wiring)
  if (change.kind === 'settle') return { kind: 'settle', opened, spent: change.spent.map(row) }
  return { kind: 'open', opened: change.isGranted ? { ...opened, ...unlimited } : opened }
}

const unlimited = { limit: -1, budgetLimit: -1 }

const openedOf = (
  { id }: Opened,
  row: WireRow,
  { budget, clientBudgets, leaseMs: lease }: Wiring,
): WireOpened => ({
  ...row,
  id,
  lease,
  limit: budget ?? -1,
  budgetLimit: clientBudgets.get(row.budget) ?? -1,
})
