import type { Account, CallInFlight } from '../account/account.ts'
import type { ClientRequest } from '../account/client-request.ts'
import { ClosedError, CodedError, RefusedError } from '../errors/errors.ts'
import { nameOf } from '../specification/operation.ts'
import { NotRecordedError } from '../wire/not-recorded.ts'
import type { Ask, Wanted } from './ask.ts'
import { handled } from './maybe-promise.ts'

/** What joining a call resolves with: the call may have ended without bringing what was asked for. */
export const joined = Symbol('joined')

/**
 * For each ask whose value a call under way will bring, a promise of that call's end, one for each call and request.
 * It resolves with `joined`, also if another request could not pay for the call; a failure of the service is the
 * answer for all.
 */
export function joinCalls<W extends Wanted, V>(
  account: Account,
  asks: readonly Ask<W, V>[],
): ReadonlyMap<Ask<W, V>, Promise<unknown>> {
  const found = new Map<Ask<W, V>, Promise<unknown>>()
  if (!account.hasCallsInFlight) return found
  const calls = new Map<CallInFlight, Map<ClientRequest, Ask<W, V>[]>>()
  for (const ask of asks) {
    const call = callFor(account, ask)
    if (!call) continue
    const byRequest = calls.get(call) ?? new Map<ClientRequest, Ask<W, V>[]>()
    calls.set(call, byRequest)
    const same = byRequest.get(ask.request)
    if (same) same.push(ask)
    else byRequest.set(ask.request, [ask])
  }
  for (const [call, byRequest] of calls)
    for (const [request, those] of byRequest) {
      const end = handled(join(call, request, those))
      for (const ask of those) found.set(ask, end)
    }
  return found
}

/** The call under way that will bring an ask's value; undefined if there is none. */
export function callFor<W extends Wanted>(account: Account, { kept }: Ask<W>): CallInFlight | undefined {
  for (const { owner, slot } of kept ?? []) {
    const call = account.callFor(owner, slot.name)
    if (call) return call
  }
  return undefined
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
  asks: readonly Ask<W, V>[],
): Promise<typeof joined> {
  waiters.add(request)
  try {
    await answer
    const field = asks[0]?.field ?? ''
    if (request !== payer) request.share(nameOf(operation), Object.keys(values), asks.length, field)
  } catch (error) {
    if (isOutage(error)) throw error
  }
  return joined
}
