import { isIP } from 'node:net'
import type { Config } from '../config.ts'
import type { ClientBudgets } from '../money/client-budgets.ts'

/** Whose key pays: that of the server, or each client's own. */
export const keyNote = (apiKey: string | null): string =>
  apiKey === null
    ? 'Each client brings its own key of the service in X-API-KEY, because UPSTREAM_API_KEY is not set.'
    : 'All clients use one key of the service, that of UPSTREAM_API_KEY.'

const isLocal = (host: string) =>
  /^(localhost\.?|\[?::1\]?)$/i.test(host) || (isIP(host) === 4 && host.startsWith('127.'))

type Deployment = Pick<
  Config,
  'allowedHosts' | 'host' | 'monthlyTokenBudget' | 'queryLimits' | 'upstreamApiKey' | 'upstreamUrl'
>

/** A warning if other machines can spend with the server's key without a limit; null if they cannot. */
export function openSpending(config: Deployment, clientBudgets: ClientBudgets): string | null {
  const { allowedHosts, host, monthlyTokenBudget, queryLimits, upstreamApiKey, upstreamUrl } = config
  if (upstreamUrl === null || upstreamApiKey === null) return null
  if (monthlyTokenBudget !== null || queryLimits.maxTokens !== null || clientBudgets.size > 0) return null
  const isWide = allowedHosts === '*' || (allowedHosts ?? []).some((name) => !isLocal(name))
  if (isLocal(host) && !isWide) return null
  return (
    'Anyone who reaches this server can spend any number of tokens with UPSTREAM_API_KEY: each query makes up to ' +
    `${queryLimits.maxCalls} calls (MAX_CALLS_PER_QUERY), and their number has no limit. MONTHLY_TOKEN_BUDGET limits a ` +
    'month, CLIENT_BUDGETS a client, and MAX_TOKENS_PER_QUERY a query.'
  )
}
