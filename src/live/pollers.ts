import { leagueEntry, leagueKey } from '../loaders/leagues.ts'
import type { Account } from '../account/account.ts'
import { Poller } from './poller.ts'
import type { LeagueDay } from './poller.ts'

const pollers = new WeakMap<Account, Map<string, Poller>>()

/** The account's poller for a league's day. It is dropped when it has no listeners. */
export function pollerOf(account: Account, day: LeagueDay): Poller {
  let own = pollers.get(account)
  if (!own) pollers.set(account, (own = new Map()))
  const days = own
  const name = `${leagueKey(day)} ${day.date}`
  const known = days.get(name)
  if (known) return known
  const poller: Poller = new Poller(account, leagueEntry(account, day), day, () => {
    if (days.get(name) === poller) days.delete(name)
  })
  days.set(name, poller)
  return poller
}
