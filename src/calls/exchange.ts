import { clearTimeout, setTimeout } from 'node:timers'
import type { Account } from '../account/account.ts'
import {
  ConnectionLostError,
  isUnsent,
  TimeoutError,
  UnauthenticatedError,
  UnavailableError,
  UpstreamError,
} from '../errors/errors.ts'
import type { Bill } from '../money/bill.ts'
import type { Reservation } from '../money/ledger.ts'
import { tokensIn } from '../money/usage-header.ts'
import type { Operation } from '../specification/operation.ts'
import { parseAnswer } from '../wire/answer.ts'
import type { CircuitBreaker, Passage } from '../wire/circuit-breaker.ts'
import type { Deadline } from '../wire/deadline.ts'
import type { Incoming, Outgoing } from '../wire/transport.ts'
import type { Lease } from './reserve.ts'

/** How one request went, and its bill. */
export type Outcome = { readonly bill: Bill } & ({ readonly answer: Incoming } | { readonly error: unknown })

/** How a call went. */
export interface Exchange extends Pick<Lease, 'sent' | 'began'> {
  /** The number of its requests. */
  readonly requests: number
  /** What they cost together. */
  readonly cost: Bill
  /** How the last one went. */
  readonly outcome: Outcome
}

/** Sends one request, books its bill when its headers arrive, and settles its reservation, also if it fails. */
export async function request(
  account: Account,
  outgoing: Outgoing,
  reservation: Reservation,
): Promise<Outcome> {
  const { settings, health } = account.upstream
  const onHeaders = (headers: Incoming['headers']) => {
    const tokens = tokensIn(headers['x-request-usage'])
    if (tokens !== undefined) reservation.book(tokens)
  }
  try {
    const answer = await settings.transport({ onHeaders, ...outgoing })
    // A call may end in the pause before its next try, so that nobody reads this answer.
    if (isUnavailable(answer)) health.answered(answer)
    const bill = billOf(account, outgoing.operation, answer, reservation)
    reservation.settle(bill)
    const written = account.writeBillsEarly()
    if (written) await written
    return { answer, bill }
  } catch (error) {
    // A request that was not sent is free. Any other request without headers may have been billed.
    const isFree = isUnsent(error)
    const bill = { tokens: isFree ? 0 : reservation.tokens, bytes: 0, estimated: !isFree }
    reservation.settle(bill)
    health.failed(error)
    return { error, bill }
  }
}

/** Whether nothing would be gained by another try. */
export const isFinal = (outcome: Outcome): boolean =>
  'answer' in outcome ? !isUnavailable(outcome.answer) : !(outcome.error instanceof UnavailableError)

/**
 * Tells the circuit breaker how a call ended. A service that cannot be connected to costs neither time nor tokens, so
 * nothing follows from that. If its time was over, or its answer of no use, another call would be as late, or billed
 * for as little.
 */
export function noteHeard(breaker: CircuitBreaker, passage: Passage, outcome: Outcome): void {
  if ('answer' in outcome) return breaker.answered()
  const { error } = outcome
  const isLost = error instanceof ConnectionLostError
  if (isLost || error instanceof TimeoutError || error instanceof UpstreamError) breaker.failed(passage)
}

/** Whether the service reports randomized values. */
export const isRandomized = ({ headers }: Pick<Incoming, 'headers'>): boolean =>
  headers['x-data-quality'] === 'randomized'

/**
 * The bill of an answer. If the usage header is missing or unclear, it is estimated from the bytes, or is the
 * reservation if the body is incomplete. The service itself answers with status 200 (specification §7), so
 * another status without the header comes from a proxy and is not billed. A refused key is not billed either.
 */
function billOf(
  { estimates }: Account,
  operation: Operation,
  answer: Incoming,
  reservation: Reservation,
): Bill {
  const { status, headers, bytes, failure } = answer
  const header = headers['x-request-usage']
  const reported = tokensIn(header)
  if (reported !== undefined) return { tokens: reported, bytes, estimated: false }
  if (header === undefined && (status >= 300 || isKeyRefused(answer, operation)))
    return { tokens: 0, bytes, estimated: false }
  const priced = estimates.tokensFor(operation, bytes)
  return { tokens: failure ? Math.max(priced, reservation.tokens) : priced, bytes, estimated: true }
}

/** Errors are short, so a longer answer is not parsed a second time. */
const longestError = 4_096

function isKeyRefused(answer: Incoming, operation: Operation): boolean {
  if (answer.bytes > longestError || answer.failure) return false
  try {
    parseAnswer(answer, operation)
    return false
  } catch (error) {
    return error instanceof UnauthenticatedError
  }
}

const isUnavailable = ({ status }: Incoming) => status === 429 || status >= 500

/**
 * Rests between two tries. Returns whether there is time for another. `pauses` gets what ends the rest early, when the
 * server stops.
 */
export const rest = (pause: number, deadline: Deadline, pauses: Set<() => void>): Promise<boolean> =>
  new Promise((resolve) => {
    const over = (isInTime: boolean) => () => {
      clearTimeout(timer)
      pauses.delete(end)
      resolve(isInTime)
    }
    const end = over(true)
    const timer = setTimeout(end, pause)
    pauses.add(end)
    deadline.onOver(over(false))
  })
