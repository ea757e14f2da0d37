import { nameOf } from '../specification/operation.ts'
import type { Account } from '../account/account.ts'
import type { Ask, Splits, Wanted } from './ask.ts'

/** Plans the calls for asks. */
export type Plan<W extends Wanted, V> = (account: Account, asks: readonly Ask<W>[]) => Splits<W, V>

/** Values that another call has brought in the meantime are not bought again. */
export function planMissing<W extends Wanted, V>(
  account: Account,
  asks: readonly Ask<W, V>[],
  plan: Plan<W, V>,
  hasCome = false,
): Splits<W, V> {
  const come = asks.map((ask) => ask.cached?.())
  if (hasCome)
    for (const [index, { request, operation, field }] of asks.entries())
      if (come[index] !== undefined && operation) request.hit(nameOf(operation), [], field, 1, 'REDIS')
  const calls = plan(
    account,
    asks.filter((_, index) => come[index] === undefined),
  )
  let next = 0
  return come.map((value) => {
    const call = value === undefined ? calls[next++] : undefined
    if (call) return handled(call)
    return Promise.resolve(() => value ?? null)
  })
}

/** Marks a rejection as handled, because nobody may be waiting for it. */
export function handled<V>(promise: Promise<V>): Promise<V> {
  promise.catch(() => {})
  return promise
}
