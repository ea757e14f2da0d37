import type { Bill } from '../money/bill.ts'
import { isRefusal } from '../money/booked.ts'
import type { Refusal } from '../money/booked.ts'
import type { Reservation } from '../money/ledger.ts'
import type { Purpose } from '../money/purpose.ts'
import { nameOf } from '../specification/operation.ts'
import type { Account } from '../account/account.ts'
import {
  AccessDeniedError,
  BudgetExceededError,
  ClientBudgetExceededError,
  CodedError,
  QueryTooExpensiveError,
  deniedByPlan,
  heldByOther,
  inDoubt,
  unreached,
} from '../errors/errors.ts'
import type { ClientRequest } from '../account/client-request.ts'
import { largestRise } from '../money/ledger.ts'
import type { Passage } from '../wire/circuit-breaker.ts'
import type { Deadline } from '../wire/deadline.ts'
import { Waiters } from '../wire/waiters.ts'
import type { Call, RowUser, Sent } from './sent.ts'
import { isSaidToBeDenied } from '../account/denied-by-plan.ts'

/** The call with its payer first: the first request whose own limits allow it. */
export function payerFirst(account: Account, call: Call): Sent {
  const { operation, arguments: values, requests, field, waiters = new Waiters(requests) } = call
  const sent = { account, operation, arguments: values, requests, field, waiters }
  if (requests.length === 1) return { users: [{ request: requests[0], rows: 1 }], ...sent }
  const rows = new Map<ClientRequest, number>()
  for (const request of requests) rows.set(request, (rows.get(request) ?? 0) + 1)
  const paidBy = (payer: ClientRequest): Sent => {
    const others = [...rows].filter(([request]) => request !== payer)
    const users = others.map(([request, count]) => ({ request, rows: count }))
    return { users: [{ request: payer, rows: rows.get(payer) ?? 1 }, ...users], ...sent }
  }
  const first = paidBy(requests[0])
  const tokens = estimateOf(first)
  const payer = requests.find(({ allowance }) => allowance.covers(tokens))
  return payer === undefined ? first : paidBy(payer)
}

/**
 * The same factor as `largestRise`, for the limit of one request. It is smaller, because a small limit would
 * otherwise make all calls go out one by one.
 */
const largestRiseOfQuery = 4

/** Whether a call may be sent while others of its operation are pending: it fits although they cost a multiple. */
export function mayJoin(sent: Sent): boolean {
  const { ledger, upstream } = sent.account
  const { allowance } = sent.users[0].request
  const isLimited = ledger.budget !== null || upstream.ledgers.hasClientBudgets
  if (!isLimited && allowance.limits.maxTokens === null) return true
  const tokens = estimateOf(sent)
  return (
    allowance.coversTimes(largestRiseOfQuery, tokens) &&
    (ledger.budget === null || ledger.coversTimes(largestRise, tokens)) &&
    upstream.ledgers.clientsCoverTimes(largestRise, usersOf(sent), tokens)
  )
}

/**
 * Tokens that are reserved for a call: the largest bill of its form. For an unknown form the largest
 * expected, if the key's budget and those of its clients cover it.
 */
export function estimateOf(sent: Sent): number {
  const { account, operation, arguments: values } = sent
  const { ledger, estimates, upstream } = account
  const safe = estimates.tokens(operation, values, 'safe')
  if (ledger.budget === null || estimates.isKnown(operation, values)) return safe
  const most = estimates.tokens(operation, values, 'most')
  if (ledger.covers(most) && upstream.ledgers.clientsCover(usersOf(sent), most)) return most
  return ledger.covers(safe) || ledger.hasTokens
    ? safe
    : ofUntouched(ledger, safe, estimates.tokensIfSmall(operation, values))
}

/**
 * The reservation of a month's first call whose guess exceeds the budget. If the smallest answer fits, it is the
 * whole budget. Otherwise no call would ever go out, and no bill would correct the guess.
 */
const ofUntouched = ({ unreserved }: Account['ledger'], safe: number, small: number): number =>
  unreserved !== null && small <= unreserved ? unreserved : safe

/**
 * The same at the lowest price of the operation, if the payer's limit may have to be compared with it.
 */
function cheapEstimateOf({ account, operation, arguments: values, users }: Sent): number {
  const { maxTokens } = users[0].request.allowance.limits
  return maxTokens === null ? 0 : account.estimates.tokensIfCheap(operation, values)
}

/** The users of a call, as the ledgers name them. */
function usersOf({ users: [payer, ...others] }: Sent): Purpose['users'] {
  const named = ({ request: { client, operation }, rows }: RowUser) => ({ client, operation, rows })
  return [named(payer), ...others.map(named)]
}

/** Tokens reserved for one request to the service. */
export interface Reserved extends Reservation {
  /**
   * Resolves when the reservation is recorded, with an error if the request may not be sent; undefined if it
   * may be sent at once.
   */
  readonly written: Promise<CodedError | null> | undefined
}

/** What allows a call to be sent. */
export interface Lease {
  readonly sent: Sent
  readonly deadline: Deadline
  readonly passage: Passage
  /** For its first request. */
  readonly reservation: Reserved
  /** When it was allowed, as `performance.now` tells. */
  readonly began: number
}

/**
 * Counts a call and reserves tokens for its first request. Throws the error of a call that does not fit into the
 * payer's limit, or into a budget.
 */
export function reserveFirst(sent: Sent): Reserved {
  const { allowance } = sent.users[0].request
  const tokens = estimateOf(sent)
  if (!allowance.covers(tokens, cheapEstimateOf(sent))) throw tooExpensive(sent, tokens)
  const reservation = reserve(sent, tokens, 1)
  if (reservation instanceof CodedError) throw reservation
  allowance.countCall()
  return reservation
}

/**
 * Reserves tokens in the month's budgets and in the payer's own limit. `calls` is 1 until a request of the call
 * was billed, then 0. Returns an error if a budget or the limit is too small.
 */
export function reserve(sent: Sent, tokens: number, calls: number): Reserved | CodedError {
  const { account, operation, users } = sent
  const share = users[0].request.allowance.reserve(tokens, cheapEstimateOf(sent))
  if (!share) return tooExpensive(sent, tokens)
  const reservation = account.reserve(tokens, { service: nameOf(operation), users: usersOf(sent), calls })
  if (isRefusal(reservation)) {
    share.settle(0)
    return errorOf(account, reservation, tokens)
  }
  const settle = (bill: Bill) => {
    reservation.settle(bill)
    share.settle(bill.tokens)
  }
  const ended = (refusal: Refusal | null) => {
    if (!refusal) return null
    share.settle(0)
    return errorOf(account, refusal, tokens)
  }
  return {
    tokens: reservation.tokens,
    written: reservation.written?.then(ended),
    book: reservation.book,
    settle,
  }
}

/**
 * The error of a call that does not fit into the limits of those that need it. A higher limit is of no use if the plan
 * denies the call.
 */
function tooExpensive({ account, operation, users }: Sent, needed: number): CodedError {
  if (isSaidToBeDenied(account, operation)) return new AccessDeniedError(deniedByPlan)
  const error = new QueryTooExpensiveError(users.map(({ request }) => request))
  const { remaining } = users[0].request.allowance
  // Otherwise the number of calls does not fit.
  if (remaining !== null && needed > remaining) error.shortage = { needed, remaining }
  return error
}

const reasons = { UNREACHED: unreached, IN_DOUBT: inDoubt, HELD: heldByOther }

function errorOf(account: Account, { refusedBy, budgets, because }: Refusal, needed: number) {
  const isClients = refusedBy === 'client'
  const error = isClients
    ? new ClientBudgetExceededError(budgets, because && reasons[because])
    : new BudgetExceededError(
        because ? reasons[because] : 'This month’s token budget does not allow another call.',
      )
  const { ledger, upstream } = account
  const remaining = isClients ? upstream.ledgers.unreservedOf(budgets) : ledger.unreserved
  if (remaining !== null && !because) error.shortage = { needed, remaining }
  return error
}
