import type { Account } from '../upstream/account.ts'
import type { Ask, Splits, Wanted } from './ask.ts'

/** Asks that were sent together, and the calls that are planned for them. */
interface Sent<W extends Wanted, V> {
  readonly asks: readonly Ask<W, V>[]
  readonly splits: Promise<Splits<W, V>>
}

/** Remembers asks of a loader until all of them have been answered or have failed. */
export function notePending<W extends Wanted, V>(loader: object, account: Account, sent: Sent<W, V>): void {
  const pending = sentOf<W, V>(loader, account)
  pending.add(sent)
  const end = () => pending.delete(sent)
  sent.splits.then((splits) => Promise.allSettled(splits)).then(end, end)
}

/**
 * Resolves when a loader's pending asks that `isMeant` picks have been answered or have failed; undefined if
 * there are none.
 */
export function pendingOf<W extends Wanted, V>(
  loader: object,
  account: Account,
  isMeant: (ask: Ask<W, V>) => boolean,
): Promise<unknown> | undefined {
  const ends: Promise<unknown>[] = []
  for (const { asks, splits } of sentOf<W, V>(loader, account)) {
    const meant = asks.map(isMeant)
    if (!meant.includes(true)) continue
    ends.push(splits.then((those) => Promise.allSettled(those.filter((_, index) => meant[index]))))
  }
  return ends.length === 0 ? undefined : Promise.allSettled(ends)
}

function sentOf<W extends Wanted, V>(loader: object, { pendingAsks }: Account): Set<Sent<W, V>> {
  let own = pendingAsks.get(loader)
  if (!own) pendingAsks.set(loader, (own = new Set()))
  return own as Set<Sent<W, V>> // filled above, by this loader alone
}
