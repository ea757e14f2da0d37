import type { Account, CallInFlight } from '../account/account.ts'
import type { ClientRequest } from '../account/client-request.ts'
import { ClosedError, CodedError, RefusedError } from '../errors/errors.ts'
import { NotRecordedError } from '../wire/not-recorded.ts'
import type { Ask, Split, Splits, Wanted } from './ask.ts'
import { handled } from './plan-missing.ts'
import { nameOf } from '../specification/operation.ts'

/** Loads an ask again whose call has not brought the value. */
type Again<W extends Wanted, V> = (ask: Ask<W, V>) => Promise<V | null>

/** The call under way that will bring an ask's value; undefined if there is none. */
export function callFor<W extends Wanted>(account: Account, { kept }: Ask<W>): CallInFlight | undefined {
  for (const { owner, slot } of kept ?? []) {
    const call = account.callFor(owner, slot.name)
    if (call) return call
  }
  return undefined
}

/**
 * Answers asks from calls under way, one promise for each call and request. What a call does not bring is asked for
 * again. So is what another request could not pay for; a failure of the service is the answer for all.
 */
export function joinCalls<W extends Wanted, V>(
  asks: readonly Ask<W, V>[],
  calls: readonly CallInFlight[],
  again: Again<W, V>,
): Splits<W, V> {
  const joined = new Map<CallInFlight, Map<ClientRequest, Promise<Split<W, V>>>>()
  const ids = new Map<CallInFlight, Map<ClientRequest, number>>()
  asks.forEach(({ request }, nth) => {
    const call = calls[nth]
    if (!call) return
    const counts = ids.get(call) ?? new Map<ClientRequest, number>()
    ids.set(call, counts.set(request, (counts.get(request) ?? 0) + 1))
  })
  return asks.map((ask, nth) => {
    const call = calls[nth]
    if (!call) return Promise.reject(new Error('An ask joins no call.'))
    const { request, field } = ask
    const own = joined.get(call) ?? new Map<ClientRequest, Promise<Split<W, V>>>()
    joined.set(call, own)
    const before = own.get(request)
    if (before) return before
    const split = handled(join(call, request, field, ids.get(call)?.get(request) ?? 1, again))
    own.set(request, split)
    return split
  })
}

const outages = new Set(['UPSTREAM_TIMEOUT', 'UPSTREAM_UNAVAILABLE', 'UPSTREAM_ERROR'])

/** Whether the service has failed, so that another call would most likely fail too. Others’ ids may be why it refuses arguments. */
const isOutage = (error: unknown): boolean =>
  error instanceof CodedError &&
  outages.has(error.code) &&
  !(error instanceof ClosedError || error instanceof NotRecordedError) &&
  !(error instanceof RefusedError && error.isAboutArguments)

async function join<W extends Wanted, V>(
  { answer, payer, waiters, operation, arguments: values }: CallInFlight,
  request: ClientRequest,
  field: string,
  ids: number,
  again: Again<W, V>,
): Promise<Split<W, V>> {
  waiters.add(request)
  try {
    await answer
    if (request !== payer) request.share(nameOf(operation), Object.keys(values), ids, field)
  } catch (error) {
    if (isOutage(error)) throw error
  }
  return (ask) => {
    const own = ask as Ask<W, V> // one of the asks that joined, whose values are of this loader
    const value = own.cached?.()
    // Null is known: there is nothing.
    return value === undefined ? again(own) : value
  }
}
