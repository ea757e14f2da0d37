import { budgetNameOf } from '../../money/client-budgets.ts'
import type { ClientBudgets } from '../../money/client-budgets.ts'
import type { Change, Opened, Spending } from '../../money/ledger-store.ts'

/** Whose sums a row belongs to. */
export interface Owned {
  readonly month: string
  readonly key: string
  readonly client: string
  /** The client budget that it is charged to; empty for none. */
  readonly budget: string
}

/** What was spent, in the form of the scripts. */
export interface WireSpent extends Owned {
  readonly day: string
  /** The hour, key, client and operations, as the field of a hash. */
  readonly cause: string
  readonly tokens: number
  readonly estimated: number
  readonly bytes: number
  readonly calls: number
}

interface WireOpen extends Owned {
  readonly kind: 'open'
  readonly id: string
  readonly tokens: number
  /** Milliseconds for which it may be pending. */
  readonly lease: number
  /** Monthly tokens of the key and of the client budget; -1 for no limit. */
  readonly limit: number
  readonly budgetLimit: number
}

interface WireSettle extends Owned {
  readonly kind: 'settle'
  readonly id: string
  readonly tokens: number
  readonly spent: readonly WireSpent[]
}

export type WireChange = WireOpen | WireSettle

export interface Wiring {
  /** Monthly tokens of a key; null for no limit. */
  readonly budget: number | null
  readonly clientBudgets: ClientBudgets
  /** Milliseconds after which a pending reservation is booked as estimated. */
  readonly leaseMs: number
}

/** Returns the name of a key that all instances use. */
type Shared = (key: string) => string

/** A change in the form of the scripts. */
export function wired(change: Change, wiring: Wiring, shared: Shared): WireChange {
  const { opened } = change
  const { id, tokens } = opened
  const owners = ownersOf(opened, wiring, shared)
  if (change.kind === 'settle') {
    const spent = change.spent.map((one) => spentOf(one, wiring, shared))
    return { kind: 'settle', id, tokens, ...owners, spent }
  }
  const { budget: ofKey, clientBudgets, leaseMs: lease } = wiring
  const limit = change.isGranted ? -1 : (ofKey ?? -1)
  const budgetLimit = change.isGranted ? -1 : (clientBudgets.get(owners.budget) ?? -1)
  return { kind: 'open', id, tokens, ...owners, lease, limit, budgetLimit }
}

/** A reservation as it is stored, from which any instance can book it as estimated. */
export const storedRow = (opened: Opened, wiring: Wiring, shared: Shared): string =>
  JSON.stringify({ ...opened, ...ownersOf(opened, wiring, shared) })

function ownersOf({ day, key, client }: Spending, { clientBudgets }: Wiring, shared: Shared): Owned {
  const budget = budgetNameOf(clientBudgets, client) ?? ''
  return { month: day.slice(0, 7), key: shared(key), client, budget }
}

function spentOf(one: Spending, wiring: Wiring, shared: Shared): WireSpent {
  const { day, hour, client, operation, service, tokens, estimated, bytes, calls } = one
  const owners = ownersOf(one, wiring, shared)
  const cause = causeOf([hour, owners.key, client, operation, service])
  return { ...owners, day, cause, tokens, estimated, bytes, calls }
}

/** As the scripts write it: Lua escapes slashes. */
const causeOf = (names: readonly string[]) => JSON.stringify(names).replaceAll('/', String.raw`\/`)

/**
 * The clients with a budget of their own, as JSON, if all others share one. Empty if they do not: then nobody
 * needs the sums of the others.
 */
export const namedClients = (budgets: ClientBudgets): string =>
  budgets.has('*') ? JSON.stringify([...budgets.keys()].filter((name) => name !== '*')) : ''
