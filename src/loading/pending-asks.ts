import type { Account } from '../account/account.ts'
import type { Ask, Calls, Wanted } from './ask.ts'

/** Asks that were sent together, and the calls that are planned for them. */
interface Sent<W extends Wanted, V> {
  readonly asks: readonly Ask<W, V>[]
  readonly calls: Promise<Calls>
}

/** Remembers asks of a loader until all of them have been answered or have failed. */
export function notePending<W extends Wanted, V>(loader: object, account: Account, sent: Sent<W, V>): void {
  const pending = sentOf<W, V>(loader, account)
  pending.add(sent)
  const end = () => pending.delete(sent)
  sent.calls.then((calls) => Promise.allSettled(calls)).then(end, end)
}

/** Picks asks, given all that are pending. */
export type Picks<W extends Wanted, V> = (ask: Ask<W, V>, all: readonly Ask<W, V>[]) => boolean

/**
 * Resolves when a loader's pending asks that `isMeant` picks have been answered or have failed; undefined if
 * there are none.
 */
export function pendingOf<W extends Wanted, V>(
  loader: object,
  account: Account,
  isMeant: Picks<W, V>,
): Promise<unknown> | undefined {
  const ends: Promise<unknown>[] = []
  const sent = [...sentOf<W, V>(loader, account)]
  const all = sent.flatMap(({ asks }) => asks)
  for (const { asks, calls } of sent) {
    const meant = asks.map((ask) => isMeant(ask, all))
    if (!meant.includes(true)) continue
    ends.push(calls.then((those) => Promise.allSettled(those.filter((_, index) => meant[index]))))
  }
  return ends.length === 0 ? undefined : Promise.allSettled(ends)
}

function sentOf<W extends Wanted, V>(loader: object, { pendingAsks }: Account): Set<Sent<W, V>> {
  let own = pendingAsks.get(loader)
  if (!own) pendingAsks.set(loader, (own = new Set()))
  return own as Set<Sent<W, V>> // filled above, by this loader alone
}
