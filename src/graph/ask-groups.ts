import type { Request } from '../upstream/request.ts'
import type { Ask, Split, Splits, Wanted } from './ask.ts'

/** Asks that one call answers. */
export type Asks<W extends Wanted> = readonly [Ask<W>, ...Ask<W>[]]

/**
 * Splits asks into groups that one call answers each. The calls go out in the order of the groups' names:
 * where there are more than may be under way at once, what comes first does not depend on the order of the
 * asks.
 */
export function byGroup<W extends Wanted, V>(
  asks: readonly Ask<W>[],
  groupOf: (wanted: W) => string,
  call: (group: Asks<W>) => Promise<Split<W, V>>,
): Splits<W, V> {
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

/**
 * Lets each request's answers out together, when the last is there: calls that the service takes only one by
 * one still bring their rows in one batch to whatever wants more of them, and no client waits for another's.
 */
export function inStep<W extends Wanted, V>(asks: readonly Ask<W>[], calls: Splits<W, V>): Splits<W, V> {
  const ends = new Map<Request, Promise<unknown>>()
  const waiting = new Map<Request, Map<Promise<Split<W, V>>, Promise<Split<W, V>>>>()
  for (const { request } of asks) {
    if (ends.has(request)) continue
    ends.set(request, Promise.allSettled(calls.filter((_, index) => asks[index]?.request === request)))
    waiting.set(request, new Map())
  }
  return calls.map((call, index) => {
    const request = asks[index]?.request
    const own = request && waiting.get(request)
    let late = own?.get(call)
    if (!late) own?.set(call, (late = after(request && ends.get(request), call)))
    return late ?? call
  })
}

async function after<V>(end: Promise<unknown> | undefined, value: Promise<V>): Promise<V> {
  await end
  return value
}

/**
 * The requests behind asks, the first asker first: one alone, or each as often as it asks for something of
 * its own.
 */
export function requestsOf<W extends Wanted>(asks: Asks<W>): readonly [Request, ...Request[]] {
  const [{ request: first }] = asks
  if (asks.every(({ request }) => request === first)) return [first]
  const asked = new Map<Request, Set<string>>()
  for (const { request, wanted } of asks) {
    const whats = asked.get(request)
    if (whats) whats.add(wanted.what)
    else asked.set(request, new Set([wanted.what]))
  }
  const [, ...others] = [...asked].flatMap(([request, { size }]) => Array<Request>(size).fill(request))
  return [first, ...others]
}
