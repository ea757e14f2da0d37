import { budgetNameOf } from '../money/client-budgets.ts'
import type { ClientBudgets } from '../money/client-budgets.ts'
import type { Change, Opened, Spending } from '../money/ledger-store.ts'

/** A row as Redis keeps it: with its month, and the budget that its client is charged to; empty for none. */
export type WireRow = Spending & { readonly month: string; readonly budget: string }

export type WireOpened = WireRow & {
  readonly id: string
  /** How long it may be under way, in milliseconds. */
  readonly lease: number
  /** Tokens that the key and the budget of clients may spend in the month; -1 for no bound. */
  readonly limit: number
  readonly budgetLimit: number
}

export type WireChange =
  | { readonly kind: 'open'; readonly opened: WireOpened }
  | { readonly kind: 'settle'; readonly opened: WireOpened; readonly spent: readonly WireRow[] }

export interface Wiring {
  /** Monthly tokens of a key; null for no bound. */
  readonly budget: number | null
  readonly clientBudgets: ClientBudgets
  /** How long a request to the service may be under way before it is booked as estimated, in milliseconds. */
  readonly leaseMs: number
}

/** A change as the scripts take it. `shared` is the name that all instances know a key by. */
export function wired(change: Change, wiring: Wiring, shared: (key: string) => string): WireChange {
  const row = (spending: Spending): WireRow => ({
    ...spending,
    key: shared(spending.key),
    month: spending.day.slice(0, 7),
    budget: budgetNameOf(wiring.clientBudgets, spending.client) ?? '',
  })
  const opened = openedOf(change.opened, row(change.opened), wiring)
  return change.kind === 'open'
    ? { kind: 'open', opened }
    : { kind: 'settle', opened, spent: change.spent.map(row) }
}

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
