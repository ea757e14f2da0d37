import { clearTimeout, setTimeout } from 'node:timers'
import { trace } from '@opentelemetry/api'
import { noBill, sumOf } from '../money/bill.ts'
import type { Bill } from '../money/bill.ts'
import type { Reservation } from '../money/ledger.ts'
import { tokensIn } from '../money/usage-header.ts'
import { judge } from '../wire/answer.ts'
import type { Deadline } from '../wire/deadline.ts'
import { encode } from '../wire/encode.ts'
import type { CircuitBreaker, Passage } from '../wire/circuit-breaker.ts'
import {
  CodedError,
  isUnsent,
  PausedError,
  RetryLaterError,
  TimeoutError,
  UnauthenticatedError,
  UnavailableError,
  UpstreamError,
} from '../errors/errors.ts'
import type { Sent } from './needed-call.ts'
import { estimateOf, reserve } from './reserve.ts'
import { pauseAsked } from '../wire/retry-after.ts'
import type { Operation } from '../specification/operation.ts'
import type { Incoming, Outgoing } from '../wire/transport.ts'
import type { Account } from '../account/account.ts'

/** The cost of a call so far, with all its requests. */
export interface Spent {
  requests: number
  bill: Bill
}

/** Milliseconds before each retry. */
const usualPauses = [100, 400]

/**
 * The answer to a call and the bill of its last request, after all retries. Each request is reserved before
 * it is sent, and booked when its headers arrive. Throws a CodedError; `spent` then has the cost so far.
 */
export async function exchange(
  account: Account,
  asked: Sent,
  deadline: Deadline,
  estimate: number,
  spent: Spent,
): Promise<Exchanged> {
  const { operation, arguments: values } = asked
  const { retryPauses = usualPauses, clock } = account.upstream.settings
  const { breaker } = account.upstream.health
  const outgoing = encode(operation, values, account.apiKey, deadline, account.upstream.capabilities.choices)
  let outcome: Outcome | null = null
  let refused: CodedError | null = null
  let late: CodedError | null = null
  let passage: Passage | null = null
  try {
    for (let nth = 0; nth <= retryPauses.length; nth += 1) {
      if (passage?.isProbe) break
      if (outcome) {
        const usual = retryPauses[nth - 1] ?? 0
        const asked = 'answer' in outcome ? pauseAsked(outcome.answer.headers, clock()) : 0
        if (asked > deadline.msLeft) {
          late = new RetryLaterError(asked)
          break
        }
        await rest(Math.max(usual, asked), deadline, account.upstream.pauses)
      }
      const tokens = outcome ? estimateOf(account, asked) : estimate
      const reservation = reserve(account, asked, tokens, spent.bill.tokens === 0 ? 1 : 0)
      if (reservation instanceof CodedError) {
        refused = reservation
        break
      }
      refused = reservation.written ? await deadline.without(reservation.written) : null
      if (refused) break
      passage ??= breaker.enter()
      if (!passage) {
        reservation.settle(noBill)
        throw new PausedError()
      }
      if (outcome) trace.getActiveSpan()?.setAttribute('http.request.resend_count', spent.requests)
      spent.requests += 1
      outcome = await request(account, outgoing, reservation, spent)
      if ('answer' in outcome && !isUnavailable(outcome.answer)) break
    }
  } catch (error) {
    // Another call would be as late, or billed for as little.
    if (passage && (error instanceof TimeoutError || error instanceof UpstreamError)) breaker.failed(passage)
    throw error
  }
  if (passage && outcome) noteAnswered(breaker, passage, outcome)
  if (late) throw late
  if (!outcome) throw refused ?? new UnavailableError('The call was not sent.')
  if ('error' in outcome) throw outcome.error
  return outcome
}

/** An answer and the bill of its request. */
interface Exchanged {
  readonly answer: Incoming
  readonly bill: Bill
}

type Outcome = Exchanged | { readonly error: UnavailableError }

/** A service that cannot be connected to costs neither time nor tokens, so nothing follows from that. */
function noteAnswered(breaker: CircuitBreaker, passage: Passage, outcome: Outcome): void {
  if ('answer' in outcome) breaker.answered()
  else if (!isUnsent(outcome.error)) breaker.failed(passage)
}

/** Sends one request and settles its reservation, also if it fails. */
async function request(
  account: Account,
  outgoing: Outgoing,
  reservation: Reservation,
  spent: Spent,
): Promise<Outcome> {
  const settle = (bill: Bill) => {
    reservation.settle(bill)
    spent.bill = sumOf(spent.bill, bill)
    return bill
  }
  const onHeaders = (headers: Incoming['headers']) => {
    const tokens = tokensIn(headers['x-request-usage'])
    if (tokens !== undefined) reservation.book(tokens)
  }
  try {
    const answer = await account.upstream.settings.transport({ onHeaders, ...outgoing })
    // A call may end in the pause before its next try, so that nobody reads this answer.
    if (isUnavailable(answer)) account.upstream.health.answered(answer)
    const bill = settle(billOf(account, outgoing.operation, answer, reservation))
    const sent = account.writeBillsEarly()
    if (sent) await sent
    return { answer, bill }
  } catch (error) {
    // A request that was not sent is free. Any other request without headers may have been billed.
    const isFree = isUnsent(error)
    settle({ tokens: isFree ? 0 : reservation.tokens, bytes: 0, estimated: !isFree })
    account.upstream.health.failed(error)
    if (error instanceof UnavailableError) return { error }
    throw error
  }
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
    judge(answer, operation)
    return false
  } catch (error) {
    return error instanceof UnauthenticatedError
  }
}

const isUnavailable = ({ status }: Incoming) => status === 429 || status >= 500

/** Rests between two tries. `pauses` gets what ends the rest early, when the server stops. */
const rest = (pause: number, deadline: Deadline, pauses: Set<() => void>): Promise<void> =>
  new Promise((resolve, reject) => {
    const over = (tell: () => void) => () => {
      clearTimeout(timer)
      pauses.delete(end)
      tell()
    }
    const end = over(resolve)
    const timer = setTimeout(end, pause)
    pauses.add(end)
    deadline.onOver(over(() => reject(new TimeoutError('The statistics service did not answer in time.'))))
  })
