import { leagueEntry, leagueKey } from '../loaders/leagues.ts'
import type { World } from '../upstream/world.ts'
import { Poller } from './poller.ts'
import type { LeagueDay } from './poller.ts'

const pollers = new WeakMap<World, Map<string, Poller>>()

/** The one poller of a day of a league for an account. It is forgotten once nobody listens. */
export function pollerOf(world: World, day: LeagueDay): Poller {
  let own = pollers.get(world)
  if (!own) pollers.set(world, (own = new Map()))
  const days = own
  const name = `${leagueKey(day)} ${day.date}`
  let poller = days.get(name)
  if (!poller) {
    poller = new Poller(world, leagueEntry(world, day), day, () => days.delete(name))
    days.set(name, poller)
  }
  return poller
}
