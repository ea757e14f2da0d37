import type { ClientRequest } from '../account/client-request.ts'
import type { Ask, Split, Splits, Wanted } from './ask.ts'
import type { MaybePromise } from './maybe-promise.ts'
import { handled } from './plan-missing.ts'

/** Plans some of the asks of a turn. */
type PlanSome<W extends Wanted, V> = (asks: readonly Ask<W, V>[]) => MaybePromise<Splits<W, V>>

/**
 * Plans asks after the pending ones that may bring their values, each request after its own, and all others
 * now.
 */
export function planAfter<W extends Wanted, V>(
  asks: readonly Ask<W, V>[],
  plan: PlanSome<W, V>,
): MaybePromise<Splits<W, V>> {
  const pending = asks.map(({ after }) => after?.())
  return pending.every((one) => one === undefined) ? plan(asks) : planLate(asks, pending, plan)
}

async function planLate<W extends Wanted, V>(
  asks: readonly Ask<W, V>[],
  pending: readonly (Promise<unknown> | undefined)[],
  plan: PlanSome<W, V>,
): Promise<Splits<W, V>> {
  const now: Ask<W, V>[] = []
  const late = new Map<ClientRequest, { readonly asks: Ask<W, V>[]; readonly pending: Promise<unknown>[] }>()
  asks.forEach((ask, index) => {
    const before = pending[index]
    if (!before) return now.push(ask)
    const same = late.get(ask.request)
    if (!same) return late.set(ask.request, { asks: [ask], pending: [before] })
    same.asks.push(ask)
    return same.pending.push(before)
  })
  const splits = new Map<Ask<W, V>, Promise<Split<W, V>>>()
  for (const { asks: those, pending: before } of late.values()) {
    const planned = Promise.allSettled(before).then(() => plan(those))
    those.forEach((ask, nth) =>
      splits.set(ask, handled(planned.then((calls) => calls[nth] ?? neverPlanned()))),
    )
  }
  const calls = now.length > 0 ? await plan(now) : []
  now.forEach((ask, nth) => splits.set(ask, calls[nth] ?? neverPlanned()))
  return asks.map((ask) => splits.get(ask) ?? neverPlanned())
}

export const neverPlanned = (): Promise<never> => Promise.reject(new Error('An ask was not planned.'))
