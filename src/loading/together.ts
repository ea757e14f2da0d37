import DataLoader from 'dataloader'
import type { Account } from '../account/account.ts'
import type { ClientRequest } from '../account/client-request.ts'
import { grouped } from '../groups.ts'
import { handled } from './maybe-promise.ts'
import { atTurnsEnd, sendAtTurnsEnd } from './turn.ts'

/** What is wanted of a computation, and for whom. */
export interface Wish<W> {
  readonly request: ClientRequest
  /** The field that needs it. */
  readonly field: string
  readonly wanted: W
}

/** The value for each wish of a group, once what the group needs has been asked for. */
type Compute<W, V> = (
  account: Account,
  group: readonly [Wish<W>, ...Wish<W>[]],
) => (wish: Wish<W>) => Promise<V>

/**
 * A computation that chooses what it loads by all that is wanted of it in one turn of the event loop. It calls nothing
 * itself: what it asks of loaders goes with what others ask in that turn.
 */
export class Together<W, V> {
  readonly #name: string
  readonly #groupOf: (wanted: W) => string
  readonly #compute: Compute<W, V>

  constructor(name: string, groupOf: (wanted: W) => string, compute: Compute<W, V>) {
    this.#name = name
    this.#groupOf = groupOf
    this.#compute = compute
  }

  load(wish: Wish<W>): Promise<V> {
    return atTurnsEnd(wish.request, () => this.#batch(wish.request.account).load(wish)).then((value) => value)
  }

  #batch(account: Account): DataLoader<Wish<W>, Promise<V>> {
    const before = account.loaders.get(this)
    if (before) return before as DataLoader<Wish<W>, Promise<V>> // set below, for this computation alone
    const batch = new DataLoader<Wish<W>, Promise<V>>(
      async (wishes) => {
        account.loaders.delete(this)
        return this.#values(account, wishes)
      },
      {
        cache: false,
        batchScheduleFn: (send) =>
          account.whenAnswered(() => sendAtTurnsEnd({ name: this.#name, order: 'asks', send })),
      },
    )
    account.loaders.set(this, batch)
    return batch
  }

  #values(account: Account, wishes: readonly Wish<W>[]): readonly Promise<V>[] {
    const values = new Map<Wish<W>, Promise<V>>()
    const groups = grouped(wishes, ({ wanted }) => this.#groupOf(wanted))
    for (const [first, ...others] of groups.values()) {
      if (!first) continue
      const valueOf = this.#compute(account, [first, ...others])
      for (const wish of [first, ...others]) values.set(wish, handled(valueOf(wish)))
    }
    return wishes.map((wish) => values.get(wish) ?? Promise.reject(new Error('A wish has no group.')))
  }
}
