import type { ClientBudgets } from './client-budgets.ts'

/** The name for all others. */
export const otherName = 'other'

/** A client and its GraphQL operation. Clients choose both names. */
interface Pair {
  readonly client: string
  readonly operation: string
}

/**
 * Limits pairs of client and operation: the first ones keep their names, all later ones are combined. A client
 * with a budget keeps its own name also then.
 */
export class Names {
  readonly #most: number
  readonly #budgets: ClientBudgets
  readonly #known = new Set<string>()

  constructor(most: number, budgets: ClientBudgets) {
    this.#most = most
    this.#budgets = budgets
  }

  of({ client, operation }: Pair): Pair {
    const pair = `${client}\n${operation}`
    if (this.#known.has(pair)) return { client, operation }
    if (this.#known.size < this.#most) {
      this.#known.add(pair)
      return { client, operation }
    }
    // The combined clients are not taken for a client with a budget that has their name.
    const others = this.#budgets.has(otherName) ? '*' : otherName
    return { client: this.#budgets.has(client) ? client : others, operation: otherName }
  }

  /** Forgets all names. */
  clear(): void {
    this.#known.clear()
  }
}
