import { clearTimeout, setTimeout } from 'node:timers'
import { trace } from '@opentelemetry/api'
import { noBill, sumOf } from '../money/bill.ts'
import type { Bill } from '../money/bill.ts'
import type { Purpose } from '../money/purpose.ts'
import type { Reservation } from '../money/ledger.ts'
import { isRefusal } from '../money/booked.ts'
import type { Refusal } from '../money/booked.ts'
import { tokensIn } from '../money/usage-header.ts'
import { judge } from './answer.ts'
import { Deadline } from './deadline.ts'
import { encode } from './encode.ts'
import {
  BudgetExceededError,
  ClientBudgetExceededError,
  CodedError,
  isUnsent,
  QueryTooExpensiveError,
  TimeoutError,
  UnauthenticatedError,
  UnavailableError,
} from './errors.ts'
import { nameOf } from '../specification/operation.ts'
import type { Arguments, Operation } from '../specification/operation.ts'
import type { Request } from './request.ts'
import type { Incoming, Outgoing } from './transport.ts'
import type { Account } from './account.ts'

/** The cost of a call so far, with all its requests. */
export interface Spent {
  requests: number
  bill: Bill
}

/** Milliseconds before each retry. */
const usualPauses = [100, 400]

/** The longest `retry-after` that is followed, in milliseconds. */
const longestPause = 2_000

/**
 * The answer to a call and the bill of its last request, after all retries. Each request is reserved before
 * it is sent, and booked when its headers arrive. Throws a CodedError; `spent` then has the cost so far.
 */
export async function exchange(
  account: Account,
  { operation, arguments: values, users }: Sent,
  estimate: number,
  spent: Spent,
): Promise<Exchanged> {
  const { timeoutMs, retryPauses = usualPauses } = account.upstream.settings
  const deadline = new Deadline(timeoutMs)
  const outgoing = encode(operation, values, account.apiKey, deadline, account.upstream.capabilities.choices)
  let outcome: Outcome | null = null
  let refused: CodedError | null = null
  try {
    for (let nth = 0; nth <= retryPauses.length; nth += 1) {
      if (outcome) await rest(pauseAfter(outcome, retryPauses[nth - 1] ?? 0), deadline)
      const tokens = outcome ? estimateOf(account, operation, values) : estimate
      const reservation = reserve(account, users, tokens, purposeOf(operation, users, spent))
      if (reservation instanceof CodedError) {
        refused = reservation
        break
      }
      refused = reservation.written ? await reservation.written : null
      if (refused) break
      if (outcome) trace.getActiveSpan()?.setAttribute('http.request.resend_count', spent.requests)
      spent.requests += 1
      outcome = await request(account, outgoing, reservation, spent)
      if ('answer' in outcome && !isUnavailable(outcome.answer)) break
    }
  } finally {
    deadline.end()
  }
  if (!outcome) throw refused ?? new UnavailableError('The call was not sent.')
  if ('error' in outcome) throw outcome.error
  return outcome
}

const errorOf = ({ refusedBy, budget }: Refusal): BudgetExceededError =>
  refusedBy === 'client'
    ? new ClientBudgetExceededError(budget)
    : new BudgetExceededError('This month’s token budget does not allow another call.')

/**
 * Tokens that are reserved for a call: the largest bill of its form. For an unknown form the largest
 * expected, if the budget covers it.
 */
export function estimateOf({ ledger, estimates }: Account, operation: Operation, values: Arguments): number {
  const safe = estimates.tokens(operation, values, 'safe')
  if (ledger.budget === null || estimates.isKnown(operation, values)) return safe
  const most = estimates.tokens(operation, values, 'most')
  return ledger.bears(most) ? most : safe
}

/** A request that needs the answer, and the number of rows that it needs. */
export interface RowUser {
  readonly request: Request
  readonly rows: number
}

/** The requests that need the answer. The first one pays. */
type Users = readonly [RowUser, ...RowUser[]]

/** A call to send. */
export interface Sent {
  readonly operation: Operation
  readonly arguments: Arguments
  readonly users: Users
  /** The field that made it necessary. */
  readonly field: string
}

const purposeOf = (operation: Operation, users: Users, { requests }: Spent): Purpose => ({
  service: nameOf(operation),
  users: usersOf({ users }),
  calls: requests === 0 ? 1 : 0,
})

/** The users of a call, as the ledgers name them. */
export function usersOf({ users: [payer, ...others] }: Pick<Sent, 'users'>): Purpose['users'] {
  const named = ({ request: { client, operation }, rows }: RowUser) => ({ client, operation, rows })
  return [named(payer), ...others.map(named)]
}

/** Tokens reserved for one request. */
interface Reserved extends Reservation {
  /**
   * Resolves when the reservation is recorded, with an error if the request may not be sent; undefined if it
   * may be sent at once.
   */
  readonly written: Promise<CodedError | null> | undefined
}

/**
 * Reserves tokens in the month's budgets and in the payer's own limit. Returns an error if one of them is
 * too small.
 */
function reserve(account: Account, users: Users, tokens: number, purpose: Purpose): Reserved | CodedError {
  const share = users[0].request.allowance.reserve(tokens)
  if (!share) return new QueryTooExpensiveError(users.map(({ request }) => request))
  const reservation = account.reserve(tokens, purpose)
  if (isRefusal(reservation)) {
    share.settle(0)
    return errorOf(reservation)
  }
  const settle = (bill: Bill) => {
    reservation.settle(bill)
    share.settle(bill.tokens)
  }
  const ended = (refusal: Refusal | null) => {
    if (!refusal) return null
    settle(noBill)
    return errorOf(refusal)
  }
  return {
    tokens: reservation.tokens,
    written: reservation.written?.then(ended),
    book: reservation.book,
    settle,
  }
}

/** An answer and the bill of its request. */
interface Exchanged {
  readonly answer: Incoming
  readonly bill: Bill
}

type Outcome = Exchanged | { readonly error: UnavailableError }

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
    account.upstream.service.answered(answer)
    if (isRandomized(answer)) account.noteRandomized(account.upstream.settings.clock())
    const bill = settle(billOf(account, outgoing.operation, answer, reservation))
    const sent = account.writeBillsEarly()
    if (sent) await sent
    return { answer, bill }
  } catch (error) {
    // A request that was not sent is free. Any other request without headers may have been billed.
    const isFree = isUnsent(error)
    settle({ tokens: isFree ? 0 : reservation.tokens, bytes: 0, estimated: !isFree })
    account.upstream.service.failed(error)
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

function pauseAfter(outcome: Outcome, usual: number): number {
  if ('error' in outcome) return usual
  const told = Number(outcome.answer.headers['retry-after']) * 1000
  return told > usual && told <= longestPause ? told : usual
}

const rest = (pause: number, deadline: Deadline): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, pause)
    deadline.onOver(() => {
      clearTimeout(timer)
      reject(new TimeoutError('The statistics service did not answer in time.'))
    })
  })
