import { sharesOf } from './budget-shares.ts'
import type { BudgetShare } from './budget-shares.ts'
import { budgetNameOf } from './client-budgets.ts'
import type { ClientBudgets } from './client-budgets.ts'
import { Ledger } from './ledger.ts'
import type { Purpose } from './purpose.ts'

/** A call's share of a client budget, and the budget's ledger; undefined for users without a budget. */
export interface LedgerShare extends BudgetShare {
  readonly ledger: Ledger | undefined
}

/** One ledger for each client budget. `*` is the one ledger of all clients that are not named. */
export class ClientLedgers {
  readonly #budgets: ClientBudgets
  readonly #ledgers: ReadonlyMap<string, Ledger>

  constructor(budgets: ClientBudgets, clock: () => number) {
    this.#budgets = budgets
    this.#ledgers = new Map([...budgets].map(([name, tokens]) => [name, new Ledger(tokens, clock)]))
  }

  /** The number of client budgets. */
  get size(): number {
    return this.#ledgers.size
  }

  all(): Iterable<Ledger> {
    return this.#ledgers.values()
  }

  /** The ledger of a budget; undefined if there is no such budget. */
  named(budget: string | null): Ledger | undefined {
    return budget === null ? undefined : this.#ledgers.get(budget)
  }

  /** The name of a client's budget; null if it has none. */
  budgetNameOf(client: string): string | null {
    return budgetNameOf(this.#budgets, client)
  }

  /** The ledger of a client's budget; undefined if it has none. */
  of(client: string): Ledger | undefined {
    return this.named(this.budgetNameOf(client))
  }

  /** The shares of a call's users, the payer's first. */
  sharesOf(users: Purpose['users'], tokens: number): readonly LedgerShare[] {
    return sharesOf(this.#budgets, users, tokens).map((share) => ({
      ...share,
      ledger: this.named(share.budget),
    }))
  }

  /** Whether each budget has its share of these tokens left. */
  bear(users: Purpose['users'], tokens: number): boolean {
    return this.sharesOf(users, tokens).every(({ ledger, tokens: own }) => ledger?.covers(own) !== false)
  }

  /**
   * Whether each budget would cover `times` all its reservations and its share of these tokens. Not asked are
   * `except`, and budgets that would refuse even the share: such a call is refused anyway, without a wait.
   */
  bearTimes(times: number, users: Purpose['users'], tokens: number, except?: string | null): boolean {
    if (this.size === 0) return true
    return this.sharesOf(users, tokens).every(
      ({ budget, ledger, tokens: own }) =>
        !ledger || budget === except || !ledger.mayReserve(own) || ledger.coversTimes(times, own),
    )
  }
}
