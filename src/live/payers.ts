import { ClientBudgetExceededError, QueryTooExpensiveError } from '../errors/errors.ts'
import type { Listener } from './listener.ts'

/** Maximum number of clients that a poll asks to pay. */
const mostPayers = 8

/** One listener for each client with its limits, in order. */
export function payersOf(listeners: Iterable<Listener>): readonly Listener[] {
  const payers = new Map<string, Listener>()
  for (const listener of listeners) {
    const { budget, allowance } = listener.clientRequest
    const name = JSON.stringify([budget, allowance.limits])
    if (!payers.has(name)) payers.set(name, listener)
    if (payers.size === mostPayers) break
  }
  return [...payers.values()]
}

/** Whether the limits of the client that was to pay refused a call. */
export const isOfPayer = (error: unknown): boolean =>
  error instanceof ClientBudgetExceededError || error instanceof QueryTooExpensiveError
