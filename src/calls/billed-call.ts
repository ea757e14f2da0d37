import { SpanKind } from '@opentelemetry/api'
import type { Span } from '@opentelemetry/api'
import { noBill } from '../money/bill.ts'
import type { Bill } from '../money/bill.ts'
import { largestRise } from '../money/ledger.ts'
import { idsOf, nameOf } from '../specification/operation.ts'
import type { Arguments, Operation } from '../specification/operation.ts'
import type { Account } from '../account/account.ts'
import { judge, NothingFound } from '../wire/answer.ts'
import type { Answered, Body } from '../wire/answer.ts'
import { Deadline } from '../wire/deadline.ts'
import {
  AccessDeniedError,
  BudgetExceededError,
  ClosedError,
  PausedError,
  UnauthenticatedError,
  deniedByPlan,
} from '../errors/errors.ts'
import { NotRecordedError } from '../wire/not-recorded.ts'
import { exchange, isRandomized } from './exchange.ts'
import type { Spent } from './exchange.ts'
import { keepAnswer, keepNarrowed } from '../account/keep.ts'
import { asRead, fitting, ignoredIn, isReadAgain, noteIgnored, without } from './reading.ts'
import type { Sent } from './needed-call.ts'
import { recallTape } from './recall-tape.ts'
import { listedName } from '../specification/operations.ts'
import type { ClientRequest } from '../account/client-request.ts'
import { cheapEstimateOf, estimateOf, tooExpensive, usersOf } from './reserve.ts'
import { isBulk } from '../account/trial-signs.ts'
import { isTracing, noSpan, within } from '../trace.ts'
import type { Incoming } from '../wire/transport.ts'

/**
 * Sends a call in a span of its own, when the limits allow it. Stores and bills the answer. Throws a
 * CodedError.
 */
export const sendBilled = (account: Account, asked: Sent): Promise<Answered> =>
  traced(asked, (span) => send(account, asked, span))

/** Runs a call in its span, which contains neither values nor the key. */
function traced<T>(asked: Sent, run: (span: Span) => Promise<T>): Promise<T> {
  if (!isTracing()) return run(noSpan)
  const { operation, arguments: names, ids, field } = line(asked)
  const attributes = {
    'statline.operation': operation,
    'statline.arguments': [...names],
    'statline.ids': ids,
    'statline.field': field,
  }
  return within(`upstream ${operation}`, { kind: SpanKind.CLIENT, attributes }, run)
}

/**
 * The same factor as `largestRise`, for the limit of one request. It is smaller, because a small limit would
 * otherwise make all calls go out one by one.
 */
const largestRiseOfQuery = 4

/** Sends a call when the concurrency limit allows it. */
async function send(account: Account, asked: Sent, span: Span): Promise<Answered> {
  const { operation, waiters } = asked
  if (account.apiKey === '')
    throw new UnauthenticatedError('There is no API key. Send one in the header X-API-KEY.')
  if (account.refusals.has(nameOf(operation))) throw new AccessDeniedError(deniedByPlan)
  checkSendable(account, asked)
  const { allowance } = asked.users[0].request
  const { ledgers } = account.upstream
  const mayJoin = () => {
    const isLimited = account.ledger.budget !== null || ledgers.hasClientBudgets
    if (!isLimited && allowance.limits.maxTokens === null) return true
    const tokens = estimateOf(account, asked)
    return (
      allowance.bearsTimes(largestRiseOfQuery, tokens) &&
      (account.ledger.budget === null || account.ledger.bearsTimes(largestRise, tokens)) &&
      ledgers.clientsBearTimes(largestRise, usersOf(asked), tokens)
    )
  }
  const { work } = account
  if (work?.plan() === false) return unending()
  const deadline = new Deadline(account.upstream.settings.timeoutMs)
  const begin = () => (work?.begin() === false ? unending() : spend(account, asked, deadline, span))
  // A dry run waits for this process alone.
  const limited = {
    operation: nameOf(operation),
    waiters,
    mayJoin,
    deadline: account.dryRunOf ? null : deadline,
  }
  try {
    return await account.limiter.run(limited, begin)
  } finally {
    deadline.end()
  }
}

/** A new one each time: what waits for it goes with it. */
const unending = () => new Promise<never>(() => {})

/** Checks that the service is there, and somebody for whom to call. Both may change while a call waits. */
function checkSendable({ upstream }: Account, { users }: Sent): void {
  if (!upstream.health.breaker.letsPass) throw new PausedError()
  if (users.every(({ request }) => request.isClosed)) throw new ClosedError()
}

async function spend(account: Account, asked: Sent, deadline: Deadline, span: Span): Promise<Answered> {
  const { operation, arguments: values } = asked
  checkSendable(account, asked)
  const { answer, bill } = await charged(account, asked, deadline, span)
  const { body, text } = asRead(account, operation, accept(account, operation, answer), answer.body)
  answer.dropBody?.()
  account.hasAnswers = true
  account.isRefused = false
  account.isSpent = false
  const boughtAt = account.upstream.moment()
  if (isRandomized(answer)) account.noteRandomized(boughtAt)
  const ignored = ignoredIn(operation, values, body)
  // If a filter was ignored, this is the answer to a call without the filter.
  const answered = ignored.length === 0 ? values : without(values, ignored)
  const keys = keepAnswer(account, { operation, arguments: answered, body, boughtAt, bytes: answer.bytes })
  account.estimates.learnFrom(operation, answered, body, bill)
  account.keep({
    kind: 'answer',
    operation: listedName(operation),
    arguments: answered,
    boughtAt,
    bill,
    isRandomized: isRandomized(answer),
    // "Nothing matched" may have been an error.
    text: Object.keys(body).length === 0 ? '{}' : text,
  })
  keepTrial(account, operation, boughtAt)
  // A promise that has waited is old. What it resolves with stays in memory until a full collection.
  if (!isReadAgain(operation, values)) return { keys, body: unread, boughtAt }
  if (ignored.length === 0) return { keys, body, boughtAt }
  noteIgnored(account, operation, ignored)
  return narrowed(account, operation, values, { keys, body, boughtAt })
}

const unread: Body = {}

/** Notes what an answer tells of the key's plan, and stores it if the key seemed to be a trial key. */
function keepTrial(account: Account, operation: Operation, boughtAt: number): void {
  const { isTrial: wasTrial, refusedAt } = account.trialSigns
  if (isBulk(operation)) account.trialSigns.noteAllowed(boughtAt)
  if (!wasTrial) return
  const isOver = !account.trialSigns.isTrial
  account.keep({ kind: 'trial', operation: '', boughtAt, refusedAt, isOver })
}

/** Makes a call and charges its cost to the request that sends it, also if it fails. */
async function charged(account: Account, asked: Sent, deadline: Deadline, span: Span) {
  const started = performance.now()
  const spent: Spent = { requests: 0, bill: noBill }
  const [{ request: payer }] = asked.users
  const estimate = estimateOf(account, asked)
  if (!payer.allowance.bears(estimate, cheapEstimateOf(account, asked)))
    throw tooExpensive(account, asked, estimate)
  payer.allowance.countCall()
  try {
    return await exchange(account, asked, deadline, estimate, spent)
  } finally {
    if (spent.requests > 0) {
      account.countCall()
      payer.attempts += spent.requests
      for (const { request } of asked.users) if (request !== payer) noteShared(request, asked)
      const { tokens, bytes } = spent.bill
      span.setAttributes({ 'statline.tokens': tokens, 'statline.bytes': bytes })
      charge(asked, spent.bill, started)
    } else payer.allowance.uncountCall()
  }
}

/** Notes in a request's plan that a call that another one pays for brings its rows. */
export function noteShared(request: ClientRequest, asked: Sent): void {
  const { operation, arguments: names, ids, field } = line(asked)
  request.share(operation, names, ids, field)
}

function charge(asked: Sent, { tokens, bytes, estimated }: Bill, started: number): void {
  const { operation, arguments: names, ids, field } = line(asked)
  asked.users[0].request.record({
    operation,
    arguments: names,
    ids,
    bytes,
    tokens,
    ms: Math.round((performance.now() - started) * 100) / 100,
    source: 'UPSTREAM',
    field,
    ...(estimated && { estimated }),
  })
}

function accept(account: Account, operation: Operation, answer: Incoming): Body {
  const { capabilities, health: service } = account.upstream
  try {
    const body = judge(answer, operation, capabilities.choices.emptyStatus)
    service.answered(answer)
    return body
  } catch (error) {
    if (error instanceof NothingFound) {
      service.answered(answer)
      return {}
    }
    service.answered(answer, error)
    if (error instanceof NotRecordedError) recallTape(account, error)
    if (error instanceof UnauthenticatedError) account.isRefused = true
    if (error instanceof BudgetExceededError) account.isSpent = true
    if (error instanceof AccessDeniedError && isBulk(operation)) {
      const boughtAt = account.upstream.settings.clock()
      account.noteRefused(nameOf(operation), boughtAt)
      account.keep({ kind: 'refusal', operation: nameOf(operation), boughtAt })
    }
    throw error
  }
}

/** A call without its values, for plans and spans. */
export const line = ({ operation, arguments: values, field }: Sent) => ({
  operation: nameOf(operation),
  arguments: Object.keys(values),
  ids: idsOf(operation, values),
  field,
})

/** Applies the filters that the service ignored. */
export function narrowed(
  account: Account,
  operation: Operation,
  values: Arguments,
  { body, boughtAt }: Answered,
): Answered {
  const fit = fitting(operation, values, body)
  return keepNarrowed(account, { operation, arguments: values, body: fit, boughtAt, bytes: 0 })
}
