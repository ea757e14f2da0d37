import { Capabilities } from '../../capabilities/capabilities.ts'
import { Capacity } from '../../rows/capacity.ts'
import { Rows } from '../../rows/rows.ts'
import { Account } from '../../account/account.ts'
import type { DryWork } from '../../account/dry-work.ts'
import type { Level } from '../../account/estimates.ts'
import { madeUp } from './made-up.ts'
import type { Names } from './made-up.ts'
import { Upstream } from '../../account/upstream.ts'

/**
 * An account for a dry run. It knows what the real account knows, but what it learns stays with it. Its calls
 * are answered with made-up rows of the expected number and size, so nothing is spent. They have the codes and
 * statistics that the query names. Calls and rows that the real account has in flight are shared. `work` bounds
 * the run.
 */
export function dryRunOf(account: Account, level: Level, names: Names = {}, work?: DryWork): Account {
  const {
    clientBudgets: _budgets,
    ledger: _ledger,
    answers: _answers,
    ...settings
  } = account.upstream.settings
  const own = account.estimates.copy()
  const rows = new Rows(new Capacity(), account.rows)
  const transport = madeUp(
    own,
    level,
    settings.clock(),
    account.upstream.today,
    { known: account.rows, used: rows },
    names,
  )
  // Its own, because made-up rows tell nothing about the service.
  const capabilities = new Capabilities(settings.clock, account.upstream.capabilities.findings)
  const upstream = new Upstream({ ...settings, transport, capabilities, monthlyTokenBudget: null })
  if (work) upstream.onLine(({ source }) => source === 'UPSTREAM' && work.countAnswer())
  return new Account(upstream, account.apiKey, rows, {
    refusals: account.refusals,
    estimates: own,
    dryRunOf: account,
    work,
  })
}
