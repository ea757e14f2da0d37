import type { ClientRequest } from '../account/client-request.ts'
import type { Ask, Calls, Wanted } from './ask.ts'

/** Asks that one call answers together. */
export type Asks<W extends Wanted> = readonly [Ask<W>, ...Ask<W>[]]

/**
 * Groups asks so that one call answers each group. Calls are sent in the order of the groups' names. When
 * they have to queue, the order then does not depend on the order of the asks.
 */
export function byGroup<W extends Wanted>(
  asks: readonly Ask<W>[],
  groupOf: (wanted: W) => string,
  call: (group: Asks<W>) => Promise<unknown>,
): Calls {
  const groups = new Map<string, [Ask<W>, ...Ask<W>[]]>()
  for (const ask of asks) {
    const group = groups.get(groupOf(ask.wanted))
    if (group) group.push(ask)
    else groups.set(groupOf(ask.wanted), [ask])
  }
  const named = groups.size > 1 ? [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1)) : [...groups]
  const calls = new Map(named.map(([name, group]) => [name, call(group)]))
  return asks.map(
    (ask) => calls.get(groupOf(ask.wanted)) ?? Promise.reject(new Error('An ask has no group.')),
  )
}

/** Groups asks for the same, so that one call answers each group. */
export const byWhat = <W extends Wanted>(
  asks: readonly Ask<W>[],
  call: (group: Asks<W>) => Promise<unknown>,
): Calls => byGroup(asks, ({ what }) => what, call)

/**
 * The requests that asked, the first one first. A single request is listed once; of several, each is listed
 * once for every distinct thing that it wants, because the bill is split by these counts.
 */
export function requestsOf<W extends Wanted>(asks: Asks<W>): readonly [ClientRequest, ...ClientRequest[]] {
  const [{ request: first }] = asks
  if (asks.every(({ request }) => request === first)) return [first]
  const asked = new Map<ClientRequest, Set<string>>()
  for (const { request, wanted } of asks) {
    const whats = asked.get(request)
    if (whats) whats.add(wanted.what)
    else asked.set(request, new Set([wanted.what]))
  }
  const [, ...others] = [...asked].flatMap(([request, { size }]) => Array<ClientRequest>(size).fill(request))
  return [first, ...others]
}
