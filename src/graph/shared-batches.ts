import type { Account } from '../upstream/account.ts'
import type { Ask, Splits, Wanted } from './ask.ts'

/** Asks of one turn whose values other instances may be buying. */
interface SharedBatch<W extends Wanted, V> {
  readonly asks: readonly Ask<W, V>[]
  readonly splits: Promise<Splits<W, V>>
}

/** Remembers a batch of a loader until all its asks have been answered or have failed. */
export function noteBatch<W extends Wanted, V>(
  loader: object,
  account: Account,
  batch: SharedBatch<W, V>,
): void {
  const pending = batchesOf<W, V>(loader, account)
  pending.add(batch)
  const end = () => pending.delete(batch)
  batch.splits.then((splits) => Promise.allSettled(splits)).then(end, end)
}

/** Resolves when the asks of a loader's batches that `isMeant` picks have been answered or have failed. */
export async function batchesAnswered<W extends Wanted, V>(
  loader: object,
  account: Account,
  isMeant: (ask: Ask<W, V>) => boolean,
): Promise<void> {
  const ended = [...batchesOf<W, V>(loader, account)].map(async ({ asks, splits }) => {
    const meant = asks.map(isMeant)
    await Promise.allSettled((await splits).filter((_, index) => meant[index]))
  })
  await Promise.allSettled(ended)
}

function batchesOf<W extends Wanted, V>(loader: object, { sharedBatches }: Account): Set<SharedBatch<W, V>> {
  let own = sharedBatches.get(loader)
  if (!own) sharedBatches.set(loader, (own = new Set()))
  return own as Set<SharedBatch<W, V>> // filled above, by this loader alone
}
