import type { User } from './purpose.ts'
import { budgetNameOf } from './client-budgets.ts'
import type { ClientBudgets } from './client-budgets.ts'

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
  [payer, ...others]: readonly [User, ...User[]],
  tokens: number,
): readonly [BudgetShare, ...BudgetShare[]] {
  const budget = budgetNameOf(budgets, payer.client)
  if (budgets.size === 0 || others.length === 0) return [{ budget, user: payer, tokens }]
  const groups = new Map([[budget, { user: payer, rows: payer.rows }]])
  for (const user of others) {
    const name = budgetNameOf(budgets, user.client)
    const group = groups.get(name)
    if (group) group.rows += user.rows
    else groups.set(name, { user, rows: user.rows })
  }
  if (groups.size === 1) return [{ budget, user: payer, tokens }]
  const all = others.reduce((sum, { rows }) => sum + rows, payer.rows)
  const [first, ...rest] = [...groups].map(([name, { user, rows }]) => ({
    budget: name,
    user,
    tokens: Math.max(1, Math.ceil((tokens * rows) / all)),
  }))
  return [first ?? { budget, user: payer, tokens }, ...rest]
}
