import { setTimeout as pause } from 'node:timers/promises'
import type { Sharing } from '../account/answer-store.ts'
import type { Prepayment } from '../account/prepayment.ts'
import type { Ask, Calls, Wanted } from './ask.ts'

/** Milliseconds between checks whether another instance has bought a value. */
const lookEvery = 20

/** How a loader plans asks, and how long it waits for other instances. */
export interface SharedPlanning<W extends Wanted, V> {
  readonly sharing: Sharing
  /** Whether an ask's value is neither stored nor under way. */
  readonly isMissing: (ask: Ask<W, V>) => boolean
  readonly nameOf: (ask: Ask<W>) => string
  /** The calls for so many missing things. */
  readonly prepaymentOf: (missing: readonly Ask<W, V>[], count: number) => Prepayment
  /** Plans the calls for values that are still missing. */
  readonly plan: (asks: readonly Ask<W, V>[], hasCome: boolean) => Calls
  /** The end of waiting, by `performance.now()`. */
  readonly until: number
}

/**
 * Plans calls for an account that several instances share. One round trip fetches what the others have bought
 * and reserves the rest for this instance, in the ledger too. Values that another instance is buying are
 * awaited, and bought here only if they do not come.
 */
export async function planShared<W extends Wanted, V>(
  asks: readonly Ask<W, V>[],
  planning: SharedPlanning<W, V>,
  isFirst = true,
): Promise<Calls> {
  const { sharing, isMissing, nameOf, prepaymentOf, plan, until } = planning
  const missing = asks.filter(isMissing)
  const [first] = missing
  const names = new Set(missing.map(nameOf))
  if (!first) return plan(asks, false)
  const prepayment = prepaymentOf(missing, names.size)
  // In the same turn as `take`, so that both are one round trip. Who waits for others expects to buy nothing.
  const prepaid = isFirst ? prepayment.prepay(first.request) : undefined
  const { taken, come } = await sharing.take([...names])
  await prepaid
  const mayWait = performance.now() < until
  const isOthers = (ask: Ask<W, V>) => mayWait && taken.has(nameOf(ask)) && isMissing(ask)
  const later = taken.size === 0 ? [] : asks.filter(isOthers)
  const others = new Set(later)
  const own = asks.filter((ask) => !others.has(ask))
  const reserved = [...names].filter((name) => !taken.has(name))
  const calls = planned(
    () => prepayment.plan(() => plan(own, come > 0)),
    () => sharing.release(reserved),
  )
  release(own, calls, planning, new Set(reserved))
  if (later.length === 0) return calls
  const bought = pause(lookEvery).then(() => planShared(later, planning, false))
  let [nextOwn, nextOther] = [0, 0]
  return asks.map((ask) => {
    if (own[nextOwn] === ask) return calls[nextOwn++] ?? neverAsked()
    const nth = nextOther++
    return bought.then((all) => all[nth] ?? neverAsked())
  })
}

/** Plans the calls; releases the reservations if that fails. */
function planned<T>(plan: () => readonly Promise<T>[], giveUp: () => void): readonly Promise<T>[] {
  try {
    return plan()
  } catch (error) {
    giveUp()
    throw error
  }
}

/** Releases each reservation when its call has ended, or at once if no call was needed. */
function release<W extends Wanted, V>(
  asks: readonly Ask<W, V>[],
  calls: Calls,
  { sharing, nameOf }: SharedPlanning<W, V>,
  reserved: ReadonlySet<string>,
): void {
  const byCall = new Map<Promise<unknown>, Set<string>>()
  asks.forEach((ask, index) => {
    const call = calls[index]
    const name = nameOf(ask)
    if (!call || !reserved.has(name)) return
    const names = byCall.get(call)
    if (names) names.add(name)
    else byCall.set(call, new Set([name]))
  })
  for (const [call, names] of byCall) {
    const end = () => sharing.release([...names])
    call.then(end, end)
  }
}

const neverAsked = (): Promise<never> => Promise.reject(new Error('An ask was left out.'))
