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
  QueryTooExpensiveError,
  deniedByPlan,
  heldByOther,
  inDoubt,
  unreached,
} from '../errors/errors.ts'
import type { CodedError } from '../errors/errors.ts'
import type { RowUser, Sent } from './needed-call.ts'
import { isSaidToBeDenied } from '../account/denied-by-plan.ts'

/**
 * Tokens that are reserved for a call: the largest bill of its form. For an unknown form the largest
 * expected, if the key's budget and those of its clients cover it.
 */
export function estimateOf(account: Account, asked: Pick<Sent, 'operation' | 'arguments' | 'users'>): number {
  const { ledger, estimates, upstream } = account
  const { operation, arguments: values } = asked
  const safe = estimates.tokens(operation, values, 'safe')
  if (ledger.budget === null || estimates.isKnown(operation, values)) return safe
  const most = estimates.tokens(operation, values, 'most')
  if (ledger.bears(most) && upstream.ledgers.clientsBear(usersOf(asked), most)) return most
  return ledger.bears(safe) || ledger.hasTokens
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
export function cheapEstimateOf(account: Account, { operation, arguments: values, users }: Sent): number {
  const { maxTokens } = users[0].request.allowance.limits
  return maxTokens === null ? 0 : account.estimates.tokensIfCheap(operation, values)
}

/** The users of a call, as the ledgers name them. */
export function usersOf({ users: [payer, ...others] }: Pick<Sent, 'users'>): Purpose['users'] {
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

/**
 * Reserves tokens in the month's budgets and in the payer's own limit. `calls` is 1 until a request of the call
 * was billed, then 0. Returns an error if a budget or the limit is too small.
 */
export function reserve(account: Account, asked: Sent, tokens: number, calls: number): Reserved | CodedError {
  const { operation, users } = asked
  const share = users[0].request.allowance.reserve(tokens, cheapEstimateOf(account, asked))
  if (!share) return tooExpensive(account, asked, tokens)
  const reservation = account.reserve(tokens, { service: nameOf(operation), users: usersOf(asked), calls })
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
export function tooExpensive(account: Account, { operation, users }: Sent, needed: number): CodedError {
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
