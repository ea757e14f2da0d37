import { budgetNameOf } from './client-budgets.ts'
import type { ClientBudgets } from './client-budgets.ts'
import type { User } from './purpose.ts'
import { split } from './split.ts'

/** The users of a call whose tokens count towards the same client budget. */
export interface BudgetShare {
  /** The name in `CLIENT_BUDGETS`; null for users without a budget. */
  readonly budget: string | null
  /** The first of these users. */
  readonly user: User
  /** Tokens to reserve: at least one, so that no spent budget takes part for nothing. */
  readonly tokens: number
}

/** Divides a call's tokens among the client budgets of its users, by rows. The payer's share is the first. */
export function sharesOf(
  budgets: ClientBudgets,
  users: readonly [User, ...User[]],
  tokens: number,
): readonly BudgetShare[] {
  const [payer] = users
  const whole = { budget: budgetNameOf(budgets, payer.client), user: payer, tokens }
  if (budgets.size === 0 || users.length === 1) return [whole]
  const rows = new Map<string | null, number>()
  const first = new Map<string | null, User>()
  for (const user of users) {
    const budget = budgetNameOf(budgets, user.client)
    rows.set(budget, (rows.get(budget) ?? 0) + user.rows)
    if (!first.has(budget)) first.set(budget, user)
  }
  if (rows.size === 1) return [whole]
  const parts = split(tokens, [...rows.values()])
  return [...first].map(([budget, user], at) => ({ budget, user, tokens: Math.max(1, parts[at] ?? 0) }))
}
