import { unreached } from '../errors/errors.ts'
import { toldFor } from '../wire/service-health.ts'
import type { Upstream } from '../account/upstream.ts'
import { ReadinessChecks } from './readiness-checks.ts'
import type { Check, Trouble } from './readiness-checks.ts'

/**
 * The checks of a graph over the billed service. None is fatal: known rows are still served, and every
 * instance has the same service, key and budget, so moving clients elsewhere would not help.
 */
export const upstreamChecks = (
  upstream: Upstream,
  apiKey: string | null,
  isReplayed = false,
): ReadinessChecks =>
  new ReadinessChecks({
    ...(apiKey !== null && { key: keyCheck(upstream, apiKey) }),
    // A tape is always available, and its answers are not billed.
    ...(!isReplayed && {
      service: () => degraded(upstream.health.trouble),
      ledger: () => ledgerTrouble(upstream),
    }),
    budget: () => degraded(budgetTrouble(upstream, apiKey)),
  })

const degraded = (reason: string | null): Trouble | null => (reason === null ? null : { reason })

const keyCheck =
  (upstream: Upstream, apiKey: string): Check =>
  () => {
    const account = upstream.findAccount(apiKey)
    if (account?.isRefused) return { reason: 'The service refuses UPSTREAM_API_KEY.' }
    return account?.isSpent ? { reason: 'Its token limit at the service is reached.' } : null
  }

function ledgerTrouble({ ledgers: { books } }: Upstream): Trouble | null {
  if (books.isFailing) return { reason: 'It cannot be written. Spending waits in memory until it can.' }
  if (books.store.trouble) return { reason: books.store.trouble }
  if (books.store.isDurable && !books.store.isVolatile) return null
  return { reason: 'It is kept in memory alone: a restart forgets what was spent.' }
}

/** If clients bring their own keys, each has its own budget and is told about it. */
function budgetTrouble({ ledgers, settings }: Upstream, apiKey: string | null): string | null {
  const own = apiKey === null ? null : ledgers.of(ledgers.nameOf(apiKey))
  const isLimited = (own && own.budget !== null) || ledgers.hasClientBudgets
  if (ledgers.isUnreached && isLimited) return unreached
  if (own?.remaining === 0) return 'This month’s token budget is spent.'
  const hasRefused = (by: 'key' | 'client') => settings.clock() - ledgers.lastRefusalBy(by) <= toldFor
  if (own && hasRefused('key')) return 'What is left of this month’s token budget does not allow all calls.'
  const spent = ledgers.spentClientBudgets
  if (spent > 0) return `Budgets of clients are spent: ${spent}.`
  return hasRefused('client') ? 'What is left of clients’ budgets does not allow all calls.' : null
}
