import { budgetNameOf } from '../../money/client-budgets.ts'
import type { ClientBudgets } from '../../money/client-budgets.ts'
import { monthOf, monthOfDay } from '../../money/ledger-store.ts'
import type { Change } from '../../money/ledger-store.ts'
import type { Whose } from '../../money/shared-ledger.ts'
import type { Use } from './allotments.ts'
import type { KeyNames } from './key-names.ts'

interface BudgetsOptions {
  readonly clock: () => number
  /** Monthly tokens of a key; null for no limit. */
  readonly budget: number | null
  readonly clientBudgets: ClientBudgets
  /** A key that is known from the start. */
  readonly apiKey?: string | null
}

/** The budgets of keys and clients, by the names that all instances use. */
export class BudgetsInUse {
  readonly #options: BudgetsOptions
  readonly #names: KeyNames

  constructor(options: BudgetsOptions, names: KeyNames) {
    this.#options = options
    this.#names = names
  }

  /** Monthly tokens; null for no limit. */
  limitOf({ kind, name }: Whose): number | null {
    const { budget, clientBudgets } = this.#options
    if (kind === 'key') return budget
    return kind === 'client' ? (clientBudgets.get(name) ?? null) : null
  }

  /** The limited budgets that a reservation is charged to. */
  usesOf({ opened: { day, key, client, tokens } }: Change): readonly Use[] {
    const month = monthOfDay(day)
    const budget = budgetNameOf(this.#options.clientBudgets, client)
    const owners: readonly Whose[] = [
      { month, kind: 'key', name: this.#names.shared(key) },
      ...(budget === null ? [] : [{ month, kind: 'client', name: budget } as const]),
    ]
    return owners.filter((whose) => this.limitOf(whose) !== null).map((whose) => ({ whose, tokens }))
  }

  /**
   * Whose sums of this month are fetched, `keys` among them: also those on which nothing was spent here. If Redis goes
   * away, this instance has a share of what the others have left.
   */
  watched(keys: Iterable<string>): readonly Whose[] {
    const { clock, clientBudgets, apiKey } = this.#options
    const month = monthOf(clock())
    const clients = [...clientBudgets.keys()].map((name) => ({ month, kind: 'client', name }) as const)
    const all = new Set([...(apiKey ? [this.#names.hashOf(apiKey)] : []), ...keys])
    const ofKeys = [...all].map((name) => ({ month, kind: 'key', name }) as const)
    return [{ month, kind: 'all', name: '' }, ...clients, ...ofKeys]
  }
}
